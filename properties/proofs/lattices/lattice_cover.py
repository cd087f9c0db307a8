"""Coverage: the loop that a plan stands for visits what has something to do, once, and does there what it should.

One coordinate of the loop's range is looked at, whichever it is, from a round of the loop before it comes to it: which
accesses hold it, which iterators are exhausted and where the others stand are unknown. What is given of iterators is
that they yield the coordinates that their access holds in increasing order, each once (`loop.coiterate`), and that a
full level holds all. In a fused merge a coordinate stands for a tuple of them (`loop.fuse.merge`). The rounds are those
of `iteration.py`; whom a round merges is asked of `strategy.py`, as it is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from msgspec import Struct, field

from ....generator.ir import ir
from ....generator.loops.cases import chain_cases
from ....reference.algebra.operator import Operator
from ....reference.loops.lattice import subsets
from ....reference.loops.presence import Every, Presence, Some
from ....reference.loops.strategy import Active, Strategy
from ....reference.notation.syntax import Access
from ....reference.statement.statement import Statement, operators
from ....reference.statement.substitution import substitute_statement
from ..solver import Term, decide, z3
from ..verdict import Verdict, together
from .agreement import Place
from .lattice_loops import Planned
from .lattice_points import name_refutation

T = TypeVar("T")
NOTHING = 0


class Statements(Struct):
    """The statements of a loop's lattice as numbers: equal ones have one, nothing to do is 0.

    A loop with one body for all points runs that body or nothing.
    """

    strategy: Strategy
    numbers: dict[tuple[str, tuple[Operator, ...]], int] = field(default_factory=dict)

    def number(self, s: Statement | None) -> int:
        """The number of a statement. Two are equal if they are printed alike, NaN included, with the same operators."""
        if s is None:
            return NOTHING
        key = repr(s), tuple(operators(s))
        return self.numbers.setdefault(key, len(self.numbers) + 1)

    def at(self, present: Mapping[Access, Term]) -> Term:
        """The number of the point for what is present."""
        table = [(chosen, self.point(chosen)) for chosen in subsets(tuple(present))]
        return z3.Sum([z3.If(exactly(chosen, present), z3.IntVal(number), z3.IntVal(0)) for chosen, number in table])

    def point(self, present: frozenset[Access]) -> int:
        """The number of the point for exactly these accesses."""
        lattice = self.strategy.lattice
        if self.strategy.flagged:
            missing = self.strategy.optional.union(lattice.sparse) - present
            idle = substitute_statement(lattice.body, missing, lattice.background) is None
            return NOTHING if idle else self.number(lattice.body)
        point = lattice.point(present)
        return self.number(None if point is None else point.statement)


class Heads(Struct, frozen=True):
    """Iterators between two rounds: which are not exhausted, and the coordinates that those stand at."""

    alive: Mapping[Active, Term]
    at: Mapping[Active, Term]

    @classmethod
    def unknown(cls, iterators: Sequence[Active], when: str) -> Heads:
        """Iterators of which nothing is known."""
        names = {a: Place().name(a.access) for a in iterators}
        return cls(
            {a: z3.Bool(f"{name} goes on {when}") for a, name in names.items()},
            {a: z3.Int(f"{name} stands at {when}") for a, name in names.items()},
        )


class Coordinate:
    """A coordinate `x` of the range of a loop, at or after `start`, from which on nothing has been visited."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.statements = Statements(strategy)
        self.x, self.start, self.least = z3.Int("coordinate"), z3.Int("visited up to"), z3.Int("next")
        own = (*strategy.lattice.sparse, *(strategy.optional if strategy.flagged else ()))
        self.present = {a: Place().present(a) for a in own}
        self.around = {a: p for a, p in self.present.items() if a in strategy.optional}
        self.before = Heads.unknown(strategy.coiterated, "")
        self.after = Heads.unknown(strategy.coiterated, "then")

    def holds(self, a: Active) -> Term:
        """Whether an access holds the coordinate: those at full levels hold all."""
        return self.present.get(a.access, z3.BoolVal(True))

    @property
    def required_statement(self) -> Term:
        """The statement that has to be run there."""
        return self.statements.at(self.present)

    def executed_statement(self, met: Mapping[Active, Term]) -> Term:
        """The statement that is run where the loop has met these iterators and located the rest of its plan."""
        found = {a.access: there for a, there in met.items()}
        found |= {a.access: self.holds(a) for a in self.strategy.located}
        found |= self.around
        return self.statements.at({a: found.get(a, z3.BoolVal(False)) for a in self.present})

    def print_values(self) -> dict[str, Term]:
        """What a counterexample says."""
        names = {f"{Place().name(a)} present": p for a, p in self.present.items()}
        heads = [*self.before.alive.values(), *self.before.at.values()]
        return names | {str(t): t for t in (self.x, self.start, *heads)}


def prove_cover(s: Planned) -> Verdict:
    """Whether the loop of a plan visits every coordinate with something to do, and does it there, once."""
    strategy = s.strategy
    c = Coordinate(strategy)
    if not strategy.coiterated:
        return decide(c.executed_statement({}) == c.required_statement, show=c.print_values())
    if strategy.whole_extent:
        return alongside(c)
    if strategy.depends:
        everywhere = formula(strategy.everywhere, c.present)
        return together([alongside(c, everywhere), coiteration(c, z3.Not(everywhere))])
    if len(strategy.coiterated) == 1:
        return single(c, strategy.coiterated[0])
    return coiteration(c)


def formula(presence: Presence, present: Mapping[Access, Term]) -> Term:
    """A formula on what is present, for the solver."""
    match presence:
        case bool():
            return z3.BoolVal(presence)
        case Access():
            return present[presence]
        case Every(parts=parts_):
            return z3.And([formula(part, present) for part in parts_])
        case Some(parts=parts_):
            return z3.Or([formula(part, present) for part in parts_])


def single(c: Coordinate, a: Active) -> Verdict:
    """The coordinates of one level."""
    visited = c.holds(a)
    done = z3.If(visited, c.executed_statement({a: z3.BoolVal(True)}), z3.IntVal(NOTHING))
    return decide(done == c.required_statement, show=c.print_values())


def alongside(c: Coordinate, where: Term | None = None) -> Verdict:
    """Every coordinate, one after another: each iterator stands at the least one left that its access holds."""
    iterators = c.strategy.coiterated
    given = [] if where is None else [where]
    given += [z3.Implies(a, b) for each in iterators for a, b in iterator_facts(c, c.before, each, c.start)]
    given += [advance(c, a, stands_at(c.before, a, c.start)) for a in iterators]
    there = {a: stands_at(c.before, a, c.start) for a in iterators}
    here = z3.Implies(c.x == c.start, c.executed_statement(there) == c.required_statement)
    later = [
        z3.Implies(z3.And(c.x > c.start, a), b)
        for each in iterators
        for a, b in iterator_facts(c, c.after, each, c.start + 1)
    ]
    goal = z3.And(here, z3.BoolVal(c.strategy.ordered and not c.strategy.fused), *later)
    return decide(goal, given=[c.x >= c.start, *given], show=c.print_values())


def coiteration(c: Coordinate, where: Term | None = None) -> Verdict:
    """The multi-way merge: rounds at the least coordinate of the iterators that are needed."""
    given, goals = rounds(c)
    given += [] if where is None else [where]
    return together(
        name_refutation(decide(goal, given=given, show=c.print_values()), said, "broken")
        for said, goal in goals.items()
    )


def rounds(c: Coordinate) -> tuple[list[Term], dict[str, Term]]:
    """What is given of a round of the merge, and what has to hold of it, in words."""
    iterators = c.strategy.coiterated
    needed = {a: z3.BoolVal(False) for a in iterators} | merge_conditions(c, c.before)
    needed_then = {a: z3.BoolVal(False) for a in iterators} | merge_conditions(c, c.after)
    ends = z3.Not(z3.Or(list(needed.values())))
    there = {a: z3.And(needed[a], stands_at(c.before, a, c.least)) for a in iterators}
    given = [c.x >= c.start, *[z3.Implies(c.holds(a), c.before.alive[a]) for a in iterators]]
    given += [
        z3.Implies(z3.And(needed[a], p), q) for a in iterators for p, q in iterator_facts(c, c.before, a, c.start)
    ]
    given += [advance(c, a, there[a]) for a in iterators]
    goes_on = z3.And(
        [z3.Implies(needed[a], c.least <= c.before.at[a]) for a in iterators] + [z3.Or(list(there.values()))]
    )
    given.append(z3.Or(ends, goes_on))
    later = [z3.Implies(c.holds(a), c.after.alive[a]) for a in iterators]
    later += [z3.Implies(needed_then[a], needed[a]) for a in iterators]
    later += [
        z3.Implies(z3.And(needed_then[a], p), q)
        for a in iterators
        for p, q in iterator_facts(c, c.after, a, c.least + 1)
    ]
    goals = {
        "nothing is left when the merge ends": z3.Implies(ends, c.required_statement == NOTHING),
        "nothing to do is passed over": z3.Implies(
            z3.And(z3.Not(ends), c.x < c.least), c.required_statement == NOTHING
        ),
        "where it stops, the right statement is run": z3.Implies(
            z3.And(z3.Not(ends), c.x == c.least), c.executed_statement(there) == c.required_statement
        ),
        "coordinates increase": z3.Or(ends, c.least >= c.start),
        "the next round starts as this one did": z3.Implies(z3.And(z3.Not(ends), c.x > c.least), z3.And(later)),
        "iterators are converted": z3.BoolVal(c.strategy.ordered and (not c.strategy.fused or c.strategy.merges)),
    }
    return given, goals


def iterator_facts(c: Coordinate, heads: Heads, a: Active, start: Term) -> list[tuple[Term, Term]]:
    """What is known of an iterator that has yielded all before `start`: pairs of a condition and what follows.

    It stands at or after that; it has not passed the coordinate if its access holds it; what it stands at is held.
    """
    alive, at = heads.alive[a], heads.at[a]
    return [
        (alive, at >= start),
        (c.holds(a), z3.And(alive, at <= c.x)),
        (z3.And(alive, at == c.x), c.holds(a)),
    ]


def stands_at(heads: Heads, a: Active, x: Term) -> Term:
    """Whether an iterator stands at a coordinate."""
    return z3.And(heads.alive[a], heads.at[a] == x)


def advance(c: Coordinate, a: Active, advances: Term) -> Term:
    """What a round makes of an iterator: it goes on to the next coordinate that its access holds, or stays."""
    before, after = c.before, c.after
    larger = z3.Implies(after.alive[a], after.at[a] > before.at[a])
    yields = z3.Implies(z3.And(c.holds(a), c.x > before.at[a]), z3.And(after.alive[a], after.at[a] <= c.x))
    held = z3.Implies(stands_at(after, a, c.x), c.holds(a))
    stays = z3.And(after.alive[a] == before.alive[a], after.at[a] == before.at[a])
    return z3.If(advances, z3.And(before.alive[a], larger, yields, held), stays)


def merge_conditions(c: Coordinate, heads: Heads) -> dict[Active, Term]:
    """Whether each iterator is merged, by which are not exhausted, and by what the loops around have found."""
    strategy, around = c.strategy, frozenset(c.around)
    found: dict[Active, list[Term]] = {a: [] for a in strategy.coiterated}
    for alive in parts(strategy.coiterated):
        for known in subsets(tuple(around)):
            state = z3.And(exactly(frozenset(alive), heads.alive), exactly(known, c.around))
            for a in strategy.merged_iterators(alive, around - known):
                found[a].append(state)
    return {a: z3.Or(states) for a, states in found.items()}


def exactly(chosen: frozenset[T], conditions: Mapping[T, Term]) -> Term:
    """Whether the conditions of these hold, and of no others."""
    return z3.And([condition if a in chosen else z3.Not(condition) for a, condition in conditions.items()])


def parts(iterators: Sequence[T]) -> Iterable[tuple[T, ...]]:
    """Every part of a sequence, larger ones first."""
    for size in range(len(iterators), -1, -1):
        yield from combinations(iterators, size)


def prove_merge_loops(s: Planned) -> Verdict:
    """Whether generated loops merge and choose as the plan says: one loop for every set of iterators, cases in it.

    The loops come one after another, each while none of its own iterators is exhausted.
    """
    strategy = s.strategy
    c = Coordinate(strategy)
    if strategy.flagged:
        return prove_flagged_loop(c)
    if len(strategy.coiterated) < 2 or strategy.whole_extent:
        own = strategy.coiterated
        certain = own if len(own) == 1 and not strategy.whole_extent else ()
        return prove_choice(c, own, certain, frozenset())
    sets = strategy.rounds()
    wanted, first = merge_conditions(c, c.before), z3.BoolVal(True)
    goals = []
    for merged in sets:
        runs = z3.And(first, *[c.before.alive[a] for a in merged])
        goals += [z3.Implies(runs, wanted[a] == (a in merged)) for a in strategy.coiterated]
        first = z3.And(first, z3.Not(z3.And([c.before.alive[a] for a in merged])))
    goals.append(z3.Implies(first, z3.Not(z3.Or(list(wanted.values())))))
    in_order = decide(z3.And(goals), show=c.print_values())
    cases = []
    for merged in sets:
        every = frozenset(a.access for a in merged)
        cases.append(prove_choice(c, merged, (), every if all(a.is_sparse for a in merged) else frozenset()))
    return together([in_order, *cases])


def prove_flagged_loop(c: Coordinate) -> Verdict:
    """Whether a loop with one body for all points runs it where something remains, and goes on while that may be.

    Where each iterator alone leaves something to do, nothing is asked once one is met, or every coordinate is visited
    because of what the loops around have found; those are counted then. A loop that visits its extent whatever there is
    asks at each coordinate.
    """
    remains = formula(c.strategy.remains, c.present)
    goals = [remains == (c.required_statement != NOTHING)]
    if not c.strategy.whole_extent:
        goals += flagged_merge(c, remains)
    return decide(z3.And(goals), show=c.print_values())


def flagged_merge(c: Coordinate, remains: Term) -> list[Term]:
    """What has to hold of a loop with one body that merges, where something `remains` to do."""
    strategy, everywhere, goals = c.strategy, formula(c.strategy.everywhere, c.present), list[Term]()
    if strategy.merges or strategy.depends:
        alive = {a.access: c.before.alive[a] for a in strategy.coiterated if a.is_sparse}
        full = [c.before.alive[a] for a in strategy.coiterated if not a.is_sparse]
        open_ = {a: z3.BoolVal(True) for a in c.present} | c.around | alive
        left = z3.And(*full, formula(strategy.remains, open_))
        goes_on = z3.Or(z3.BoolVal(False), *merge_conditions(c, c.before).values())
        goals.append(z3.Or(everywhere, left == goes_on))
    if strategy.suffices:
        met = [c.present[a.access] for a in strategy.coiterated if a.is_sparse]
        goals.append(z3.Implies(z3.Or(everywhere, *met), remains))
    return goals


def prove_choice(
    c: Coordinate, merged: Sequence[Active], certain: Sequence[Active], some: frozenset[Access]
) -> Verdict:
    """Whether the cases that are written for what may be present choose the statement of its point.

    Of the accesses in `some` at least one is present; those that are neither merged nor located are missing.
    """
    asked: dict[Access, ir.Expr] = {
        a.access: ir.Name(f"at{n}") for n, a in enumerate((*merged, *c.strategy.located)) if a.is_sparse
    }
    asked |= {a.access: ir.TRUE for a in certain if a.is_sparse}
    conditions: dict[Access, ir.Expr] = {a: asked.get(a, ir.FALSE) for a in c.present}
    given = [c.present[a] == (e == ir.TRUE) for a, e in conditions.items() if e in (ir.TRUE, ir.FALSE)]
    if some:
        given.append(z3.Or([c.present[a] for a in some]))
    chain: Term = z3.IntVal(-1)
    for case in reversed(chain_cases(c.strategy.lattice, conditions, some)):
        number = z3.IntVal(c.statements.number(case.statement))
        chain = z3.If(z3.And([c.present[a] for a in case.needs]), number, chain)
    return decide(chain == c.required_statement, given=given, show=c.print_values())


def merges() -> Verdict:
    """Whether a round of a merge keeps, for any number of iterators, what rounds begin with.

    Of the iterators one is looked at, whichever it is, that is needed in this round. The least coordinate is that of
    some needed iterator.
    """
    iterator = z3.DeclareSort("Iterator")
    n, least_of, every = z3.Consts("n least_of every", iterator)
    at, needed = z3.Function("stands at", iterator, z3.IntSort()), z3.Function("needed", iterator, z3.BoolSort())
    x, start, then = z3.Ints("coordinate start then")
    alive, alive_then, holds = z3.Bools("alive alive_then holds")
    least = at(least_of)
    given = [
        needed(n), needed(least_of), x >= start,
        z3.ForAll([every], z3.Implies(needed(every), z3.And(at(every) >= start, least <= at(every)))),
        z3.Implies(holds, z3.And(alive, at(n) <= x)),
        z3.Implies(z3.And(alive, at(n) == x), holds),
        z3.If(
            z3.And(alive, at(n) == least),
            z3.And(
                z3.Implies(alive_then, then > at(n)),
                z3.Implies(z3.And(holds, x > at(n)), z3.And(alive_then, then <= x)),
                z3.Implies(z3.And(alive_then, then == x), holds),
            ),
            z3.And(alive_then == alive, then == at(n)),
        ),
    ]  # fmt: skip
    goals = [
        least >= start,
        z3.Implies(x < least, z3.Not(holds)),
        z3.Implies(x == least, holds == z3.And(alive, at(n) == least)),
        z3.Implies(z3.And(x > least, holds), z3.And(alive_then, then <= x)),
        z3.Implies(alive_then, then >= least + 1),
        z3.Implies(z3.And(alive_then, then == x), holds),
    ]
    shown = {str(t): t for t in (x, start, least, at(n), alive, holds)}
    return together(decide(goal, given=given, show=shown) for goal in goals)
