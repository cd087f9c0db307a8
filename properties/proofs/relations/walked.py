"""Walked loops: what the loops of a scheduled program run over, on symbolic values.

The loops that a loop stands for and the values that each runs over come from the interpreter's own functions
(`expansion.py`, `Spaces`), on a stand-in for its state: extents, factors, parts and coordinates are symbolic, and a
coordinate or a position is known only inside the loops that give it. Of storage no more is known than `Table` says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

from ....reference.errors import ScheduleError
from ....reference.execution.spaces import Spaces, Window
from ....reference.execution.state import State
from ....reference.notation.syntax import Access
from ....reference.statement.derivation import Bound, Derivation, Divide, Pos, Range
from ....reference.statement.expansion import steps
from ....reference.statement.provenance import Split
from ....reference.statement.provenance_graph import ProvenanceGraph
from ....reference.statement.statement import Assign, Forall, Program, Sequence, Statement, Where, reads
from ..solver import Term, z3
from .symbolic import Execution, Integer, term_of

Step = tuple[str, tuple[str, ...]]


@dataclass
class Stand:
    """In the place of the state: the extents, the loops' values so far, and the point that they are to reach.

    `point` are the values of the original variables, `places` the position of each operand at each of its levels.
    """

    run: Execution
    extents: dict[str, Integer]
    point: dict[str, Integer]
    places: dict[Access, list[Integer]]
    coordinates: dict[str, Integer] = field(default_factory=dict)
    workspaces: tuple[str, ...] = ()

    def standing_at(self, access: Access) -> tuple[list[Integer], None]:
        """Where an access stands, as far as the loops have led it."""
        reached = 0
        while reached < len(access.levels) and access.levels[reached] in self.coordinates:
            reached += 1
        return self.places[access][: reached + 1], None


class Tables(Spaces):
    """Spaces over storage of which this is known: an access stands in its segment, at what is stored there, and the
    coordinates of a range of positions lie in its window."""

    def __init__(self, stand: Stand, derivations: ProvenanceGraph) -> None:
        super().__init__(cast(State, stand), derivations)
        self.stand_in = stand

    def segment(self, relation: Pos) -> Range:
        """The positions below where the access stands; it will stand at one of them."""
        found = self.stand_in.standing_at(relation.access)[0][relation.first]
        begin, end = (self.known(f"{name}_{relation.position}", found) for name in ("first", "last"))
        place = self.stand_in.places[relation.access][relation.last]
        self.stand_in.run.define(z3.And(begin.term <= place.term, place.term < end.term))
        return cast(Range, (begin, end))

    def known(self, name: str, *values: Any) -> Integer:
        """A number that follows from others."""
        terms = [term_of(value) for value in values]
        function = z3.Function(name, *[z3.IntSort() for _ in terms], z3.IntSort())
        return Integer(function(*terms), self.stand_in.run)

    def held(self, relation: Pos) -> tuple[Term, Term]:
        """The position of the point, and its coordinate."""
        begin, _ = self.segment(relation)
        place = self.stand_in.places[relation.access][relation.last] - begin
        values = {v: self.stand_in.point[v] for v in self.derivations.originals(relation.coordinate)}
        return place.term, term_of(self.collapsed(relation.coordinate, cast(dict[str, int], values)))

    def coordinate(self, relation: Pos, position: Any) -> Any:
        """The coordinate that is stored at a position: that of the point at its own."""
        place, value = self.held(relation)
        found = self.known(f"at_{relation.position}", self.segment(relation)[0], position)
        self.stand_in.run.define(z3.Implies(term_of(position) == place, found.term == value))
        return found

    def stored(self, relation: Pos, places: Window) -> Window:
        """The coordinates that a range of positions holds: that of the point if its position is one of them."""

        def window() -> Range:
            begin, end = places()
            place, value = self.held(relation)
            whole = (self.segment(relation)[0], begin, end)
            low, high = (self.known(f"{name}_{relation.position}", *whole) for name in ("least", "beyond"))
            inside = z3.And(term_of(begin) <= place, place < term_of(end))
            self.stand_in.run.define(z3.Implies(inside, z3.And(low.term <= value, value < high.term)))
            return cast(Range, (low, high))

        return window


@dataclass(frozen=True, slots=True)
class Nest:
    """The loops of a program around its one assignment, outermost first, and its relations."""

    loops: tuple[Forall, ...]
    graph: ProvenanceGraph
    accesses: tuple[Access, ...]

    @classmethod
    def of(cls, program: Program) -> Nest:
        """The nest of a program without workspaces."""
        return cls(tuple(nested(program.statement)), program.derivations, reads(program.statement))

    def steps(self) -> Iterator[Step]:
        """Every loop with those around it, where each stands for those over what it completes."""
        around: tuple[str, ...] = ()
        for loop in self.loops:
            for step, outside in steps(loop, around, self.graph):
                yield step.index, outside
                around = (*outside, step.index)

    def sized(self, run: Execution) -> Nest:
        """The nest with symbolic factors, numbers of parts and limits."""
        relations = tuple(sized(relation, number, run) for number, relation in enumerate(self.graph.relations))
        return replace(self, graph=ProvenanceGraph(relations))

    def originals(self) -> tuple[str, ...]:
        """The variables that unscheduled loops run over."""
        return tuple(dict.fromkeys(v for access in self.accesses for v in access.indices))


def nested(s: Statement) -> Iterator[Forall]:
    """The loops around the one assignment of a statement."""
    match s:
        case Forall(body=body):
            yield s
            yield from nested(body)
        case Assign():
            return
        case Where() | Sequence():
            raise TypeError("a statement with several assignments has no one nest")


def sized(relation: Derivation, number: int, run: Execution) -> Derivation:
    """A relation with any positive factor, number of parts or limit."""
    size: Any = run.integer(f"size{number}")
    run.assume(size.term > 0)
    match relation:
        case Split():
            return replace(relation, factor=size)
        case Divide():
            return replace(relation, parts=size)
        case Bound():
            return replace(relation, size=size)
        case _:
            return relation


@dataclass
class Walk:
    """One way through the loops of a nest, to a point of the iteration domain, whose names end in a mark."""

    nest: Nest
    run: Execution
    mark: str = ""

    def __post_init__(self) -> None:
        run, nest = self.run, self.nest
        extents = {v: run.integer(f"N_{v}") for v in nest.originals()}
        point = {v: run.integer(f"{v}{self.mark}") for v in nest.originals()}
        places = {
            access: [run.integer(f"at_{access.tensor}{k}{self.mark}") for k in range(len(access.levels) + 1)]
            for access in nest.accesses
        }
        self.stand = Stand(run, extents, point, places)
        self.spaces = Tables(self.stand, nest.graph)
        run.assume(*[z3.And(point[v].term >= 0, point[v].term < extents[v].term) for v in point])

    def derived(self) -> dict[str, Integer]:
        """The values of the loops that lead to the point, downward from it."""
        self.stand.coordinates.clear()
        self.stand.coordinates.update(self.stand.point)
        return {v: self.value(v) for v, _ in self.nest.steps()}

    def value(self, variable: str) -> Any:
        """The value of a variable at the point."""
        return self.spaces.value(variable, tuple(self.stand.point))()

    def chosen(self) -> dict[str, Integer]:
        """Any values of the loops over derived variables, with the point's for the original ones."""
        point = self.stand.point
        return {v: point[v] if v in point else self.run.integer(f"{v}_any") for v, _ in self.nest.steps()}

    def admitted(self, values: dict[str, Integer]) -> Iterator[Term]:
        """For each loop, inside those around it, whether it runs over its value. Raises ScheduleError for a bound that
        is wrong."""
        self.stand.coordinates.clear()
        loops = {loop.index for loop in self.nest.loops}
        for variable, around in self.nest.steps():
            if variable in loops:
                self.spaces.bounded(variable, around, lambda: None)()
            begin, end = self.spaces.looped(variable, around, self.dimension(variable))()
            value = values[variable]
            yield z3.And(term_of(begin) <= value.term, value.term < term_of(end))
            self.stand.coordinates[variable] = value

    def dimension(self, variable: str) -> Window:
        """The coordinates of an original variable."""
        return lambda: cast(Range, (0, self.stand.extents[variable]))


def is_reached(walk: Walk) -> Term:
    """Whether the loops reach the point at the values that follow from it."""
    values = walk.derived()
    try:
        return z3.And(*list(walk.admitted(values)))
    except ScheduleError:
        return z3.BoolVal(True)


def is_reached_once(walk: Walk) -> Term:
    """Whether the loops reach the point at no other values."""
    values = walk.chosen()
    try:
        for condition in walk.admitted(values):
            walk.run.assume(condition)
    except ScheduleError:
        return z3.BoolVal(True)
    return z3.And(*[values[v].term == term_of(value) for v, value in walk.derived().items()])
