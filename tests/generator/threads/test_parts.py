"""Results that threads append to: the same for any number of threads, and as without a schedule."""

import ctypes
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from depth import ALL, DEEP
from gnomon.generator.runtime.kernel import Kernel
from gnomon.generator.storage.layout import Layout
from gnomon.properties.machine.run import Conditions, machine
from gnomon.reference.errors import StorageError
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given, settings
from hypothesis import strategies as st
from texts import c_text

THREADS = (1, 2, 3, 7)
ROWS = "parallelize(i,CPUThread,NoRaces)"
TILES = "split(i,i0,i1,3),parallelize(i0,CPUThread,NoRaces)"
BOTH = (ROWS, TILES)
COLUMNS = "split(j,j0,j1,4),parallelize(j0,CPUThread,NoRaces)"
ADD, MULTIPLY, TTM = "C(i,j) = A(i,j) + B(i,j)", "C(i,j) = A(i,k) * B(k,j)", "C(i,j,l) = A(i,j,k) * B(k,l)"
MASKED = "C(i,j)<$A(i,j)> = A(i,k) * B(k,j)"
TRIANGLES = "C(i,j)<A(i,j)> = A(i,k) * A(k,j)"


def skewed(seed: int, shape: tuple[int, ...] = (50, 50)) -> Tensor:
    """A random tensor with long and empty rows."""
    rng = np.random.default_rng(seed)
    dense = rng.integers(1, 9, shape) * (rng.random(shape) < 0.15)
    dense[5], dense[20:30] = 3, 0
    return gn.tensor(np.nonzero(dense), dense[np.nonzero(dense)].astype(float), shape, "COO")


def arrays(t: Tensor) -> list[list[Any]]:
    """Everything that a tensor stores."""
    return [array.tolist() for level in t.levels for array in level.values()] + [t.vals.tolist()]


def with_threads(kernel: Kernel, count: int, **operands: Tensor) -> Tensor:
    """The result of a kernel on a team of that many threads."""
    ctypes.CDLL(str(kernel.built.path)).omp_set_num_threads(count)
    return kernel(**operands)


MERGED = [
    (ADD, "DCSR", "DCSR"), (ADD, "COO", "COO"), (TRIANGLES, "DCSR", "DCSR"),
]  # fmt: skip
SINGLE = [
    (ADD, "CSR", "CSR"), (ADD, "CSR", "DCSR"), (ADD, "CSR", "COO"),
    (MULTIPLY, "CSR", "CSR"), (MULTIPLY, "DCSR", "DCSR"), (MULTIPLY, "CSR", "COO"),
    (MASKED, "CSR", "CSR"), (TRIANGLES, "CSR", "CSR"),
    (TTM, "CSF", "CSF"), (TTM, "CSF", "compressed,compressed,dense"), (TTM, "CSF", "dense,compressed,compressed"),
]  # fmt: skip


@pytest.mark.every(5)
@pytest.mark.parametrize(
    ("expression", "format", "out", "schedule"),
    [(*each, s) for n, each in enumerate(SINGLE) for s in (BOTH if DEEP else BOTH[n % 2 :][:1])]
    + [(*each, TILES) for each in MERGED],
)
def test_threads_make_no_difference(expression: str, format: str, out: str, schedule: str) -> None:
    shape = (40, 7, 50) if expression == TTM else (50, 50)
    operands = {"A": skewed(0, shape).convert(format)}
    if "B(" in expression:
        operands["B"] = skewed(1).convert("CSR" if expression == TTM else format)
    formats = {name: str(t.format) for name, t in operands.items()}
    expected = gn.compile(expression, out=out, schedule=None, **formats)(**operands)
    kernel = gn.compile(expression, out=out, schedule=schedule, **formats)
    assert kernel.source.count("#pragma omp for") == 3
    for count in THREADS:
        found = with_threads(kernel, count, **operands)
        found.validate()
        assert arrays(found) == arrays(expected), count
    structure = kernel.assemble(**operands)
    assert arrays(structure)[:-1] == arrays(expected)[:-1]
    assert arrays(kernel.compute(structure, **operands)) == arrays(expected)


@pytest.mark.filterwarnings("ignore::gnomon.ScheduleWarning")
def test_the_inner_loop_may_be_the_parallel_one() -> None:
    a, b = skewed(0).convert("CSR"), skewed(1).convert("CSR")
    kernel = gn.compile(ADD, A="CSR", B="CSR", out="CSR", schedule=COLUMNS)
    for count in THREADS:
        assert arrays(with_threads(kernel, count, A=a, B=b)) == arrays(
            gn.compile(ADD, A="CSR", B="CSR", out="CSR", schedule=None)(A=a, B=b)
        )


def test_threads_go_through_their_iterations_once() -> None:
    source = c_text(MULTIPLY, A="CSR", B="CSR", out="CSR", schedule=TILES)
    assembled, computed, evaluated = source.split("#pragma omp for")[1:]
    assert all("C2_first[i0 + 1] = pC2_own - C2_begun;" in each for each in (assembled, computed, evaluated))
    assert "_vals[" not in assembled and "C2_crd_own[" not in computed
    assert [evaluated.count(f"gn_place({each}, ") for each in ("C2_crd", "C_vals")] == [1, 1]


@pytest.mark.filterwarnings("ignore::gnomon.ScheduleWarning")
@pytest.mark.parametrize(("schedule", "end"), [(TILES, "i0_end"), (COLUMNS, "j0_end")])
def test_what_one_thread_has_appended_alone_is_taken_as_it_is(schedule: str, end: str) -> None:
    a, b = skewed(0).convert("CSR"), skewed(1).convert("CSR")
    expected = gn.compile(ADD, A="CSR", B="CSR", out="CSR", schedule=None)(A=a, B=b)
    source = c_text(ADD, A="CSR", B="CSR", out="CSR", schedule=schedule)
    assert source.count(f"if (pC2 == 0 && pC2_own > 0 && pC2_own == C2_first[{end}] && C_ordered) {{") == 2
    kernel = machine(source, Layout.of(expected))
    for seed in range(3 if ALL else 1):
        found, _ = kernel.ran("evaluate", {"A": a, "B": b}, (50, 50), Conditions(seed))
        assert arrays(found) == arrays(expected)


def test_room_is_made_once_parts_are_counted() -> None:
    """The allocator gives pages that an earlier call has touched to whoever asks first: to the parts."""
    for schedule, rooms in ((TILES, 0), (None, 2)):
        text = c_text("C(i,j) = A(i,j) + B(i,j)", A="CSR", B="CSR", out="CSR", schedule=schedule)
        before = text[text.index(" evaluate_arrays(") :].split("/* i")[0]
        assert before.count("gn_resize(C") == rooms


def test_what_one_thread_has_appended_out_of_order_is_placed() -> None:
    """Threads may run their iterations in any order: nothing is stored but in the first tile and the thirteenth."""
    rows = [0, 1, 36, 37]
    a = gn.tensor([rows, [3, 1, 2, 5]], [1.0, 2.0, 3.0, 4.0], (50, 50), "CSR")
    kernel = machine(c_text("C(i,j) = 2 * A(i,j)", A="CSR", out="CSR", schedule=TILES), Layout.of(a))
    for seed in range(12):
        found, _ = kernel.ran("evaluate", {"A": a}, (50, 50), Conditions(seed))
        assert found.to_numpy()[rows, [3, 1, 2, 5]].tolist() == [2.0, 4.0, 6.0, 8.0], seed


def test_values_of_a_mask_decide_what_is_counted() -> None:
    a, m = skewed(0).convert("CSR"), skewed(1)
    places, values = m.components()
    mask = gn.tensor(places, np.where(np.arange(len(values)) % 2 == 0, 0, values), m.shape, "CSR")
    text = "C(i,j)<M(i,j)> = A(i,k) * B(k,j)"
    expected = gn.evaluate(text, A=a, B=a, M=mask, out="CSR")
    watched = machine(c_text(text, A="CSR", B="CSR", M="CSR", out="CSR", schedule=TILES), Layout.of(expected))
    found, _ = watched.ran("evaluate", {"A": a, "B": a, "M": mask}, (50, 50), Conditions(0))
    assert arrays(found) == arrays(expected)


def test_nothing_is_placed_if_an_iteration_failed() -> None:
    """A list of what is to be sorted needs memory, too."""
    operands = {"A": skewed(0, (25, 20)).convert("HashRows"), "B": skewed(1, (25, 20)).convert("CSR")}
    expected = gn.evaluate(ADD, out="CSR", **operands)
    source = c_text(ADD, A="HashRows", B="CSR", out="CSR", schedule=TILES)
    assert "gn_push" in source.split("#pragma omp for")[1]
    kernel = machine(source, Layout.of(expected))
    for seed in range(3):
        found, state = kernel.ran("evaluate", operands, (25, 20), Conditions(seed))
        assert arrays(found) == arrays(expected)
        for allowed in range(state.allocations):
            with pytest.raises(StorageError, match="not enough memory"):
                kernel.ran("evaluate", operands, (25, 20), Conditions(seed, memory=allowed))


def test_threads_that_cannot_make_room_fail_each_for_itself() -> None:
    """The first estimate of the result is the size of an operand, which is too small, and no thread needs memory."""
    text, v = "C(i,j) = u(i) * v(j)", gn.tensor(np.arange(4)[None], np.arange(1.0, 5), (4,), "SparseVector")
    operands = {"u": v.convert("dense"), "v": v}
    expected = gn.evaluate(text, out="CSR", **operands)
    kernel = machine(c_text(text, v="SparseVector", out="CSR", schedule=ROWS), Layout.of(expected))
    found, state = kernel.ran("evaluate", operands, (4, 4), Conditions())
    assert arrays(found) == arrays(expected)
    for allowed in range(state.allocations):
        with pytest.raises(StorageError, match="not enough memory"):
            kernel.ran("evaluate", operands, (4, 4), Conditions(memory=allowed))


@pytest.mark.parametrize(
    "schedule", ["parallelize(j,CPUThread,NoRaces)", "split(j,u,v,3),parallelize(u,CPUThread,NoRaces)"]
)
def test_a_block_that_the_first_of_the_iterations_opens_is_filled_by_one_thread(schedule: str) -> None:
    """The coordinate of `i` is appended once something is stored below it, whichever `j` that is at."""
    kernel = gn.compile("R(i,j,k) = A(i,j,k)", out="compressed,dense,compressed", schedule=schedule)
    a = np.arange(1.0, 33.0).reshape(4, 4, 2)
    assert "#pragma omp" not in kernel.source
    np.testing.assert_array_equal(kernel(A=a).to_numpy(), a)


def test_the_only_iteration_of_a_loop_does_not_make_the_next_loop_parallel() -> None:
    schedule = "divide(i,i0,i1,1),reorder(i0,j,i1),parallelize(i0,CPUThread,NoRaces)"
    assert "#pragma omp" not in c_text("y(i) = A(i,j) * x(j)", A="CSC", schedule=schedule)


def test_a_loop_of_one_iteration_is_not_shared_out() -> None:
    """It has become no loop, which a team could share out."""
    schedule = "divide(i,i0,i1,1),parallelize(i0,CPUThread,NoRaces)"
    assert "#pragma omp" not in c_text("R(i,j) = A(i,j)", A="CSR", out="CSR", schedule=schedule)


def test_iterations_that_append_fibers_in_pieces_are_run_by_one_thread() -> None:
    """A piece begins where the one before it ends, in the arrays of another thread."""
    matrix = skewed(0).convert("CSR")
    pieces = "divide(i,u,v,3),split(u,a,b,2),parallelize(b,CPUThread,NoRaces)"
    assert "#pragma omp parallel" in c_text("R(i,j) = A(i,j)", A="CSR", out="COO", schedule=pieces)
    kernel = gn.compile("R(i,j) = A(i,j)", A="CSR", out="COO", schedule=f"{pieces},divide(v,x,y,3)")
    assert "#pragma omp parallel" not in kernel.source
    assert list(kernel(A=matrix).entries()) == list(matrix.entries())


def test_counts_of_tiles_that_are_never_full_are_not_freed() -> None:
    blocks = gn.Format(["dense", "compressed", "dense"], map="(i,j)->(i//1,j,i%1)")
    a = gn.tensor(np.zeros((2, 0), int), np.zeros(0), (2, 0), blocks)
    schedule = "bound(i,u,0,max_exact),parallelize(u,CPUThread,NoRaces)"
    source, mask = "R(j,i)<!$M(i)> = A(j,i)", np.zeros(0)
    result = gn.evaluate(source, A=a, M=mask, out="DCSR", schedule=schedule, engine="c")
    assert result.shape == (2, 0) and result.nnz == 0


MEANT = {
    MULTIPLY: lambda a, b, m: a.astype(int) @ b.astype(int) > 0,
    ADD: lambda a, b, m: a | b,
    "C(i,j)<$M(i,j)> = A(i,k) * B(k,j)": lambda a, b, m: m & (a.astype(int) @ b.astype(int) > 0),
    "C(i,j)<!$M(i,j)> = A(i,k) * B(k,j)": lambda a, b, m: ~m & (a.astype(int) @ b.astype(int) > 0),
    "C(i,j)<$M(i,j)> = A(i,j) + B(i,j)": lambda a, b, m: m & (a | b),
}
"""Where each result has components, by where its operands have them."""
WAYS = ((None, None), ("min_plus", ROWS))
PHASES = [(text, *way) for n, text in enumerate(MEANT) for way in (WAYS if DEEP else WAYS[n % 2 :][:1])]
N = 6
PATTERNS = st.lists(st.lists(st.booleans(), min_size=N, max_size=N), min_size=N, max_size=N).map(np.array)


def stored(pattern: np.ndarray, values: list[float]) -> Tensor:
    """A matrix with components where a pattern says so."""
    places = np.nonzero(pattern)
    return gn.tensor(places, np.resize(values, len(places[0])), pattern.shape, "CSR")


@pytest.mark.every(2)
@pytest.mark.parametrize(("text", "ring", "schedule"), PHASES)
def test_assemble_counts_what_compute_writes(text: str, ring: str | None, schedule: str | None) -> None:
    """Row by row, whatever the values; and other values go into a structure that is there (COMET, section V)."""
    names = [name for name in "ABM" if f"{name}(" in text]
    kernel = gn.compile(text, out="CSR", semiring=ring, schedule=schedule, **dict.fromkeys(names, "CSR"))

    @settings(max_examples=400 if DEEP else 15 if ALL else 8, deadline=None)
    @given(PATTERNS, PATTERNS, PATTERNS)
    def agree(a: np.ndarray, b: np.ndarray, m: np.ndarray) -> None:
        given_ = dict(zip("ABM", (a, b, m), strict=True))
        first = {name: stored(given_[name], [2.0, 0.0, -2.0]) for name in names}
        other = {name: stored(given_[name], [1.5, -3.0, 0.0, 4.0]) for name in names}
        structure, whole = kernel.assemble(**first), kernel(**first)
        counted = np.diff(structure.levels[1]["pos"])
        assert counted.tolist() == MEANT[text](a, b, m).sum(axis=1).tolist()
        assert arrays(structure)[:-1] == arrays(whole)[:-1]
        assert arrays(kernel.compute(structure, **other)) == arrays(kernel(**other))

    agree()
