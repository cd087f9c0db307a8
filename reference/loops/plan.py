"""The loop plan: the stage between statements and everything that runs them.

Each loop carries its strategy, its cases by lattice point, where the accesses that it finds are placed, and its range,
guards and windows as terms. The interpreter evaluates a plan, the generator prints it, the prover translates it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from ..levels.level import Level
from ..notation.syntax import Access
from ..statement.expansion import bounds_on, order, steps
from ..statement.relation import Bound, Pos, Split
from ..statement.statement import Assign, Forall, Program, Sequence, Statement, Where, reads
from ..statement.substitution import Background, background_of, reads_of, substitute_statement
from ..statement.tags import Parallel
from .fusing import choose_strategy
from .iteration_space import IterationSpace, Kept
from .merging import known_depth
from .presence import Presence, holds, remains
from .strategy import Active, Strategy
from .terms import Equal, Range, Term
from .tiles import find_tile


class Surroundings(Struct, frozen=True):
    """What encloses a statement: the iteration space, and what the loops around know of its accesses.

    The positions of accesses in `duplicated` are tuples of duplicates; those of `fused` ones are visited one by one.
    The accesses in `optional` may be missing. `expanded` has the derived variables whose loops have become loops over
    original ones, each with these (`expansion.py`).
    """

    space: IterationSpace
    duplicated: frozenset[Access] = frozenset()
    fused: frozenset[Access] = frozenset()
    optional: frozenset[Access] = frozenset()
    expanded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def around(self) -> tuple[str, ...]:
        """The loops, outermost first."""
        return self.space.around

    def counted_tile(self, variable: str) -> Split | None:
        """The split whose tile a loop counts through that stands for one over the other part alone."""
        counters = [v for v, added in self.expanded.items() if added == (variable,)]
        return find_tile(self.space, variable, counters[-1]) if counters else None

    def known_depth(self, access: Access) -> int:
        """How many leading levels of an access the loops have found."""
        return known_depth(access, self.around, self.space.provenance)


class Placement(Struct, frozen=True):
    """How an access is placed where a loop finds a coordinate of it.

    `shift` is what the loop's coordinate lacks to be the level's, `later` are the coordinates of the levels below that
    become known with it. A walk over the level keeps to the loop's coordinates in `window`, unless the level stores no
    others, and to the positions in `kept`; its positions are `duplicated` above.
    """

    active: Active
    shift: Term
    later: tuple[Term, ...]
    window: Range | None
    kept: tuple[Kept, ...]
    duplicated: bool


class LoopPlan(Struct, frozen=True, eq=False, dict=True):
    """One loop.

    A loop of the program may stand for several (`expansion.py`): at the first of them, `begins` is that loop, and
    `checks` are the bounds that a schedule has given for the ranges that it counts through. `completed` are the
    original variables that it completes: their loops are around, and this one takes the value that follows from them.
    `searched` counts positions of an operand that no loop reads: the coordinates there are looked up. A loop that
    `collects` leaves its iterations to the parallel loop that it belongs to.
    """

    planner: Planner
    statement: Forall
    surroundings: Surroundings
    strategy: Strategy
    range: Range
    begins: Forall | None
    completed: tuple[str, ...]
    searched: Pos | None
    checks: tuple[Bound, ...]
    coiterated: tuple[Placement, ...]
    located: tuple[Placement, ...]

    @property
    def index(self) -> str:
        """The loop variable."""
        return self.statement.index

    @property
    def walks_collapsed(self) -> bool:
        """Whether original variables are collapsed into the one that the loop goes over, and known by it alone."""
        return self.space.provenance.is_collapsed(self.index) and not self.space.completes(self.index)

    @property
    def is_stood_for(self) -> bool:
        """Whether a loop over a derived variable stands for this one."""
        return any(self.index in added for added in self.surroundings.expanded.values())

    @property
    def space(self) -> IterationSpace:
        """The iteration space around the loop."""
        return self.surroundings.space

    @cached_property
    def guards(self) -> tuple[Equal, ...]:
        """The conditions without which the loop visits nothing."""
        return self.guards_beside((), ())

    def guards_beside(self, narrowed: Collection[Pos], stepped: Collection[str]) -> tuple[Equal, ...]:
        """The guards that are left where walks keep to the positions that some relations count, and where the loops
        over some variables, positions among them, go by the step of their range."""
        return self.space.guards(self.completed, narrowed, stepped)

    @cached_property
    def recovered_variables(self) -> tuple[tuple[str, Term], ...]:
        """The source variables that formats have split, or a schedule has collapsed, and that are known from this loop
        on, with their values."""
        provenance, inside = self.space.provenance, self.inside.space
        split = [r.parent for r in provenance.of_formats if isinstance(r, Split)]
        collapsed = provenance.originals(self.index) if self.walks_collapsed else ()
        every = dict.fromkeys((*split, *collapsed))
        given = [(v, provenance.loops(v, inside.around)) for v in every if v not in inside.around]
        return tuple((v, inside.recover(v)) for v, loops in given if loops is not None and self.index in loops)

    @property
    def collects(self) -> bool:
        """Whether the loop is parallel."""
        return parallel_tag(self.statement) is not None

    def level_above(self, active: Active) -> Level | None:
        """The level above the one that a loop iterates."""
        levels = self.planner.program.formats[active.access.tensor].levels
        return levels[active.first - 1] if active.first else None

    @cached_property
    def inside(self) -> Surroundings:
        """What encloses the body."""
        outside, strategy = self.surroundings, self.strategy
        fused = outside.fused | ({a.access for a in strategy.coiterated} if strategy.fused else set())
        gathered = {a.access for a in strategy.active if a.access not in fused and not a.level.unique}
        space = outside.space.inside(self.index)
        if self.searched is not None:
            space = replace(space, stored=space.stored | set(self.searched.access.levels[: self.searched.last]))
        return replace(
            outside,
            space=space,
            fused=fused,
            duplicated=outside.duplicated | gathered,
            optional=strategy.uncertain,
        )

    def case(self, present: frozenset[Access]) -> Node | None:
        """What is to be done where exactly these accesses are present; None if nothing is.

        In a flagged loop they are those of the body, of which loops around may have found some to be missing.
        """
        if self.strategy.flagged:
            return self.body if holds(self.strategy.remains, present) else None
        point = self.strategy.lattice.point(present)
        return None if point is None else self.planner.node(point.statement, self.inside)

    @cached_property
    def body(self) -> Node:
        """What is to be done where nothing is missing: the one body of a flagged loop."""
        return self.planner.node(self.strategy.lattice.body, self.inside)

    def remaining_body(self, met: frozenset[Access], missing: frozenset[Access]) -> Node | None:
        """What is left of the one body of a flagged loop where it is known that some accesses are there and others
        are missing; None if nothing is."""
        found = substitute_statement(self.strategy.lattice.body, missing, self.planner.background)
        optional = self.inside.optional - met - missing
        return None if found is None else self.planner.node(found, replace(self.inside, optional=optional))


class ParallelPlan(Struct, frozen=True, eq=False):
    """A parallel loop: `loop`, which may stand inside others that make its variable known, collects its iterations."""

    statement: Forall
    surroundings: Surroundings
    tag: Parallel
    loop: LoopPlan


class WherePlan(Struct, frozen=True, eq=False):
    """A producer and its consumer, which reads the workspace by the accesses in `reads`.

    `without` is what is left of the consumer where a workspace with one flag got no value.
    """

    statement: Where
    surroundings: Surroundings
    producer: Node
    consumer: Node
    without: Node | None
    reads: tuple[Access, ...]


class AssignPlan(Struct, frozen=True, eq=False, dict=True):
    """An assignment, where accesses that are not optional have been found."""

    statement: Assign
    surroundings: Surroundings

    @property
    def space(self) -> IterationSpace:
        """The iteration space around the assignment."""
        return self.surroundings.space

    @cached_property
    def at(self) -> tuple[Term, ...]:
        """The coordinates of the component that is assigned to."""
        return tuple(self.space.recover(v) for v in self.statement.target.indices)

    @cached_property
    def sources(self) -> tuple[tuple[str, Term], ...]:
        """The source and original variables whose values are known here, with these values."""
        every, graph = (*reads(self.statement), self.statement.target), self.space.provenance
        names = {*self.space.around, *(v for a in every for v in (*a.indices, *a.levels))}
        known_ = [v for v in sorted(names) if graph.is_original(v) and graph.loops(v, self.space.around) is not None]
        return tuple((v, self.space.recover(v)) for v in known_)


class SequencePlan(Struct, frozen=True, eq=False):
    """Statements one after another."""

    statement: Sequence
    surroundings: Surroundings
    parts: tuple[Node, ...]


Node = LoopPlan | ParallelPlan | WherePlan | AssignPlan | SequencePlan


class Planner(Struct, frozen=True, dict=True):
    """Plans the statements of a program; `fits`: for extents that are multiples of the blocks of formats."""

    program: Program
    fits: bool = False

    @cached_property
    def background(self) -> Background:
        """What stands for a missing access."""
        return background_of(self.program)

    @cached_property
    def space(self) -> IterationSpace:
        """The iteration space outside all loops."""
        return IterationSpace(self.program.provenance, fits=self.fits)

    def root(self) -> Node:
        """The plan of the whole program."""
        return self.node(self.program.statement, Surroundings(self.space))

    def node(self, s: Statement, surroundings: Surroundings) -> Node:
        """The plan of a statement."""
        match s:
            case Forall():
                return self.forall(s, surroundings)
            case Where():
                return self.where(s, surroundings)
            case Assign():
                return AssignPlan(s, surroundings)
            case Sequence(statements=statements):
                return SequencePlan(s, surroundings, tuple(self.node(each, surroundings) for each in statements))

    def remainder(self, node: Node, missing: frozenset[Access]) -> Node | None:
        """What is left of a part of a plan where these optional accesses are missing and the others are not.

        A loop stays as it is: its cases say what is left of its body.
        """
        found = substitute_statement(node.statement, missing, self.background)
        match found:
            case None:
                return None
            case Assign():
                return AssignPlan(found, replace(node.surroundings, optional=frozenset()))
            case _:
                return node

    def forall(self, s: Forall, surroundings: Surroundings) -> Node:
        """The plan of a loop: that of a derived variable inside those over the original ones that it completes."""
        if s.index in surroundings.expanded:
            return self.loop(s, surroundings, None)
        graph, around = self.program.provenance, surroundings.around
        variables = order(s, around, graph)
        first, _ = next(steps(s, around, graph))
        added = tuple(v for v in variables if v != s.index)
        loop = self.loop(first, replace(surroundings, expanded={**surroundings.expanded, s.index: added}), s)
        tag = parallel_tag(s)
        return loop if tag is None else ParallelPlan(s, surroundings, tag, loop)

    def loop(self, s: Forall, surroundings: Surroundings, begins: Forall | None) -> LoopPlan:
        """The plan of one loop over the levels that have its variable, or over a range of integers."""
        program, space = self.program, surroundings.space
        strategy = choose_strategy(program, s, space.around, surroundings.optional)
        added = surroundings.expanded.get(s.index, ())
        completes = space.completes(s.index)
        found = LoopPlan(
            self,
            s,
            surroundings,
            strategy,
            space.range(s.index),
            begins,
            added if completes else (),
            program.provenance.space_of(s.index) if added and not completes else None,
            () if begins is None else bounds_on(program.provenance, begins.index, space.around),
            (),
            (),
        )
        return replace(
            found,
            coiterated=tuple(self.placement(a, found) for a in strategy.coiterated),
            located=tuple(self.placement(a, found) for a in strategy.located),
        )

    def placement(self, active: Active, loop: LoopPlan) -> Placement:
        """How an access is placed by a loop."""
        levels, inside = active.access.levels, loop.inside.space
        is_all = loop.range.whole and levels[active.first] == loop.index
        return Placement(
            active,
            loop.space.shift(levels[active.first], loop.index),
            tuple(inside.recover(v) for v in levels[active.first + 1 : active.last]),
            None if is_all else loop.range,
            loop.space.kept_positions(active.access, active.first),
            active.access in loop.surroundings.duplicated,
        )

    def remains(self, node: Node) -> Presence:
        """When a part of a plan has something to do: a formula over its optional accesses."""
        return remains(node.statement, node.surroundings.optional, self.background)

    def where(self, s: Where, surroundings: Surroundings) -> WherePlan:
        """The plan of a producer and its consumer. If what the producer reads may be missing, so may the workspace."""
        made = reads_of(s.consumer, s.workspace)
        has_one_flag = self.program.workspace[s.workspace].has_one_flag
        producer, optional = self.node(s.producer, surroundings), surroundings.optional
        inside = optional if has_one_flag or self.remains(producer) is True else optional | made
        without = substitute_statement(s.consumer, frozenset(made), self.background) if has_one_flag else None
        return WherePlan(
            s,
            surroundings,
            producer,
            self.node(s.consumer, replace(surroundings, optional=inside)),
            None if without is None else self.node(without, surroundings),
            tuple(made),
        )


def parallel_tag(loop: Forall) -> Parallel | None:
    """What a schedule says of the parallel execution of a loop."""
    return next((tag for tag in loop.tags if isinstance(tag, Parallel)), None)
