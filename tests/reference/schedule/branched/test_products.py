"""The choice among schedules: which there are, that one of them is near the least work, and that sizes decide."""

from __future__ import annotations

from functools import cache
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.schedule.autoschedule.unasked import default_schedule
from gnomon.reference.schedule.branched import products
from gnomon.reference.schedule.branched.choice import Choice, Place, Size, distinct, measure
from gnomon.reference.schedule.branched.contraction import contraction_of
from gnomon.reference.schedule.branched.products import NEAR, candidates, choose_products, sample_of, works_of
from gnomon.reference.schedule.branched.transposition import Variant
from gnomon.reference.schedule.branched.unasked import choose_schedule, options, unasked_schedules
from gnomon.reference.schedule.branched.work import Work
from gnomon.reference.schedule.schedule import Schedule, as_schedule
from gnomon.reference.statement.statement import Program
from gnomon.reference.storage.packing import pack
from gnomon.reference.storage.tensor import Tensor

CHAIN = "C(i,l) = A(i,j) * B(j,k) * D(k,l)"
SCALED = "C(i,l) = A(i,j) * B(j,k) * D(l)"


def lowered(expression: str, formats: dict[str, Any], **settings: Any) -> Program:
    """The statement of an expression."""
    request = make_request(expression, formats, **settings)
    return request.program


@cache
def found(program: Program) -> Choice:
    """The choice of a program that has one."""
    made = choose_products(program, contraction_of(program))
    assert made is not None
    return made


def structures(program: Program) -> list[str]:
    """The graphs among which a kernel chooses."""
    return [each.structure for each in found(program).finalists]


def random_tensor(shape: tuple[int, ...], count: int, format: str, dtype: str = "float64") -> Tensor:
    """A tensor with random components."""
    rng = np.random.default_rng(count)
    coords = np.unique(rng.integers(0, np.array(shape)[:, None], (len(shape), count)), axis=1)
    return pack(coords, rng.integers(1, 5, coords.shape[1]).astype(dtype), shape, format)


@pytest.mark.parametrize(
    ("row", "first"),
    [
        (1, "i,j,(k | l)"),
        (3, "i,(k,j | j,l)"),
        (4, "i,(j,k | k,l)"),
        (6, "i,j,(k,m | l,m)"),
        (7, "i,j,(k,l | l,m)"),
        (8, "i,(k,(l,j | j) | j,m)"),
    ],
)
def test_what_is_the_least_work_for_the_most_sizes_comes_first(row: int, first: str) -> None:
    assert structures(KERNELS[row].program)[0] == first


@pytest.mark.every(3)
@pytest.mark.parametrize("row", [1, 3, 4, 6, 7, 8])
def test_some_finalist_is_near_the_least_work(row: int) -> None:
    program, contraction = KERNELS[row].program, KERNELS[row].contraction
    sample = sample_of(contraction)

    def sampled(of: Work) -> np.ndarray:
        return np.asarray(np.broadcast_to(of.evaluate(sample), products.POINTS))

    every = candidates(Variant(contraction, program))
    least = np.min([sampled(works_of(each.variant).of(each.found)) for each in every], axis=0)
    near = [sampled(each.work) <= NEAR * least for each in found(program).finalists]
    assert np.all(np.any(near, axis=0))
    for n in range(1, len(near)):
        assert np.any(near[n] & ~np.any(near[:n], axis=0))


def test_rows_that_are_filled_again_and_again_are_in_tiles() -> None:
    first = str(found(KERNELS[4].program).finalists[0].schedule)
    assert first == (
        "loopfuse({},B(i,j) * C(j,k),left,T),parallelize(i,CPUThread,NoRaces),split({1},l,l0,l1,32),"
        "reorder({1},l0,k,l1),parallelize({0},k,CPUVector,NoRaces),parallelize({1},l1,CPUVector,NoRaces)"
    )
    assert "split" not in str(found(KERNELS[1].program).finalists[0].schedule)


def test_operands_in_another_order_are_tried() -> None:
    made = found(KERNELS[4].program)
    (turned,) = (each for each in made.finalists if each.structure.startswith("convert B; "))
    assert str(turned.schedule).startswith("convert(B(i,j),{j,i})")
    assert "1200·nnz(B)" in str(turned.work)
    assert [each.structure for each in made.finalists].index(turned.structure) > 0


def test_operands_stay_as_they_are_where_there_are_many_schedules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "FEW", 10)
    assert not any("convert" in each.structure for each in found.__wrapped__(KERNELS[4].program).finalists)


def test_sizes_decide() -> None:
    """A temporary pays where rows have several components."""
    program = lowered(CHAIN, {"A": "CSR"})
    made, dense = found(program), {"B": np.ones((90, 8)), "D": np.ones((8, 16))}
    full = made.at({"A": random_tensor((30, 90), 900, "CSR"), **dense})
    thin = made.at({"A": random_tensor((30, 90), 20, "CSR"), **dense})
    assert (full.structure, thin.structure) == ("i,(j,k | k,l)", "i,j,k,l")
    assert thin.schedule == default_schedule(program)


def test_arrays_are_measured_by_modes() -> None:
    b = np.ones((90, 8))
    stored = pack(np.indices(b.shape).reshape(2, -1), b.reshape(-1), b.shape, "Dense(1,0)")
    place = found(lowered(CHAIN, {"A": "CSR", "B": "Dense(1,0)"})).places["J"]
    assert place.tensor == "B" and [measure(place, each) for each in (b, stored)] == [90, 90]


def test_duplicates_of_a_coordinate_count_once() -> None:
    """As many rows as are expected of as many components anywhere: nearly all of 50, and of many few more than once."""
    program = lowered(CHAIN, {"A": "COO", "B": "COO", "D": "COO"}, out="COO")
    places = found(program).places
    a, b = random_tensor((50, 60), 400, "COO"), random_tensor((10_000, 60), 400, "COO")
    assert [measure(places["nnz(A(i))"], each) for each in (a, b)] == [50, 392]
    assert measure(places["nnz(A)"], a) == len(a.vals)


def test_pairs_count_among_all_pairs() -> None:
    cube = random_tensor((40, 30, 20), 600, "COO")
    assert measure(Place("A", 1, 0, Size.POSITIONS), cube) == distinct(len(cube.vals), 40 * 30)


def test_hypersparse_operands_are_sought_in_rather_than_stored_otherwise() -> None:
    """To step through all rows of B for each row of A would take more time than columns of D whose sums come in no
    order, and these 100 times as long as to seek the rows."""
    program = lowered(CHAIN, {"A": "COO", "B": "COO", "D": "COO"}, out="COO")
    operands = {name: random_tensor((20_000, 20_000), 160_000, "COO") for name in "ABD"}
    assert found(program).at(operands).structure == "i,(j,k | k,l)"


def test_work_is_evaluated_at_what_is_stored() -> None:
    b = random_tensor((3, 4, 5), 7, "CSF")
    made = found(KERNELS[6].program)
    operands = {"B": b.convert(KERNELS[6].sparse), "C": np.ones((4, 2)), "D": np.ones((5, 6))}
    fibers = len(b.levels[1]["crd"])
    measured = {name: measure(place, operands[place.tensor]) for name, place in made.places.items()}
    assert measured == {"I": 3, "J": 4, "K": 5, "L": 2, "M": 6, "nnz(B(i,j))": fibers, "nnz(B)": len(b.vals)}


@pytest.mark.parametrize(
    ("expression", "formats", "settings"),
    [
        ("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR"}, {}),
        ("y(i) = A(i,j) * x(j) + z(i)", {"A": "CSR"}, {}),
        ("C(i,l)<!M(i,l)> = A(i,j) * B(j,k) * D(k,l)", {"A": "CSR", "M": "CSR"}, {}),
        (CHAIN, {name: gn.spec("CSR", dtype="int64") for name in "ABD"}, {}),
        ("y(i) = x(i) * z(i) * w(i)", {}, {}),
    ],
)
def test_where_nothing_is_taken_apart_there_is_no_choice(
    expression: str, formats: dict[str, Any], settings: dict[str, Any]
) -> None:
    program = lowered(expression, formats, **settings)
    assert options(program, as_schedule("auto")) == default_schedule(program)
    assert choose_schedule("auto", program) == default_schedule(program)


def test_where_there_are_too_many_there_is_no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "MOST", 3)
    monkeypatch.setattr(products, "FEW", 0)
    assert isinstance(options(KERNELS[4].program, as_schedule("auto")), Schedule)


def test_what_is_given_is_taken() -> None:
    program = lowered(CHAIN, {"A": "CSR"})
    assert str(choose_schedule("unroll(j,2)", program)) == "unroll(j,2)"
    assert choose_schedule("auto", program) == found(program).finalists[0].schedule
    assert not choose_schedule(None, program).commands


CASES: list[tuple[str, dict[str, str], str | None, str | None]] = [
    (CHAIN, {"A": "CSR", "B": "dense,dense", "D": "dense,dense"}, None, None),
    (CHAIN, {"A": "CSR", "B": "CSR", "D": "CSR"}, "CSR", None),
    (CHAIN, {"A": "BCSR(2,2)", "B": "CSR", "D": "dense,dense"}, None, None),
    (CHAIN, {"A": "COO", "B": "CSC", "D": "dense,dense"}, None, "min_plus"),
    (CHAIN, {"A": "DIA", "B": "dense,dense", "D": "ELL"}, None, None),
    (CHAIN, {"A": "dense,hashed(width=8)", "B": "DCSR", "D": "CSR"}, "dense,dense", "max_plus"),
    (SCALED, {"A": "CSR", "B": "CSR", "D": "dense"}, None, None),
    ("a = x(i) * A(i,j) * B(j,k) * y(k)", {"A": "CSR", "B": "CSC", "x": "dense", "y": "dense"}, None, None),
]


@pytest.mark.every(3)
@pytest.mark.parametrize(("expression", "formats", "out", "semiring"), CASES)
def test_every_finalist_computes_what_is_meant(
    expression: str, formats: dict[str, str], out: str | None, semiring: str | None
) -> None:
    settings: dict[str, Any] = {"out": out, "semiring": semiring, "convert": "auto"}
    shapes = {"A": (4, 5), "B": (5, 3), "D": (3, 4), "x": (4,), "y": (3,)}
    if "D(l)" in expression:
        shapes["D"] = (6,)
    operands = {name: random_tensor(shapes[name], 8, format) for name, format in formats.items()}
    if semiring is not None:
        fill = np.inf if semiring == "min_plus" else -np.inf
        operands = {name: refilled(t, fill) for name, t in operands.items()}
    for schedule in unasked_schedules(gn.trace(expression, **operands, **settings).program):
        gn.check(expression, **operands, **settings, schedule=schedule)
    gn.check(expression, **operands, **settings, schedule="auto")


def refilled(tensor: Tensor, fill: float) -> Tensor:
    """The components of a tensor over another fill."""
    coords, values = tensor.components()
    return pack(np.array(coords), np.array(values), tensor.shape, tensor.format, fill=fill)


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("expression", "formats", "wanted"),
    [
        ("D(i,l) = A(i,j) * B(j,k) * C(k,l)", {"A": "CSR", "B": "CSC", "C": "CSR"}, "convert(B(j,k),{j,k})"),
        ("D(i,l) = A(i,j) * B(j,k) * C(k,l)", {"A": "CSC", "B": "CSR", "C": "CSR"}, "convert(A(i,j),{i,j})"),
        ("D(i,l) = A(j,i) * B(j,k) * C(k,l)", {"A": "CSR", "B": "CSR", "C": "CSR"}, "convert(A(j,i),{i,j})"),
        ("D(i,l) = A(j,i) * B(j,k) * C(k,l)", {"A": "CSC", "B": "CSR", "C": "CSR"}, "loopfuse({},A(j,i) * B(j,k)"),
    ],
)
def test_products_of_sparse_matrices_are_assembled_by_rows_and_merge_nothing(
    expression: str, formats: dict[str, str], wanted: str
) -> None:
    kernel = gn.compile(expression, out="CSR", convert="auto", **formats)
    made = {name: scattered(600, 2400, format) for name, format in formats.items()}
    assert str(kernel.choose(**made).request.schedule).startswith(wanted)
    a, b, c = (each.to_numpy() for each in made.values())
    np.testing.assert_array_equal(kernel(**made).to_numpy(), (a.T if "A(j,i)" in expression else a) @ b @ c)


def test_vectors_through_sparse_matrices_are_not_searched_for_tiles() -> None:
    made = {name: scattered(600, 2400, "CSR") for name in "AB"} | {"x": np.arange(600.0)}
    for expression in ("y(i) = A(j,i) * B(k,j) * x(k)", "y(k) = x(i) * A(i,j) * B(j,k)"):
        kernel = gn.compile(expression, A="CSR", B="CSR")
        schedule = str(kernel.choose(**made).request.schedule)
        assert "loopfuse" in schedule and "split" not in schedule
    dense = gn.compile("Y(i,l) = A(i,j) * B(j,k) * x(k,l)", A="CSR", B="CSR").request.choice
    assert dense is not None and any("split({1},l," in str(each.schedule) for each in dense.finalists)


def scattered(extent: int, count: int, format: str) -> Tensor:
    """A square matrix with so many components, anywhere."""
    rng = np.random.default_rng(sum(map(ord, format)))
    places = np.sort(rng.choice(extent * extent, count, replace=False))
    return gn.tensor(np.array(divmod(places, extent)), rng.integers(1, 9, count) * 1.0, (extent, extent), format)
