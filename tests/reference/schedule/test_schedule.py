"""Whole schedules: random ones mean what no schedule means, and those of the paper run."""

import pickle
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import check
from gnomon.properties.strategies import PLAIN, Features, programs
from gnomon.properties.strategies.schedules import schedules
from gnomon.reference.errors import DisagreementError, ScheduleError
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.schedule.application import apply_schedule, apply_schedule_unchecked
from gnomon.reference.schedule.flags import settle_flags
from gnomon.reference.schedule.schedule import Schedule, as_schedule
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given, settings
from hypothesis import strategies as st


def keeps_its_meaning(data: st.DataObject, features: Features) -> None:
    problem = data.draw(programs(features))
    drawn = data.draw(schedules(problem.ready.lowered))
    question = {"out": problem.out, "semiring": problem.semiring, "convert": "auto"}
    report = check(problem.source, problem.operands, engines=(), schedule=drawn.schedule, **question)
    plain, _ = interpret(problem.ready.program, problem.ready.operands)
    assert sorted(i for i, _ in report.execution.result.entries()) == sorted(i for i, _ in plain.entries())


@given(st.data())
@settings(max_examples=settings().max_examples // 4)
def test_random_schedules_keep_values_structure_and_visits(data: st.DataObject) -> None:
    keeps_its_meaning(data, PLAIN)


@given(st.data())
@settings(max_examples=settings().max_examples // 4)
def test_random_schedules_in_semirings_and_other_dtypes(data: st.DataObject) -> None:
    keeps_its_meaning(data, Features(schedules=False))


@given(st.data())
@settings(max_examples=settings().max_examples // 4)
def test_a_legal_schedule_is_the_same_without_its_checks(data: st.DataObject) -> None:
    program = data.draw(programs(PLAIN)).ready.lowered
    drawn = data.draw(schedules(program))
    legal = apply_schedule(program, drawn.schedule)
    made = (apply_schedule_unchecked(program, drawn.schedule), legal, settle_flags(drawn.program))
    assert len(set(map(repr, made))) == 1


@pytest.mark.parametrize("schedule", ["split(k,u,v,1)", "split(l,u,v,2)", "collapse(k,l,f)", "split(i,u,v,2)"])
def test_duplicates_are_gathered_as_without_a_schedule(schedule: str) -> None:
    a = gn.tensor([[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 1, 0]], [1.0, 2.0, 3.0, 4.0], (2, 2, 2), "COO")
    b = gn.tensor([[0, 1], [0, 1]], [5.0, 6.0], (2, 2), "DCSR")
    agrees("R(i) = sum(k, sum(l, A(i,k,l) * B(l,l)))", schedule, A=a, B=b)
    agrees("R(i) = sum(k, sum(l, max(A(i,k,l), B(k,l))))", schedule, A=a, B=b)


@pytest.mark.parametrize(
    "schedule",
    [
        "collapse(r1,k,u0),split(u0,u1,v1,1),pos(j,p,A(k,j))",
        "collapse(r1,k,u0),split(u0,u1,v1,2),pos(j,p,A(k,j)),split(p,p0,p1,1)",
        "split(r1,a,b,1),collapse(b,k,u0),pos(j,p,A(k,j))",
    ],
)
def test_sibling_nests_transform_one_variable_apart(schedule: str) -> None:
    a = gn.tensor([[0, 1, 2], [1, 0, 1]], [1.0, 2.0, 3.0], (3, 2), "CSR")
    m = gn.tensor([[0, 1, 1], [1, 0, 2]], [1.0, 1.0, 1.0], (3, 3), "DIA")
    operands = {"A": a, "M": m}
    report = check("R(k,i) = M(k,i) * A(k,j)", operands, engines=(), out="CSR", schedule=as_schedule(schedule))
    assert report.checked == report.points == 9


def random_tensor(shape: tuple[int, ...], format: str, seed: int = 0) -> Tensor:
    chance = np.random.default_rng(seed)
    dense = (chance.random(shape) < 0.3) * np.round(chance.random(shape) * 8)
    coords = np.array(np.nonzero(dense))
    return gn.tensor(coords, dense[tuple(coords)], shape, format)


def agrees(source: str, schedule: str, *, out: str | None = None, **operands: Any) -> dict[str, int]:
    report = check(source, operands, engines=(), out=out, schedule=as_schedule(schedule))
    assert report.checked == report.points
    return dict(report.execution.trace.iterations)


A, X = random_tensor((9, 7), "CSR"), np.arange(1.0, 8.0)
SPMV = "y(i) = A(i,j) * x(j)"


@pytest.mark.parametrize(
    "text",
    ["precompute(A(i,j) * x(j),{i},{iw},w,hashed)", "loopfuse({0,1},A(i,j) * x(j),left,t)", "split({1},i,i0,i1,4)", ""],
)
def test_schedules_travel_between_processes(text: str) -> None:
    schedule = as_schedule(text)
    arrived = pickle.loads(pickle.dumps(schedule))
    assert arrived == schedule and str(arrived) == text and arrived.source == schedule.source


def test_spmv_by_rows() -> None:
    """Figure 2d."""
    counts = agrees(SPMV, "split(i,i1,i2,4),parallelize(i1,CPUThread,NoRaces)", A=A, x=X)
    assert counts["i1"] == 3 and counts["i2"] == 9


def test_spmv_by_nonzeros() -> None:
    """Figures 4 and 5."""
    counts = agrees(
        SPMV, "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,4),parallelize(p0,CPUThread,Atomics)", A=A, x=X
    )
    assert counts == {"p0": -(-len(A.vals) // 4), "p1": len(A.vals)}


def test_spmv_on_a_gpu() -> None:
    """Figure 2e, its sizes scaled down; interpreted."""
    schedule = """
        fuse(i,j,f), pos(f,p,A(i,j)), split(p,block,p1,8), split(p1,warp,p2,4), split(p2,thread,nz,2),
        parallelize(block,GPUBlock,Atomics), bound(warp,w,2,max_exact), parallelize(w,GPUWarp,Atomics),
        bound(thread,t,2,max_exact), precompute(A(i,j)*x(j),{nz},{pre},products), unroll(pre,2),
        parallelize(t,GPUThread,Atomics)"""
    counts = agrees(SPMV, schedule, A=A, x=X)
    assert counts["block"] == -(-len(A.vals) // 8) and counts["pre"] == counts["nz"] == len(A.vals)


@pytest.mark.parametrize("format", ["CSR", "DCSR", "COO", "BCSR(2,2)", "ELL", "HashRows"])
def test_spmv_by_nonzeros_in_other_formats(format: str) -> None:
    a = random_tensor((8, 6), format)
    outer, inner = ("io", "jo") if format.startswith("BCSR") else ("i", "j")
    agrees(SPMV, f"collapse({outer},{inner},f),split(f,f0,f1,3)", A=a, x=X[:6]) if format != "ELL" else agrees(
        SPMV, "split(i,i0,i1,3)", A=a, x=X[:6]
    )


def test_spmm() -> None:
    b = np.arange(35.0).reshape(7, 5)
    schedule = "split(i,i0,i1,4),split(k,k0,k1,2),reorder(i0,i1,k0,k1,j),parallelize(i0,CPUThread,NoRaces)"
    agrees("C(i,j) = A(i,k) * B(k,j)", schedule, A=A, B=b)
    by_nonzeros = "collapse(i,k,f),pos(f,p,A(i,k)),split(p,p0,p1,3),parallelize(p0,CPUThread,Atomics)"
    agrees("C(i,j) = A(i,k) * B(k,j)", by_nonzeros, A=A, B=b)


def test_sddmm() -> None:
    c, d = (
        np.arange(36.0).reshape(9, 4),
        gn.tensor(np.indices((4, 7)).reshape(2, -1), np.arange(28.0), (4, 7), "ColumnMajor"),
    )
    rows = "split(i,i0,i1,2),parallelize(i0,CPUThread,NoRaces)"
    agrees("B(i,j) = A(i,j) * C(i,k) * D(k,j)", rows, out="CSR", A=A, C=c, D=d)
    agrees("B(i,j) = A(i,j) * C(i,k) * D(k,j)", "split(k,k0,k1,2)", out="CSR", A=A, C=c, D=d)


def test_ttv() -> None:
    t = random_tensor((4, 5, 6), "CSF")
    agrees("C(i,j) = A(i,j,k) * x(k)", "split(i,i0,i1,2),parallelize(i0,CPUThread,NoRaces)", A=t, x=X[:6])
    schedule = "collapse(i,j,f),collapse(f,k,g),pos(g,p,A(i,j,k)),split(p,p0,p1,4),parallelize(p0,CPUThread,Atomics)"
    assert agrees("C(i,j) = A(i,j,k) * x(k)", schedule, A=t, x=X[:6])["p1"] == len(t.vals)


def test_ttm() -> None:
    t, b = random_tensor((4, 5, 6), "CSF"), np.arange(18.0).reshape(6, 3)
    rows = "split(i,i0,i1,2),parallelize(i0,CPUThread,NoRaces)"
    agrees("C(i,j,l) = A(i,j,k) * B(k,l)", rows, out="compressed,compressed,dense", A=t, B=b)
    agrees("C(i,j,l) = A(i,j,k) * B(k,l)", "split(k,k0,k1,2),split(l,l0,l1,2)", A=t, B=b)


def test_ttv_into_the_pattern_of_its_operand() -> None:
    t = random_tensor((4, 5, 6), "CSF")
    agrees("C(i,j) = A(i,j,k) * x(k)", "parallelize(i,CPUThread,NoRaces)", out="DCSR", A=t, x=X[:6])
    agrees("C(i,j) = A(i,j,k) * x(k)", "parallelize(j,CPUThread,NoRaces)", out="DCSR", A=t, x=X[:6])
    sparse = gn.tensor([[1, 4]], [1.0, 2.0], (6,), "SparseVector")
    agrees("C(i,j) = A(i,j,k) * x(k)", "split(k,k0,k1,4)", out="DCSR", A=t, x=sparse)
    agrees("C(i,j) = A(i,j,k) * x(k)", "parallelize(i,CPUThread,NoRaces)", out="DCSR", A=t, x=sparse)


@pytest.mark.parametrize("order", [3, 4, 5])
def test_mttkrp(order: int) -> None:
    names = "ijklm"[:order]
    t = random_tensor((4, 3, 3, 2, 2)[:order], "CSF")
    factors = {f"F{n}": np.arange(2.0 * extent).reshape(extent, 2) for n, extent in enumerate(t.shape[1:], 1)}
    product = " * ".join(f"F{n}({names[n]},r)" for n in range(1, order))
    source = f"C(i,r) = A({','.join(names)}) * {product}"
    agrees(source, "split(i,i0,i1,3),parallelize(i0,CPUThread,NoRaces)", A=t, **factors)
    agrees(source, "collapse(i,j,f),split(f,f0,f1,3),parallelize(f0,CPUThread,Atomics)", A=t, **factors)
    stored = f"collapse(i,j,f),pos(f,p,A({','.join(names)})),split(p,p0,p1,3),parallelize(p0,CPUThread,Atomics)"
    agrees(source, stored, A=t, **factors)


def test_spmspv_on_columns() -> None:
    a = random_tensor((9, 7), "CSC")
    x = gn.tensor([[1, 4, 6]], [1.0, 2.0, 3.0], (7,), "SparseVector")
    agrees(SPMV, "split(j,j0,j1,3),parallelize(j0,CPUThread,Atomics)", A=a, x=x)
    agrees(SPMV, "pos(j,p,x(j)),split(p,p0,p1,2),parallelize(p0,CPUThread,Atomics)", A=a, x=x)


def test_the_fluent_schedule_is_the_text() -> None:
    fluent = (
        Schedule()
        .collapse("i", "j", "f")
        .pos("f", "p", "A(i,j)")
        .split("p", "p0", "p1", 4)
        .parallelize("p0", "CPUThread", "Atomics")
    )
    text = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,4),parallelize(p0,CPUThread,Atomics)"
    assert str(fluent) == text == str(as_schedule(text))
    assert gn.evaluate(SPMV, A=A, x=X, schedule=fluent).to_numpy().tolist() == (A.to_numpy() @ X).tolist()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda s: s.pos("j", "p", "A(i,j)*2"),
        lambda s: s.precompute("x(j)", None, "jw", "w"),
        lambda s: s.precompute("x(j)", {"i", "j"}, {"iw", "jw"}, "w"),
        lambda s: s.precompute("x(j)", "j", "jw", "w", 3),
        lambda s: s.with_("split", "i", "i0"),
        lambda s: s.split("i", "i0", "i1", 2.5),
        lambda s: s.unroll("i", True),
        lambda s: Schedule("split(i,i0,i1,2)"),
    ],
)
def test_arguments_of_another_kind_are_refused_when_given(wrong: Any) -> None:
    with pytest.raises(ScheduleError, match=r"takes|does not take|is not a sequence of commands"):
        wrong(Schedule())


@pytest.mark.parametrize("format", ["dense, hashed", " hashed( width = 3 ) ,bitmap ", "dense,dense; (i, j)->(j, i)"])
def test_what_is_printed_is_read_as_an_equal_schedule_however_a_format_is_spaced(format: str) -> None:
    fluent = Schedule().precompute("A(i, j)", ["i", "j"], ["iw", "jw"], "w", format)
    assert as_schedule(str(fluent)) == fluent
    assert ", " not in str(fluent)


def test_a_size_may_come_from_numpy() -> None:
    assert str(Schedule().split("i", "i0", "i1", np.int64(2))) == "split(i,i0,i1,2)"


def test_errors_of_formats_have_their_place() -> None:
    with pytest.raises(ScheduleError, match="CSR stores tensors of order 2") as caught:
        gn.evaluate(SPMV, A=A, x=X, schedule="precompute(x(j),{j},{jw},w,CSR)")
    assert "^" in str(caught.value)


def test_tiles_of_tiles_are_limited_together() -> None:
    with pytest.raises(ScheduleError, match="number of parts is 1000000000000"):
        gn.evaluate(SPMV, A=A, x=X, schedule="divide(i,a,b,1000000),divide(a,c,d,1000000)")


def test_a_division_has_a_constant_number_of_parts() -> None:
    assert agrees(SPMV, "split(i,i0,i1,4,up),parallelize(i0,CPUVector,NoRaces)", A=A, x=X)


def test_every_method_adds_its_command() -> None:
    made = (
        Schedule().divide("i", "a", "b", 2).coord("p", "c").reorder("b", "a").bound("a", "d", 2, "max_exact")
        .unroll("b", 2).precompute("A(i,j) * x(j)", ("j",), ("jw",), "w", "Dense")
    )  # fmt: skip
    assert str(made) == (
        "divide(i,a,b,2),coord(p,c),reorder(b,a),bound(a,d,2,max_exact),unroll(b,2),"
        "precompute(A(i,j) * x(j),{j},{jw},w,Dense)"
    )


def test_a_fluent_schedule_names_the_command_that_fails() -> None:
    with pytest.raises(ScheduleError, match=r"command 2, reorder\(j,i\)"):
        gn.evaluate(SPMV, A=A, x=X, schedule=Schedule().unroll("i", 2).reorder("j", "i"))


def test_arguments_of_another_kind_are_refused() -> None:
    for wrong in (
        lambda: Schedule().split("i", "a", "b", 2.5),  # type: ignore[arg-type]
        lambda: Schedule().split("i", "a", "b", True),
        lambda: Schedule().unroll("i", "2"),  # type: ignore[arg-type]
        lambda: Schedule().reorder("i", "j k"),
        lambda: Schedule().collapse("i", 3, "f"),  # type: ignore[arg-type]
        lambda: as_schedule(["split"]),  # type: ignore[arg-type]
    ):
        with pytest.raises(ScheduleError, match=r"takes|is not a schedule"):
            wrong()


def test_tiles_larger_than_the_loop_do_not_run_for_ever() -> None:
    assert agrees(SPMV, "split(i,a,b,2000000000),reorder(b,a)", A=A, x=X) == {"b": 9, "a": 9, "j": len(A.vals)}
    with pytest.raises(ScheduleError, match="number of parts"):
        gn.evaluate(SPMV, A=A, x=X, schedule="divide(i,a,b,2000000)")


def test_a_name_alone_stands_for_one_variable() -> None:
    made = Schedule().precompute("A(i,j) * x(j)", "j", "jw", "w")
    assert str(made) == "precompute(A(i,j) * x(j),{j},{jw},w)"


def test_a_schedule_that_visits_otherwise_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from gnomon.reference.execution import numbers

    monkeypatch.setattr(numbers, "below", lambda levels, begin, end: (0, 2))
    with pytest.raises(DisagreementError, match=r"reference breaks down: InternalError: .* times without collapse"):
        agrees(SPMV, "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,4)", A=A, x=X)
