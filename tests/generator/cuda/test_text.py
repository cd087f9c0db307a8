"""Kernels for GPUs: golden texts, and what they compute when the CPU runs them with threads in random order."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.cuda.text import Texts, split
from gnomon.generator.device_source import generate_for_device
from gnomon.generator.ir.ir import ONE, ZERO, Assign, Declare, Function, Kernel, Name, Return
from gnomon.generator.runtime.compiler import INCLUDE
from gnomon.generator.runtime.emulation import Emulation, build
from gnomon.generator.runtime.library import Library
from gnomon.generator.runtime.request import chosen_compiler, make_request
from gnomon.generator.runtime.runner import Runner, arity
from gnomon.generator.runtime.sources import request_source
from gnomon.generator.source import Source
from gnomon.properties.differential.devices import generate_device_case, run_on_machine
from gnomon.properties.programs.kernels import ON_DEVICES, request_on_device
from gnomon.properties.programs.problem import Problem
from gnomon.reference.errors import HostError, InternalError, MeaningError, ScheduleError, Unsupported
from gnomon.reference.storage.tensor import Tensor
from hypothesis import settings
from msgspec.structs import replace

GOLDEN = Path(__file__).parents[1] / "golden" / "devices"
SPMV = "y(i) = A(i,j) * x(j)"
ROWS = "split(i,block,thread,{0}),parallelize(block,GPUBlock,NoRaces),parallelize(thread,GPUThread,NoRaces)"
STRICT = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas")
MATRIX = np.array([[1, 0, 2, 0, 3], [0, 0, 0, 0, 0], [4, 5, 6, 7, 8], [0, 9, 0, 0, 0]], float)


def texts(name: str) -> Texts:
    request = request_on_device(name)
    return generate_for_device(request_source(request, request.resolve_without_shapes()))


@pytest.mark.parametrize("name", ON_DEVICES)
def test_golden(name: str, request: pytest.FixtureRequest) -> None:
    made = texts(name)
    for path, text in ((GOLDEN / f"{name}.c", made.host), (GOLDEN / f"{name}.cu", made.device)):
        if request.config.getoption("--refresh-golden"):
            path.write_text(text)
        assert text == path.read_text(), "run pytest with --refresh-golden and review the difference"


def device_text(expression: str, operands: Mapping[str, Tensor], **asked: str) -> str:
    """The text of the kernels that a GPU runs."""
    request = make_request(expression, operands, target="cuda", **asked)
    return generate_for_device(request_source(request, request.resolve_without_shapes())).device


def emulate(
    folder: Path,
    expression: str,
    schedule: str,
    *,
    semiring: str | None = None,
    out: str | None = None,
    **operands: Tensor,
) -> Tensor:
    """The result of a kernel whose two texts a C compiler builds, with races and stray accesses watched for."""
    request = make_request(expression, operands, schedule=schedule, semiring=semiring, out=out, target="cuda")
    shapes = {name: tensor.shape for name, tensor in operands.items()}
    resolved = request.resolve(shapes)
    source: Source = request_source(request, resolved)
    made = generate_for_device(source, modes=("evaluate",))
    path = build(made.host, made.device, folder, chosen_compiler(), STRICT, watched=True)
    emulation, library = Emulation(path), Library(path, ["evaluate"], [arity(source)])
    for seed in range(3):
        emulation.begin(seed)
        found = Runner(library, source.layouts[source.program.result]).evaluate(operands, resolved.shape, "the result")
        assert not emulation.fault and not emulation.held
    return found


def scalar(value: float) -> Tensor:
    return gn.from_numpy(np.array(float(value)), "Dense")


def csr(matrix: np.ndarray) -> Tensor:
    return gn.tensor(np.nonzero(matrix), matrix[np.nonzero(matrix)], matrix.shape, "CSR")


SCHEDULES = {
    "rows": ROWS.format(2),
    "a block a row": "parallelize(i,GPUBlock,NoRaces),parallelize(j,GPUThread,ParallelReduction)",
    "atomics": "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,3),split(p0,q0,q1,40),"
    "parallelize(q0,GPUBlock,IgnoreRaces),parallelize(q1,GPUThread,Atomics)",
    "warps": "split(i,i0,i1,4),split(i1,w,r,2),parallelize(i0,GPUBlock,NoRaces),parallelize(w,GPUWarp,NoRaces),"
    "parallelize(j,GPUThread,ParallelReduction)",
}


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_matrix_times_vector(schedule: str, tmp_path: Path) -> None:
    x = np.arange(1.0, 6.0)
    found = emulate(tmp_path, SPMV, SCHEDULES[schedule], A=csr(MATRIX), x=gn.from_numpy(x, "dense"))
    assert (found.to_numpy() == MATRIX @ x).all()


def test_least_sums_meet_atomically(tmp_path: Path) -> None:
    A, x = csr(MATRIX), gn.from_numpy(np.arange(4.0), "dense", fill=np.inf)
    A = gn.tensor(np.nonzero(MATRIX), MATRIX[np.nonzero(MATRIX)], MATRIX.shape, "CSR", fill=np.inf)
    schedule = "parallelize(i,GPUBlock,Atomics),parallelize(j,GPUThread,NoRaces)"
    found = emulate(tmp_path, "y(j) = A(i,j) * x(i)", schedule, semiring="min_plus", A=A, x=x)
    wanted = gn.evaluate("y(j) = A(i,j) * x(i)", semiring="min_plus", A=A, x=x)
    assert (found.to_numpy() == wanted.to_numpy()).all()


def test_blocks_that_select_one_value_do_not_race(tmp_path: Path) -> None:
    x = gn.from_numpy(np.arange(1.0, 7.0), "dense")
    found = emulate(tmp_path, "a = x(i)", "parallelize(i,GPUBlock,ParallelReduction)", semiring="any_second", x=x)
    assert found.to_numpy() in x.to_numpy()


def test_workspaces_inside_loops_of_one_iteration_are_of_the_group(tmp_path: Path) -> None:
    A = gn.from_numpy(MATRIX, "dense,dense,dense; (i,j)->(i,j//2,j%2)")
    schedule = (
        "split(ji,u,v,1),reorder(i,jo,v,u),precompute(A(i,j),{u},{u},t),"
        "parallelize(i,GPUBlock,NoRaces),parallelize(v,GPUThread,NoRaces)"
    )
    assert (emulate(tmp_path, "R(i,j) = A(i,j)", schedule, A=A).to_numpy() == MATRIX).all()


MOST_OF_SUM = "y(i) = max(sum(k, A(k,i)), x(i))"


def test_sums_with_gaps_have_a_flag_each_that_blocks_read(tmp_path: Path) -> None:
    x = np.array([9.0, 8.0, 7.0, 6.0, 5.0])
    schedule = "parallelize(i,GPUBlock,NoRaces)"
    found = emulate(tmp_path, MOST_OF_SUM, schedule, A=csr(MATRIX), x=gn.from_numpy(x, "dense"))
    assert (found.to_numpy() == np.maximum(MATRIX.sum(axis=0), x)).all()


def test_blocks_set_flags_together_and_combine_what_they_have(tmp_path: Path) -> None:
    x = np.array([9.0, 8.0, 7.0, 6.0, 5.0])
    schedule = "parallelize({0},k,GPUBlock,Atomics)"
    found = emulate(tmp_path, MOST_OF_SUM, schedule, A=csr(MATRIX), x=gn.from_numpy(x, "dense"))
    assert (found.to_numpy() == np.maximum(MATRIX.sum(axis=0), x)).all()
    ignored = make_request(
        MOST_OF_SUM, {"A": "CSR"}, schedule=schedule.replace("Atomics", "IgnoreRaces"), target="cuda"
    )
    with pytest.raises(Unsupported, match="GPUBlock cannot fill w, which keeps more than a value"):
        generate_for_device(request_source(ignored, ignored.resolve_without_shapes()))


def test_what_no_kernel_for_a_gpu_does_is_refused() -> None:
    for schedule, kind, words in (
        (ROWS.format(2048), ScheduleError, "2048 iterations on threads, but a block has 1024"),
        (ROWS.format(64).replace("GPUThread", "GPUWarp"), ScheduleError, "64 iterations on warps"),
        ("parallelize(i,CPUThread,NoRaces)", Unsupported, "CPUThread is no unit of a GPU"),
        ("split(i,i0,i1,4)", ScheduleError, "one thread of the GPU would run the loop over i0 and all others"),
        ("split(i,i0,i1,4)", ScheduleError, f"add {ROWS.format(256).replace('(i,', '(i0,')}, or leave the"),
    ):
        request = make_request(SPMV, {"A": "CSR"}, schedule=schedule, target="cuda")
        with pytest.raises(kind, match=re.escape(words)):
            generate_for_device(request_source(request, request.resolve_without_shapes()))
    for schedule, words in (
        ("parallelize(j,GPUBlock,NoRaces)", "a result in CSR is assembled"),
        (ROWS.format(4), "thread on GPUThread would share out what one iteration of block appends"),
    ):
        sparse = make_request("C(i,j) = A(i,j)", {"A": "CSR"}, out="CSR", schedule=schedule, target="cuda")
        with pytest.raises(Unsupported, match=re.escape(words)):
            generate_for_device(request_source(sparse, sparse.resolve_without_shapes()))


@pytest.mark.parametrize("setting", ["mask=pull", "mask=push", "workspaces=none"])
def test_settings_choose_what_blocks_run(setting: str, tmp_path: Path) -> None:
    text, square = "C(i,j)<$M(i,j)> = A(i,k) * B(k,j)", MATRIX[:, :4]
    operands = {"A": csr(square), "B": gn.from_numpy(square, "RowMajor"), "M": csr(square)}
    found = emulate(tmp_path, text, setting, out="CSR", **operands)
    assert (found.to_numpy() == gn.evaluate(text, **operands).to_numpy()).all()
    device = device_text(text, operands, schedule=setting, out="CSR")
    assert ("where w:" in device) == (setting == "mask=push")


def test_sums_of_subnormal_numbers_are_kept(tmp_path: Path) -> None:
    """The device's own atomic addition takes those of 32 bits for zeros."""
    tiny = np.full(40, 1e-41, np.float32)
    operands = {"x": gn.from_numpy(tiny, "Dense")}
    schedule = ROWS.format(8).replace("NoRaces", "Atomics")
    assert emulate(tmp_path, "a = x(i)", schedule, **operands).to_numpy() == pytest.approx(4e-40, rel=1e-3, abs=0)
    case = generate_device_case(Problem("a = x(i)", operands, "", schedule=schedule), "k_")
    assert run_on_machine(case).to_numpy() == pytest.approx(4e-40, rel=1e-3, abs=0)


@pytest.mark.parametrize("lanes", [4, 32])
def test_truths_are_folded_by_their_operator(lanes: int, tmp_path: Path) -> None:
    """Lanes vote on flags alone."""
    schedule = (
        f"split(i,block,warp,2),split(j,part,lane,{lanes}),reorder(block,warp,lane,part),"
        "parallelize(block,GPUBlock,NoRaces),parallelize(warp,GPUWarp,NoRaces),"
        "parallelize(lane,GPUThread,ParallelReduction)"
    )
    a, x = np.arange(15).reshape(3, 5) < 12, np.zeros(5, bool)
    operands = {
        name: gn.from_numpy(array, "RowMajor" if name == "A" else "Dense", fill=True)
        for name, array in (("A", a), ("x", x))
    }
    found = emulate(tmp_path, SPMV, schedule, semiring="min_max", **operands)
    assert found.to_numpy().tolist() == [True, True, False]


def test_tiles_of_a_diagonal_that_come_to_components_of_others_are_refused() -> None:
    schedule = (
        "collapse(i,i1,f),split(f,block,g,64),split(g,warp,h,8),parallelize(block,GPUBlock,NoRaces),"
        "parallelize(warp,GPUWarp,NoRaces)"
    )
    request = make_request("y(i) += A(i,i)", {"A": "CSR", "y": "Dense"}, schedule=schedule, target="cuda")
    with pytest.raises(Unsupported, match="come to components of y to which others bring what is on a diagonal"):
        generate_for_device(request_source(request, request.resolve_without_shapes()))


def test_one_thread_computes_what_no_loop_on_blocks_runs(tmp_path: Path) -> None:
    schedule = "split({1,1},i,block,thread,2),parallelize({1,1},block,GPUBlock,NoRaces)"
    x, z = np.arange(1.0, 6.0), np.array([0.0, 2.0, 3.0])
    operands = {"x": gn.from_numpy(x, "dense"), "z": gn.tensor([[1, 2]], z[1:], (3,), "SparseVector")}
    expression = "y(i) = x(i) - max(k, z(k))"
    assert (emulate(tmp_path, expression, schedule, **operands).to_numpy() == x - 3).all()
    assert emulate(tmp_path, "a = b * c", "", b=scalar(3), c=scalar(4)).to_numpy() == 12
    request = make_request(expression, operands, schedule=schedule, target="cuda")
    source = request_source(request, request.resolve({"x": (5,), "z": (3,)}))
    made = generate_for_device(source, modes=("evaluate",))
    assert "void __launch_bounds__(32) evaluate_w(" in made.device and "evaluate_w, 1, 32, arguments" in made.host


def test_integers_that_do_not_fit_are_reported(tmp_path: Path) -> None:
    x = gn.from_numpy(np.full(40, 2**62), "dense")
    schedule = ROWS.format(8).replace("NoRaces", "Atomics")
    with pytest.raises(MeaningError, match="integer overflow"):
        emulate(tmp_path, "a = x(i)", schedule, x=x)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
def test_nvcc_builds_a_library_that_says_whether_there_is_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GNOMON_GPU", "90")
    kernel = gn.compile(SPMV, A="CSR", schedule=SCHEDULES["atomics"], target="cuda")
    assert "GN_KERNEL" in kernel.device_source and "gn_launch" in kernel.source
    x = np.arange(5.0)
    if shutil.which("nvidia-smi") is None:
        with pytest.raises(HostError, match="there is no GPU to compute y on"):
            kernel(A=csr(MATRIX), x=x)
    else:
        assert (kernel(A=csr(MATRIX), x=x).to_numpy() == MATRIX @ x).all()


WARNINGS = ("-arch=sm_80", "-c", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra")


@pytest.mark.skipif(settings.default.max_examples < 1000, reason="nvcc takes 20 seconds for the texts: `make deep`")
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
def test_nvcc_compiles_golden_texts_without_a_warning(tmp_path: Path) -> None:
    for name in (f"{name}{half}" for name in ON_DEVICES for half in (".c", ".cu")):
        compiler = ("nvcc", *WARNINGS, f"-I{INCLUDE}", "-o", str(tmp_path / "text.o"), str(GOLDEN / name))
        done = subprocess.run(compiler, capture_output=True, text=True, check=False)
        assert (name, done.returncode, done.stdout + done.stderr) == (name, 0, "")


def test_names_that_nothing_declares_are_noticed_before_there_is_a_text() -> None:
    outside = (Kernel("f_i", ONE, 32, ()), Assign(Name("w_vals"), ZERO))
    within = (Kernel("f_i", ONE, 32, (Declare("int", "t", ZERO), Declare("int", "t", ZERO))),)
    for body, words in (
        (outside, "in f, w_vals is assigned to, but not declared"),
        (within, "in f_i, t is declared twice"),
    ):
        with pytest.raises(InternalError, match=words):
            split((), (Function("int", "f", (), (Declare("int", "status", ZERO), *body, Return(ZERO))),))


def test_pieces_of_requests_differ_by_target() -> None:
    request = make_request(SPMV, {"A": "CSR"}, schedule=ROWS.format(4), target="cuda")
    assert request.identity != replace(request, target="c").identity


def test_operands_that_the_host_reads_between_kernels_stay_on_the_device() -> None:
    """The host asks A2_pos how many tiles there are before each of two kernels."""
    tiles = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,t,q,32),parallelize(t,GPUBlock,NoRaces)"
    request = make_request("C(i,j) = 2 * A(i,j)", {"A": "CSR"}, out="CSR", target="cuda", schedule=tiles)
    host = generate_for_device(request_source(request, request.resolve_without_shapes())).host
    assert host.count("A2_pos_device = gn_device_lend(") == 3 and "gn_device_put(A2_pos_device" not in host
