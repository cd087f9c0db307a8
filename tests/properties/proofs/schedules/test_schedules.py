"""Schedules: verdicts on commands of given schedules, and inputs that confirm them."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.proofs.obligation import Obligation
from gnomon.properties.proofs.schedules.schedules import obligations_of
from gnomon.properties.proofs.verdict import Proved, Refuted, Unknown, status
from gnomon.reference.errors import GnomonError, ParseError, ScheduleError
from gnomon.reference.schedule import legality, position, races

from .questions import BOTH, CSR, NONZEROS, SCALED, SPMV, UNION, accept


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
            "collapse(jo1,ii,f0),collapse(f0,ji1,f1),split(f1,u,v,1)",
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


def test_operands_that_are_converted_together_are_proved() -> None:
    together = "convert(B(j,k),{k,j},E(j,k),{k,j})"
    for text in ("C(i,j) = sum(k, A(i,k) * (B(j,k) + E(j,k)))", "C(i,j) = sqrt(sum(k, A(i,k) * (B(j,k) + E(j,k))))"):
        found = verdicts(text, {**BOTH, "E": "CSR"}, together, out="dense,dense")
        assert set(found.values()) == {"proved"} and ("1.convert.alike" in found) == ("sqrt" in text)
        assert "1.convert.any_order" in found


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
