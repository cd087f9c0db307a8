"""Realisation: a branched schedule as commands, `reorder` and `loopfuse` from the root down (SparseAuto, section 4)."""

from __future__ import annotations

from typing import NamedTuple

from ...notation.syntax import Access, Apply, Expr, accesses
from ...statement.staging import dissolve
from ...statement.statement import Program
from ..command import Command
from ..commands import run
from ..loopfuse import operands_of
from ..nests import fresh_name
from ..parts import fold_operands
from ..path import Path
from ..section import Section, assignment_of, section_at
from .contraction import Contraction, Operand
from .graph import Branch, Graph, Linear, Loops
from .space import Found


class Factor(NamedTuple):
    """An operand of a section: the expression, and what the contraction says of it; a temporary has no storage that
    puts loops in an order."""

    value: Expr
    operand: Operand | None


class Realised(NamedTuple):
    """Commands, and the program after them."""

    commands: tuple[Command, ...]
    program: Program

    def section(self, path: Path) -> Section:
        """The section at a path, before a workspace for the result comes in."""
        return section_at(dissolve(self.program).statement, path)

    def value(self, path: Path) -> Expr:
        """What the assignment in which a section ends computes."""
        return assignment_of(self.section(path)).value

    def follow(self, command: Command) -> Realised:
        """The program after one more command."""
        return Realised((*self.commands, command), run(command, self.program))

    def reorder(self, path: Path, loops: Loops) -> Realised:
        """The loops of a section in an order."""
        return self if self.section(path).variables == loops else self.follow(Command("reorder", loops, path=path))


def realise(program: Program, contraction: Contraction, found: Found) -> Realised:
    """The commands that make a branched schedule out of the linear nest, and the program that they make.

    Raises ScheduleError if one of them is refused.
    """
    made = Realised((), program)
    values = operands_of(made.value(contraction.path))
    factors = [Factor(values[n], contraction.operands[n]) for n in found.order]
    return arrange(made, found.graph, factors, contraction.path, contraction.result)


def arrange(made: Realised, graph: Graph, factors: list[Factor], path: Path, result: Operand | None) -> Realised:
    """A section arranged as a graph says, and all that it leads to."""
    match graph:
        case Linear(loops=loops):
            return made.reorder(path, loops)
        case Branch():
            return part(made, graph, factors, path, result)


def part(made: Realised, graph: Branch, factors: list[Factor], path: Path, result: Operand | None) -> Realised:
    """A section whose operands part."""
    tied = [*(each.operand for each in factors if each.operand is not None), *([] if result is None else [result])]
    made = made.reorder(path, order_before(made.section(path).variables, graph, tied))
    value = made.value(path)
    assert isinstance(value, Apply)
    left, right = factors[: graph.loc], factors[graph.loc :]
    name = fresh_name(made.program, "T" if graph.kept else "t")
    first = fold_operands(value, [each.value for each in left])
    made = made.follow(Command("loopfuse", (first, graph.side, name), path=path))
    filling, reading = (left, right) if graph.side == "left" else (right, left)
    temporary = Factor(read_of(made.value((*path, 1)), name), None)
    consuming = [temporary, *reading] if graph.side == "left" else [*reading, temporary]
    made = arrange(made, graph.producer, filling, (*path, 0), None)
    return arrange(made, graph.consumer, consuming, (*path, 1), result)


def order_before(loops: Loops, graph: Branch, tied: list[Operand]) -> Loops:
    """An order of the loops of a section in which exactly those fuse that are to: behind them stands one that one side
    needs alone."""
    rest = [v for v in loops if v not in graph.loops]
    edges = {edge for each in tied for edge in each.edges}
    next_ = next(v for v in rest if v not in graph.kept and not any((u, v) in edges for u in rest))
    return (*graph.loops, next_, *(v for v in rest if v != next_))


def read_of(value: Expr, name: str) -> Access:
    """How a temporary is read."""
    return next(each for each in accesses(value) if each.tensor == name)
