"""Schedules: verdicts on commands of given schedules, inputs that confirm them, and agreement with the rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.proofs.obligation import Obligation
from gnomon.properties.proofs.schedules.schedule_inputs import Question
from gnomon.properties.proofs.schedules.schedule_judgement import Asked
from gnomon.properties.proofs.schedules.schedules import ask, obligations_of
from gnomon.properties.proofs.verdict import Proved, Refuted, Unknown, status
from gnomon.properties.strategies import PLAIN, Features, programs
from gnomon.properties.strategies.schedules import KINDS, draw_command, schedules
from gnomon.reference.errors import GnomonError, ParseError, ScheduleError
from gnomon.reference.schedule import legality, loopfuse, position, races, reorder
from gnomon.reference.schedule.application import apply_unchecked
from gnomon.reference.schedule.command import Command
from gnomon.reference.schedule.schedule import Schedule
from gnomon.reference.statement.statement import Program, indices
from gnomon.reference.statement.tags import STRATEGIES, UNITS
from gnomon.reference.storage.spec import Spec
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec import Struct

SPMV = "y(i) = A(i,j) * x(j)"
NONZEROS = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)"
UNION = "C(i,j) = A(i,j) + B(i,j)"
SCALED = "C(i,j) = A(i,j) * 2"
CSR, BOTH = {"A": "CSR"}, {"A": "CSR", "B": "CSR"}


def verdicts(expression: str, formats: dict[str, str], schedule: str, **settings_: Any) -> dict[str, str]:
    """The status of every obligation, by id without the family."""
    found = obligations_of(expression, formats, schedule, **settings_)
    return {o.id.removeprefix("schedule."): status(o.prove()) for o in found}


@pytest.mark.parametrize(
    ("expression", "formats", "schedule", "out"),
    [
        (SPMV, CSR, "parallelize(i,CPUThread,NoRaces)", None),
        (SPMV, CSR, "split(i,i0,i1,4),parallelize(i0,CPUThread,NoRaces),parallelize(i1,CPUVector,NoRaces)", None),
        (SPMV, CSR, f"{NONZEROS},parallelize(p0,CPUThread,Atomics)", None),
        (SPMV, CSR, "split(j,u,v,2),pos(v,p,A(i,j))", None),
        (SPMV, {"A": "DCSR"}, "pos(i,p,A(i,j)),split(p,p0,p1,2),parallelize(p0,CPUThread,NoRaces)", None),
        ("a = x(i) * x(i)", {}, "divide(i,i0,i1,4),parallelize(i0,CPUThread,Temporary)", None),
        (UNION, BOTH, "split(j,j0,j1,3),parallelize(j0,CPUThread,NoRaces)", "CSR"),
        (
            "C(i,j) = A(i,k) * B(k,j)",
            BOTH,
            "precompute(A(i,k)*B(k,j),{j},{jw},t),parallelize(i,CPUThread,NoRaces)",
            None,
        ),
        ("C(i,j) = A(i,k) * B(k,j)", {}, "split(i,i0,i1,2),split(j,j0,j1,2),reorder(i0,j0,k,i1,j1)", None),
        (SCALED, CSR, "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,4),unroll(p1,4)", "CSR"),
        (SCALED, {"A": "BCSR(2,2)"}, "reorder(ji,ii),split(jo,u,v,2)", None),
        ("y(i) = A(i,i)", CSR, "split(i,u,v,2)", None),
        (
            "R(i,j) = sqrt(A(i,j))",
            {"A": "dense,dense,dense; (i,j)->(i,j//2,j%2)"},
            "collapse(jo2,ii,f0),collapse(f0,ji2,f1),split(f1,u,v,1)",
            "dense,dense,dense,compressed; (i,j)->(i//2,j//3,i%2,j%3)",
        ),
        (SCALED, {"A": "RowMajor"}, "reorder(j,i)", "CSR"),
        (SCALED, CSR, "split(i,u,v,2),reorder(v,u)", "CSR"),
        (SCALED, CSR, "split(j,u,v,2),reorder(v,u)", "CSR"),
        (SPMV, {"A": "COO"}, "parallelize(i,CPUThread,Atomics)", None),
        (SPMV, {"A": "COO"}, "split(i,i0,i1,2),parallelize(i0,CPUThread,NoRaces)", None),
        ("C(i,j) = A(i,j) * x(k)", {"A": "COO"}, "parallelize(i,CPUThread,NoRaces)", None),
    ],
)
def test_every_condition_of_a_legal_schedule_is_proved(
    expression: str, formats: dict[str, str], schedule: str, out: str | None
) -> None:
    found = verdicts(expression, formats, schedule, out=out)
    assert set(found.values()) == {"proved"}, found


REFUTED = [
    (SPMV, CSR, "split(i,a,b,0)", None, "1.split.one_to_one"),
    (SPMV, CSR, "split(i,a,b,-2)", None, "1.split.one_to_one"),
    (SPMV, CSR, "divide(i,a,b,0)", None, "1.divide.one_to_one"),
    (SPMV, CSR, "bound(i,b,0,divisible)", None, "1.bound.holds"),
    (UNION, BOTH, "pos(j,p,A(i,j))", None, "1.pos.needed"),
    (UNION, BOTH, "pos(j,p,A(i,j))", "CSR", "1.pos.needed"),
    (SPMV, CSR, "pos(j,p,A(i,j)),split(p,p0,p1,2),reorder(p0,i)", None, "3.reorder.counted"),
    ("C(i,j) = T(j,k,i)", {"T": "CSF"}, "pos(i,u,T(j,k,i)),divide(j,v,w,2),reorder(k,u,w)", None, "3.reorder.counted"),
    (SPMV, CSR, "reorder(j,i)", None, "1.reorder.located"),
    (SPMV, {"A": "HashRows"}, "reorder(j,i)", None, "1.reorder.located"),
    (SPMV, {"A": "BCSR(2,2)"}, "reorder(ii,io)", None, "1.reorder.dependent"),
    ("y(i) = sqrt(sum(j, A(i,j)))", {}, "reorder(j,i)", None, "1.reorder.distributes"),
    ("y(i) = b(i) + sum(j, A(i,j))", {}, "reorder(j,i)", None, "1.reorder.distributes"),
    ("y(i) = abs(sum(j, A(i,j)))", {}, "reorder(j,i)", None, "1.reorder.distributes"),
    (SPMV, CSR, "parallelize(j,CPUThread,NoRaces)", None, "1.parallelize.no_races"),
    (SPMV, CSR, f"{NONZEROS},parallelize(p0,CPUThread,NoRaces)", None, "4.parallelize.no_races"),
    (SPMV, {"A": "COO"}, "pos(i,p,A(i,j)),parallelize(p,CPUThread,NoRaces)", None, "2.parallelize.no_races"),
    (SPMV, {"A": "COO"}, "parallelize(i,CPUThread,NoRaces)", None, "1.parallelize.no_races"),
    (SPMV, {"A": "COO"}, "split(i,u,v,2),parallelize(v,CPUThread,NoRaces)", None, "2.parallelize.no_races"),
    (SPMV, CSR, "pos(j,q,A(i,j)),coord(q,c),parallelize(c,CPUThread,NoRaces)", None, "3.parallelize.no_races"),
]


@pytest.mark.parametrize("schedule", ["convert(B(j,k),{k,j})", "convert(A(i,k),{k,i})"])
def test_workspaces_that_get_modes_are_proved(schedule: str) -> None:
    found = verdicts("C(i,j) = sqrt(sum(k, A(i,k) * B(j,k)))", BOTH, schedule, out="dense,dense")
    assert set(found.values()) == {"proved"} and "1.convert.alike" in found


@pytest.mark.parametrize(("expression", "formats", "schedule", "out", "name"), REFUTED)
def test_a_refusal_comes_with_an_input_that_confirms_it(
    expression: str, formats: dict[str, str], schedule: str, out: str | None, name: str
) -> None:
    found = {o.id: o for o in obligations_of(expression, formats, schedule, out=out)}
    verdict = found[f"schedule.{name}"].prove()
    assert isinstance(verdict, Refuted)
    shown = dict(verdict.counterexample)
    assert goes_wrong(shown["input"])
    assert all(o.prove() == Proved() for o in found.values() if o.id.split(".")[1] < name[0])
    with pytest.raises(ScheduleError):
        gn.compile(expression, schedule=schedule, out=out, **formats)


def test_positions_of_a_part_are_judged_by_its_own_loop() -> None:
    found = obligations_of(UNION, BOTH, "split(j,u,v,2),pos(v,p,A(i,j))")
    verdict = next(o for o in found if o.id == "schedule.2.pos.needed").prove()
    assert isinstance(verdict, Refuted) and "B(i,j)" in dict(verdict.counterexample)["values"]


def goes_wrong(text: str) -> bool:
    """Whether what a user pastes gives something else than the expression means."""
    names = {"gn": gn}
    right = eval(text.replace("schedule=", "schedule='' and ").replace(", unchecked=True", ""), names)
    try:
        found = eval(text, names)
    except GnomonError:
        return True
    same = np.array_equal(found.to_numpy(), right.to_numpy(), equal_nan=True)
    return not same or sorted(found.entries()) != sorted(right.entries())


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("expression", "formats", "schedule", "out", "name"),
    [
        ("y(i) = -sum(j, A(i,j))", {}, "reorder(j,i)", None, "1.reorder.distributes"),
        (SPMV, CSR, "unroll(i,0)", None, "1.unroll.one_to_one"),
        (SPMV, CSR, "bound(i,b,-1,divisible)", None, "1.bound.holds"),
        (SPMV, CSR, "pos(j,p,A(i,j)),collapse(i,p,f)", None, "2.collapse.one_to_one"),
        (SPMV, CSR, "split(j,u,v,2),pos(u,p,A(i,j))", None, "2.pos.whole"),
        (SPMV, CSR, "pos(j,p,A(i,j)),pos(p,q,A(i,j))", None, "2.pos.coordinates"),
        (UNION, BOTH, "parallelize(j,CPUThread,NoRaces)", None, "1.parallelize.merging"),
        (SPMV, CSR, "parallelize(i,GPUWarp,NoRaces)", None, "1.parallelize.unit"),
        (SPMV, CSR, f"{NONZEROS},parallelize(p0,CPUThread,Temporary)", None, "4.parallelize.no_races"),
        (SCALED, {"A": "COO"}, "pos(i,p,A(i,j)),parallelize(p,CPUThread,NoRaces)", None, "2.parallelize.no_races"),
        ("y(i) = v(i)", {"v": "compressed(unordered)"}, "pos(i,p,v(i))", "SparseVector", "1.pos.appended"),
    ],
)
def test_what_is_refused_though_nothing_goes_wrong_is_unknown(
    expression: str, formats: dict[str, str], schedule: str, out: str | None, name: str
) -> None:
    found = {o.id: o for o in obligations_of(expression, formats, schedule, out=out)}
    verdict = found[f"schedule.{name}"].prove()
    assert isinstance(verdict, Unknown)
    assert "refuses it, though" in verdict.reason and "not known" not in verdict.reason


@pytest.mark.parametrize(
    ("schedule", "name"),
    [
        ("bound(i,b,16,max_exact)", "1.bound.holds"),
        ("collapse(i,j,f),pos(f,p,A(i,j)),bound(p,b,16,max_exact)", "3.bound.holds"),
        (f"{NONZEROS},parallelize(p0,CPUThread,IgnoreRaces)", "4.parallelize.no_races"),
    ],
)
def test_what_depends_on_the_data_is_bounded(schedule: str, name: str) -> None:
    assert verdicts(SPMV, CSR, schedule)[name] == "bounded"


def test_positions_in_tiles_of_a_union_are_refuted() -> None:
    found = {o.id: o.prove() for o in obligations_of(UNION, BOTH, "split(j,u,v,2),pos(v,p,A(i,j))", out="CSR")}
    assert isinstance(found["schedule.2.pos.needed"], Refuted)


def test_what_threads_combine_is_combined_for_their_blocks() -> None:
    split, blocks = f"{NONZEROS},split(p1,q,t,4)", "parallelize(p0,GPUBlock,IgnoreRaces)"
    found = verdicts(SPMV, CSR, f"{split},{blocks},parallelize(t,GPUThread,Atomics)")
    assert found["5.parallelize.no_races"] == "bounded" and found["6.parallelize.no_races"] == "proved"


def test_what_threads_of_a_gpu_combine_is_not_for_those_of_a_cpu() -> None:
    split, threads = f"{NONZEROS},split(p1,q,t,4)", "parallelize(p0,CPUThread,IgnoreRaces)"
    device = "parallelize(q,GPUBlock,Atomics),parallelize(t,GPUThread,Atomics)"
    assert verdicts(SPMV, CSR, f"{split},{threads},{device}")["7.parallelize.no_races"] == "bounded"


def test_a_command_after_an_assumption_is_judged_where_that_holds() -> None:
    """An input on which a bound is wrong is none against what follows it."""
    found = verdicts(SPMV, CSR, "bound(i,b,7,max_exact),parallelize(b,CPUThread,NoRaces)")
    assert found["1.bound.holds"] == "bounded" and found["2.parallelize.no_races"] == "proved"
    (wrong,) = (
        o for o in obligations_of(SPMV, CSR, "bound(i,b,7,max_exact),parallelize(j,CPUThread,NoRaces)")
        if o.id == "schedule.2.parallelize.no_races"
    )  # fmt: skip
    verdict = wrong.prove()
    assert isinstance(verdict, Refuted) and "(7, " in dict(verdict.counterexample)["input"]


def test_what_follows_a_refused_command_is_not_judged() -> None:
    found = verdicts(SPMV, CSR, "reorder(j,i),split(i,a,b,2),unroll(b,2)")
    assert found["2.split"] == found["3.unroll"] == "unknown"
    assert found["1.reorder.located"] == "refuted"


def test_no_schedule_has_no_obligations() -> None:
    assert obligations_of(SPMV, CSR, None) == obligations_of(SPMV, CSR, "") == ()


def test_obligations_say_what_they_are_about() -> None:
    first, *_ = obligations_of(SPMV, CSR, "split(i,i0,i1,2)")
    assert first.id == "schedule.1.split.one_to_one" and first.rules == ("schedule.split.requires",)
    assert first.statement.startswith("split(i,i0,i1,2): ") and isinstance(first, Obligation)


@pytest.mark.parametrize(
    ("schedule", "error", "says"),
    [
        ("splat(i,a,b,2)", ParseError, "not a scheduling command"),
        ("unroll(j,2),split(q,a,b,2)", ScheduleError, "no loop runs over q"),
        ("split(i,a,j,2)", ScheduleError, "already in use"),
        ("collapse(j,i,f)", ScheduleError, "directly nested"),
        ("precompute(x(j),{z},{zw},w)", ScheduleError, "needs loops over z around"),
    ],
)
def test_what_is_no_schedule_is_refused_with_a_caret(schedule: str, error: type[GnomonError], says: str) -> None:
    with pytest.raises(error, match=says) as caught:
        obligations_of(SPMV, CSR, schedule)
    assert "^" in str(caught.value)


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


def accept(*_: object) -> None:
    """A rule that refuses nothing."""


BROKEN: list[tuple[object, str, Any, str, Sequence[int]]] = [
    (races, "is_determined", lambda *_: True, "parallelize", range(len(POOL))),
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


@pytest.mark.parametrize(
    ("module", "rule", "instead", "question", "schedule", "name"),
    [
        (races, "is_determined", lambda *_: True, (SPMV, CSR, None), "parallelize(j,CPUThread,NoRaces)",
         "1.parallelize.no_races"),
        (position, "substitute_statement", accept, (UNION, BOTH, None), "pos(j,p,A(i,j))", "1.pos.needed"),
        (legality, "check_sorted", accept, ("y(i) = v(i)", {"v": "compressed(unordered)"}, "SparseVector"),
         "pos(i,p,v(i)),split(p,p0,p1,1)", "2.split.appended"),
        (legality, "check_counted", accept, (SPMV, CSR, None),
         "pos(j,p,A(i,j)),split(p,p0,p1,2),reorder(p0,i)", "3.reorder.counted"),
        (legality, "check_dependent", accept, (SPMV, {"A": "BCSR(2,2)"}, None), "reorder(ii,io)",
         "1.reorder.dependent"),
    ],
)  # fmt: skip
def test_what_a_missing_rule_accepts_is_refuted_with_an_input(
    module: object, rule: str, instead: Any, question: Any, schedule: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expression, formats, out = question
    monkeypatch.setattr(module, rule, instead)
    found = {o.id: o.prove() for o in obligations_of(expression, formats, schedule, out=out)}
    verdict = found[f"schedule.{name}"]
    assert isinstance(verdict, Refuted)
    shown = dict(verdict.counterexample)
    assert shown["refused"] == "by no rule" and goes_wrong(shown["input"])
