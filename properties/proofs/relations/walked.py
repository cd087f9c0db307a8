"""Walked loops: what the loops of a scheduled program run over, on symbolic values.

The loops that a loop stands for, the values that each runs over and what is compared in it are those of the loop plan
(`expansion.py`, `IterationSpace`), whose terms are translated: extents, factors, parts and coordinates are symbolic. Of
storage this much is known: an access stands in its segment, at the position of the point.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ....reference.loops.iteration_space import IterationSpace, Kept
from ....reference.loops.terms import Equal, Extent, Range
from ....reference.loops.terms import Term as LoopTerm
from ....reference.notation.syntax import Access
from ....reference.statement.expansion import bounds_on, order, steps
from ....reference.statement.provenance import Provenance
from ....reference.statement.relation import Bound, Derivation, Divide, Pos, Split, holds
from ....reference.statement.statement import Assign, Forall, Program, Sequence, Statement, Where, reads
from ..solver import Term, z3
from .symbolic import Execution, Integer, term_of
from .term_values import term_value

Step = tuple[str, tuple[str, ...]]


class Stand(Struct):
    """Where loops stand: the extents and sizes, the loops' values so far, and the point that they are to reach.

    `point` are the values of the original variables, `places` the position of each operand at each of its levels.
    """

    run: Execution
    extents: dict[str, Integer]
    point: dict[str, Integer]
    places: dict[Access, list[Integer]]
    coordinates: dict[str, Integer] = field(default_factory=dict)

    def coordinate(self, variable: str) -> Integer:
        """The value of a loop's variable."""
        return self.coordinates[variable]

    def dimension(self, variable: str) -> Integer:
        """The extent of an original variable, or a symbolic size."""
        return self.extents[variable]

    def segment(self, relation: Pos) -> tuple[Integer, Integer]:
        """The positions below where the access stands; it will stand at one of them."""
        return self.under(self.places[relation.access][relation.first], relation, relation.position)

    def under(self, parent: Integer, relation: Pos, name: str) -> tuple[Integer, Integer]:
        """The positions below one on the way to the point, at the last level that a relation counts."""
        begin, end = (self.follow(f"{edge}_{name}", parent) for edge in ("first", "last"))
        place = self.places[relation.access][relation.last]
        self.run.define(z3.And(begin.term <= place.term, place.term < end.term))
        return begin, end

    def follow(self, name: str, parent: Integer) -> Integer:
        """A number that follows from a position."""
        function = z3.Function(name, z3.IntSort(), z3.IntSort())
        return Integer(function(parent.term), self.run)

    def position(self, relation: Pos) -> Integer:
        """The position of the point."""
        return self.places[relation.access][relation.last]

    def value(self, term: LoopTerm) -> Any:
        """The value of a term."""
        return term_value(term, self)


class Nest(Struct, frozen=True):
    """The loops of a program around its one assignment, outermost first, and its relations.

    `sizes` are the names of factors, numbers of parts and limits that are symbolic.
    """

    loops: tuple[Forall, ...]
    provenance: Provenance
    accesses: tuple[Access, ...]
    sizes: tuple[str, ...] = ()

    @classmethod
    def of(cls, program: Program) -> Nest:
        """The nest of a program without workspaces."""
        return cls(tuple(loops_of(program.statement)), program.provenance, reads(program.statement))

    def steps(self) -> Iterator[Step]:
        """Every loop with those around it, where each stands for those over what it completes."""
        around: tuple[str, ...] = ()
        for loop in self.loops:
            for step, outside in steps(loop, around, self.provenance):
                yield step.index, outside
                around = (*outside, step.index)

    def completions(self) -> dict[str, tuple[str, ...]]:
        """The loops that each loop adds to its own."""
        found: dict[str, tuple[str, ...]] = {}
        around: tuple[str, ...] = ()
        for loop in self.loops:
            every = order(loop, around, self.provenance)
            found[loop.index] = tuple(v for v in every if v != loop.index)
            around = (*around, *every)
        return found

    def space(self, around: tuple[str, ...]) -> IterationSpace:
        """The iteration space inside some of the loops."""
        return IterationSpace(self.provenance, around)

    def with_symbolic_sizes(self) -> Nest:
        """The nest with symbolic factors, numbers of parts and limits."""
        names = tuple(f"size{n}" for n in range(len(self.provenance.of_schedule)))
        relations = map(name_size, self.provenance.of_schedule, names)
        return replace(self, provenance=Provenance(of_schedule=tuple(relations)), sizes=names)

    def originals(self) -> tuple[str, ...]:
        """The variables that unscheduled loops run over."""
        return tuple(dict.fromkeys(v for access in self.accesses for v in access.indices))


def loops_of(s: Statement) -> Iterator[Forall]:
    """The loops around the one assignment of a statement."""
    match s:
        case Forall(body=body):
            yield s
            yield from loops_of(body)
        case Assign():
            return
        case Where() | Sequence():
            raise TypeError("a statement with several assignments has no one nest")


def name_size(relation: Derivation, name: str) -> Derivation:
    """A relation with a factor, number of parts or limit of this name."""
    size: Any = Extent(name)
    match relation:
        case Split():
            return replace(relation, factor=size)
        case Divide():
            return replace(relation, parts=size)
        case Bound():
            return replace(relation, size=size)
        case _:
            return relation


class Walk(Struct, dict=True):
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
        sizes = {name: run.integer(name) for name in nest.sizes}
        self.stand = Stand(run, extents | sizes, point, places)
        run.assume(*[size.term > 0 for size in sizes.values()])
        run.assume(*[z3.And(point[v].term >= 0, point[v].term < extents[v].term) for v in point])

    def derive_loops(self) -> dict[str, Integer]:
        """The values of the loops that lead to the point, downward from it."""
        self.stand.coordinates.clear()
        self.stand.coordinates.update(self.stand.point)
        space = self.nest.space(tuple(self.stand.point))
        return {v: self.stand.value(space.value(v)) for v, _ in self.nest.steps()}

    def choose_loops(self) -> dict[str, Integer]:
        """Any values of the loops over derived variables, with the point's for the original ones."""
        point = self.stand.point
        return {v: point[v] if v in point else self.run.integer(f"{v}_any") for v, _ in self.nest.steps()}

    def admit_loops(self, values: dict[str, Integer]) -> Iterator[Term]:
        """For each loop, inside those around it, whether it runs over its value: what bounds say is taken to hold."""
        self.stand.coordinates.clear()
        completed = self.nest.completions()
        for variable, around in self.nest.steps():
            space, stand = self.nest.space(around), self.stand
            if variable in completed:
                self.suppose(bounds_on(space.provenance, variable, around), space)
            range_ = space.range(variable)
            guards = self.find_guards(space, completed.get(variable, ())) if space.completes(variable) else ()
            value = values[variable]
            agree = [term_of(stand.value(g.left)) == term_of(stand.value(g.right)) for g in guards]
            yield z3.And(self.lies_in(range_, value), *agree)
            stand.coordinates[variable] = value

    def find_guards(self, space: IterationSpace, completed: tuple[str, ...]) -> tuple[Equal, ...]:
        """What is compared where loops complete some original variables."""
        return space.guards(completed)

    def lies_in(self, range_: Range, value: Integer) -> Term:
        """Whether a loop over a range comes to a value."""
        begin, end = self.stand.value(range_.begin), self.stand.value(range_.end)
        return z3.And(term_of(begin) <= value.term, value.term < term_of(end))

    def suppose(self, bounds: tuple[Bound, ...], space: IterationSpace) -> None:
        """Assume what is said of ranges: the interpreter refuses to run where it is wrong."""
        for bound in bounds:
            size, end = (self.stand.value(term) for term in (bound.size, space.extent(bound.parent)))
            self.run.assume(term_of(holds(replace(bound, size=size), (0, end))))

    def keeps_to_windows(self) -> Iterator[Term]:
        """For each level of an operand, whether a walk that keeps to some positions keeps to those of the point."""
        for variable, around in self.nest.steps():
            for access in self.nest.accesses:
                for level in (k for k, v in enumerate(access.levels) if v == variable):
                    yield from (
                        self.keeps(kept, level) for kept in self.nest.space(around).kept_positions(access, level)
                    )

    def keeps(self, kept: Kept, level: int) -> Term:
        """Whether positions below the one of the point at a level lie in the window of a relation."""
        relation, stand = kept.relation, self.stand
        base, _ = stand.segment(relation)
        first, last = (base + stand.value(bound) for bound in (kept.window.begin, kept.window.end))
        place = stand.places[relation.access][level + 1]
        if level == relation.last - 1:
            return z3.And(term_of(first) <= place.term, place.term < term_of(last))
        begin, end = stand.under(place, relation, f"{relation.position}_{level}")
        lows, highs = (term_of(first), begin.term), (term_of(last), end.term)
        return z3.And(*[low < high for low in lows for high in highs])


def is_reached(walk: Walk) -> Term:
    """Whether the loops reach the point at the values that follow from it."""
    values = walk.derive_loops()
    reached = list(walk.admit_loops(values))
    return z3.And(*reached, *walk.keeps_to_windows())


def is_reached_once(walk: Walk) -> Term:
    """Whether the loops reach the point at no other values, even where no walk keeps to its positions."""
    values = walk.choose_loops()
    for condition in walk.admit_loops(values):
        walk.run.assume(condition)
    return z3.And(*[values[v].term == term_of(value) for v, value in walk.derive_loops().items()])
