"""Visits: executions of one assignment of a scheduled statement, as terms of the solver.

The values of the original variables are unknown; those of derived ones follow by the functions of `relation.py`, run
on symbolic integers. What storage says of two places where an operand stands: a position has one parent and one
coordinate; in a unique level the coordinates on the way determine it; children come in the order of their parents, and
in an ordered level in that of their coordinates. Below duplicates, levels that hold every coordinate repeat them for
each; where duplicates are visited together, the coordinates tell the first. (Senanayake 2020, sections 3.3, 5.1 and
5.2; Chou 2018, section 3.3.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct, field

from ....reference.loops.iteration_space import IterationSpace
from ....reference.notation.syntax import Access
from ....reference.schedule.races import one_by_one
from ....reference.statement.expansion import order
from ....reference.statement.iteration_graph import is_random_access
from ....reference.statement.relation import (
    Coord,
    Pos,
    Same,
    Split,
    derived_variables,
    parents,
    recover_derived,
    recover_original,
)
from ....reference.statement.statement import Assign, Forall, Program, Statement, Where
from ....reference.statement.statement import Sequence as InOrder
from ..relations.symbolic import Execution, Integer, Raised, explore, term_of
from ..relations.term_values import Sizes, term_value
from ..solver import Found, Nothing, Term, Undecided, search, z3

Loops = tuple[str, ...]
Answer = Found | Nothing | Undecided
WHOLE = z3.IntSort()
SMALL = 8


class Place(Struct, frozen=True):
    """An assignment with the loops around it, those included that loops over derived variables stand for.

    `apart` are the operands whose duplicates are visited one by one.
    """

    leaf: Assign
    loops: Loops
    apart: frozenset[Access] = frozenset()


def places_of(
    program: Program, s: Statement, bound: Loops = (), apart: frozenset[Access] = frozenset()
) -> Iterator[Place]:
    """The assignments of a statement inside some loops."""
    match s:
        case Assign():
            yield Place(s, bound, apart)
        case Forall(body=body):
            repeated = frozenset(one_by_one(program, s, bound))
            yield from places_of(program, body, inside(program, s, bound), apart | repeated)
        case Where(consumer=consumer, producer=producer):
            yield from places_of(program, producer, bound, apart)
            yield from places_of(program, consumer, bound, apart)
        case InOrder(statements=statements):
            for each in statements:
                yield from places_of(program, each, bound, apart)


def inside(program: Program, loop: Forall, bound: Loops) -> Loops:
    """The loops around the body of a loop."""
    return (*bound, *order(loop, bound, program.provenance))


class Visit(Struct):
    """One execution of an assignment: its values by variable; `mark` tells their names from those of another visit.

    `given` is what these keep to, `sizes` are the extents that they depend on. Where a loop over positions stands
    around one over their coordinates, a position tells none of these, and is any number. A loop whose value does not
    follow from the loops is compared with nothing (`schedule.loop.guard`), and has any value that its range has.
    """

    program: Program
    place: Place
    mark: str
    run: Execution
    values: dict[str, Any] = field(default_factory=dict)
    given: list[Term] = field(default_factory=list)
    sizes: dict[str, Term] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for loop in self.place.loops:
            self.value(loop)

    @property
    def told(self) -> Loops:
        """The loops whose values are original, or follow from the others."""
        graph, loops = self.program.provenance, self.place.loops
        return tuple(v for v in loops if graph.is_original(v) or graph.follows(v, loops))

    def value(self, variable: str) -> Integer:
        """The value of a variable; a derived one follows from its parents."""
        if variable not in self.values:
            relation = self.program.provenance.derivation_of(variable)
            if isinstance(relation, Pos) and self.place.loops.count(relation.coordinate) > 1:
                self.values[variable] = self.run.integer(f"{variable}{self.mark}")
            elif relation is None:
                self.values[variable] = self.original(variable)
            elif variable in self.place.loops and variable not in self.told:
                self.values[variable] = self.run.integer(f"{variable}{self.mark}")
                Data(self).extent(variable)
            else:
                needed = [*parents(relation), *([relation.of.coordinate] if isinstance(relation, Coord) else [])]
                above = {v: self.value(v) for v in needed}
                self.values[variable] = self.run.integer(f"{variable}{self.mark}")
                follows = term_of(recover_derived(relation, variable, above, Data(self)))
                self.given.append(self.values[variable].term == follows)
        found: Integer = self.values[variable]
        return found

    def original(self, variable: str) -> Any:
        """The value of an original variable, from the loops into which a format has split it, if there are any."""
        provenance, loops = self.program.provenance, self.place.loops
        split = next((s for s in provenance.splits(variable) if {s.outer, s.inner} <= {*loops}), None)
        if variable not in loops and split is not None:
            known = {v: self.value(v) for v in derived_variables(split)}
            return recover_original(split, variable, known, Data(self))
        relation = provenance.format_relation_of(variable)
        if isinstance(relation, Same):
            return self.value(relation.original)
        found = self.run.integer(f"{variable}{self.mark}")
        self.given += [found.term >= 0, found.term < term_of(Data(self).extent(variable))]
        return found

    def term(self, variable: str) -> Term:
        """The value of a variable as a term."""
        return term_of(self.value(variable))

    def terms(self, variables: Sequence[str]) -> list[Term]:
        """The values of several variables."""
        return [self.term(v) for v in variables]

    def stand(self, access: Access, k: int) -> Term:
        """The position at which an access stands below its first `k` levels."""
        return z3.Int(f"{name(access)} {k}{self.mark}") if k else z3.IntVal(0)


class Data(Struct, frozen=True):
    """What recovery needs to know of the data, in one visit: extents may be any that are not zero."""

    visit: Visit

    def extent(self, variable: str) -> Any:
        """The number of values of a variable: the same for all visits, but of positions below different parents."""
        visit, program = self.visit, self.visit.program
        space = IterationSpace(program.provenance)
        found = term_value(space.extent(variable), Sizes(self.count))
        if not program.provenance.is_original(variable):
            visit.given += [visit.term(variable) >= 0, visit.term(variable) < term_of(found)]
        return found

    def count(self, variable: str) -> Any:
        """The number of values of an original variable, or of positions below a parent."""
        relation = self.visit.program.provenance.space_of(variable)
        if relation is None:
            return self.dimension(variable)
        return self.positive(of_parent(f"extent of {variable}", self.visit, relation))

    def dimension(self, variable: str) -> Any:
        """The number of values of an original variable; inside the blocks of a format, their size."""
        match self.visit.program.provenance.format_relation_of(variable):
            case Split(inner=inner, factor=size) if inner == variable:
                return size
            case _:
                held = self.visit.sizes[f"extent of {variable}"] = z3.Int(f"extent of {variable}")
                return self.positive(held)

    def positive(self, size: Term) -> Integer:
        """A size that is not zero, since something is visited."""
        self.visit.run.assume(size >= 1)
        return Integer(size, self.visit.run)

    def coordinate(self, relation: Pos, position: Any) -> Any:
        """The coordinate stored where the access stands."""
        return self.visit.value(relation.coordinate)

    def position(self, relation: Pos, coordinate: Any) -> Any:
        """Where the access stands, counted from the first position below its parent."""
        visit = self.visit
        found = visit.stand(relation.access, relation.last) - of_parent("first", visit, relation)
        visit.given.append(found >= 0)
        return Integer(found, visit.run)


def name(access: Access) -> str:
    """The name of an access."""
    return f"{access.tensor}({','.join(access.levels)})"


def of_parent(what: str, visit: Visit, relation: Pos) -> Term:
    """Something that a parent has: an open function of where an access stands above the positions that are counted."""
    own = z3.Function(f"{what} of {name(relation.access)} {relation.first}", WHOLE, WHOLE)
    return own(visit.stand(relation.access, relation.first))


def storage_facts(program: Program, a: Visit, b: Visit) -> Iterator[Term]:
    """What storage says of two places of an operand, if its positions are counted or its duplicates met one by one."""
    formats, apart = program.formats, a.place.apart | b.place.apart
    counted = (relation.access for relation in program.provenance.positions())
    for access in dict.fromkeys((*counted, *sorted(apart, key=name))):
        together = access not in apart
        levels = formats[access.tensor].levels
        for k, level in enumerate(levels):
            p, q = a.stand(access, k + 1), b.stand(access, k + 1)
            above, over = a.stand(access, k), b.stand(access, k)
            c, d = a.term(access.levels[k]), b.term(access.levels[k])
            way = equal(a.terms(access.levels[:k]), b.terms(access.levels[:k]))
            unique = all(each.unique for each in levels[:k])
            repeats = is_random_access(level) and not unique
            yield z3.Implies(p == q, z3.And(above == over, c == d))
            if all(each.unique or each.ordered for each in levels[:k]):
                yield z3.Implies(p < q, above <= over)
                yield z3.Implies(q < p, over <= above)
            if level.branchless and (unique or not together):
                yield z3.Implies(above == over, p == q)
            if (level.unique and not repeats) or together:
                yield z3.Implies(z3.And(way, c == d), p == q)
            if level.ordered and not repeats:
                yield z3.Implies(z3.And(way, p < q), c <= d)
                yield z3.Implies(z3.And(way, q < p), d <= c)


def equal(first: Sequence[Term], second: Sequence[Term]) -> Term:
    """Whether values are the same, one by one."""
    return z3.And(*[a == b for a, b in zip(first, second, strict=True)])


def precedes(first: Sequence[Term], second: Sequence[Term]) -> Term:
    """Whether values come before others in lexicographic order."""
    if not first:
        return z3.BoolVal(False)
    return z3.Or(first[0] < second[0], z3.And(first[0] == second[0], precedes(first[1:], second[1:])))


def two_visits(program: Program, place: Place, such: Callable[[Visit, Visit], Sequence[Term]]) -> Answer:
    """Two visits of an assignment between which something holds, with the values of its loops, small ones if it can."""
    return visits_of_two(program, place, place, such)


def visits_of_two(
    program: Program, first: Place, second: Place, such: Callable[[Visit, Visit], Sequence[Term]]
) -> Answer:
    """A visit of each of two assignments between which something holds, with the values of their loops, small ones if
    it can."""

    def visits(run: Execution) -> tuple[list[Term], dict[str, Term]]:
        a, b = Visit(program, first, "", run), Visit(program, second, "'", run)
        said = [*such(a, b), *storage_facts(program, a, b)]
        shown = {f"{v}{each.mark}": each.term(v) for each in (a, b) for v in each.place.loops}
        return [*a.given, *b.given, *said], shown | a.sizes

    undecided: Undecided | None = None
    for path in explore(visits):
        if isinstance(path.result, Raised):
            return Undecided(f"some value has none to follow from: {path.result.error!r}")
        conditions, shown = path.result
        match search([*path.condition, *conditions], shown, seconds=5):
            case Found() as found:
                small = [value <= SMALL for value in shown.values()]
                fewer = search([*path.condition, *conditions, *small], shown, seconds=5)
                return fewer if isinstance(fewer, Found) else found
            case Undecided() as unknown:
                undecided = unknown
            case Nothing():
                pass
    return undecided or Nothing()
