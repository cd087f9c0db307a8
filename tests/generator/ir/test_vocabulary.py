"""Vocabulary: tensors and indices may have any name, whatever it means in C."""

import re
import subprocess
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from gnomon.generator.ir.vocabulary import STANDARD
from gnomon.generator.runtime.compiler import INCLUDE
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.generator.source import MODES
from gnomon.properties.differential.batch import STRICT, build_library, check_case, generate_case
from gnomon.properties.programs.problem import Problem
from gnomon.reference.algebra.operators import OPERATORS
from gnomon.reference.storage.tensor import Tensor, scalar
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from texts import c_text

NAMES = """
    INFINITY NAN NULL I M_PI M_PI_2 INT32_MAX INT64_C HUGE_VAL CMPLX GN_OK GN_NO_LIST EXIT_SUCCESS SIZE_MAX
    size_t size_t_ size_t_2 my_size_t int32_t int64_t uint8_t ptrdiff_t gn_tensor gn_level gn_list gn_min_int64
    gn gn_size gn_hole_0 gn_name __LINE__ __x _ __ _Bool my_Bool x_Bool xbool _Complex asm typeof inline double
    bool complex main evaluate compute assemble evaluate_arrays k0_evaluate_arrays status done next
    free malloc calloc realloc memcpy madvise isnan offsetof alloca linux errno exp log csinf fmin fmod y0 j1 index
    an rue oid gamma ow R1_widen my_R1_widen compressed dense hashed hashed_locate hashed_find compressed_locate
    compressed_lengths pA2 pA2_end A1_crd A_vals nullptr sizeof xé x² vals pos crd shape level
""".split()  # noqa: SIM905, a list of names as a text
FREE = [name for name in NAMES if name not in OPERATORS]
SHAPES = {
    "{r}({i}) = {a}({i},{j}) * {b}({j}) + {c}": (("CSR", 2), ("Dense", 1), ("", 0), ("SparseVector", 1)),
    "{r}({i}) = sum({j}, sin({a}({i},{j})) * {b}({j}) * {c}({i}))": (("COO", 2), ("hashed", 1), ("d", 1), ("d", 1)),
    "{r}({i},{j}) = {a}({i},{k}) * {b}({k},{j}) + {c}({i},{j})": (
        ("CSR", 2),
        ("DCSR", 2),
        ("BCSR(2,2)", 2),
        ("CSR", 2),
    ),
    "{r}({i},{j}) = {a}({i},{k}) * {b}({k},{j}) * {c}": (("CSR", 2), ("CSR", 2), ("", 0), ("hashed,hashed", 2)),
}


def filled(order: int, format: str) -> Tensor:
    """A tensor with some values in a format."""
    coords = np.array([[0, 1, 3, 3]] * order)
    return gn.tensor(coords, [2.0, 3.0, 4.0, 5.0], (4,) * order, format) if order else scalar(2.0)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """A problem whose tensors and indices have some of the names."""
    template = draw(st.sampled_from(list(SHAPES)))
    r, a, b, c = draw(st.lists(st.sampled_from(FREE), min_size=4, max_size=4, unique=True))
    i, j, k = draw(st.lists(st.sampled_from(NAMES), min_size=3, max_size=3, unique=True))
    *stored, (out, order) = SHAPES[template]
    operands = {name: filled(n, format) for name, (format, n) in zip((a, b, c), stored, strict=True)}
    source = template.format(r=r, a=a, b=b, c=c, i=i, j=j, k=k)
    return Problem(source, operands, gn.spec(out).format_for(order))


def test_kernels_whose_names_mean_something_in_c(tmp_path: Path) -> None:
    found: list[Problem] = []

    @settings(
        max_examples=max(10 if ALL else 6, settings().max_examples // 20),
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(problems())
    def collect(each: Problem) -> None:
        found.append(each)

    collect()
    every = [generate_case(problem, f"k{n}_", MODES) for n, problem in enumerate(found)]
    library = build_library(every, tmp_path, chosen_compiler(), STRICT)
    for case in every:
        check_case(case, library)


def test_operands_whose_names_would_collide() -> None:
    x, y, z = 2.0, 3.0, 5.0
    kernel = gn.compile("R = size_t * my_size_t * size_t_2 - my_size_t_2", size_t="", my_size_t="", size_t_2="")
    assert kernel(size_t=x, my_size_t=y, size_t_2=z, my_size_t_2=1.0).vals.tolist() == [29.0]


def test_macros_are_no_parameters() -> None:
    s = gn.tensor([[0, 2]], [1.0, 2.0], (3,), "s")
    assert gn.check("R(i) = INFINITY(i) * 2 + S(i)", INFINITY=s, S=s).engines == ("reference", "c")


@pytest.mark.parametrize("name", ["level", "array", "length", "vals", "size", "extent", "parameter", "shape"])
def test_operands_that_only_values_need_may_be_named_as_fields(name: str) -> None:
    """What a tensor's field is called says nothing of an operand that has the same name."""
    source = c_text(f"C(i,j) = A(i,j) * {name}(j)", A="CSR", out="CSR")
    assemble = source[source.index("\nint assemble(") : source.index("static GN_APART int compute")]
    assert f"(void) {name};" in assemble


def test_truth_values_are_no_variables() -> None:
    """`true` and `inf` are constants of expressions, but with indices they are tensors."""
    kernel = gn.compile("false(true) = inf(true) * 2")
    assert kernel(inf=np.array([1.0, 2.0])).vals.tolist() == [2.0, 4.0]


def test_the_vocabulary_has_the_macros_and_types_of_the_headers(tmp_path: Path) -> None:
    path = tmp_path / "headers.c"
    path.write_text('#include "gnomon.h"\n#include <limits.h>\n#include <omp.h>\n')
    command = ["gcc", "-std=c11", f"-I{INCLUDE}", "-E", "-P", "-dD", str(path)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    macros = set(re.findall(r"^#define (\w+)", text, re.MULTILINE)) - {"unix", "linux"}
    assert len(macros) > 500
    assert [name for name in sorted(macros) if not STANDARD.has(name)] == []


def test_ordinary_names_stay() -> None:
    for name in ("A", "A_1", "B_t", "x", "_x", "i0", "j1", "y0", "ABC", "Out", "int_", "omp", "gn", "t_size"):
        assert STANDARD.free_name(name) == name
