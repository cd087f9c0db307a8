"""Kernel sources: golden files of the classic kernels, and C that a strict compiler accepts without a word."""

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import gnomon as gn
import pytest
from c_typing import as_grammar, parse_c, without_directives
from depth import ALL
from gnomon.generator.ir import emission, printing
from gnomon.generator.kernel_source import generate
from gnomon.generator.runtime.compiler import INCLUDE
from gnomon.generator.runtime.request import make_request
from gnomon.generator.runtime.sources import request_source
from gnomon.properties.differential.batch import STRICT, generate_case, separate_helpers, source_of
from gnomon.properties.programs.kernels import COLUMNS, KERNELS, MTTKRP
from gnomon.properties.programs.kernels import PLAIN as PLAIN_KERNELS
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import PLAIN, programs
from hypothesis import given, settings
from texts import c_text

GOLDEN = Path(__file__).parent / "golden"
FUNCTION = re.compile(r"\b(?:assemble|compute|evaluate|update)(?:_arrays)?\(")


def source(name: str) -> str:
    request = KERNELS[name]()
    return generate(request_source(request, request.resolve_without_shapes()))


@pytest.mark.parametrize("name", KERNELS)
def test_golden(name: str, request: pytest.FixtureRequest) -> None:
    path = GOLDEN / f"{name}.c"
    text = source(name)
    if request.config.getoption("--refresh-golden"):
        path.write_text(text)
    assert text == path.read_text(), "run pytest with --refresh-golden and review the difference"


def test_golden_files_compile_without_warnings(tmp_path: Path) -> None:
    """All of them, by default every third, in one file, where the functions of each have names of their own."""
    files = [(GOLDEN / f"{name}.c", f"{name}_") for name in [*KERNELS][:: 1 if ALL else 3]]
    texts = [separate_helpers(FUNCTION.sub(rf"{name}\g<0>", file.read_text()), name) for file, name in files]
    path = tmp_path / "kernels.c"
    path.write_text("\n".join(texts))
    command = ["gcc", *STRICT, "-fopenmp", f"-I{INCLUDE}", "-c", str(path), "-o", str(tmp_path / "kernels.o")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@given(programs(PLAIN))
@settings(max_examples=settings().max_examples // 8)
def test_parsing_gives_back_what_was_printed(drawn: Problem) -> None:
    text = generate(source_of(drawn.ready), modes=("evaluate",))
    tree = parse_c(as_grammar(text))
    again = printing.tidy(printing.Printer().visit(tree))
    assert normal(again) == normal(without_directives(text))


def normal(text: str) -> list[str]:
    return re.sub(r"\s+", " ", text).split()


def test_inner_loops_read_their_bounds_once() -> None:
    text = source("spmm_csr")
    assert "pA2 = A2_pos[i], pA2_end = A2_pos[i + 1]; pA2 < pA2_end" in text


def test_blocks_that_fit_have_constant_bounds() -> None:
    assert "for (int64_t ji = 0; ji < 3; ji++)" in source("spmv_bcsr")


def test_names_that_c_reserves_are_changed() -> None:
    kernel = gn.compile("double(int) = long(int) * 2")
    assert kernel(long=[1.0, 2.0]).to_numpy().tolist() == [2.0, 4.0]


VECTORS = {
    "SpMM": ("C(i,k) = A(i,j) * B(j,k)", {"A": "CSR"}, COLUMNS),
    "SDDMM": (
        "C(i,j) = B(i,j) * (D(i,k) * E(k,j))",
        {"B": "CSR", "E": "Dense(1,0)"},
        "split(k,k0,k1,8),parallelize(k1,CPUVector,ParallelReduction)",
    ),
    "MTTKRP": (
        f"C(i,r) = {MTTKRP[3]}",
        {"A": "CSF"},
        "split(r,r0,r1,8),reorder(i,r0,j,k,r1),parallelize(r1,CPUVector,NoRaces)",
    ),
}


@pytest.mark.parametrize("kernel", VECTORS)
def test_the_compiler_vectorises_loops_over_lanes(kernel: str, tmp_path: Path) -> None:
    expression, formats, schedule = VECTORS[kernel]
    request = make_request(expression, formats, out="CSR" if kernel == "SDDMM" else "Dense", schedule=schedule)
    text = generate(request_source(request, request.resolve_without_shapes()), modes=("compute",))
    path = tmp_path / "kernel.c"
    path.write_text(text)
    flags = ["-std=c11", "-O3", "-fopenmp-simd", "-mavx2", f"-I{INCLUDE}", "-fopt-info-vec-optimized"]
    command = ["gcc", *flags, "-c", str(path), "-o", str(tmp_path / "kernel.o")]
    report = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    asked = [n for n, line in enumerate(text.splitlines(), 1) if line.strip().startswith("#pragma omp simd")]
    vectorised = {int(n) for n in re.findall(r"kernel\.c:(\d+):\d+: optimized: loop vectorized", report)}
    assert asked and all({n + 1, n + 2} & vectorised for n in asked), (text, report)


def test_threads_generate_side_by_side() -> None:
    """Again and again: what has been generated before is of no matter."""
    chosen = [*PLAIN_KERNELS][:: 1 if ALL else 3]
    expected = {name: source(name) for name in chosen}
    for _ in range(2):
        emission.parse_spelling.cache_clear()
        emission.variable_declaration.cache_clear()
        with ThreadPoolExecutor(8) as executor:
            assert dict(zip(chosen, executor.map(source, chosen), strict=True)) == expected


def test_comparisons_inside_comparisons_stand_in_parentheses() -> None:
    text = c_text("y(i) = xor(A(i), x(i))", A="d", x="d")
    assert "(A_vals[i] != 0) != (x_vals[i] != 0)" in text


STATUS = [("R = mod(A, 3)", {"A": gn.spec("", dtype="int64")}), ("y(i) = floordiv(A(i), 2)", {"A": "d"})]


@pytest.mark.parametrize(("expression", "formats"), STATUS)
def test_functions_have_an_exit_only_if_something_leaves_for_it(expression: str, formats: dict[str, Any]) -> None:
    request = make_request(expression, formats)
    text = generate(request_source(request, request.resolve_without_shapes()))
    assert "status" in text and "done:" not in text and "goto" not in text


def test_what_is_stored_declares_names_in_its_own_block() -> None:
    empty = gn.tensor([[], []], [], (2, 0), "DIA", dtype="int32", fill=-(2**31))
    schedule = "precompute({0},A(i,k),{k},{k},t)"
    problem = Problem("R(i) = tanh(tan(sum(k, A(i,k))))", {"A": empty}, "compressed", None, schedule=schedule)
    assert "t1_crd" in generate_case(problem, "k_").text
