"""Lattices: what is proved of the loops that merge operands (docs/spec/loops; Chou 2018, sections 4.1 to 4.4).

For a statement, at every loop that its execution may come to:

- `points`: the statement of a lattice point means what the whole statement means where the same accesses are missing,
  whatever is present deeper in the loops and whatever the arithmetic; where there is no point, nothing is to be done;
- `values`: it gives the numbers that the whole statement gives with fills for what is missing, in exact arithmetic;
- `cover`: the loop stops once at every coordinate with something to do, and runs the statement of its point there;
- `code`: the loops that are generated for a merge, and the cases in them, choose as the interpreter does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from ....reference.algebra.semirings import Semiring
from ....reference.errors import Unsupported
from ....reference.notation.text import Text
from ....reference.statement.statement import Program
from ..obligation import Obligation
from ..verdict import Unknown, Verdict, together
from .corpus import STATEMENTS, Given, chapters, conformance
from .lattice_cover import merges, prove_cover, prove_merge_loops
from .lattice_loops import Planned, Reached, Run, Unread, reach_statements
from .lattice_points import by_rule, by_value, name_refutation
from .lattice_tuples import tuples
from .lattice_values import has_numbers

Claim = Callable[[Program, Iterable[Reached]], Verdict]


def obligations() -> tuple[Obligation, ...]:
    """What has to hold of merges as such, and of every statement in the corpus."""
    return (
        Obligation(
            "lattices.merge",
            "a merge of any number of ordered, unique iterators stops once at each coordinate that a needed one holds",
            merges,
            ("loop.lattice.point", "loop.coiterate"),
        ),
        Obligation(
            "lattices.tuples",
            "numbers of two coordinates of 32 bits, and the first of them that differ, are ordered as tuples are",
            tuples,
            ("loop.fuse.merge",),
        ),
        *(statement(f"lattices.{name}", given) for name, given in STATEMENTS.items()),
        *(suite_of(chapter) for chapter in chapters()),
    )


def statement(id: str, given: Given) -> Obligation:
    """The obligation on every loop of a statement."""
    said = f"{given}: points say what the whole says there, and every coordinate is visited as it should be"
    return Obligation(id, said, lambda: whole(given.program()), RULES)


def suite_of(chapter: str) -> Obligation:
    """The obligation on the programs of the conformance suite that are about a chapter of the specification."""

    def prove() -> Verdict:
        return together(name_refutation(whole(program), source) for source, program in conformance(chapter))

    said = f"the conformance suite's programs about {chapter}: points say what they should, every coordinate is visited"
    return Obligation(f"lattices.conformance.{chapter}", said, prove, RULES, slow=True)


def obligations_on(
    expression: str | Text,
    formats: Mapping[str, str],
    *,
    semiring: str | Semiring | None = None,
    convert: str | None = None,
    schedule: str | None = None,
) -> tuple[Obligation, ...]:
    """What has to hold of an expression on tensors in these formats, loop by loop. Raises GnomonError."""
    given = Given(expression, formats, None, semiring, schedule, convert)
    return obligations_of(given.program(), "lattices")


def obligations_of(program: Program, name: str) -> tuple[Obligation, ...]:
    """What has to hold of a program, loop by loop: ids are the name, the variable of the loop and what is claimed."""
    places = list(reach_statements(program))
    order = list(dict.fromkeys(s.strategy.index for s in places if isinstance(s, Planned)))
    found = []
    for variable in order:
        own = [s for s in places if isinstance(s, Planned) and s.strategy.index == variable]
        for claim, (said, prove, _, rules) in CLAIMS.items():
            if claim != "values" or has_numbers(program):
                text = f"the loop over {variable}: {said}"
                found.append(Obligation(f"{name}.{variable}.{claim}", text, partial(judge, prove, program, own), rules))
    others = [s for s in places if not isinstance(s, Planned)]
    if others:
        text = "what is run in the end computes what it means, on what is present there"
        found.append(
            Obligation(
                f"{name}.assignments", text, partial(judge, by_rule, program, others), ("denote.missing.operand",)
            )
        )
    return tuple(found)


def whole(program: Program) -> Verdict:
    """Everything that has to hold of a program."""
    places = list(reach_statements(program))
    asked = []
    for name, (_, claim, kinds, _) in CLAIMS.items():
        own = [s for s in places if isinstance(s, kinds)]
        if own and (name != "values" or has_numbers(program)):
            asked.append(judge(claim, program, own))
    return together(asked)


def judge(claim: Claim, program: Program, places: Iterable[Reached]) -> Verdict:
    """The verdict on a claim; lattices that are too wide to list are unknown."""
    try:
        return claim(program, places)
    except Unsupported as error:
        return Unknown(error.message)


def by_cover(program: Program, places: Iterable[Reached]) -> Verdict:
    """Whether loops visit what they should."""
    return judge_plans(places, prove_cover)


def by_code(program: Program, places: Iterable[Reached]) -> Verdict:
    """Whether generated loops and cases choose what the plan says."""
    return judge_plans(places, prove_merge_loops)


def judge_plans(places: Iterable[Reached], claim: Callable[[Planned], Verdict]) -> Verdict:
    """The verdict on a claim about plans."""
    return together(name_refutation(claim(s), s.title, "loop") for s in places if isinstance(s, Planned))


CLAIMS: dict[str, tuple[str, Claim, tuple[type[Reached], ...], tuple[str, ...]]] = {
    "points": (
        "the statement of every lattice point means what the whole means there",
        by_rule,
        (Planned, Unread, Run),
        (
            "loop.lattice.point",
            "loop.lattice.empty",
            "denote.missing.operand",
            "denote.missing.all",
            "semiring.presence",
        ),
    ),
    "values": (
        "the statement of every lattice point gives the numbers that the whole gives with fills for what is missing",
        by_value,
        (Planned, Unread),
        ("loop.lattice.point", "loop.lattice.empty", "denote.fill"),
    ),
    "cover": (
        "it stops once at every coordinate with something to do, and runs the right statement",
        by_cover,
        (Planned,),
        ("loop.lattice.empty", "loop.locate", "loop.coiterate"),
    ),
    "code": ("generated loops and cases choose as the plan says", by_code, (Planned,), ("loop.lattice.point",)),
}
"""What is claimed, by name: in words, how it is proved, of what that execution comes to, and the rules."""
RULES = tuple(dict.fromkeys(rule for _, _, _, rules in CLAIMS.values() for rule in rules))
