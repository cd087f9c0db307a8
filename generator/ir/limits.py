"""Limits: the end of a loop that reads memory is computed once, into a variable beside the counter.

Before: `for (int64_t p = 0; p < A2_pos[i]; p++)`. After: `for (int64_t p = 0, p_end = A2_pos[i]; p < p_end; p++)`. No
limit takes the name of a variable that is in use around the loop or inside it. The end must not change while the loop
runs; `simplify.py` does not know limits, and comes before.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from . import ir, traversal
from .ir import Code, Declare, Expr, For, Function, Stmt


def hoist_limits(f: Function) -> Function:
    """The function with every loop end that is read from memory in a variable of its own.

    >>> loop = For("p", ir.ZERO, ir.Element(ir.Name("pos"), ir.ONE), (Declare("int64_t", "p_end"),))
    >>> hoist_limits(Function("void", "f", (), (loop,))).body[0].limit
    'p_end_2'
    """
    return replace(f, body=block(f.body, frozenset(name for _, name in f.parameters)))


def block(code: Code, around: frozenset[str]) -> Code:
    """The statements of a block with limits, where the names `around` are in use."""
    own = {s.name for s in code if isinstance(s, Declare)}
    return tuple(statement(s, around | own) for s in code)


def statement(s: Stmt, around: frozenset[str]) -> Stmt:
    """A statement with limits."""
    match s:
        case For(name=name, end=end, body=body):
            taken = around | {name}
            limit = fresh_name(f"{name}_end", taken | set(declared_variables(body))) if reads(end) else ""
            return replace(s, body=block(body, taken | {limit}), limit=limit)
        case _:
            return traversal.change_blocks(s, lambda code: block(code, around))


def fresh_name(stem: str, taken: frozenset[str]) -> str:
    """The stem, or the stem with a number, which is not taken."""
    name, n = stem, 2
    while name in taken:
        name, n = f"{stem}_{n}", n + 1
    return name


def fresh(stem: str, taken: set[str]) -> str:
    """A name that is not taken, which is taken then."""
    name = fresh_name(stem, frozenset(taken))
    taken.add(name)
    return name


def hold_end(loop: For, taken: set[str]) -> tuple[Code, Expr]:
    """The end of a loop as a variable or a number, and what comes before that."""
    if isinstance(loop.end, ir.Name | ir.Int):
        return (), loop.end
    end = ir.Name(fresh(f"{loop.name}_end", taken), True)
    return (Declare(f"const {ir.INT}", end.name, loop.end),), end


def names_in_use(f: Function) -> set[str]:
    """The names of a function's parameters and variables."""
    return {name for _, name in f.parameters} | set(declared_variables(f.body))


def declared_variables(code: Code) -> Iterator[str]:
    """Every variable that is declared in some code."""
    return (s.name for s in traversal.statements(code) if isinstance(s, Declare | For))


def reads(e: Expr) -> bool:
    """Whether an expression reads memory or calls."""
    return isinstance(e, ir.Element | ir.Call) or any(reads(part) for part in traversal.parts(e))
