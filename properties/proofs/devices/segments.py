"""Segments: what neighbouring lanes fold that have values of one component.

The coordinates that lanes have are unknown integers, and so are the values: what holds of sums holds for every operator
that is associative and commutative, as with other collectives. What lanes have after a statement that they come to on a
condition is a term of that condition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add, lt, ne
from typing import Any

from ....generator.cuda.collective import Folded
from ....generator.cuda.segmented import fold_segments
from ....generator.ir import ir
from ....generator.ir.grid import THREAD
from ....generator.ir.ir import LANES, Name
from ....generator.ir.writer import Writer
from ....reference.errors import InternalError
from ..solver import Term, decide, z3
from ..verdict import Verdict, together
from .collectives import INTEGERS, in_warp

SIGNS: Mapping[str, Callable[[Any, Any], Any]] = {**INTEGERS, "+": add, "<": lt, "!=": ne}
OWN, PATH = Name("own"), (Name("row"), Name("column"))


def segments_are_whole() -> Verdict:
    """Whether the first lane of each segment has the sum of it, and no other one is taken for the first: in warps of
    any number of lanes, of components that one coordinate tells or two."""
    return together(v for n in (1, 2) for lanes in (2, 4, 8, 16, 32) for v in of_warps(lanes, PATH[:n]))


def of_warps(lanes: int, path: tuple[Name, ...]) -> list[Verdict]:
    """What holds of each lane of one of the device's warps, in which there are warps of so many lanes."""
    out = Writer()
    first = fold_segments(path, [Folded(OWN, "double", ir.ZERO, lambda a, b: (ir.Assign(a, b, "+="),))], lanes, out)
    begun = {v.name: [z3.Int(f"{v.name}!{t}") for t in range(LANES)] for v in (OWN, *path)}
    warp = Lanes(begun, lanes)
    warp.run(out.code, [True] * LANES)
    return [is_whole(warp, begun, path, t, warp.value(first, t)) for t in range(LANES)]


def is_whole(warp: Lanes, begun: Mapping[str, list[Term]], path: tuple[Name, ...], t: int, first: Term) -> Verdict:
    """Whether a lane is the first of a segment exactly if it is so taken, and has the sum then."""
    end = t - t % warp.lanes + warp.lanes
    begins = z3.And(begun[path[0].name][t] >= 0, True if t % warp.lanes == 0 else differ(begun, path, t))
    joined = [z3.And(*(z3.Not(differ(begun, path, s)) for s in range(t + 1, n + 1))) for n in range(t, end)]
    whole = z3.Sum(*(z3.If(c, begun[OWN.name][n], 0) for n, c in zip(range(t, end), joined, strict=True)))
    return decide(z3.And(first == begins, z3.Implies(first, warp.held[OWN.name][t] == whole)))


def differ(begun: Mapping[str, list[Term]], path: tuple[Name, ...], t: int) -> Term:
    """Whether a lane has another component than the one before it."""
    return z3.Or(*(begun[v.name][t] != begun[v.name][t - 1] for v in path))


class Lanes:
    """The lanes of one of the device's warps, which hold terms in variables, running code that all of them come to."""

    def __init__(self, held: Mapping[str, list[Any]], lanes: int) -> None:
        self.held, self.lanes = {name: list(values) for name, values in held.items()}, lanes

    def run(self, code: ir.Code, there: list[Any]) -> None:
        """Run code, which lanes come to on conditions of their own."""
        for s in code:
            self.step(s, there)

    def step(self, s: ir.Stmt, there: list[Any]) -> None:
        """A statement."""
        match s:
            case ir.For(name=name, begin=ir.Int(value=begin), end=ir.Int(value=end), body=body):
                for n in range(begin, end):
                    self.held[name] = [n] * LANES
                    self.run(body, there)
            case ir.If(condition=condition, then=then, orelse=()):
                self.run(then, [self.value(condition, t) for t in range(LANES)])
            case ir.Declare(name=name, value=value) if value is not None:
                self.held[name] = [self.value(value, t) for t in range(LANES)]
            case ir.Assign(target=Name(name=name), value=value, operator=operator):
                found = [self.value(value, t) for t in range(LANES)]
                before = self.held[name]
                after = [b + f for b, f in zip(before, found, strict=True)] if operator == "+=" else found
                self.held[name] = [
                    a if c is True else z3.If(c, a, b) for c, a, b in zip(there, after, before, strict=True)
                ]
            case _:
                raise InternalError(f"no segmented fold does this: {s}")

    def value(self, e: ir.Expr, t: int) -> Any:
        """What an expression is for a lane."""
        match e:
            case ir.Int(value=value):
                return value
            case Name(name=name):
                return t if e == THREAD else self.held[name][t]
            case ir.Shuffle(way="from", value=Name(name=name), lane=lane, lanes=lanes):
                return self.held[name][in_warp(t, self.value(lane, t) % LANES, lanes)]
            case ir.Binary(operator="&&", left=left, right=right):
                return z3.And(self.value(left, t), self.value(right, t))
            case ir.Binary(operator="||", left=left, right=right):
                return z3.Or(self.value(left, t), self.value(right, t))
            case ir.Binary(operator=sign, left=left, right=right):
                return SIGNS[sign](self.value(left, t), self.value(right, t))
            case _:
                raise InternalError(f"no segmented fold says this: {e}")
