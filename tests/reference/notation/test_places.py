"""Products that are places of operands, against a count by hand."""

from itertools import product

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.algebra.positional import PLACES, Place
from gnomon.reference.algebra.semirings import semiring
from gnomon.reference.errors import ExpressionError, SemiringError
from gnomon.reference.notation.text import Text

A = gn.tensor([[0, 0, 0, 1, 2, 3], [0, 2, 3, 1, 3, 0]], [0.0, -2.0, 3.0, 1.0, 5.0, 7.0], (4, 5), "CSR")
B = gn.tensor([[0, 1, 2, 3, 3], [1, 0, 2, 1, 2]], np.array([4, 0, 1, 6, 2]), (5, 3), "CSC")
D = gn.tensor([[0, 0, 1, 3], [0, 1, 1, 0]], [1, 0, 1, 1], (4, 5), "COO", dtype="int8")
x = gn.tensor([[1, 2, 3]], [True, False, True], (5,), "SparseVector", dtype="bool")
u = gn.tensor([[0, 2, 3]], [1 + 2j, 0j, 3j], (4,), "SparseVector", dtype="complex64")

Where = tuple[int, int]
FOLDS = {"min": min, "max": max, "plus": sum, "times": np.prod}


def at(t: gn.Tensor) -> set[tuple[int, ...]]:
    return set(gn.to_dict(t))


def meetings(source: str) -> dict[tuple[int, ...], list[tuple[Where, Where]]]:
    """Of every component of a result, the places at which the left and the right operand of its products are read."""
    found: dict[tuple[int, ...], list[tuple[Where, Where]]] = {}
    for i, k, j in product(range(4), range(5), range(5)):
        match source:
            case "C(i,j) = A(i,k) * B(k,j)" if (i, k) in at(A) and (k, j) in at(B):
                found.setdefault((i, j), []).append(((i, k), (k, j)))
            case "y(i) = A(i,k) * x(k)" if j == 0 and (i, k) in at(A) and (k,) in at(x):
                found.setdefault((i,), []).append(((i, k), (k, 0)))
            case "y(k) = u(i) * A(i,k)" if j == 0 and (i,) in at(u) and (i, k) in at(A):
                found.setdefault((k,), []).append(((0, i), (i, k)))
            case "C(i,k) = A(i,k) * D(i,k)" if j == 0 and (i, k) in at(A) and (i, k) in at(D):
                found.setdefault((i, k), []).append(((i, k), (i, k)))
            case "v(k) = x(k) * x(k)" if i == j == 0 and (k,) in at(x):
                found.setdefault((k,), []).append(((k, 0), (k, 0)))
            case "s = A(i,k) * D(i,k)" if j == 0 and (i, k) in at(A) and (i, k) in at(D):
                found.setdefault((), []).append(((i, k), (i, k)))
    return found


STATEMENTS = {
    "C(i,j) = A(i,k) * B(k,j)": ({"A": A, "B": B}, "CSR"),
    "y(i) = A(i,k) * x(k)": ({"A": A, "x": x}, "SparseVector"),
    "y(k) = u(i) * A(i,k)": ({"A": A, "u": u}, "SparseVector"),
    "C(i,k) = A(i,k) * D(i,k)": ({"A": A, "D": D}, "COO"),
    "v(k) = x(k) * x(k)": ({"x": x}, "bitmap"),
    "s = A(i,k) * D(i,k)": ({"A": A, "D": D}, None),
}


@pytest.mark.every(5)
@pytest.mark.parametrize("source", STATEMENTS)
@pytest.mark.parametrize("place", PLACES.values(), ids=str)
def test_a_product_is_the_place_that_graphblas_says(source: str, place: Place) -> None:
    operands, out = STATEMENTS[source]
    places = {
        where: [each[place.side][place.mode] + place.origin for each in m] for where, m in meetings(source).items()
    }
    assert places
    for add, fold in FOLDS.items():
        found = gn.evaluate(source, **operands, out=out, semiring=f"{add}_{place}")
        assert found.dtype == np.int64
        assert gn.to_dict(found) == {where: fold(values) for where, values in places.items()}
    some = gn.to_dict(gn.evaluate(source, **operands, out=out, semiring=f"any_{place}"))
    assert some.keys() == places.keys()
    assert all(value in places[where] for where, value in some.items())


@pytest.mark.parametrize("ring", ["min_firsti1", "plus_firstj", "max_secondi", "any_secondj1"])
def test_kernels_agree(ring: str) -> None:
    for source in ("C(i,j) = A(i,k) * B(k,j)", "y(k) = u(i) * A(i,k)"):
        operands, out = STATEMENTS[source]
        assert gn.check(source, **operands, out=out, semiring=ring)


def test_a_place_in_32_bits_is_asked_for() -> None:
    found = gn.evaluate(
        "y(i) = A(i,k) * x(k)", A=A, x=x, semiring="min_secondi", out=gn.spec("SparseVector", dtype="int32")
    )
    assert found.dtype == np.int32
    assert gn.to_dict(found) == {(0,): 2, (1,): 1, (2,): 3}


def test_an_operand_may_hold_what_is_absent_elsewhere() -> None:
    """Infinity is a value like others where no value counts, and no integer that stands for it is asked."""
    dense = gn.tensor([[0, 1, 2]], [np.inf, 1.0, np.inf], (3,), "Dense", fill=np.inf)
    for engine in ("reference", "c"):
        found = gn.evaluate("v(i) = e(i) * e(i)", e=dense, semiring="min_firsti", engine=engine)
        assert found.to_numpy().tolist() == [0, 1, 2]


def test_previous_contents_are_accumulated_by_the_add_of_the_semiring() -> None:
    y = gn.tensor([[0, 3]], [1, 9], (4,), "SparseVector", dtype="int64")
    for engine in ("reference", "c"):
        found = gn.evaluate(
            "y(i) += A(i,k) * x(k)", A=A, x=x, y=y, semiring="min_secondi", out="SparseVector", engine=engine
        )
        assert gn.to_dict(found) == {(0,): 1, (1,): 1, (2,): 3, (3,): 9}


SEARCH = """procedure search(E, f) -> p
  p(j) = f(j)  as SparseVector
  repeat
    f(j)<!$p(j)> = f(i) * E(i,j)  in min_firstj
    p(j)<$f(j),merge> = f(j)
  until f empty
"""
STEP = "procedure step(E, f) -> p\n  p(j) = f(i) * E(i,j)  in min_firstj  as SparseVector"


def test_a_step_that_reads_others_alone_knows_places() -> None:
    edges = gn.tensor([[0, 0, 1, 2, 3], [1, 2, 3, 3, 0]], np.ones(5), (4, 4), "CSR")
    start = gn.tensor([[0]], [0], (4,), "SparseVector", dtype="int64")
    for engine in ("reference", "c"):
        found = gn.run(gn.procedure(STEP), E=edges, f=start, engine=engine)
        assert gn.to_dict(found) == {(1,): 0, (2,): 0}


def test_a_search_finds_parents_by_their_places() -> None:
    edges = gn.tensor([[0, 0, 1, 2, 3], [1, 2, 3, 3, 0]], np.ones(5), (4, 4), "CSR")
    search = gn.procedure(SEARCH)
    start = gn.tensor([[0]], [0], (4,), "SparseVector", dtype="int64")
    for engine in ("reference", "c"):
        found = gn.run(search, E=edges, f=start, engine=engine)
        assert gn.to_dict(found) == {(0,): 0, (1,): 0, (2,): 0, (3,): 1}


@pytest.mark.parametrize(
    ("source", "ring", "message"),
    [
        ("y(i) = (A(i,k) + A(i,k)) * x(k)", "min_firsti", "firsti is a place of the left operand of *"),
        ("y(i) = A(i,k) * x(k) * x(k)", "min_firstj", "no vector or matrix here"),
        ("y(i) = sum(k, A(i,k) * x(k) * 3)", "min_secondi", "secondi is a place of the right operand of *"),
        ("y(i) = sum(j, sum(k, A(i,k) * T(i,j,k)))", "max_secondj1", "secondj1 is a place of the right operand of *"),
    ],
)
def test_an_operand_without_a_place_is_refused(source: str, ring: str, message: str) -> None:
    with pytest.raises(SemiringError, match=message.replace("*", r"\*")) as caught:
        _ = Text(source).in_ring(semiring(ring)).assignment
    assert "^" in str(caught.value)
    assert "assign it to a tensor first" in str(caught.value)


def test_no_sum_moves_into_a_product_that_is_a_place() -> None:
    with pytest.raises(ExpressionError, match="does not distribute"):
        gn.evaluate("y(i) = A(i,k) * u(i)", A=A, u=u, semiring="min_secondi")


def test_a_tensor_may_not_have_the_name_of_a_variable_that_is_a_place() -> None:
    with pytest.raises(ExpressionError, match="both a tensor and an index variable"):
        gn.evaluate("y(i) = k(i,k) * x(k)", k=A, x=x, semiring="min_secondi")


def test_only_texts_in_such_semirings_read_coordinates() -> None:
    text = Text("C(i,j) = A(i,k) * B(k,j)")
    assert text.in_ring(semiring("min_secondi")).coordinates == ("k",)
    assert text.in_ring(semiring("min_secondi")).in_ring(semiring("min_second")).coordinates == ()
    assert text.in_ring(None) is text
