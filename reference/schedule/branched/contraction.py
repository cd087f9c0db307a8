"""Contractions: a product under reductions, as the search for branched schedules sees it (SparseAuto, section 4).

`A(l,m,n) += B(i,j,k) * C(i,l) * D(j,m) * E(k,n)` is four operands and a result, each with the loops that it needs. How
an operand is stored puts some of these outside others (validity constraint 1 of section 4.5), and says which of them
visit stored coordinates only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from ...errors import ScheduleError
from ...levels.level import Locate
from ...notation.printer import pretty
from ...notation.syntax import Access, Apply, Expr, Fill, accesses
from ...statement.iteration_graph import derived_edges, operand_edges
from ...statement.staging import appended_variables, dissolve
from ...statement.statement import Assign, Forall, Program, Statement, Where
from ...statement.substitution import background_of, substitute
from ..branching import is_among, is_distributive, is_stored, used_variables, vanishes
from ..loopfuse import operands_of, part_operands
from ..nests import fresh_name
from ..path import Path
from ..section import peel_loops

Edge = tuple[str, str]


class Operand(Struct, frozen=True):
    """What a contraction multiplies, or its result: the loops that it needs, and those that its storage puts outside
    others.

    `levels` are the loops over the levels of the result, or of an access without which nothing is contributed,
    outermost first; those in `stored` visit only the coordinates that its levels hold, and where these are `located`,
    may look them up instead. Other expressions have none.
    `made_of` is the tensor that an operand holds in another order; a result may be appended to in the order of its
    levels.
    """

    name: str
    loops: frozenset[str]
    edges: frozenset[Edge] = frozenset()
    levels: tuple[str, ...] = ()
    stored: frozenset[str] = frozenset()
    located: frozenset[str] = frozenset()
    made_of: str | None = None
    is_appended: bool = False

    @property
    def tensor(self) -> str:
        """The name of an access's tensor."""
        return self.name.split("(")[0]


class Contraction(Struct, frozen=True):
    """Operands in the order in which they are written, the result, and all loops, in the order of the linear nest.

    Operands of an operator that commutes may change places. No temporary can be filled in loops of its own that are
    `derived`: a format derives these, and they are no variables of the expression. `path` leads to the section that
    computes it: operands that are reductions of their own, or copies, have been computed before.
    """

    operands: tuple[Operand, ...]
    result: Operand
    loops: tuple[str, ...]
    commutative: bool = True
    derived: frozenset[str] = frozenset()
    path: Path = ()


def contraction_of(program: Program) -> Contraction:
    """The contraction that a program computes, before any schedule.

    Raises ScheduleError for a statement that is no product under loops, and for one whose operator does not distribute
    over its reduction: what fills a temporary could not sum anything.
    """
    bare = dissolve(program)
    path, chain, leaf = behind_producers(bare.statement)
    if not isinstance(leaf, Assign) or leaf.mask is not None or bare.provenance.of_schedule:
        raise ScheduleError(
            "branched schedules are those of one product under loops",
            hint="leave masks and other statements out, and ask before commands are given",
            rule="schedule.branched.contraction",
        )
    values = operands_of(leaf.value)
    assert isinstance(leaf.value, Apply)
    refuse_numbers(leaf, values)
    refuse_other_algebra(bare, leaf, len(values))
    nest = Nest(bare, tuple(chain), leaf)
    operands = tuple(map(nest.operand, values))
    derived = frozenset(v for v in nest.loops if is_stored(bare, v))
    result, commutative = nest.result(operands), bool(leaf.value.operator.commutative)
    return Contraction(operands, result, nest.loops, commutative, derived, path)


def operand_values(program: Program) -> tuple[Expr, ...]:
    """The operands of the contraction that a program computes, as they are written."""
    _, _, leaf = behind_producers(dissolve(program).statement)
    assert isinstance(leaf, Assign)
    return tuple(operands_of(leaf.value))


def behind_producers(s: Statement) -> tuple[Path, Sequence[Forall], Statement]:
    """The path to the section behind all producers, its loops, and the statement inside the loops."""
    path: Path = ()
    while isinstance(s, Where):
        s, path = s.consumer, (*path, 1)
    return path, *peel_loops(s)


def refuse_numbers(leaf: Assign, values: Sequence[Expr]) -> None:
    """Refuse numbers among the operands: none could stand alone on a side."""
    number = next((value for value in values if not any(True for _ in accesses(value))), None)
    if number is not None:
        raise ScheduleError(
            f"branched schedules are those of operands, but {pretty(number)} in {pretty(leaf.value)} reads none",
            hint="multiply by it in a statement of its own, or part the operands by loopfuse",
            rule="schedule.branched.contraction",
        )


def refuse_other_algebra(program: Program, leaf: Assign, count: int) -> None:
    """Refuse operands that do not distribute over the reduction, or do not vanish with it."""
    if leaf.operator is None:
        return
    for loc in range(1, count):
        parted = part_operands(leaf, loc, "left", fresh_name(program, "T"))
        if not (is_distributive(parted, leaf.operator) and vanishes(program, parted, leaf.operator)):
            fold = leaf.operator.reduction or leaf.operator.name
            raise ScheduleError(
                f"{pretty(leaf.value)} does not distribute over its {fold}",
                hint="branched schedules need operands through which reductions move",
                rule="schedule.branched.contraction",
            )


class Nest(Struct, frozen=True):
    """A linear nest: its loops, outer ones first, and what they enclose."""

    program: Program
    chain: tuple[Forall, ...]
    leaf: Assign

    @property
    def loops(self) -> tuple[str, ...]:
        """The variables of the loops."""
        return tuple(loop.index for loop in self.chain)

    def loops_for(self, *expressions: Expr) -> frozenset[str]:
        """The loops that expressions need."""
        used = used_variables(self.program, expressions)
        return frozenset(loop.index for loop in self.chain if is_among(self.program, loop, used))

    def parts(self, variables: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The loops that run over each of some variables by which levels are reached."""
        return {v: self.program.provenance.loops(v, self.loops) or (v,) for v in variables}

    def operand(self, value: Expr) -> Operand:
        """An operand, with the loops that it needs."""
        loops, formats = self.loops_for(value), self.program.formats
        edges = set(self.derived_edges(loops))
        for access in accesses(value):
            found = operand_edges(access, formats[access.tensor], self.parts(access.levels))
            edges |= {(edge.source, edge.sink) for edge in found if edge.hard}
        if not (
            isinstance(value, Access) and len(set(value.levels)) == len(value.levels) and self.vanishes_with(value)
        ):
            return Operand(pretty(value), loops, frozenset(edges))
        order = [loops[-1] for loops in self.parts(value.levels).values()]
        named = zip(order, formats[value.tensor].levels, strict=True)
        stored = {v: level for v, level in named if not level.full}
        located = frozenset(v for v, level in stored.items() if isinstance(level, Locate))
        return Operand(pretty(value), loops, frozenset(edges), tuple(order), frozenset(stored), located)

    def derived_edges(self, loops: frozenset[str]) -> Iterator[Edge]:
        """The loops that give the values on which the range of another one depends, which a format derives."""
        return ((e.source, e.sink) for e in derived_edges(self.program.provenance, loops, self.loops))

    def vanishes_with(self, access: Access) -> bool:
        """Whether the value is a constant where a component of an operand is missing: nothing is contributed there."""
        return isinstance(substitute(self.leaf.value, frozenset({access}), background_of(self.program)), Fill)

    def result(self, operands: tuple[Operand, ...]) -> Operand:
        """The result, with the loops that nothing else needs: levels that are appended to come first, in storage order,
        and all other loops stand inside them; not where the linear nest is in another order already, so that the result
        goes through a workspace."""
        target = self.leaf.target
        rest = set(self.loops).difference(*(each.loops for each in operands))
        prefix = appended_variables(self.program, target, self.loops)
        inside = [(prefix[-1], v) for v in self.loops if prefix and v not in prefix]
        appended = {*pairwise(prefix), *inside}
        if any(self.loops.index(u) > self.loops.index(v) for u, v in appended):
            appended = set()
        loops = self.loops_for(target) | rest
        name = pretty(Access(target.tensor, target.indices))
        stored = target.levels or [target.indices[m] for m in self.program.formats[target.tensor].stored_modes]
        levels = tuple(loops[-1] for loops in self.parts(stored).values())
        sparse = (level for level in self.program.formats[target.tensor].levels if not level.full)
        held = frozenset(levels if any(sparse) else ())
        edges = frozenset([*appended, *self.derived_edges(loops)])
        return Operand(name, loops, edges, levels, held, is_appended=bool(prefix))
