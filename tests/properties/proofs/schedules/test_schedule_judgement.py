"""Judgements: every refusal of the table of invalid schedules is confirmed, known to be stricter, or one of form; on
drawn schedules, solver, rules and inputs agree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import gnomon as gn
import pytest
from depth import DEEP
from gnomon.generator.runtime.request import make_request
from gnomon.properties.proofs.schedules.schedule_inputs import Question
from gnomon.properties.proofs.schedules.schedule_judgement import FORM, STRICTER, Asked
from gnomon.properties.proofs.schedules.schedules import ask
from gnomon.properties.proofs.verdict import Proved, Refuted
from gnomon.properties.strategies import PLAIN, Features, programs
from gnomon.properties.strategies.invalid_schedules import PROGRAMS, SCHEDULED
from gnomon.properties.strategies.schedules import KINDS, draw_command, schedules
from gnomon.reference.errors import GnomonError, ScheduleError
from gnomon.reference.notation.text import as_text
from gnomon.reference.schedule import legality, loopfuse, position, races, reorder
from gnomon.reference.schedule.application import apply_unchecked
from gnomon.reference.schedule.command import Command
from gnomon.reference.schedule.commands import EFFECTS
from gnomon.reference.schedule.schedule import Schedule, as_schedule
from gnomon.reference.statement.statement import Program, indices
from gnomon.reference.statement.tags import STRATEGIES, UNITS
from gnomon.reference.storage.spec import Spec
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from .questions import BOTH, CSR, SCALED, SPMV, UNION, accept

REFUSED = [(program, text) for _, texts in SCHEDULED.values() for program, text in texts]
FORMAL = 30
"""How many of them cannot be applied at all."""
FIRST = [texts[0] for _, texts in SCHEDULED.values()]
"""One for each reason."""


def last(program: str, schedule: str) -> Asked | None:
    """What is asked of the last command; None if one cannot be applied."""
    source, formats, out = PROGRAMS[program]
    request = make_request(source, formats, out=out)
    question = Question(request.text, formats, out)
    try:
        return list(ask(request.program, as_schedule(schedule), question))[-1]
    except ScheduleError:
        return None


@pytest.mark.parametrize(("program", "schedule"), REFUSED if DEEP else FIRST)
def test_a_refusal_is_confirmed_or_known_to_be_stricter_or_one_of_form(program: str, schedule: str) -> None:
    each = last(program, schedule)
    if each is None:
        return
    assert each.refusals and not each.disagreements
    refused = [j for j in each.judgements if j.refusal is not None]
    confirmed = [j for j in refused if isinstance(j.verdict(), Refuted)]
    assert confirmed or all(j.stricter for j in refused)
    for shown in (j.shown for j in confirmed if j.shown is not None):
        assert not re.search(r"Attribute|Type|Key|Value|Index|Internal", shown.found.partition("Error")[0])
        assert not re.search(r"object has|object at 0x|\w+Error", shown.found.partition("Error: ")[2])
        if "Error: " in shown.found:
            with pytest.raises(GnomonError):
                eval(shown.program(), {"gn": gn})
        else:
            eval(shown.program(), {"gn": gn})


def test_few_refusals_are_of_form() -> None:
    assert sum(last(*each) is None for each in REFUSED) == FORMAL < len(REFUSED) * 2 // 3


def test_a_refutation_names_the_input_the_values_and_the_refusal() -> None:
    each = last("rows", "parallelize(j,CPUThread,NoRaces)")
    assert each is not None
    (races,) = (j for j in each.judgements if j.key == "parallelize.no_races")
    verdict = races.verdict()
    assert isinstance(verdict, Refuted)
    assert list(dict(verdict.counterexample)) == ["input", "with the schedule", "without", "values", "refused"]
    assert "j = " in dict(verdict.counterexample)["values"]


@pytest.mark.every(2)
@pytest.mark.parametrize(
    "schedule",
    [
        "pos(j,p,A(i,j)),split(p,p0,p1,16),parallelize(p0,CPUThread,NoRaces)",
        "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,16),parallelize(p0,CPUThread,NoRaces)",
        "split(j,j0,j1,8),split(j0,j00,j01,4),parallelize(j00,CPUThread,NoRaces)",
        "divide(j,j0,j1,6),parallelize(j0,CPUThread,NoRaces)",
    ],
)
def test_races_between_large_tiles_are_shown_by_a_row_that_reaches_into_a_second(schedule: str) -> None:
    source, formats = "y(i) = A(i,j) * x(j)", {"A": "CSR"}
    request = make_request(source, formats)
    each = list(ask(request.program, as_schedule(schedule), Question(as_text(source), formats)))[-1]
    (races,) = (j for j in each.judgements if j.key == "parallelize.no_races")
    verdict = races.verdict()
    assert isinstance(verdict, Refuted)
    call = dict(verdict.counterexample)["input"]
    assert schedule in call and len(call) < 1000
    with pytest.raises(ScheduleError, match="both write"):
        eval(call, {"gn": gn})


def test_tiles_that_no_small_operand_fills_are_left() -> None:
    each = last("rows", "pos(j,p,A(i,j)),split(p,p0,p1,1000000),parallelize(p0,CPUThread,NoRaces)")
    assert each is not None and list(each.extents_of_tiles()) == []


def test_what_goes_wrong_is_blamed_on_what_fails() -> None:
    """The order of storage is what goes wrong, not the order of the reduction; the command is given to the program
    without the workspace through which its result is assembled."""
    each = last("product", "reorder(k,i)")
    assert each is not None
    found = {j.condition.name: (j.solver, j.verdict()) for j in each.judgements}
    assert found["distributes"] == (Proved(), Proved())
    assert isinstance(found["located"][1], Refuted) and found["appended"][1] == Proved()


def test_every_name_is_one_of_a_rule() -> None:
    names = {p.name for effect in EFFECTS.values() for p in effect.preconditions}
    names |= {"searched", "merging", "no_races", "unit", "dependent", "located", "counted", "appended"}
    assert {key.rpartition(".")[2] for key in STRICTER} <= names
    assert set(FORM) <= names


class Attempt(Struct, frozen=True):
    """A schedule on a program, of which the last command may be illegal."""

    program: Program
    schedule: Schedule
    question: Question
    given: tuple[Any, ...] = ()

    def __repr__(self) -> str:
        return f"{self.question} by {self.schedule}"

    def asked(self) -> list[Asked]:
        """What is asked of its commands."""
        return list(ask(self.program, self.schedule, self.question, self.given))


POOL = (
    (SPMV, CSR, None, None),
    (SPMV, {"A": "COO"}, None, None),
    (SPMV, {"A": "CSC", "x": "SparseVector"}, None, None),
    (UNION, BOTH, "CSR", None),
    (UNION, {"A": "RowMajor", "B": "CSR"}, None, None),
    ("C(i,j) = A(i,j) * B(i,j)", BOTH, "DCSR", None),
    (SCALED, {"A": "RowMajor"}, "CSR", None),
    (SCALED, {"A": "DCSR"}, "COO", None),
    ("y(i) = sqrt(sum(j, A(i,j)))", {"A": "RowMajor"}, None, None),
    ("y(i) = b(i) * sum(j, max(A(i,j), x(j)))", {}, None, None),
    ("y(i) = v(i) * 2", {"v": "compressed(unordered)"}, "SparseVector", None),
    ("C(i,j) = A(i,k) * B(k,j)", BOTH, "CSR", "min_plus"),
    ("C(i,j) = A(i,k) * B(k,j)", {}, None, None),
    (SPMV, {"A": "BCSR(2,2)"}, None, None),
    ("y(i) = A(i,j) * x(j) * z(i)", CSR, None, None),
    ("y(i) = prod(j, A(i,j) * z(i))", {}, None, None),
    ("y(i) = prod(j, A(i,j) + z(i))", {}, None, None),
    ("y(i) = max(k, max(x(i), t(i,k)))", {}, None, None),
    ("y(i) = min(k, x(i) * t(i,k))", {}, None, None),
    ("y(i) = sum(k, x(i) - t(i,k))", {}, None, None),
    ("C(i,l) = A(i,j) * B(j,k) * D(k,l)", CSR, None, None),
    ("C(i,l) = A(i,j) * B(j,k) * D(k,l)", BOTH, "CSR", None),
    ("y(i) = A(i,j) * (x(j) + z(i))", CSR, None, None),
)
LAST = ("split", "divide", "bound", "parallelize", "reorder", "pos", "any", "any")
PRODUCTS = tuple(n for n, (expression, *_) in enumerate(POOL) if expression == SPMV)
UNIONS = tuple(n for n, (expression, *_) in enumerate(POOL) if expression == UNION)
NESTED = tuple(n for n, (expression, *_) in enumerate(POOL) if "sum(" in expression)
UNSORTED = tuple(n for n, (_, _, out, _) in enumerate(POOL) if out == "SparseVector")
PARTED = range(14, len(POOL))
"""Where operands can be parted by a workspace, whether the reduction moves or not."""


@cache
def pooled(number: int) -> tuple[Program, Question]:
    """A program of the pool, for any extents."""
    expression, formats, out, ring = POOL[number]
    request = make_request(expression, formats, out=out, semiring=ring)
    return request.program, Question(request.text, formats, out, ring)


@st.composite
def small_attempts(
    draw: st.DrawFn, *, kinds: tuple[str, ...] = LAST, among: Sequence[int] = range(len(POOL))
) -> Attempt:
    """Attempts on the programs of the pool, or some of them, of which the last command is of some kinds."""
    program, question = pooled(draw(st.sampled_from(among)))
    return Attempt(program, draw(risky(program, 2, kinds)), question)


@st.composite
def attempts(draw: st.DrawFn, features: Features) -> Attempt:
    """Attempts on random programs."""
    problem = draw(programs(features))
    stored = {name: Spec(t.format, t.dtype, fill=t.fill) for name, t in problem.operands.items()}
    question = Question(problem.text, stored, problem.out, problem.semiring, "auto", problem.extents)
    program = problem.ready.program
    return Attempt(program, draw(risky(program, 4)), question, (problem.operands,))


@st.composite
def risky(draw: st.DrawFn, program: Program, longest: int, kinds: tuple[str, ...] = LAST) -> Schedule:
    """A legal schedule and one command more, if one can be applied, be it legal or not."""
    legal = draw(schedules(program, longest=longest)).schedule.commands
    for command in legal:
        program = apply_unchecked(command, program)
    last = draw(last_commands(program, draw(st.sampled_from(kinds))))
    try:
        apply_unchecked(last, program)
    except GnomonError:
        return Schedule(legal)
    return Schedule((*legal, last))


@st.composite
def last_commands(draw: st.DrawFn, program: Program, kind: str) -> Command:
    """A command that is likely to be illegal: wrong factors, wrong bounds, any order, any strategy."""
    there = list(dict.fromkeys(indices(program.statement))) or ["i"]
    variable = draw(st.sampled_from(there))
    match kind:
        case "split" | "divide":
            return Command(kind, (variable, "a9", "b9", draw(st.integers(-2, 0))))
        case "bound":
            size, said = draw(st.integers(-1, 6)), draw(st.sampled_from(["max_exact", "min_exact", "divisible"]))
            return Command(kind, (variable, "a9", size, said))
        case "parallelize":
            return Command(kind, (variable, "CPUThread", draw(st.sampled_from(STRATEGIES))))
        case "reorder":
            return Command(kind, tuple(draw(st.permutations(there)))[: draw(st.integers(2, 3))])
        case _:
            found = draw_command(draw, draw(st.sampled_from(KINDS)) if kind == "any" else kind, program, UNITS, 9)
            return found or Command("unroll", (variable, 0))


def agrees(attempt: Attempt) -> None:
    """Solver, rules and inputs agree on every command; what is accepted is proved, but for reasons."""
    for each in attempt.asked():
        assert not each.disagreements, [(j.key, j.verdict()) for j in each.disagreements]
        if not each.refusals:
            assert not any(isinstance(j.verdict(), Refuted) for j in each.judgements)


def test_positions_around_loops_over_their_coordinates_tell_nothing_of_these() -> None:
    """What is put in order is copied again for each position: it is no proof that each has one coordinate."""
    request = make_request("C(i,j) = A(i,j) * 2", {"A": "DCSR"}, out="COO")
    question = Question(request.text, {"A": "DCSR"}, "COO")
    schedule = as_schedule("split(i,u0,v0,3),reorder(v0,u0),pos(v0,u9,A(i,j))")
    agrees(Attempt(request.program, schedule, question))


def test_loops_that_count_what_the_other_side_has_alone_tell_nothing() -> None:
    """The rules are right to refuse, and the solver does not prove that what is shown to go wrong goes well."""
    text = "y(i) = z(i) * x(j)"
    request = make_request(text, {})
    tiles = "split(i,a,b,1),split(j,c,d,2),reorder(a,b,d,c),collapse(b,d,f)"
    schedule = as_schedule(f"{tiles},loopfuse({{}},z(i),right,T)")
    attempt = Attempt(request.program, schedule, Question(request.text, {}))
    agrees(attempt)
    last = attempt.asked()[-1]
    (once,) = (j for j in last.judgements if j.key == "loopfuse.once")
    assert once.refusal is not None and isinstance(once.verdict(), Refuted)


@given(small_attempts())
@settings(max_examples=settings().max_examples // 8)
def test_solver_and_rules_agree_on_small_programs(attempt: Attempt) -> None:
    agrees(attempt)


@given(small_attempts(kinds=("loopfuse", "precompute"), among=PARTED))
@settings(max_examples=settings().max_examples // 4)
def test_solver_and_rules_agree_where_statements_branch(attempt: Attempt) -> None:
    """What the rules refuse goes wrong on an input where it is carried out all the same, or they are known to be
    stricter than need be; what they accept computes every contribution once."""
    agrees(attempt)


@given(attempts(PLAIN))
@settings(max_examples=settings().max_examples // 16)
def test_solver_and_rules_agree_on_random_programs(attempt: Attempt) -> None:
    agrees(attempt)


@given(attempts(Features(schedules=False)))
@settings(max_examples=settings().max_examples // 16)
def test_solver_and_rules_agree_in_semirings_and_other_dtypes(attempt: Attempt) -> None:
    agrees(attempt)


BROKEN: list[tuple[object, str, Any, str, Sequence[int]]] = [
    (races, "is_determined", lambda *_: True, "parallelize", PRODUCTS),
    (loopfuse, "vanishes", lambda *_: True, "loopfuse", PARTED),
    (legality, "check_races", accept, "parallelize", range(len(POOL))),
    (position, "substitute_statement", accept, "pos", UNIONS),
    (legality, "check_appended", accept, "pos", UNSORTED),
    (legality, "check_located", accept, "reorder", UNIONS),
    (reorder, "check_uninterrupted", accept, "reorder", NESTED),
]
"""Rules that are taken away, the kind of command that is refused by them, and the programs to look among."""


@pytest.mark.every(3)
@pytest.mark.parametrize(("module", "rule", "instead", "kind", "among"), BROKEN, ids=[each[1] for each in BROKEN])
def test_a_rule_that_is_gone_is_found_out(
    module: object, rule: str, instead: Any, kind: str, among: Sequence[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, rule, instead)

    @given(small_attempts(kinds=(kind,), among=among))
    @settings(max_examples=400, phases=[Phase.generate], database=None, derandomize=True)
    def searched(attempt: Attempt) -> None:
        agrees(attempt)

    with pytest.raises(AssertionError, match=r"Refuted|Unknown"):
        searched()
