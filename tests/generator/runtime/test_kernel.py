"""Kernels as a user calls them: checked operands, results, threads, memory that runs out."""

import concurrent.futures
import gc
import resource
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gnomon as gn
import numpy as np
import pytest
import scipy.sparse
from gnomon.generator.runtime.compiler import compiler
from gnomon.generator.runtime.kernel import Kernel
from gnomon.reference.errors import (
    DtypeError,
    ExpressionError,
    FormatError,
    GnomonError,
    MeaningError,
    NoCompilerError,
    ScheduleError,
    StorageError,
)
from gnomon.reference.files.samples import poisson_2d
from gnomon.reference.storage.tensor import Tensor

from .product import SPMV, A, X


@pytest.fixture(scope="module")
def spmv() -> Kernel:
    return gn.compile(SPMV, A="CSR")


def test_calls(spmv: Kernel) -> None:
    y = spmv(A=A, x=X)
    assert y.to_numpy().tolist() == [8.0, 14.0, 0.0, 36.0]
    out = np.empty(4)
    assert np.shares_memory(spmv(A=A, x=X, out=out).vals, out)
    assert out.tolist() == [8.0, 14.0, 0.0, 36.0]


def test_results_are_not_written_into_memory_that_is_not_aligned(spmv: Kernel) -> None:
    out = np.frombuffer(bytearray(33), np.uint8)[1:].view(np.float64)
    with pytest.raises(StorageError, match="aligned"):
        spmv(A=A, x=X, out=out)


def test_scipy_lists_and_strided_arrays_are_operands(spmv: Kernel) -> None:
    matrix = scipy.sparse.csr_array(A.to_numpy())
    expected = [8.0, 14.0, 0.0, 36.0]
    assert spmv(A=matrix, x=[1, 2, 3, 4]).to_numpy().tolist() == expected
    assert spmv(A=A, x=np.repeat(X, 2)[::2]).to_numpy().tolist() == expected


def test_shapes_are_not_compiled_in(spmv: Kernel) -> None:
    for n in (0, 1, 7):
        eye = gn.tensor([range(n), range(n)], np.arange(n) + 1.0, (n, n), "CSR")
        assert spmv(A=eye, x=np.ones(n)).to_numpy().tolist() == [*np.arange(n) + 1.0]


def test_sibling_reductions_have_extents_of_their_own() -> None:
    kernel = gn.compile("y(i) = sum(l, A(i,l)) * sum(l, B(l,i))", A="dd", B="dd")
    np.testing.assert_array_equal(kernel(A=np.ones((2, 3)), B=np.ones((4, 2))).to_numpy(), [12.0, 12.0])
    with pytest.raises(gn.GnomonError, match="extent"):
        gn.compile("y(i) = A(i,l) * B(l,i)", A="dd", B="dd")(A=np.ones((2, 3)), B=np.ones((4, 2)))


def test_results_are_tensors_that_own_their_memory() -> None:
    product = gn.compile("C(i,j) = A(i,k) * B(k,j)", A="CSR", B="CSR", out="CSR")
    grid = poisson_2d(20)
    c = product(A=grid, B=grid)
    c.validate()
    assert (c.to_scipy() != grid.to_scipy() @ grid.to_scipy()).nnz == 0
    vals = c.vals
    del c
    gc.collect()
    assert vals.sum() == (grid.to_scipy() @ grid.to_scipy()).sum()
    assert not vals.flags.writeable


def test_kernels_that_depend_on_an_extent_are_made_for_it() -> None:
    expression = "y(i) = abs(sum(k, A(i,k))) + x(i)"
    kernel = gn.compile(expression, A=gn.spec("CSR", fill=2), x="SparseVector", out="Dense")
    for n in (3, 5):
        a = gn.tensor([[0], [1]], [7.0], (n, n), "CSR", fill=2)
        x = gn.tensor([[1]], [1.0], (n,), "SparseVector")
        expected = gn.evaluate(expression, A=a, x=x)
        assert kernel(A=a, x=x).to_numpy().tolist() == expected.to_numpy().tolist()


def test_previous_contents() -> None:
    kernel = gn.compile("y(i) += A(i,j) * x(j)", A="CSR", y="Dense")
    assert kernel(A=A, x=X, y=np.ones(4)).to_numpy().tolist() == [9.0, 15.0, 1.0, 37.0]


@pytest.mark.parametrize(
    ("operands", "message"),
    [
        ({"A": A}, "operand x is missing"),
        ({"A": A, "x": X, "z": X}, "z is no operand"),
        ({"A": A.convert("CSC"), "x": X}, "compiled for CSR"),
        ({"A": A, "x": X.astype("float32")}, "dtype float32"),
        ({"A": A, "x": X[:3]}, "extent 4"),
        ({"A": A, "x": np.ones((4, 4))}, "dimensions"),
        ({"A": gn.tensor([[0], [0]], [1.0], (4, 4), "CSR", fill=1), "x": X}, "fill 1.0"),
        ({"A": gn.tensor([[0], [0]], [1.0], (4, 4), "CSR", index="int64"), "x": X}, "int64"),
        ({"A": "CSR", "x": X}, "not a tensor"),
        ({"A": A, "x": [1j, 0, 0, 0]}, "values of dtype complex128 cannot be stored as float64"),
        ({"A": A, "x": X, "out": X}, "overlaps"),
        ({"A": A, "x": X, "out": np.empty(3)}, "writeable, aligned float64 array of shape"),
    ],
)
def test_operands_that_do_not_fit(spmv: Kernel, operands: dict[str, Any], message: str) -> None:
    with pytest.raises(GnomonError, match=message):
        spmv(**operands)


@pytest.mark.parametrize(
    ("dtype", "given"),
    [("int8", [300]), ("int8", [1.5]), ("uint8", [-1]), ("float32", [1e300]), ("bool", [2]), ("uint64", [-1.0])],
)
def test_numbers_that_do_not_fit_are_refused(dtype: str, given: list[Any]) -> None:
    kernel = gn.compile("y(i) = x(i)", x=gn.spec("d", dtype=dtype))
    with pytest.raises(FormatError, match=rf"x is \[{given[0]}\]: value.* {dtype}".replace("+", r"\+")):
        kernel(x=given)


@pytest.mark.parametrize(("dtype", "given"), [("int8", [-100]), ("uint8", [200]), ("float32", [0.1]), ("bool", [True])])
def test_numbers_of_python_take_the_dtype_that_holds_them(dtype: str, given: list[Any]) -> None:
    kernel = gn.compile("y(i) = x(i)", x=gn.spec("d", dtype=dtype))
    assert kernel(x=given).to_numpy().tolist() == np.array(given, dtype).tolist()


@pytest.mark.parametrize("number", [3, 3.0, np.float64(3), np.array(3.0)])
def test_numbers_have_the_fill_that_was_compiled(number: Any) -> None:
    kernel = gn.compile("y(i) = x(i) * c", x="d", c="", semiring="min_plus")
    assert kernel(x=[1.0, 2.0], c=number).to_numpy().tolist() == [4.0, 5.0]


@pytest.mark.parametrize(
    "given",
    [
        A.convert("CSC"),
        A.to_numpy(),
        A.to_numpy().tolist(),
        A.to_scipy().tocsc(),
        A.to_scipy().tocoo(),
        scipy.sparse.dok_matrix(A.to_scipy()),
    ],
    ids=lambda given: type(given).__name__,
)
def test_what_is_stored_otherwise_can_be_converted_as_the_hint_says(spmv: Kernel, given: Any) -> None:
    with pytest.raises(FormatError, match="compiled for CSR") as error:
        spmv(A=given, x=X)
    told, _, written = str(error.value.hint).partition(": ")
    converted = eval(written, {"gn": gn, "np": np, "A": given})
    assert told == "convert it" and np.array_equal(spmv(A=converted, x=X).to_numpy(), spmv(A=A, x=X).to_numpy())


@pytest.mark.parametrize("given", [3.0, X, A[0], np.ones((4, 4, 4))])
def test_what_has_another_order_is_not_said_to_be_stored_otherwise(spmv: Kernel, given: Any) -> None:
    with pytest.raises(GnomonError, match=f"A has {np.ndim(given) if np.isscalar(given) else len(given.shape)} dim"):
        spmv(A=given, x=X)


def test_broken_storage_is_refused_before_anything_is_read(spmv: Kernel) -> None:
    wild = np.array([0, 2, 10**6, 1], np.int32)
    levels = (A.levels[0], {**A.levels[1], "crd": wild})
    broken = Tensor(A.format, A.shape, A.dtype, A.fill, levels, A.shared, A.extents, A.vals)
    with pytest.raises(StorageError, match="1000000"):
        spmv(A=broken, x=X)


def test_everything_is_checked_before_it_is_asked_how_it_is_stored(spmv: Kernel) -> None:
    lacking = replace(A, levels=(A.levels[0], {"crd": A.levels[1]["crd"]}))
    calls: list[Callable[[], Any]] = [
        lambda: spmv(A=lacking, x=X),
        lambda: gn.evaluate(SPMV, A=lacking, x=X, engine="c"),
        lambda: gn.compile(SPMV, A=lacking),
        lambda: gn.compile(SPMV, A=replace(A, dtype=np.dtype("float16"))),
        lambda: gn.compile(SPMV, A=replace(A, levels=(A.levels[0], {**A.levels[1], "crd": np.zeros(4)}))),
        lambda: gn.compile(SPMV, A=lacking, tune=True),
    ]
    for call in calls:
        with pytest.raises(GnomonError, match=r"lacks pos|float16|vector of integers"):
            call()


@pytest.mark.parametrize("convert", [5, "AUTO", True])
def test_ways_to_convert_that_are_not_known(convert: Any) -> None:
    with pytest.raises(GnomonError, match="convert"):
        gn.evaluate(SPMV, A=A, x=X, convert=convert, engine="c")
    with pytest.raises(GnomonError, match="convert"):
        gn.compile(SPMV, A=A, convert=convert)


def test_arrays_with_gaps_in_other_byte_orders_and_off_alignment(spmv: Kernel) -> None:
    crd = A.levels[1]["crd"]
    assert isinstance(crd, np.ndarray)
    shifted = np.frombuffer(b"\0" + A.vals.tobytes(), np.float64, offset=1)
    levels = (A.levels[0], {**A.levels[1], "crd": crd.astype(">i4")})
    strange = [replace(A, vals=np.repeat(A.vals, 2)[::2]), replace(A, vals=shifted), replace(A, levels=levels)]
    for each in strange:
        assert spmv(A=each, x=X).to_numpy().tolist() == [8.0, 14.0, 0.0, 36.0]
        assert gn.evaluate(SPMV, A=each, x=X, engine="c").to_numpy().tolist() == [8.0, 14.0, 0.0, 36.0]
    assert spmv(A=A, x=np.frombuffer(b"\0" + X.tobytes(), np.float64, offset=1)).to_numpy()[3] == 36.0


def test_tensors_whose_arrays_may_change_are_checked_at_every_call(spmv: Kernel) -> None:
    crd = np.array(A.levels[1]["crd"])
    changing = replace(A, levels=(A.levels[0], {**A.levels[1], "crd": crd}))
    assert spmv(A=changing, x=X).vals[3] == 36.0
    crd[3] = 99
    with pytest.raises(StorageError, match="99"):
        spmv(A=changing, x=X)


def test_tensors_whose_arrays_are_fixed_are_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[Tensor] = []
    kernel = gn.compile(SPMV, A="CSR")
    monkeypatch.setattr(Tensor, "validate", lambda tensor: checks.append(tensor))
    crd, vals = np.array(A.levels[1]["crd"]), np.array(A.vals)
    fixed = replace(A, levels=(A.levels[0], {**A.levels[1], "crd": crd}), vals=vals)
    for array in (crd, vals):
        array.flags.writeable = False
    kernel(A=fixed, x=X)
    kernel(A=fixed, x=X)
    assert checks == [fixed]


def test_structures_are_checked(spmv: Kernel) -> None:
    add = gn.compile("C(i,j) = A(i,j) + B(i,j)", A="CSR", B="CSR", out="CSR")
    structure = add.assemble(A=A, B=A)
    with pytest.raises(StorageError, match="lacks pos"):
        add.compute(replace(structure, levels=(structure.levels[0], {"crd": structure.levels[1]["crd"]})), A=A, B=A)


@pytest.mark.parametrize("index", ["int32", "int64"])
def test_offsets_of_diagonals_that_no_level_reads_are_kept_outside_kernels(index: str) -> None:
    diagonals = gn.spec("dense,dense,compressed; (i,j)->(#(j-i),i,j)", index=index)
    held = gn.tensor([[0, 1, 3], [1, 0, 3]], [1.0, 2.0, 3.0], (4, 4), diagonals)
    kernel = gn.compile("y(i) = A(i,j) * x(j)", A=diagonals)
    assert kernel(A=held, x=np.arange(4.0)).to_numpy().tolist() == [1.0, 0.0, 0.0, 9.0]
    assert gn.compile("y(i) = A(i,j)", A=held)(A=held).to_numpy().tolist() == [1.0, 2.0, 0.0, 3.0]


def test_what_makes_no_sense_to_compile() -> None:
    with pytest.raises(GnomonError, match="does not occur"):
        gn.compile(SPMV, A="CSR", B="CSR")
    with pytest.raises(GnomonError, match="engine"):
        gn.evaluate(SPMV, A=A, x=X, engine="fortran")
    with pytest.raises(NoCompilerError, match="not a program"):
        compiler("no-such-compiler")


def test_no_memory_is_lost() -> None:
    product = gn.compile("C(i,j) = A(i,k) * B(k,j)", A="CSR", B="CSR", out="CSR")
    grid = poisson_2d(100)

    def many() -> int:
        for n in range(30):
            made = product(A=grid, B=grid)
            assert n % 2 or made.vals.size  # every other result is not looked at
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    many()
    before = many()
    assert many() - before < 20_000


def test_dense_results_too_large_for_memory_are_refused() -> None:
    huge = gn.tensor([[0]], [1.0], (2**30,), "SparseVector")
    kernel = gn.compile("C(i,j) = x(i) * z(j)", x="SparseVector", z="SparseVector")
    with pytest.raises(StorageError, match="does not fit in memory"):
        kernel(x=huge, z=huge)


def test_meaning_errors_do_not_leave_results_behind() -> None:
    kernel = gn.compile(
        "c(i) = floordiv(a(i), b(i))", a=gn.spec("SparseVector", dtype="int64"), b=gn.spec("Dense", dtype="int64"),
        out="SparseVector",
    )  # fmt: skip
    a = gn.tensor([[0, 1]], [4, 9], (2,), "SparseVector")
    with pytest.raises(MeaningError):
        kernel(a=a, b=np.array([2, 0]))
    assert [v for _, v in kernel(a=a, b=np.array([2, 3])).entries()] == [2, 3]


def test_a_loop_whose_range_is_said_to_be_exact_counts_to_a_constant() -> None:
    schedule = "bound(i,b,16,max_exact),split(b,c,d,4),parallelize(d,CPUVector,NoRaces)"
    kernel = gn.compile("y(i) = x(i) * 2", schedule=schedule)
    assert "x1_dimension != 16" in kernel.source and "c < 4" in kernel.source
    assert kernel(x=np.arange(16.0)).to_numpy().tolist() == (2 * np.arange(16.0)).tolist()
    with pytest.raises(ScheduleError, match="a bound of the schedule for y does not hold"):
        kernel(x=np.arange(15.0))


@pytest.mark.parametrize("fill", [1j, 0.5, 300])
def test_fills_that_an_operand_cannot_hold(fill: complex) -> None:
    with pytest.raises(DtypeError, match="does not fit in int8"):
        gn.compile("y(i) = A(i,j) * x(j)", A=gn.spec("CSR", dtype="int8", fill=fill))


def test_what_is_masked_or_ragged_is_no_operand() -> None:
    kernel = gn.compile("y(i) = x(i)", x=gn.spec("Dense", dtype="uint64"))
    assert kernel(x=[2**63 + 1, 1]).to_numpy().tolist() == [2**63 + 1, 1]
    with pytest.raises(GnomonError, match="are masked"):
        kernel(x=np.ma.array(np.ones(2, "uint64"), mask=[True, False]))
    with pytest.raises(GnomonError, match="are ragged"):
        kernel(x=[[1], [2, 3]])


def test_results_and_workspaces_of_huge_extents_are_refused_or_hashed_before_anything_is_computed() -> None:
    wide, n = gn.spec("DCSR", index="int64"), 2**40
    small, huge = (gn.tensor([[1], [m - 1]], [1.5], (2, m), wide) for m in (9, n))
    kernel = gn.compile("y(j) = A(i,j)", A=wide, out=gn.spec("SparseVector", index="int64"))
    for a in (small, huge, small):
        assert list(kernel(A=a).entries()) == [((a.shape[1] - 1,), 1.5)]
    with pytest.raises(StorageError, match=f"in CSC needs {n} positions, more than {2**28}"):
        gn.evaluate("C(i,j) = A(i,j)", A=huge.convert("DCSC"), out="CSC", engine="c")
    with pytest.raises(StorageError, match=rf"needs {n} values of 8 bytes(.|\n)*{2**34}(.|\n)*sparse"):
        gn.evaluate("y(j) = A(i,j)", A=huge, engine="c")


@pytest.mark.parametrize("format", ["bitmap,dense", "dense,bitmap", "dense,hashed", "DIA", "ELL"])
def test_what_lies_where_a_previous_result_holds_nothing_is_not_gone_on_from(format: str) -> None:
    """Whoever makes a tensor of arrays may leave anything there."""
    held = gn.tensor([[0, 2], [1, 2]], [5.0, 6.0], (4, 4), format)
    numbered = replace(held, vals=np.arange(len(held.vals)) + 0.0)
    stored = np.isin(numbered.vals, numbered.components()[1])
    left = replace(held, vals=np.where(stored, held.vals, 99.0))
    assert not stored.all()
    ones = gn.from_numpy(np.ones((4, 4)), "Dense")
    out = format if format in ("bitmap,dense", "dense,bitmap", "dense,hashed") else "Dense"
    found = [gn.evaluate("R(i,j) += A(i,j)", R=each, A=ones, out=out, engine="c").to_numpy() for each in (held, left)]
    assert found[0].tolist() == found[1].tolist()


@pytest.mark.usefixtures("kernels_as_they_ship")
def test_threads_run_at_the_same_time() -> None:
    kernel = gn.compile("c = sum(i, sum(j, max(a(i), b(j))))")
    a = np.ones(20_000)
    ticks = []
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    watcher = threading.Thread(target=watch)
    watcher.start()
    before = len(ticks)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        results = list(pool.map(lambda _: kernel(a=a, b=a).vals[0], range(4)))
    during = len(ticks) - before
    done.set()
    watcher.join()
    assert results == [20_000.0**2] * 4
    assert during > 5


@pytest.mark.usefixtures("kernels_as_they_ship")
@pytest.mark.parametrize("reduction", ["min", "max", "sum"])
def test_lanes_keep_nan(reduction: str) -> None:
    x = np.arange(32.0)
    for place in (0, 5, 31):
        x[place] = np.nan
        schedule = "split(i,i0,i1,8),parallelize(i1,CPUVector,ParallelReduction)"
        assert np.isnan(gn.evaluate(f"a = {reduction}(i, x(i))", x=x, schedule=schedule, engine="c").to_numpy())
        x[place] = place


def test_kernels_take_operands_by_name() -> None:
    kernel = gn.compile(SPMV, A="CSR")
    with pytest.raises(ExpressionError, match=r"given by name, but 2 came without\n  hint: .* with A=A, x=x"):
        kernel(A, X)


def test_operands_may_have_the_name_that_methods_have_for_the_kernel() -> None:
    named = gn.compile("y(i) = self(i,j) * x(j)", self="CSR")
    given: dict[str, Any] = {"self": A, "x": X}
    assert named(**given) == named.choose(**given)(**given) == named.compute(named.assemble(**given), **given)
