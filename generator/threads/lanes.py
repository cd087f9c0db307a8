"""Lanes: innermost loops that vector units run, and unrolled bodies (Senanayake 2020, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..ir import ir, logic
from ..ir.ir import Declare
from ..ir.simplify import is_pure
from ..ir.writer import Writer
from ..scope.target import Cell
from ..scope.team import Team

FEWEST = 4
REDUCTIONS = {f"{{0}} {sign} {{1}}": sign for sign in ("+", "*")}


def vectorise(out: Writer, loop: ir.For, team: Team, cells: Mapping[str, Cell], folds: Mapping[str, str]) -> None:
    """Let lanes share the loop that was written last, if it is one that they can.

    Lanes reduce by operators that C writes as OpenMP does, of which `folds` has the spellings; its `min` and `max`
    would lose NaN. Whether anything is present is told before the loop: it is, if the loop runs at all. Lanes do not
    share what reports a status, as do integers that may overflow.
    """
    if not all(is_computed(s) for s in loop.body) or is_short(loop):
        return
    clauses, flags = "", []
    for name in sorted(team.racing):
        cell, sign = cells.get(name), REDUCTIONS.get(folds.get(name, ""))
        if cell is None or cell.block or sign is None:
            return
        clauses += f" reduction({sign} : {cell.value.name})"
        if cell.present is not None and ir.Assign(cell.present, ir.TRUE) in loop.body:
            flags.append(cell.present)
    out.body.pop()
    end = out.hold(f"{loop.name}_end", loop.end)
    for flag in flags:
        out.add(ir.Assign(flag, logic.either(flag, logic.compare("<", loop.begin, end))))
    body = tuple(s for s in loop.body if s not in [ir.Assign(flag, ir.TRUE) for flag in flags])
    out.add(ir.For(loop.name, loop.begin, end, body, f"omp simd{clauses}"))


def is_short(loop: ir.For) -> bool:
    """Whether a loop has too few iterations for lanes, so that compilers write them out one after another."""
    return isinstance(loop.end, ir.Int) and loop.begin == ir.ZERO and loop.end.value < FEWEST


def is_computed(s: ir.Stmt) -> bool:
    """Whether a statement stores a value that is only computed."""
    match s:
        case Declare(value=value):
            return value is None or is_pure(value)
        case ir.Assign(value=value):
            return is_pure(value)
        case _:
            return isinstance(s, ir.Comment)


def unroll(out: Writer, loop: ir.For, factor: int) -> None:
    """Ask the compiler to unroll the loop that was written last."""
    if factor > 1:
        out.body[-1] = replace(loop, pragma=f"GCC unroll {min(factor, 65534)}")
