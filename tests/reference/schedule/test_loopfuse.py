"""Loopfuse: what Algorithm 1 makes of sections, what it needs, and what it refuses."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import GnomonError, ScheduleError
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.schedule.schedule import Schedule
from gnomon.reference.statement.statement import show

TTMC = "A(l,m,n) = B(i,j,k) * C(i,l) * D(j,m) * E(k,n)"
SDDMM_SPMM = "A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)"
EXTENTS = {"i": 4, "j": 3, "k": 3, "l": 2, "m": 2, "n": 2}
TILES = "divide(i,a0,b0,3),divide(j,a1,b1,3),collapse(b0,a1,f),precompute(A(i,j),{a0,b1,f},{a0,b1,f},t)"
BETWEEN = "reorder(l,i,j,k,m,n),loopfuse({},2,left,T)"


def tensor(*variables: str, seed: int = 3, format: str | None = None) -> Any:
    """Small integers over some variables, dense or with many missing."""
    made = np.random.default_rng(seed)
    shape = tuple(EXTENTS[v] for v in variables)
    whole = made.integers(1, 5, shape).astype(float)
    if format is None:
        return whole
    kept = np.nonzero(made.random(shape) < 0.4)
    return gn.tensor(np.array(kept), whole[kept], shape, format)


OPERANDS = {
    TTMC: {
        "B": tensor("i", "j", "k", format="CSF"),
        "C": tensor("i", "l"),
        "D": tensor("j", "m"),
        "E": tensor("k", "n"),
    },
    SDDMM_SPMM: {
        "B": tensor("i", "j", format="CSR"),
        "C": tensor("i", "k"),
        "D": tensor("j", "k"),
        "E": tensor("j", "l"),
    },
}


def fused(source: str, schedule: str, **settings: Any) -> str:
    """What a schedule makes of an expression, on one line; the result is compared with the denotation."""
    operands = OPERANDS[source]
    gn.check(source, schedule=schedule, **operands, **settings)
    return " ".join(show(prepare(source, operands, schedule=schedule, **settings).program.statement).split())


@pytest.mark.parametrize(
    ("schedule", "statement"),
    [
        (
            "reorder(l,m,i,j,k,n),loopfuse({},3,left,T)",
            "∀l ∀m ∀k ∀n A(l,m,n) += T(k) * E(k,n) where T: ∀i ∀j ∀k T(k) += B(i,j,k) * C(i,l) * D(j,m)",
        ),
        (
            BETWEEN,
            "∀l ∀j ∀k ∀m ∀n A(l,m,n) += T(j,k) * D(j,m) * E(k,n) where T: ∀i ∀j ∀k T(j,k) += B(i,j,k) * C(i,l)",
        ),
        (
            f"{BETWEEN},reorder({{1}},m,k,n,j),loopfuse({{1}},2,left,t)",
            "∀l ∀m ∀k ∀n A(l,m,n) += t * E(k,n) where t: ∀j t += T(j,k) * D(j,m) "
            "where T: ∀i ∀j ∀k T(j,k) += B(i,j,k) * C(i,l)",
        ),
        (
            f"{BETWEEN},reorder({{1}},m,j,k,n),loopfuse({{1}},2,left,t)",
            "∀l ∀m ∀k ∀n A(l,m,n) += t(k) * E(k,n) where t: ∀j ∀k t(k) += T(j,k) * D(j,m) "
            "where T: ∀i ∀j ∀k T(j,k) += B(i,j,k) * C(i,l)",
        ),
    ],
    ids=["b", "c", "d", "e"],
)
def test_figure_2_of_sparseauto(schedule: str, statement: str) -> None:
    assert fused(TTMC, schedule) == statement


@pytest.mark.parametrize(
    ("schedule", "statement"),
    [
        (
            "reorder(i,j,k,l),loopfuse({},3,left,t)",
            "∀i ∀j ∀l A(i,l) += t * E(j,l) where t: ∀k t += B(i,j) * C(i,k) * D(j,k)",
        ),
        (
            "reorder(i,j,l,k),loopfuse({},2,right,t)",
            "∀i ∀j ∀l ∀k A(i,l) += B(i,j) * C(i,k) * t(j,l,k) where t: ∀j ∀l ∀k t(j,l,k) = D(j,k) * E(j,l)",
        ),
        (
            "reorder(i,j,k,l),loopfuse({},3,left,t),loopfuse({0},1,right,s)",
            "∀i ∀j ∀l A(i,l) += t * E(j,l) where t: t = B(i,j) * s where s: ∀k s += C(i,k) * D(j,k)",
        ),
        (
            "reorder(i,j,k,l),split(j,a,b,2),loopfuse({},3,left,t)",
            "∀i ∀a ∀b ∀l A(i,l) += t * E(j,l) where t: ∀k t += B(i,j) * C(i,k) * D(j,k)",
        ),
        (
            "reorder(i,j,k,l),split(k,a,b,2),loopfuse({},3,left,t)",
            "∀i ∀j ∀l A(i,l) += t * E(j,l) where t: ∀a ∀b t += B(i,j) * C(i,k) * D(j,k)",
        ),
        (
            "reorder(i,j,k,l),collapse(i,j,f),pos(f,p,B(i,j)),split(p,a,b,3),loopfuse({},3,left,t)",
            "∀a ∀b ∀l A(i,l) += t * E(j,l) where t: ∀k t += B(i,j) * C(i,k) * D(j,k)",
        ),
    ],
)
def test_loops_that_both_sides_begin_with_are_fused(schedule: str, statement: str) -> None:
    assert fused(SDDMM_SPMM, schedule) == statement


def temporary(format: str | None) -> Schedule:
    """A schedule with a temporary in a format."""
    return Schedule().reorder("l", "i", "j", "k", "m", "n").loopfuse((), 2, "left", "T", format)


def test_temporaries_have_a_format_of_their_order() -> None:
    with pytest.raises(gn.GnomonError, match="HashVector"):
        prepare(TTMC, OPERANDS[TTMC], schedule=temporary("HashVector"))


@pytest.mark.parametrize("format", ["Dense", "hashed,hashed", None])
def test_temporaries_of_every_format(format: str | None) -> None:
    commands = temporary(format)
    gn.check(TTMC, schedule=commands, **OPERANDS[TTMC])
    if format != "hashed,hashed":
        gn.check(TTMC, schedule=commands.reorder("m", "k", "n", "j", path=(1,)), **OPERANDS[TTMC])


def test_operands_are_counted_as_they_are_written() -> None:
    """Reductions bring them in another order: that over n stands beside B."""
    given = OPERANDS[TTMC]
    assert "B(i,j,k) * E(k,n) * D(j,m) * C(i,l)" in show(prepare(TTMC, given).program.statement)
    assert "T(k) += B(i,j,k) * C(i,l) * D(j,m)" in fused(TTMC, "reorder(l,m,i,j,k,n),loopfuse({},3,left,T)")
    statement = fused(TTMC, "reorder(l,i,j,k,m,n),loopfuse({},1,left,T),loopfuse({1},2,left,t)")
    assert "+= t(j,k) * D(j,m) * E(k,n)" in statement and "+= T(i,j,k) * C(i,l)" in statement


@pytest.mark.parametrize("semiring", ["min_plus", "max_plus", "lor_land", "plus_times"])
def test_semirings_distribute_as_they_declare(semiring: str) -> None:
    source, schedule = "C(i,l) = A(i,j) * B(j,k) * D(k,l)", "reorder(i,j,k,l),loopfuse({},2,left,t)"
    operands = {
        "A": tensor("i", "j", format="CSR"),
        "B": tensor("j", "k", format="CSR"),
        "D": tensor("k", "l", format="CSR"),
    }
    gn.check(source, schedule=schedule, semiring=semiring, **operands)


@pytest.mark.parametrize("semiring", ["times_times", "min_min", "plus_plus"])
def test_sums_and_products_of_one_operator_are_no_chain(semiring: str) -> None:
    a, b, c = (gn.tensor([[n]], [2.0], (4,), "SparseVector") for n in range(3))
    gn.check("R(i) = (a(i) + b(i)) * c(i)", a=a, b=b, c=c, semiring=semiring, schedule="loopfuse({},1,left,t)")
    with pytest.raises(ScheduleError, match="there are 2"):
        gn.check("R(i) = (a(i) + b(i)) * c(i)", a=a, b=b, c=c, semiring=semiring, schedule="loopfuse({},2,left,t)")


def test_a_mask_and_previous_contents_stay_with_the_consumer() -> None:
    operands = {**OPERANDS[SDDMM_SPMM], "M": tensor("i", "l", seed=9, format="CSR")}
    for operator, path in (("=", "{}"), ("+=", "{0}")):
        source = SDDMM_SPMM.replace("A(i,l) =", f"A(i,l)<M(i,l)> {operator}")
        schedule = f"reorder({path},j,k,l),loopfuse({path},3,left,t)"
        given = operands if operator == "=" else {**operands, "A": tensor("i", "l")}
        gn.check(source, schedule=schedule, **given)
        statement = " ".join(show(prepare(source, given, schedule=schedule).program.statement).split())
        assert "+= t * E(j,l) where t: ∀k t += B(i,j) * C(i,k) * D(j,k)" in statement


@pytest.mark.parametrize(
    ("source", "schedule", "message"),
    [
        ("y(i) = A(i,j) * x(j)", "loopfuse({},0,left)", "cannot part at 0: there are 2"),
        ("y(i) = A(i,j) * x(j)", "loopfuse({},2,left)", "cannot part at 2: there are 2"),
        ("y(i) = A(i,j) * x(j)", "loopfuse({},-1,left)", "cannot part at -1"),
        ("y(i) = 2 * A(i,j) * x(j)", "loopfuse({},1,left)", "2.0 on one side reads no operand"),
        ("y(i) = A(i,j)", "loopfuse({},1,left)", "is one operand"),
        ("y(i) = max(j, A(i,j) - x(j))", "loopfuse({0},1,left)", None),
        ("y(i) = A(i,j) * x(j) - z(i)", "loopfuse({0,0},2,left)", "leads nowhere"),
        ("y(i) = max(j, A(i,j) + x(j) * z(i))", "loopfuse({0},1,left)", None),
        ("y(i) = prod(j, A(i,j) * z(i))", "loopfuse({0},1,left)", "does not distribute over its prod"),
        ("y(i) = A(i,j) * z(i)", "unroll(j,2),loopfuse({},1,left)", "j is unrolled: its loop cannot be transformed"),
        ("y(i) = A(i,j) * x(j)", "loopfuse({},1,left,A)", "the name A is already in use"),
        ("y(i) = A(i,j) * x(j)", "loopfuse({},1,left,i)", "the name i is already in use"),
        ("y(i) = A(i,j) * x(j)", "loopfuse({},1,left,t,compressed)", "."),
    ],
)
def test_refusals(source: str, schedule: str, message: str | None) -> None:
    operands = {"A": tensor("i", "j"), "x": np.ones(3), "z": np.arange(4.0)}
    given = {name: t for name, t in operands.items() if f"{name}(" in source}
    if message is None:
        gn.check(source, schedule=schedule, **given)
        return
    with pytest.raises(ScheduleError, match=message):
        prepare(source, given, schedule=schedule)


def test_a_reduction_of_nothing_has_to_vanish() -> None:
    """max(x, max(k, t)) is no max(k, max(x, t)) where there is no k."""
    t = gn.tensor([[0], [1]], [3.0], (4, 3), "dense,dense", fill=-np.inf)
    with pytest.raises(ScheduleError, match="contributes to the max where T has no contributions"):
        prepare(
            "y(i) = max(k, max(x(i), t(i,k)))",
            {"x": np.ones(4), "t": t},
            schedule="loopfuse({0},1,right,T)",
        )


def test_a_number_among_operands_that_are_chosen_from_stays_where_it_stands() -> None:
    operands = {"a": gn.tensor([[0]], [2.0], (3,), "SparseVector"), "b": np.ones(3), "c": np.arange(3.0)}
    for schedule in ("loopfuse({},2,right,T)", "precompute(1 + b(i) * c(i),{},{},t)"):
        with pytest.raises(ScheduleError, match=r"cannot part at 2: there are 2|is not computed anywhere"):
            prepare("y(i) = a(i) + 1 + b(i) * c(i)", operands, schedule=schedule, semiring="any_first")


def test_parts_of_variables_that_the_other_side_lacks_are_refused() -> None:
    operands = {"A": np.arange(9.0).reshape(3, 3), "D": np.arange(1.0, 4)}
    with pytest.raises(ScheduleError, match="the loop over a0 belongs to one side"):
        prepare("R(i,j) = A(i,j) * D(j)", operands, schedule=f"{TILES},loopfuse({{1}},1,right)")


def test_a_rank_is_no_reduction() -> None:
    diagonals = gn.tensor([[0, 1], [1, 0]], [1.0, 2.0], (3, 3), "DIA")
    operands = {"A": diagonals, "x": np.ones(3), "z": np.arange(3.0)}
    source = "C(i,j) = A(i,j) * x(j) * z(i)"
    with pytest.raises(ScheduleError, match="the format of an operand derives r"):
        prepare(source, operands, schedule="loopfuse({},2,left,T)")
    gn.check(source, schedule="loopfuse({},1,right,T)", **operands)


def test_parts_of_blocks_stay() -> None:
    blocks = gn.tensor([[0, 1, 3], [1, 1, 2]], [1.0, 2.0, 3.0], (4, 4), "BCSR(2,2)")
    operands = {"A": blocks, "x": np.arange(1.0, 5), "z": np.ones((4, 2))}
    with pytest.raises(ScheduleError, match="the format of an operand derives"):
        prepare("C(i,k) = A(i,j) * x(j) * z(i,k)", operands, schedule="loopfuse({},2,left,T)")


@pytest.mark.parametrize(
    ("source", "schedule", "why"),
    [
        ("y(i) = prod(j, A(i,j) * z(i))", "loopfuse({0},1,left)", "does not distribute over its prod"),
        ("y(i) = max(j, A(i,j) * z(i))", "loopfuse({0},1,left)", "does not distribute over its max"),
        ("y(i) = sum(j, max(A(i,j), z(i)))", "loopfuse({},1,left)", "does not distribute over its sum"),
        ("y(i) = max(k, max(z(i), t(i,k)))", "loopfuse({0},1,right)", "where T has no contributions"),
        ("R(i,j) = A(i,j) * x(j)", f"{TILES},loopfuse({{1}},1,right)", "loops on the other stand for parts"),
    ],
)
def test_what_is_refused_goes_wrong_where_it_is_forced(source: str, schedule: str, why: str) -> None:
    operands = {
        "A": np.arange(1.0, 10).reshape(3, 3),
        "x": np.arange(1.0, 4),
        "z": np.array([-2.0, 5.0, -1.0]),
        "t": np.zeros((3, 0)),
    }
    given = {name: held for name, held in operands.items() if f"{name}(" in source.replace("max(", "")}
    with pytest.raises(ScheduleError, match=why):
        gn.evaluate(source, schedule=schedule, **given)
    wanted = gn.evaluate(source, **given).to_numpy()
    found = gn.evaluate(source, schedule=schedule, unchecked=True, **given).to_numpy()
    assert not np.array_equal(found, wanted)


@pytest.mark.parametrize(
    ("counted", "named"),
    [
        (
            "reorder(l,m,i,j,k,n),loopfuse({},3,left,T)",
            "reorder(l,m,i,j,k,n),loopfuse({},C(i,l)*D(j,m)*B(i,j,k),left,T)",
        ),
        ("reorder(l,i,j,k,m,n),loopfuse({},2,left,T)", "reorder(l,i,j,k,m,n),loopfuse({},B(i,j,k)*C(i,l),left,T)"),
        ("reorder(l,i,j,k,m,n),loopfuse({},1,right,T)", "reorder(l,i,j,k,m,n),loopfuse({},B(i,j,k),right,T)"),
    ],
)
def test_operands_may_be_named(counted: str, named: str) -> None:
    targets = [text.split(" += ")[0] for text in (fused(TTMC, counted), fused(TTMC, named))]
    assert targets[0] == targets[1]


def test_operands_with_complex_numbers_are_named_as_they_are_printed() -> None:
    x = np.array([1.0, 2.0j])
    for source, named in [
        ("R(i) = 2 * x(i) * y(i)", "2 * x(i)"),
        ("R(i) = 2 * x(i) * y(i)", "(2.0 + 0.0j) * x(i)"),
        ("R(i) = second(x(i), 2 + 1j) + y(i)", "second(x(i), 2 + 1j)"),
    ]:
        gn.check(source, x=x, y=x, schedule=f"loopfuse({{}},{named},left,t)")


@pytest.mark.parametrize(
    "schedule",
    [
        "loopfuse({},D(i) + (a(i) + b(i)),left,t)",
        "loopfuse({},a(i) + b(i),right,t)",
        "precompute(D(i) + (a(i) + b(i)),{i},{i},w)",
    ],
)
def test_products_that_look_like_sums_are_named_as_they_are_printed(schedule: str) -> None:
    a, b, d, e = (gn.tensor([[n, 3]], [2.0, n], (4,), "SparseVector") for n in range(4))
    gn.check("R(i) = a(i) * b(i) + D(i) + E(i)", a=a, b=b, D=d, E=e, semiring="plus_plus", schedule=schedule)


def test_named_operands_need_not_stand_together() -> None:
    assert fused(
        TTMC, "reorder(i,n,j,k,m,l),loopfuse({},B(i,j,k)*D(j,m)*E(k,n),left,T),loopfuse({0},B(i,j,k)*E(k,n),left,t)"
    ) == ("∀i ∀n ∀m ∀l A(l,m,n) += T(m) * C(i,l) where T: ∀j ∀m T(m) += t * D(j,m) where t: ∀k t += B(i,j,k) * E(k,n)")
    named = Schedule().loopfuse((), "B(i,j)*E(j,l)", "right", "T")
    assert str(named) == "loopfuse({},B(i,j) * E(j,l),right,T)"
    gn.check(SDDMM_SPMM, schedule=named, **OPERANDS[SDDMM_SPMM])


@pytest.mark.parametrize(
    ("source", "schedule", "message"),
    [
        ("y(i) = A(i,j) * x(j)", "loopfuse({},z(i),left)", "is not some of the operands of"),
        ("y(i) = A(i,j) * x(j)", "loopfuse({},A(i,j)*x(j),left)", "is not some of the operands of"),
        ("y(i) = A(i,j) * x(j)", "loopfuse({},A(i,j)+x(j),left)", "is not some of the operands of"),
        ("y(i) = max(j, A(i,j) - x(j))", "loopfuse({0},x(j),left)", "does not stand first"),
        ("y(i) = A(i,j) * x(j)", "loopfuse({},A(i,,left)", "closes|expected"),
    ],
)
def test_names_of_other_operands_are_refused(source: str, schedule: str, message: str) -> None:
    with pytest.raises(GnomonError, match=message):
        prepare(source, {"A": tensor("i", "j"), "x": np.ones(3)}, schedule=schedule)


@pytest.mark.parametrize(("side", "value"), [("left", "any(y_old(i), T)"), ("right", "any(T, A(i))")])
def test_what_stands_first_stays_first(side: str, value: str) -> None:
    """Where nothing is present, `any` has what its first operand stands for there."""
    operands = {name: gn.tensor([[n]], [5.0], (3,), "SparseVector", fill=n) for n, name in enumerate("yA")}
    schedule = f"loopfuse({{}},A(i),{side},T)"
    gn.check("y(i) any= A(i)", **operands, schedule=schedule)
    assert value in show(prepare("y(i) any= A(i)", operands, schedule=schedule).program.statement)
