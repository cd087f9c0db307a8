"""The interpreter: its visits are those of the paper's strategies, and its results those of the worked examples."""

from collections.abc import Callable

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.strategies import tensors
from gnomon.reference.errors import MeaningError, ScheduleError
from gnomon.reference.statement.statement import show
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given
from hypothesis import strategies as st

SHAPE = (5, 6)


def sparse(format: str) -> st.SearchStrategy[Tensor]:
    return tensors(SHAPE, format=gn.format_of(format, 2))


def rows(tensor: Tensor) -> set[int]:
    return {i for (i, _), _ in tensor.entries()}


@given(sparse("CSR"))
def test_csr_spmv_visits_each_component_once(a: Tensor) -> None:
    trace = gn.trace("y(i) = A(i,j) * x(j)", A=a, x=np.ones(6)).trace
    assert trace.iterations == {"i": 5, "j": a.nnz}
    assert trace.calls["A2.pos_access"] == a.nnz
    assert trace.calls["A2.pos_bounds"] == 5
    assert trace.calls["x1.locate"] == a.nnz


@given(sparse("COO"))
def test_coo_spmv_is_one_fused_loop(a: Tensor) -> None:
    """Figure 1c without co-iteration: as many iterations as components at both levels, no deduplication."""
    trace = gn.trace("y(i) = A(i,j) * x(j)", A=a, x=np.ones(6)).trace
    assert trace.iterations["i"] == a.nnz
    assert trace.iterations["j"] == a.nnz


@given(sparse("DCSR"), sparse("DCSR"))
def test_addition_visits_the_union(a: Tensor, b: Tensor) -> None:
    trace = gn.trace("C(i,j) = A(i,j) + B(i,j)", A=a, B=b, out="CSR").trace
    stored = {i for i, _ in a.entries()} | {i for i, _ in b.entries()}
    assert trace.iterations["i"] == len(rows(a) | rows(b))
    assert trace.iterations["j"] == len(stored)
    assert trace.stores["C"] == len(stored)


@given(sparse("CSR"), sparse("RowMajor"))
def test_figure_1_csr_times_dense_visits_the_sparse_operand(a: Tensor, b: Tensor) -> None:
    trace = gn.trace("C(i,j) = A(i,j) * B(i,j)", A=a, B=b, out="CSR").trace
    assert trace.iterations["j"] == a.nnz
    assert trace.calls["B2.locate"] == a.nnz


@given(sparse("CSR"), sparse("CSR"))
def test_intersection_stops_at_the_end_of_the_shorter(a: Tensor, b: Tensor) -> None:
    """Two-finger merge: the coordinates of either operand up to where one of them is exhausted."""
    trace = gn.trace("C(i,j) = A(i,j) * B(i,j)", A=a, B=b, out="CSR").trace
    expected = 0
    for i in range(5):
        x, y = ({j for (r, j), _ in t.entries() if r == i} for t in (a, b))
        if x and y:
            expected += sum(1 for j in x | y if j <= min(max(x), max(y)))
    assert trace.iterations["j"] == expected


@given(tensors((4, 5), format=gn.format_of("CSR")), tensors((5, 3), format=gn.format_of("CSR")))
def test_gustavson_visits_each_product_once(a: Tensor, b: Tensor) -> None:
    run = gn.trace("C(i,j) = A(i,k) * B(k,j)", A=a, B=b, out="CSR")
    products = sum(1 for (_, k), _ in a.entries() for (r, _), _ in b.entries() if r == k)
    assert run.trace.stores["w"] == products
    assert run.trace.stores["C"] == run.result.nnz
    assert run.trace.workspaces.get("w", 0) <= 3


def test_products_into_csr_by_rows_and_by_outer_products() -> None:
    rng = np.random.default_rng(3)
    dense = rng.integers(0, 3, (4, 4)) * (rng.random((4, 4)) < 0.5)
    coords = np.array(dense.nonzero())
    csr, csc = (gn.tensor(coords, dense[tuple(coords)], (4, 4), f) for f in ("CSR", "CSC"))
    for left in (csr, csc):
        result = gn.evaluate("C(i,j) = A(i,k) * B(k,j)", A=left, B=csr, out="CSR")
        assert np.array_equal(result.to_numpy(), dense @ dense)


def test_structure_has_no_empty_fibers_and_keeps_cancellation() -> None:
    a = gn.tensor([[0, 2], [1, 1]], [1.0, 2.0], (3, 3), "DCSR")
    b = gn.tensor([[0], [1]], [-1.0], (3, 3), "DCSR")
    result = gn.evaluate("C(i,j) = A(i,j) + B(i,j)", A=a, B=b, out="DCSR")
    assert list(result.entries()) == [((0, 1), 0.0), ((2, 1), 2.0)]
    assert result.levels[0]["crd"].tolist() == [0, 2]


def test_duplicates_add_up_before_a_function() -> None:
    a = gn.tensor([[1, 1]], [2.0, -5.0], (3,), "compressed(nonunique)")
    assert a.nnz == 2
    assert gn.evaluate("y(i) = abs(a(i))", a=a).to_numpy().tolist() == [0.0, 3.0, 0.0]
    assert gn.evaluate("y = a(i) * x(i)", a=a, x=np.ones(3)).to_numpy() == -3.0


def test_diagonals_blocks_and_previous_contents() -> None:
    grid = np.arange(1.0, 17.0).reshape(4, 4)
    for format in ("CSR", "BCSR(2,3)", "DIA", "COO", "ColumnMajor"):
        a = gn.tensor(np.indices((4, 4)).reshape(2, -1), grid.ravel(), (4, 4), format)
        assert gn.evaluate("d(i) = A(i,i)", A=a).to_numpy().tolist() == [1.0, 6.0, 11.0, 16.0]
        assert gn.evaluate("d(i) += A(i,i)", A=a, d=np.ones(4)).to_numpy().tolist() == [2.0, 7.0, 12.0, 17.0]


def test_semirings() -> None:
    inf = float("inf")
    edges = gn.tensor([[0, 0, 1], [1, 2, 2]], [1.0, 5.0, 1.0], (3, 3), "CSR")
    two = gn.evaluate("D(i,j) = A(i,k) * B(k,j)", A=edges, B=edges, out="CSR", semiring="min_plus")
    assert two.fill == inf
    assert list(two.entries()) == [((0, 2), 2.0)]
    start = gn.tensor([[0]], [0.0], (3,), "SparseVector")
    reach = gn.evaluate("d(j) = s(i) * A(i,j)", s=start, A=edges, semiring="min_plus")
    assert reach.to_numpy().tolist() == [inf, 1.0, 5.0]


def test_contradicting_orders_are_named_and_conversion_is_offered() -> None:
    a = gn.tensor([[0], [1]], [1.0], (2, 2), "CSR")
    with pytest.raises(ScheduleError, match=r"B\(j,i\) stored as CSR needs j before i and A\(i,j\) stored as CSR"):
        gn.evaluate("C(i,j) = A(i,j) + B(j,i)", A=a, B=a, out="CSR")
    result = gn.evaluate("C(i,j) = A(i,j) + B(j,i)", A=a, B=a, out="CSR", convert="auto")
    assert result.to_numpy().tolist() == [[0.0, 1.0], [1.0, 0.0]]


def test_integer_overflow_and_division_are_reported() -> None:
    x = np.array([100], np.int8)
    with pytest.raises(MeaningError, match="200 does not fit in int8"):
        gn.evaluate("y(i) = x(i) + x(i)", x=x)
    with pytest.raises(MeaningError, match="integer division of 100 by zero"):
        gn.evaluate("y(i) = floordiv(x(i), z(i))", x=x, z=np.array([0], np.int8))


def vector(entries: dict[int, float], format: str = "SparseVector") -> Tensor:
    return gn.from_dict({(i,): v for i, v in entries.items()}, (3,), format)


def test_a_masked_update_keeps_what_the_mask_excludes_and_stores_no_more() -> None:
    mask, before, a = vector({0: 1.0, 1: 0.0, 2: 0.0}, "Dense"), vector({0: 5.0}), vector({0: 1.0, 1: 2.0})
    report = gn.check("R(i)<!M(i)> min= A(i)", A=a, M=mask, R=before, out="SparseVector")
    assert list(report.execution.result.entries()) == [((0,), 5.0), ((1,), 0.0)]


def test_missing_contributions_that_are_no_identity_count_once() -> None:
    a = gn.tensor([[0], [1]], [0.0], (1, 2), "DCSR")
    assert gn.evaluate("R(i) = sum(k, A(i,k) + 1)", A=a).to_numpy().tolist() == [2.0]


def test_a_mask_may_be_converted_while_the_result_goes_through_a_workspace() -> None:
    a = gn.tensor([[0], [0], [0]], [3.0], (1, 1, 1), "CSF")
    mask = gn.tensor([[0], [0]], [1.0], (1, 1), "CSR")
    report = gn.check("R(i,j)<M(i,j)> = A(j,i,j)", A=a, M=mask, out="CSR", convert="auto")
    assert list(report.execution.result.entries()) == [((0, 0), 3.0)]


def test_loops_that_a_loop_stands_for_are_not_counted_with_a_loop_of_their_name() -> None:
    a = gn.tensor([[0, 0, 2], [1, 2, 0]], [1.0, 2.0, 3.0], (3, 3), "CSR")
    run = gn.trace("C(i,j) = A(i,j) * 2", A=a, out="CSR", schedule="split(i,i0,i1,2),reorder(i1,i0)")
    assert show(run.program.statement).split("\n")[0] == "∀i"  # it reads the workspace, which loops over i1 and i0 fill
    assert run.trace.iterations == {"i1": 2, "i0": 3, "j": 3 + 3, "i": 2}


def test_figure_9_csr_plus_coo_into_dense() -> None:
    """Row by row, a two-way merge of a CSR segment and a chained segment of COO."""
    a = gn.from_dict({(0, 0): 5.0, (0, 1): 1.0, (1, 0): 7.0, (2, 3): 2.0}, (3, 4), "CSR")
    b = gn.from_dict({(0, 1): 1.0, (1, 2): 4.0, (2, 3): 3.0, (2, 0): 6.0}, (3, 4), "COO")
    run = gn.trace("C(i,j) = A(i,j) + B(i,j)", A=a, B=b)
    assert run.trace.iterations == {"i": 3, "j": 2 + 2 + 2}
    assert run.trace.calls["B1.pos_access"] == 4
    assert np.array_equal(run.result.to_numpy(), a.to_numpy() + b.to_numpy())


@pytest.mark.parametrize(
    ("format", "coordinates"),
    [
        ("DIA3", lambda i, j: ([-3, -1, 0, 1].index(j - i), i, j)),
        ("BCSR4", lambda i, j: (i // 2, j // 3, i % 2, j % 3)),
        ("CSB4", lambda i, j: (i // 2, j // 3, i % 2, j % 3)),
    ],
)
def test_figure_4_structured_matrices_as_tensors_of_higher_order(
    format: str, coordinates: Callable[[int, int], tuple[int, ...]]
) -> None:
    entries = {(0, 0): 5.0, (0, 1): 1.0, (1, 0): 7.0, (1, 1): 3.0, (3, 0): 8.0, (3, 3): 4.0, (3, 4): 9.0}
    shape = (4, 4, 6) if format == "DIA3" else (2, 2, 2, 3)
    a = gn.from_dict({coordinates(i, j): v for (i, j), v in entries.items()}, shape, format)
    a.validate()
    expression = "y(i) = A(d,i,j)" if format == "DIA3" else "Y(p,a) = A(p,q,a,b)"
    result = gn.check(expression, A=a).execution.result.to_numpy().ravel()
    assert result.tolist() == [6.0, 10.0, 0.0, 21.0]


def test_a_masked_result_of_another_dtype() -> None:
    a = gn.from_dict({(0, 0, 0): 2.0}, (1, 1, 1), "CSF")
    mask = gn.from_dict({(0, 0): 1.0}, (1, 1), "CSR")
    out = gn.spec("CSC", dtype="complex128")
    assert gn.evaluate("R(i,j)<M(i,j)> += A(i,j,i)", A=a, M=mask, out=out, convert="auto").to_numpy() == 2


def test_a_located_level_may_be_declared_non_unique() -> None:
    a = gn.from_numpy(np.array([1.0, 2.0, 3.0]), "dense(nonunique)")
    x = vector({0: 5.0, 2: 7.0})
    assert gn.check("y(i) = A(i) * x(i)", A=a, x=x).execution.result.to_numpy().tolist() == [5.0, 0.0, 21.0]


def test_the_last_block_of_a_dimension_may_be_a_part() -> None:
    a = gn.tensor([[0, 2, 2], [1, 0, 2]], [2.0, 5.0, 3.0], (3, 3), "BCSR(2,2)")
    trace = gn.trace("y(i) = A(i,j) * x(j)", A=a, x=np.ones(3)).trace
    assert trace.iterations == {"io": 2, "jo": 3, "ii": 4, "ji": 7}


def test_a_level_that_waited_for_a_loop_is_found_by_its_own_coordinate() -> None:
    a = gn.tensor([[0, 1, 1], [2, 0, 1]], [2.0, 3.0, 5.0], (2, 3), "bitmap,dense; (i,j)->(j,i)")
    b = gn.tensor([[0, 1], [1, 2]], [7.0, 11.0], (2, 3), "CSR")
    result = gn.check("C(i,j) = A(i,j) + B(i,j)", A=a, B=b, out="Dense").execution.result
    assert result.to_numpy().tolist() == [[0.0, 7.0, 2.0], [3.0, 5.0, 11.0]]


def test_an_inserted_level_below_an_appended_one_may_widen() -> None:
    dense = np.arange(1.0, 61.0).reshape(2, 30)
    a = gn.from_numpy(dense, "CSR")
    result = gn.check("C(i,j) = A(i,j)", A=a, out="compressed,hashed").execution.result
    assert np.array_equal(result.to_numpy(), dense)


@pytest.mark.parametrize("complement", ["", "!"])
@pytest.mark.parametrize(
    ("format", "copies"), [("CSR", True), ("DCSR", True), ("COO", True), ("HashRows", False), ("Dense", False)]
)
def test_fibers_of_a_mask_under_a_reduction_are_copied_once(format: str, copies: bool, complement: str) -> None:
    rng = np.random.default_rng(0)
    a, b, m = (gn.tensor(np.nonzero(h), h[np.nonzero(h)], (9, 9), "CSR") for h in rng.integers(0, 2, (3, 9, 9)) * 2.0)
    run = gn.trace(f"C(i,j)<{complement}M(i,j)> = A(i,k) * B(k,j)", A=a, B=b, M=m.convert(format), out="CSR")
    text = show(run.program.statement)
    assert ("= M(i,j)" in text) == copies
    allowed = (m.to_numpy() != 0) != bool(complement)
    assert (run.result.to_numpy() == a.to_numpy() @ b.to_numpy() * allowed).all()


def test_a_mask_over_loops_without_a_reduction_is_read_in_place() -> None:
    m = gn.tensor([[0, 1], [1, 2]], [1.0, 1.0], (3, 3), "CSR")
    run = gn.trace("C(i,j)<M(i,j)> = A(i,j) + B(i,j)", A=m, B=m, M=m, out="CSR")
    assert not run.program.workspaces


def test_what_is_said_of_positions_is_checked_in_every_segment() -> None:
    a = gn.tensor([[0, 0, 1], [0, 2, 1]], [1.0, 2.0, 4.0], (2, 3), "CSR")
    sums = gn.evaluate("y(i) = A(i,j)", A=a, schedule="pos(j,p,A(i,j)),bound(p,n,2,max_constraint),split(n,a,b,2)")
    assert sums.to_numpy().tolist() == [3.0, 4.0]
    with pytest.raises(ScheduleError, match="ranges from 0 to 1, for which max_exact 2 is wrong"):
        gn.evaluate("y(i) = A(i,j)", A=a, schedule="pos(j,p,A(i,j)),bound(p,n,2,max_exact),split(n,a,b,2)")
