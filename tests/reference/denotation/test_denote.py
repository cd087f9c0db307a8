"""The denotation on small cases worked by hand: fills, missing operands, masks, structure."""

import math

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.programs.problem import table
from gnomon.reference.algebra.exact import approximate, exact
from gnomon.reference.algebra.operators import ADD
from gnomon.reference.denotation.denote import Denotation, apply_operator, fold
from gnomon.reference.denotation.meaning import Meaning, State
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.storage.tensor import Tensor
from msgspec.structs import replace

from .denoting import denoted, vector


def meaning(
    source: str, out: object = "SparseVector", semiring: str | None = None, **operands: Tensor
) -> dict[int, float]:
    """Coordinate to value, for the structure of the result."""
    ready = prepare(source, operands, out=out, semiring=semiring)  # type: ignore[arg-type]
    denotation = Denotation(ready.resolved, {name: table(t) for name, t in ready.operands.items()})
    present = [i for i in denotation.points() if denotation.is_present(i)]
    return {i[0]: float(approximate(denotation.at(i).value).real) for i in present}


FLOAT = np.dtype("float64")
A, B = vector({0: 2.0, 1: 3.0}), vector({1: 5.0, 2: 7.0})


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("y(i) = a(i) + b(i)", {0: 2, 1: 8, 2: 7}),
        ("y(i) = a(i) - b(i)", {0: 2, 1: -2, 2: -7}),
        ("y(i) = a(i) * b(i)", {1: 15}),
        ("y(i) = a(i) / b(i)", {1: 0.6}),
        ("y(i) = max(a(i), b(i))", {0: 2, 1: 5, 2: 7}),
        ("y(i)<b(i)> = a(i)", {1: 3}),
        ("y(i)<!b(i)> = a(i) + 1", {0: 3, 3: 1}),
    ],
)
def test_structure_and_values(source: str, expected: dict[int, float]) -> None:
    assert meaning(source, a=A, b=B) == expected


def test_a_constant_equal_to_the_fill_is_absent() -> None:
    assert meaning("y(i) = a(i) + 1", a=A) == {0: 3, 1: 4, 2: 1, 3: 1}
    assert meaning("y(i) = a(i) + 1", out=gn.spec("SparseVector", fill=1.0), a=A) == {0: 3, 1: 4}


def test_absent_entries_never_meet_infinities_but_stored_zeros_do() -> None:
    inf = vector({0: float("inf"), 1: float("inf")})
    zero = vector({0: 0.0})
    found = meaning("y(i) = a(i) * z(i)", a=inf, z=zero)
    assert list(found) == [0]
    assert np.isnan(found[0])


def test_a_fill_that_is_no_identity_is_a_constant() -> None:
    ones = vector({1: 5.0}, fill=1.0)
    assert meaning("y(i) = a(i) + b(i)", a=A, b=ones) == {0: 3, 1: 8, 2: 1, 3: 1}
    assert meaning("y(i) = a(i) * b(i)", a=A, b=ones) == {0: 2, 1: 15}


def test_semirings_are_structural() -> None:
    stored_zero = vector({1: 0.0, 2: 4.0})
    assert meaning("y(i) = a(i) * b(i)", semiring="plus_pair", a=A, b=stored_zero) == {1: 1}
    assert meaning("y(i) = a(i) + b(i)", semiring="min_plus", a=A, b=stored_zero) == {0: 2, 1: 0, 2: 4}


def test_a_reduction_is_missing_only_where_all_that_it_combines_is() -> None:
    a = gn.tensor([[1], [2]], [5.0], (4, 3), "CSR")
    assert meaning("y(i) = min(j, A(i,j))", A=a) == {1: 0.0}


def test_the_error_bound_covers_a_sum() -> None:
    x = np.array([0.1] * 10)
    ready = prepare("s = x(i)", {"x": x})
    point = Denotation(ready.resolved, {"x": table(ready.operands["x"])}).at(())
    assert 0 < point.bound < 1e-14
    assert abs(float(sum(x)) - approximate(point.value)) <= point.bound


def test_an_operator_that_computes_no_bound_claims_nothing() -> None:
    unsure = replace(ADD, name="unsure", bound=lambda *_: math.nan, reduction_bound=lambda *_: math.nan)
    two = Meaning(State.PRESENT, exact(2.0))
    for found in (apply_operator(unsure, (two, two), FLOAT, FLOAT), fold(unsure, [two, two], FLOAT)):
        assert found.bound == math.inf
        assert found.value == 4


@pytest.mark.parametrize("semiring", ["max_lt", "min_lt", "max_eq", "min_ge", "plus_lt", "or_ne"])
def test_a_comparison_of_what_is_absent_is_absent(semiring: str) -> None:
    a, b = vector({0: 4.0, 2: 1.0}), vector({0: 2.0, 1: 7.0})
    assert set(meaning("y(i) = a(i) * b(i)", semiring=semiring, a=a, b=b)) == {0}
    matrix = gn.tensor([[0], [0]], [5.0], (2, 3), "CSR")
    for out in ("SparseVector", "Dense"):
        gn.check("y(i) = a(i) * b(i)", out=out, semiring=semiring, a=a, b=b)
        gn.check("y(i) = A(i,k) * x(k)", out=out, semiring=semiring, A=matrix, x=vector({0: 5.0}, 3))


def test_complex_numbers_equal_reals_on_the_real_line() -> None:
    a = gn.tensor([[0, 1]], [1.0, 2.0], (3,), "SparseVector", dtype="complex128")
    b = gn.tensor([[0, 1]], [1.0, 3.0], (3,), "SparseVector")
    meaning = denoted("y(i) = ne(a(i), b(i))", a=a, b=b)
    assert [approximate(meaning.at((i,)).value) for i in range(3)] == [0, 1, 0]
    assert not denoted("y(i) = eq(a(i), nan)", a=a).at((0,)).value


def test_absent_stays_absent_when_a_semiring_converts_it() -> None:
    a = gn.tensor([[0]], [3], (3,), "SparseVector", dtype="uint8")
    d = vector({1: -2.0}, 3)
    assert meaning("y(i) = a(i) + d(i)", semiring="max_times", a=a, d=d) == {0: 3.0, 1: -2.0}
    assert meaning("y(i) = 0.5 * a(i)", semiring="min_times", a=a) == {0: 1.5}
    assert meaning("y(i) += a(i)", semiring="min_times", a=a, y=d) == {0: 3.0, 1: -2.0}
    for source, ring, operands in [
        ("y(i) = a(i) + d(i)", "max_times", {"a": a, "d": d}),
        ("y(i) = 0.5 * a(i)", "min_times", {"a": a}),
        ("y(i) += a(i)", "min_times", {"a": a, "y": d}),
        ("s = sum(i, a(i) * d(i))", "max_plus", {"a": a, "d": d}),
    ]:
        for out in ("SparseVector", "Dense") if "y" in source else ("",):
            gn.check(source, out=out, semiring=ring, **operands)
    gn.check("y(i) = a(i)", out=gn.spec("SparseVector", dtype="float64"), semiring="min_plus", a=a)


def test_truth_in_a_complex_dtype_is_a_complex_number() -> None:
    a = gn.tensor([[0]], [0.5j], (1,), "SparseVector", dtype="complex64")
    assert denoted("s = -or(k, a(k))", out="", a=a).accepts((), -1 + 0j)
    assert denoted("s = sqrt(4 * or(k, a(k)))", out="", a=a).accepts((), 2 + 0j)
    assert denoted("s = sqrt(-or(k, a(k)))", out="", a=a).accepts((), -1j)
    gn.check("s = sqrt(-or(k, a(k)))", a=a)


def test_finite_complex_numbers_over_infinite_ones_are_zero() -> None:
    a = vector({0: np.inf, 1: 2.0})
    assert meaning("y(i) = real(1.0j / a(i))", a=a) == {0: 0.0, 1: 0.0}
    gn.check("y(i) = 1.0j / a(i)", a=a, out="SparseVector")


def test_what_is_missing_with_a_number_of_the_text_keeps_it_when_a_semiring_converts_it() -> None:
    w = vector({2: 9.0}, 3)
    for dtype in ("float64", "float32", "int8"):
        a = gn.tensor([[1]], [4], (3,), "SparseVector", dtype=dtype)
        assert meaning("y(i) = a(i) + 2 + w(i)", semiring="min_plus", a=a, w=w) == {0: 2, 1: 2, 2: 2}
        for out in ("SparseVector", "Dense"):
            gn.check("y(i) = a(i) + 2 + w(i)", out=out, semiring="min_plus", a=a, w=w)
    narrow = gn.check("y(i) = w(i) + 2", out=gn.spec("Dense", dtype="float32"), semiring="min_plus", w=w)
    assert list(narrow.execution.result.to_numpy()) == [2, 2, 2]


def test_updates_in_a_semiring_are_absent_in_the_dtype_that_they_promote_to() -> None:
    old = gn.tensor([[1]], [5], (3,), "SparseVector", dtype="int8", fill=127)
    new = gn.tensor([[2]], [7], (3,), "SparseVector", dtype="uint8", fill=255)
    result = gn.check("y(i) min= a(i)", y=old, a=new, semiring="min_plus", out="SparseVector").execution.result
    assert (result.fill, list(result.entries())) == (32767, [((1,), 5), ((2,), 7)])
    empty = gn.tensor([[]], [], (3,), "SparseVector", dtype="int8", fill=127)
    gn.check("y(i) min= a(i)", y=empty, a=new, semiring="min_plus", out="Dense")


def test_stored_zeros_meet_the_fill_of_what_is_missing() -> None:
    found = meaning("y(i) = z(i) * b(i)", out="Dense", z=vector({0: 0.0}), b=vector({1: 1.0}, fill=float("inf")))
    assert np.isnan(found[0])


def test_what_is_missing_keeps_its_number_in_another_dtype() -> None:
    found = denoted("y(i) = a(i)", out=gn.spec("Dense", dtype="float32", fill=0.0), a=vector({0: 1.0}, fill=2.0))
    assert [float(approximate(found.at((i,)).value).real) for i in range(2)] == [1.0, 2.0]


def test_a_sum_of_one_number_is_as_exact_as_the_number() -> None:
    point = denoted("s = sum(i, exp(x(i)))", out="", x=vector({0: 0.1}, n=1)).at(())
    assert 0 < point.bound < 1e-14


def test_sums_of_truth_values_are_truth_values() -> None:
    b = gn.tensor([[0, 1]], np.array([True, True]), (2,), "SparseVector")
    found = denoted("y(i) = a(i) + b(i)", a=b, b=b).at((0,))
    assert found.value == 1


def test_a_fill_that_is_no_number_is_the_same_everywhere() -> None:
    nan = float("nan")
    out = gn.spec("SparseVector", fill=nan)
    assert list(meaning("y(i) = a(i)", out=out, a=vector({1: 5.0}, fill=nan))) == [1]


@pytest.mark.parametrize(
    ("mask", "sign", "values", "structure"),
    [
        ("<m(i)>", "=", [0, 2, 0, 0], {1}),
        ("<!m(i)>", "=", [1, 0, 0, 4], {0, 3}),
        ("<$m(i)>", "=", [0, 2, 0, 4], {1, 3}),
        ("<!$m(i)>", "=", [1, 0, 0, 0], {0}),
        ("<m(i),merge>", "=", [10, 2, 0, 40], {0, 1, 3}),
        ("<!m(i),merge>", "=", [1, 20, 30, 4], {0, 1, 2, 3}),
        ("<$m(i),merge>", "=", [10, 2, 0, 4], {0, 1, 3}),
        ("<!$m(i),merge>", "=", [1, 20, 30, 40], {0, 1, 2, 3}),
        ("<m(i)>", "+=", [10, 22, 30, 40], {0, 1, 2, 3}),
        ("<!m(i)>", "+=", [11, 20, 30, 44], {0, 1, 2, 3}),
        ("<m(i),replace>", "+=", [0, 22, 30, 0], {1, 2}),
        ("<!m(i),replace>", "+=", [11, 0, 0, 44], {0, 3}),
        ("<$m(i),replace>", "+=", [0, 22, 30, 44], {1, 2, 3}),
        ("<!$m(i),replace>", "+=", [11, 0, 0, 0], {0}),
    ],
)
def test_what_masks_exclude_is_kept_or_dropped(mask: str, sign: str, values: list[int], structure: set[int]) -> None:
    """The mask holds a zero at 3, the value nothing at 2: merged there, it deletes."""
    operands = {"x": vector({0: 1.0, 1: 2.0, 3: 4.0}, 4), "m": vector({1: 1.0, 2: 1.0, 3: 0.0}, 4)}
    if "merge" in mask or sign == "+=":
        operands["y"] = vector({0: 10.0, 1: 20.0, 2: 30.0, 3: 40.0}, 4)
    text = f"y(i){mask} {sign} x(i)"
    found = denoted(text, out="SparseVector", **operands)
    assert [float(found.at((i,)).value) for i in range(4)] == values
    assert {i for i in range(4) if found.is_present((i,))} == structure
    gn.check(text, out="SparseVector", **operands)


@pytest.mark.parametrize(
    ("mask", "sign", "values", "structure"),
    [
        ("<y(i)>", "=", [11, 0, 0, 0], {0}),
        ("<$y(i)>", "=", [11, 0, 0, 14], {0, 3}),
        ("<!y(i)>", "=", [0, 12, 0, 14], {1, 3}),
        ("<!$y(i)>", "=", [0, 12, 0, 0], {1}),
        ("<y(i),merge>", "=", [11, 0, 0, 0], {0, 3}),
        ("<!$y(i),merge>", "=", [1, 12, 3, 0], {0, 1, 2, 3}),
        ("<!y(i),merge>", "=", [1, 12, 3, 14], {0, 1, 2, 3}),
        ("<$y(i)>", "+=", [12, 0, 3, 14], {0, 2, 3}),
        ("<!$y(i)>", "+=", [1, 12, 3, 0], {0, 1, 2, 3}),
        ("<y(i),replace>", "+=", [12, 0, 3, 0], {0, 2}),
        ("<gt(y(i), 2)>", "+=", [1, 0, 3, 0], {0, 2, 3}),
        ("<lt(y(i), 2)>", "=", [11, 0, 0, 14], {0, 3}),
    ],
)
def test_a_mask_may_read_what_its_target_has_been(mask: str, sign: str, values: list[int], structure: set[int]) -> None:
    """The contents are a zero at 3 and nothing at 1, the value nothing at 2."""
    operands = {"x": vector({0: 11.0, 1: 12.0, 3: 14.0}, 4), "y": vector({0: 1.0, 2: 3.0, 3: 0.0}, 4)}
    text = f"y(i){mask} {sign} x(i)"
    found = denoted(text, out="SparseVector", **operands)
    assert [float(found.at((i,)).value) for i in range(4)] == values
    assert {i for i in range(4) if found.is_present((i,))} == structure
    for out in ("SparseVector", "Dense"):
        gn.check(text, out=out, **operands)


def test_contents_that_a_mask_alone_reads_leave_dtype_and_fill_to_the_value() -> None:
    contents = gn.tensor([[1]], [2.5], (2,), "SparseVector", fill=7.0)
    few = np.array([3, 4], dtype=np.int8)
    for out in ("Dense", "SparseVector"):
        gn.check("y(i)<$y(i)> = x(i)", out=out, y=contents, x=few)
        found = gn.evaluate("y(i)<$y(i)> = x(i)", out=out, y=contents, x=few)
        assert (found.dtype, found.fill, found.to_numpy().tolist()) == (np.int8, 0, [0, 4])
    dense = gn.tensor([[1]], [2.5], (2,), "Dense")  # outside the semiring, whose absent is not 0
    assert gn.evaluate("y(i)<y(i)> = x(i)", y=dense, x=few, semiring="min_plus", out="SparseVector").nnz == 1


@pytest.mark.parametrize("own", ["CSR", "COO"])
@pytest.mark.parametrize("mask", ["<C(i,j)>", "<!$C(i,j),merge>", "<C(j,i),merge>"])
def test_a_mask_reads_a_matrix_that_it_keeps(mask: str, own: str) -> None:
    A = gn.tensor([[0, 0, 1, 2], [1, 2, 0, 0]], [1.0, 2.0, 3.0, 4.0], (3, 3), "CSR")
    for sign in ("=", "+="):
        text = f"C(i,j){mask} {sign} A(i,k) * B(k,j)"
        gn.check(text, A=A, B=A, C=A.convert(own), out="CSR", convert="auto")


def test_a_mask_that_merges_keeps_contents_in_a_dtype_that_holds_both() -> None:
    seen, few = np.array([True, False]), np.array([3, 4], dtype=np.int8)
    text, contents = "y(i)<m(i),merge> = x(i)", np.array([0.5, 1.5])
    gn.check(text, out="d", y=contents, m=seen, x=few)
    found = gn.evaluate(text, out="d", y=contents, m=seen, x=few)
    assert found.dtype == np.float64 and found.to_numpy().tolist() == [3.0, 1.5]
    filled = gn.tensor([[0]], [2.5], (2,), "SparseVector", fill=7.0)
    gn.check(text, out="SparseVector", y=filled, m=seen, x=few)
    kept = gn.evaluate(text, out="SparseVector", y=filled, m=seen, x=few)
    assert kept.fill == 7.0 and kept.to_numpy().tolist() == [3.0, 7.0] and kept.nnz == 1


@pytest.mark.parametrize("operator", ["+", "max", "and"])
def test_contents_that_a_mask_keeps_are_rounded_to_the_dtype_of_the_result(operator: str) -> None:
    contents, seen = np.array([2**64 - 1, 2**63 + 1], dtype=np.uint64), np.array([1.0, 0.0])
    gn.check(f"y(i)<m(i)> {operator}= x(i)", out="d", y=contents, m=seen, x=np.ones(2))
    gn.check(f"y(i)<m(i)> {operator}= x(i)", out=gn.spec("d", dtype="float32"), y=contents, m=seen, x=np.ones(2))
