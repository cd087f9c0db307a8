"""Accumulation: tiles of dense results, whole ones and what is left at the end of an extent."""

import gnomon as gn
import numpy as np
import pytest
from texts import c_text

TILES = "split(j,j0,j1,{0}),reorder(i,j0,k,j1),parallelize(j1,CPUVector,NoRaces)"


@pytest.mark.parametrize("size", [8, 6])
def test_tiles_at_the_end_of_an_extent_are_cut_into_stretches_of_constant_size(size: int) -> None:
    kernel = gn.compile("C(i,j) = A(i,k) * B(k,j)", A="CSR", schedule=TILES.format(size))
    text = kernel.source
    for count in ("8 >= 4", "4 == 3", "4 == 2", "4 == 1"):
        assert f"if (j1_count % {count})" in text and f"double tC[{count[-1]}];" in text
    assert "double tC[8];" in text or size != 8
    matrix = np.arange(12).reshape(3, 4) % 5 - 1.0
    a = gn.tensor(np.nonzero(matrix), matrix[np.nonzero(matrix)], matrix.shape, "CSR")
    for columns in range(1, 2 * size + 1):
        b = np.arange(4.0 * columns).reshape(4, columns)
        assert (kernel(A=a, B=b).to_numpy() == matrix @ b).all()


def test_stretches_of_two_tiles_at_once() -> None:
    schedule = "split(i,i0,i1,2),split(j,j0,j1,4),reorder(i0,j0,k,i1,j1)"
    kernel = gn.compile("C(i,j) = A(i,k) * B(k,j)", schedule=schedule)
    for rows, columns in ((1, 1), (2, 3), (3, 4), (5, 7)):
        a, b = np.arange(3.0 * rows).reshape(rows, 3), np.arange(3.0 * columns).reshape(3, columns)
        assert (kernel(A=a, B=b).to_numpy() == a @ b).all()


def body(text: str) -> str:
    """What `compute` does."""
    return text[text.index("compute_arrays(") : text.index("int compute(")]


@pytest.mark.parametrize(
    ("mask", "admitted"),
    [
        ("!$m(i)", "if (!foundm1) {"),
        ("!m(i)", "if (!(m_vals[pm1] != INT64_C(0))) {"),
        ("gt(z(i), i)", "if (gn_gt_int64(z_vals[i], i)) {"),
    ],
)
def test_a_mask_that_is_known_before_a_reduction_is_asked_once(mask: str, admitted: str) -> None:
    formats = {"m": gn.spec("bitmap", dtype="int64")} if "m(" in mask else {"z": gn.spec("d", dtype="int64")}
    text = body(c_text(f"y(i)<{mask}> = A(i,j) * x(j)", A="CSR", out="SparseVector", **formats))
    assert text.count(admitted) == 1 and text.index(admitted) < text.index("A2_pos[i]")
    coords = np.array([[0, 0, 1, 3], [0, 2, 1, 2]])
    a, x = gn.tensor(coords, [1.0, 2.0, 3.0, 4.0], (4, 3), "CSR"), [1.0, 2.0, 3.0]
    m, z = gn.tensor([[0, 3]], [1, 0], (4,), "bitmap"), np.array([1, 1, 1, 9])
    gn.check(f"y(i)<{mask}> = A(i,j) * x(j)", A=a, x=x, out="SparseVector", **({"m": m} if "m(" in mask else {"z": z}))


def test_masks_that_differ_are_asked_where_they_stand() -> None:
    text = body(c_text("y(i)<!$m(i),merge> = A(i,j) * x(j)", A="CSR", m="bitmap", y="bitmap", out="bitmap"))
    assert "foundm1" in text
    a, m = gn.tensor([[0, 1, 1], [0, 0, 1]], [1.0, 2.0, 3.0], (2, 2), "CSR"), gn.tensor([[1]], [1.0], (2,), "bitmap")
    gn.check("y(i)<!$m(i),merge> = A(i,j) * x(j)", A=a, x=[1.0, 2.0], m=m, y=m, out="bitmap")


@pytest.mark.parametrize(("ring", "breaks"), [("any_first", 1), ("min_first", 0), ("any_second", 1)])
def test_a_reduction_that_may_select_ends_with_its_first_contribution(ring: str, breaks: int) -> None:
    formats = {"A": "CSC", "x": "bitmap", "out": "SparseVector"}
    assert body(c_text("y(j) = x(i) * A(i,j)", semiring=ring, **formats)).count("break;") == breaks
    a = gn.tensor([[0, 2, 1, 2], [0, 0, 1, 2]], [1.0, 2.0, 3.0, 4.0], (3, 3), "CSC")
    x = gn.tensor([[1, 2]], [5.0, 7.0], (3,), "bitmap")
    gn.check("y(j) = x(i) * A(i,j)", semiring=ring, A=a, x=x, out="SparseVector")


def test_a_reduction_over_two_variables_ends_the_inner_one() -> None:
    text = body(c_text("y(i) = T(i,j,k) * x(k)", semiring="any_first", T="CSF", x="bitmap"))
    assert text.count("break;") == 1
    t = gn.tensor([[0, 0, 0, 2], [0, 0, 1, 1], [1, 2, 0, 1]], [1.0, 2.0, 3.0, 4.0], (3, 2, 3), "CSF")
    x = gn.tensor([[0, 2]], [1.0, 1.0], (3,), "bitmap")
    gn.check("y(i) = T(i,j,k) * x(k)", semiring="any_first", T=t, x=x)


def test_a_reduction_over_what_others_determine_ends_no_loop_around_it() -> None:
    schedule = "collapse(k,j,f),precompute(A(i,k,j),{i,f},{iw,fw},t)"
    a = gn.tensor([[0, 0, 1], [1, 0, 0], [0, 1, 1]], [1.0, 2.0, 3.0], (2, 2, 2), "CSF").convert("ddd")
    assert gn.check("R(i,j) = any(k, A(i,k,j))", A=a, out="CSR", schedule=schedule).checked == 4


def test_a_component_that_nothing_was_present_for_takes_what_is_selected_later() -> None:
    places = np.indices((4, 1, 4)).reshape(3, -1)
    b = gn.tensor(places, np.zeros(16), (4, 1, 4), "dense,dense,dense,dense,dense; (i,j,k)->(i//3,j,k//2,i%3,k%2)")
    a = gn.tensor([[0] * 4, range(4)], np.ones(4), (1, 4), "dense,dense", fill=1.0)
    schedule = "split(i,a1,b1,3),reorder(b1,j,a1)"
    gn.check("R(i,j,m) = any(k, A(j,k) - B(k,m,i))", A=a, B=b, out="dense,dense,dense", schedule=schedule)


@pytest.mark.parametrize(
    ("schedule", "breaks"), [("unroll(j,2)", 0), ("split(j,j0,j1,2),unroll(j1,2)", 0), ("split(j,j0,j1,2)", 1)]
)
@pytest.mark.filterwarnings("ignore::gnomon.reference.errors.ScheduleWarning")
def test_a_loop_with_a_repeated_body_goes_on(schedule: str, breaks: int) -> None:
    settings = {"semiring": "any_first", "schedule": schedule}
    text = c_text("y(i) = A(i,j) * x(j)", A="dense,bitmap", x="bitmap", **settings)
    assert body(text).count("break;") == breaks


def test_a_mask_is_asked_before_what_fills_a_workspace_inside() -> None:
    expression, inside = "y(i)<m(i)> = A(i,j) * B(j,k) * x(k)", "precompute(B(j,k)*x(k),{},{},t)"
    text = body(c_text(expression, A="CSR", B="CSR", schedule=inside))
    assert text.count("m_vals[i]") == 1 and text.index("m_vals[i]") < text.index("A2_pos[i]")
    a = gn.tensor([[0, 0, 2], [0, 1, 2]], [1.0, 2.0, 3.0], (3, 3), "CSR")
    gn.check(expression, A=a, B=a, x=[1.0, 2.0, 3.0], m=[1.0, 0.0, 1.0], schedule=inside)


@pytest.mark.parametrize("mask", ["$M(i,i)", "!$M(i,i)", "M(i,i)", "!M(i,i)", "M(i,i) + 1"])
@pytest.mark.parametrize("format", ["CSR", "Dense", "COO"])
def test_a_mask_on_a_diagonal_is_asked_where_that_is_found(format: str, mask: str) -> None:
    m = gn.tensor([[0, 1, 2, 2], [0, 0, 1, 2]], [1.0, 1.0, 1.0, 0.0], (4, 4), format)
    a = gn.tensor([[0, 1, 2, 3], [1, 1, 0, 3]], [1.0, 2.0, 3.0, 4.0], (4, 4), "CSR")
    for text, out in ((f"y(i)<{mask}> = A(i,k)", "d"), (f"C(i,j)<{mask}> = A(i,k) * A(k,j)", "CSR")):
        gn.check(text, A=a, M=m, out=out)


@pytest.mark.every(5)
@pytest.mark.parametrize("mask", ["M(i,j)", "!$M(i,j)"])
@pytest.mark.parametrize("format", ["BCSR(2,3)", "DIA", "ELL", "COO", "CSC", "dense,bitmap"])
def test_masks_in_any_format_are_found_before_they_are_asked(format: str, mask: str) -> None:
    rng = np.random.default_rng(3)
    arrays = [(rng.random((6, 6)) < 0.5) * rng.integers(1, 5, (6, 6)) for _ in "ABM"]
    a, b, m = (gn.tensor(np.array(x.nonzero()), x[x.nonzero()], x.shape, "CSR") for x in arrays)
    gn.check(
        f"C(i,j)<{mask}> = A(i,k) * B(k,j)", A=a, B=b.convert("CSC"), M=m.convert(format), out="CSR", convert="auto"
    )


@pytest.mark.parametrize("b", ["Dense", "CSR", "BCSR(2,2)"])
def test_what_selects_ends_no_loop_around_where_the_innermost_visits_one_coordinate(b: str) -> None:
    a = gn.tensor([[0, 0], [0, 1]], [1.0, 2.0], (2, 2), "ELL")
    other = gn.tensor([[0, 0, 1], [0, 1, 1]], [3.0, 4.0, 5.0], (2, 2), "CSR").convert(b)
    expression = "C(i,j) = A(i,k) * B(j,k)"
    gn.check(expression, A=a, B=other, semiring="any_second", schedule="split(i,i0,i1,2)", convert="auto", out="CSC")


def test_threads_that_share_out_a_tile_touch_no_component_of_others() -> None:
    schedule = "split(i,u,v,4),reorder(v,u,j),parallelize(v,CPUThread,NoRaces)"
    text = body(c_text("y(i) = A(i,j) * x(j)", A="CSR", schedule=schedule))
    inside = text[text.index("for (int64_t i = v; i < A1_dimension; i += 4) {") :]
    assert "double ty = 0.0;" in inside and "y_vals[i] = ty;" in inside and text.count("y_vals[i]") == 1


def test_a_component_that_nothing_was_selected_for_is_left_to_others() -> None:
    """Of two iterations that meet in one component the second has nothing to select."""
    text, column = "y(j) any= A(k,j) * D(k,l) * x(l)", gn.tensor([[0, 1], [0, 0]], [1.0, 1.0], (2, 2), "CSR")
    d, x = gn.tensor([[0, 1], [0, 1]], [1.0, 1.0], (2, 2), "CSR"), gn.tensor([[0]], [7.0], (2,), "SparseVector")
    formats = {"A": "CSR", "D": "CSR", "x": "SparseVector"}
    threads = "reorder(k,j,l),parallelize(k,CPUThread,Atomics)"
    kernel = gn.compile(text, **formats, semiring="any_second", schedule=threads)
    assert kernel(A=column, D=d, x=x).to_numpy().tolist() == [7.0, 0.0]


def test_what_any_selects_in_one_round_of_a_merge_no_later_round_replaces() -> None:
    """Where the first round is left early, the iterators of the next ones would stand where both have met."""
    a, b = (gn.tensor([[0], [0]], [0], (1, 1), "DCSR", dtype="int64", fill=fill) for fill in (7, 2))
    report = gn.check("y(i) = any(k, xor(A(i,k), B(i,k)))", A=a, B=b)
    assert report.engines[:2] == ("reference", "c") and report.execution.result.to_numpy().tolist() == [0]
