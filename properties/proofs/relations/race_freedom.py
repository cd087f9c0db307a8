"""Race freedom: iterations that write one component are told from the coordinates of the result, and settled.

What `races.is_determined` says of a loop is compared with two points of the iteration domain, for all extents, over the
chains of `relation_chains.py`. (Senanayake 2020, section 4, parallelize.)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from ....reference.algebra.operator import Operator
from ....reference.algebra.operators import DECLARED
from ....reference.errors import ScheduleError
from ....reference.notation.syntax import Access, Literal
from ....reference.schedule.parallelize import check_race
from ....reference.schedule.races import Race, is_determined
from ....reference.statement.relation import Coord
from ....reference.statement.statement import Assign, Forall, Program
from ....reference.statement.tags import STRATEGIES
from ....reference.storage.declaration import Declaration
from ....reference.storage.format import Format
from ..obligation import Obligation
from ..operators.carriers import Integers
from ..operators.operator_terms import apply
from ..solver import Term, decide, exhibit, z3
from ..verdict import Bounded, Proved, Refuted, Unknown, Verdict, together
from .relation_chains import FIRST, Chain, chains
from .reordering import NUMBER, PLUS, is_unordered, numbers
from .symbolic import Execution, Raised, always, explore, term_of
from .walked import Nest, Walk

Determined = Callable[[Program, str, Collection[str]], bool]
RULE = "schedule.race"
REPEATED = ("compressed(nonunique)", "singleton(nonunique)")


class Question(Struct, frozen=True):
    """Whether a result's coordinates, with the loops around, leave a loop's variable one value."""

    chain: Chain
    variable: str
    known: tuple[str, ...]

    def check(self, determined: Determined) -> bool:
        """What the check says."""
        return determined(self.chain.program, self.variable, self.known)

    def __str__(self) -> str:
        return f"{self.variable} by {', '.join(self.known) or 'nothing'} in {','.join(map(str, self.chain.commands))}"


def questions(length: int, first: str) -> Iterator[Question]:
    """Every loop of every chain, with the coordinates of every possible result."""
    for chain in chains(length):
        if chain.commands[0].name != first:
            continue
        loops = [loop.index for loop in chain.nest.loops]
        originals = chain.nest.originals()
        targets = [each for size in range(len(originals) + 1) for each in combinations(originals, size)]
        for number, variable in enumerate(loops):
            for target in targets:
                yield Question(chain, variable, tuple(dict.fromkeys((*target, *loops[:number]))))


def with_duplicates(asked: Iterable[Question]) -> Iterator[Question]:
    """The questions that are about positions, of an operand that holds coordinates several times."""
    for question in asked:
        chain = question.chain
        if chain.nest.provenance.positions():
            program = replace(chain.program, tensors=tuple(map(nonunique, chain.program.tensors)))
            yield replace(question, chain=replace(chain, program=program))


def nonunique(named: tuple[str, Declaration]) -> tuple[str, Declaration]:
    """A list of coordinates with duplicates, for a format of sparse levels."""
    name, declared = named
    if declared.format.is_whole:
        return named
    return name, replace(declared, format=Format(REPEATED[: len(declared.format.levels)]))


def values(question: Question, run: Execution) -> tuple[Term, Term]:
    """Whether two points of the domain agree on what is known, and whether they agree on the variable."""
    nest = question.chain.nest.with_symbolic_sizes()
    first, second = Walk(nest, run), Walk(nest, run, "_")
    ours, theirs = ({**walk.stand.point, **walk.derive_loops()} for walk in (first, second))
    assume_storage(question.chain.program, nest, first, second)
    agree = [term_of(ours[v]) == term_of(theirs[v]) for v in (*question.known, question.variable)]
    return z3.And(*agree[:-1]), agree[-1]


def assume_storage(program: Program, nest: Nest, first: Walk, second: Walk) -> None:
    """Assume what storage has to do with two points: a position holds one coordinate below one other, and of a unique
    level, coordinates have one position."""
    for relation in nest.provenance.positions():
        ours, theirs = (walk.stand.places[relation.access] for walk in (first, second))
        levels = program.formats[relation.access.tensor].levels
        for begin, end in ((0, relation.first), (relation.first, relation.last)):
            above, below = ours[begin].term == theirs[begin].term, ours[end].term == theirs[end].term
            held = relation.access.levels[begin:end]
            same = z3.And(above, *[first.stand.point[v].term == second.stand.point[v].term for v in held])
            first.run.assume(z3.Implies(below, same))
            if begin == end or levels[end - 1].unique:
                first.run.assume(z3.Implies(same, below))
        first.run.assume(ours[0].term == theirs[0].term)


def is_sound(question: Question) -> Verdict:
    """Whether points that agree on what is known agree on the variable."""

    def claim(run: Execution) -> Term:
        known, same = values(question, run)
        run.assume(known)
        return same

    return always(claim, show=two_points(question))


def is_needed(question: Question) -> Verdict:
    """Whether some points agree on what is known and not on the variable: proved by a witness."""

    def claim(run: Execution) -> Term:
        known, same = values(question, run)
        return z3.And(known, z3.Not(same))

    found: list[Verdict] = [
        exhibit([*path.condition, path.result], two_points(question))
        for path in explore(claim)
        if not isinstance(path.result, Raised)
    ]
    return next((verdict for verdict in found if isinstance(verdict, Proved)), found[0])


def two_points(question: Question) -> dict[str, Term]:
    """What a counterexample is made of: two points."""
    return {f"{v}{mark}": z3.Int(f"{v}{mark}") for v in question.chain.nest.originals() for mark in ("", "_")}


def sound(asked: Iterable[Question], determined: Determined = is_determined) -> Verdict:
    """Whether what the check calls determined is."""
    return together(name_question(q, is_sound(q)) for q in asked if q.check(determined))


def witness(asked: Iterable[Question], determined: Determined = is_determined) -> Verdict:
    """Whether what the check does not call determined is not: a witness for each."""
    found = [name_question(q, is_needed(q)) for q in asked if not q.check(determined)]
    return together(Proved() if isinstance(verdict, Proved) else verdict for verdict in found)


def name_question(question: Question, verdict: Verdict) -> Verdict:
    """A verdict that says on what it is."""
    match verdict:
        case Refuted(counterexample=values):
            return Refuted((("loop", str(question)), *values))
        case Unknown(reason=reason):
            return Unknown(f"{question}: {reason}")
        case Proved() | Bounded():
            return verdict


def of_duplicates(length: int) -> tuple[list[Question], list[Question]]:
    """The questions about positions of duplicates: those on loops over coordinates again, and the others."""
    asked = [q for first in FIRST for q in with_duplicates(questions(length, first))]
    over = [q for q in asked if is_coordinate(q)]
    return over, [q for q in asked if q not in over]


def is_coordinate(question: Question) -> bool:
    """Whether a loop runs over coordinates that stand for positions, or a part of them."""
    graph = question.chain.nest.provenance
    return any(isinstance(graph.derivation_of(v), Coord) for v in graph.lineage(question.variable))


def obligations() -> tuple[Obligation, ...]:
    """That no race is missed, that none is seen where there is none, and that each strategy settles its races."""
    chained = [over_chains(claim, length, first) for claim in CLAIMS for length in (1, 2) for first in FIRST]
    return (*chained, *duplicates(), *map(acceptance, STRATEGIES))


NAMES: dict[Callable[[Iterable[Question]], Verdict], str] = {sound: "sound", witness: "needed"}
CLAIMS: dict[Callable[[Iterable[Question]], Verdict], str] = {
    sound: "iterations of a loop that is said not to race write different components",
    witness: "some iterations of every loop that is said to race write the same component",
}


def over_chains(claim: Callable[[Iterable[Question]], Verdict], length: int, first: str) -> Obligation:
    """A claim about the chains of so many commands that begin with one."""
    which = "Of the chain" if length == 1 else f"In chains of {length} commands"
    return Obligation(
        f"relations.races.{NAMES[claim]}.{length}.{first}",
        f"{which} that begins with {first}: {CLAIMS[claim]}.",
        lambda: claim(questions(length, first)),
        (RULE,),
        slow=length > 1,
    )


def duplicates() -> tuple[Obligation, ...]:
    """What the check says where operands hold coordinates several times."""
    return (
        Obligation(
            "relations.races.sound.duplicates",
            f"Where positions hold duplicates, {CLAIMS[sound]}.",
            lambda: sound([q for length in (1, 2) for asked in of_duplicates(length) for q in asked]),
            (RULE,),
            slow=True,
        ),
        Obligation(
            "relations.races.needed.duplicates",
            f"Where positions hold duplicates, {CLAIMS[witness]}, unless it runs over their coordinates.",
            lambda: witness([q for length in (1, 2) for q in of_duplicates(length)[1]]),
            (RULE,),
            slow=True,
        ),
        Obligation(
            "relations.races.stricter",
            "Stricter than need be: loops over the coordinates of duplicates count as racing where a result has them.",
            stricter,
            (RULE,),
        ),
    )


def stricter() -> Verdict:
    """Whether loops over the coordinates of duplicates have one value where a result has those, though not by the
    check."""
    asked = [q for q in of_duplicates(2)[0] if indexes(q) and not is_determined(q.chain.program, q.variable, q.known)]
    return together(name_question(q, is_sound(q)) for q in asked)


def indexes(question: Question) -> bool:
    """Whether a result has the coordinates that a loop runs over."""
    return set(question.chain.nest.provenance.originals(question.variable)) <= set(question.known)


def acceptance(strategy: str) -> Obligation:
    """What a race strategy accepts."""
    return Obligation(
        f"relations.races.strategy.{strategy}",
        SETTLED[strategy],
        lambda: together(accepts(strategy, race) for race in possible()),
        (RULE, "schedule.loop.parallel"),
    )


SETTLED = {
    "NoRaces": "NoRaces accepts no race: of iterations that write one component at once, one may be lost.",
    "IgnoreRaces": "IgnoreRaces accepts every race: where no two iterations write one component, which is checked when "
    "the loop runs, their order makes no difference.",
    "Atomics": "Atomics accept just the races that a commutative and associative operator combines.",
    "Temporary": "Temporary accepts just the races over a whole result that such an operator combines.",
    "ParallelReduction": "ParallelReduction accepts just what Temporary does.",
}


def settles(strategy: str, race: Race) -> bool:
    """Whether a strategy is meant for a race."""
    match strategy:
        case "NoRaces":
            return False
        case "IgnoreRaces":
            return True
        case "Atomics":
            return race.leaf.operator is not None
        case _:
            return race.leaf.operator is not None and race.whole


def possible() -> Iterator[Race]:
    """A race of every kind: by each operator or none, on a whole result or on a part."""
    target = Access("y", ("i",))
    for operator in (None, *(op for op in DECLARED if op.reduction is not None)):
        for whole in (False, True):
            yield Race(Assign(target, Literal(1), operator), whole)


def accepts(strategy: str, race: Race) -> Verdict:
    """Whether a strategy accepts a race just where it is meant for it, and is right to do so.

    What is accepted comes out alike in any order; what is refused does not if iterations run at once.
    """
    operator, taken = race.leaf.operator, is_accepted(strategy, race)
    if taken != settles(strategy, race):
        whole = "yes" if race.whole else "no"
        return Refuted((("operator", str(operator)), ("whole", whole), ("accepted", "yes" if taken else "no")))
    if not taken:
        return may_lose(operator)
    return apart() if strategy == "IgnoreRaces" or operator is None else is_unordered(operator)


def is_accepted(strategy: str, race: Race) -> bool:
    """Whether a strategy accepts a race."""
    try:
        check_race(Forall("j", race.leaf), race, strategy)
    except ScheduleError:
        return False
    return True


def may_lose(operator: Operator | None) -> Verdict:
    """Whether two iterations that read a component before either writes it may leave something else than in order.

    Where any of what is combined will do, nothing is lost.
    """
    if operator is not None and operator.selects:
        return Proved()
    carrier = Integers()
    before, first, second = (carrier.variable(name) for name in ("before", "first", "second"))

    def after(held: Term, given: Term) -> Term:
        return given if operator is None else apply(operator, [held, given], carrier)

    in_order = after(after(before, first), second)
    at_once = z3.Or(*[after(before, last) != in_order for last in (first, second)])
    return exhibit([at_once], {"before": before, "first": first, "second": second})


def apart() -> Verdict:
    """Whether iterations that read and write different components give the same in either order, by any operator."""
    held = z3.Array("held", z3.IntSort(), NUMBER)
    i, j = z3.Ints("i j")
    a, b = numbers("a b")

    def after(held: Term, i: Term, given: Term) -> Term:
        return z3.Store(held, i, PLUS(held[i], given))

    return decide(after(after(held, i, a), j, b) == after(after(held, j, b), i, a), given=[i != j])
