"""Wrong C: every kind of fault is found, at its line."""

from functools import cache
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.storage.layout import Layout
from gnomon.properties.machine import fault
from gnomon.properties.machine.fault import MachineError
from gnomon.properties.machine.memory import UNSET, lend
from gnomon.properties.machine.program import program
from gnomon.properties.machine.run import CALLER, Conditions, call, machine, refuse_leaks
from gnomon.properties.machine.state import State
from gnomon.properties.machine.types import DOUBLE, INT
from gnomon.reference.storage.named_formats import dense, format_of
from gnomon.reference.storage.tensor import Tensor

GOLDEN = Path(__file__).parents[2] / "generator" / "golden"
TEAM = "#pragma omp parallel\n{\n#pragma omp for\nfor (int64_t i = 0; i < n; i++) {"

# Bodies of `int f(const int *in, double *out, int64_t n)` on two arrays of n = 5; the line that is wrong says `here`.
WRONG: list[tuple[type[MachineError], str]] = [
    (fault.OutOfBounds, "int s = 0;\nfor (int i = 0; i <= n; i++)\ns += in[i]; /* here */\nreturn s;"),
    (fault.OutOfBounds, "int64_t i = -1;\nreturn in[i]; /* here */"),
    (fault.OutOfBounds, "int a[3] = {0};\nout[n] = a[2]; /* here */\nreturn 0;"),
    (fault.OutOfBounds, "gn_level l[2] = {0};\nreturn (int)l[0].length[4]; /* here */"),
    (fault.OutOfBounds, "int *p = malloc(3 * sizeof(int));\np[3] = 1; /* here */\nfree(p);\nreturn 0;"),
    (fault.OutOfBounds, "double a[2] = {0};\nmemcpy(a, out, 5 * sizeof(double)); /* here */\nreturn 0;"),
    (fault.Uninitialised, "int s;\nif (n > 9)\ns = 1;\nreturn s; /* here */"),
    (fault.Uninitialised, "return (int)out[0]; /* here */"),
    (fault.Uninitialised, "int *p = malloc(8);\np[0] = 1;\nint s = p[0] + p[1]; /* here */\nfree(p);\nreturn s;"),
    (
        fault.Uninitialised,
        "for (int i = 0; i < 2; i++) {\nint s;\nif (i == 0)\ns = 1;\nout[i] = s; /* here */\n}\nreturn 0;",
    ),
    (fault.Uninitialised, "goto done;\nint s = 1;\ndone:;\nreturn s; /* here */"),
    (fault.WriteToInput, "int *p = (int *)(void *)in;\np[0] = 1; /* here */\nreturn 0;"),
    (fault.UseAfterFree, "int *p = calloc(2, sizeof(int));\nfree(p);\nreturn p[0]; /* here */"),
    (fault.UseAfterFree, "int *p = NULL;\n{\nint s = 1;\np = &s;\n}\nreturn *p; /* here */"),
    (fault.UseAfterFree, "int *p = calloc(2, 4), *q = realloc(p, 16);\np[0] = 1; /* here */\nfree(q);\nreturn 0;"),
    (fault.DoubleFree, "int *p = calloc(2, sizeof(int));\nfree(p);\nfree(p); /* here */\nreturn 0;"),
    (fault.BadFree, "int s = 1;\nfree(&s); /* here */\nreturn s;"),
    (fault.BadFree, "int *p = calloc(2, sizeof(int));\nfree(p + 1); /* here */\nreturn 0;"),
    (fault.Leak, "int *p = calloc(2, sizeof(int)); /* here */\nreturn p == NULL;"),
    (fault.Leak, "int *p = calloc(2, 4);\np = realloc(p, 8); /* here */\nreturn p == NULL;"),
    (fault.Overflow, "int s = 2147483647;\ns += 1; /* here */\nreturn s;"),
    (fault.Overflow, "int64_t s = INT64_MAX / 2 + 1;\ns = 2 * s; /* here */\nreturn s > 0;"),
    (fault.Overflow, "int s = INT32_MIN;\nreturn -s; /* here */"),
    (fault.Overflow, "int s = INT32_MIN, d = -1;\nreturn s / d; /* here */"),
    (fault.BadShift, "int64_t s = 64;\nreturn (int)(n << s); /* here */"),
    (fault.BadShift, "int s = -1;\nreturn s << 1; /* here */"),
    (fault.DivisionByZero, "int64_t d = n - 5;\nreturn (int)(n % d); /* here */"),
    (fault.BadConversion, "double x = 1e10;\nreturn (int)x; /* here */"),
    (fault.BadConversion, "double x = NAN;\nint64_t k = (int64_t)x; /* here */\nreturn k == 0;"),
    (fault.Narrowed, "int64_t k = (int64_t)1 << 31;\nint32_t c = (int32_t)k; /* here */\nreturn c;"),
    (fault.BadPointer, "const int *p = in + n;\np = p + 1; /* here */\nreturn p == NULL;"),
    (fault.BadPointer, "double a[2] = {0};\nreturn (int)(out - a); /* here */"),
    (fault.NullPointer, "const int *p = NULL;\nreturn p[0]; /* here */"),
    (fault.NullPointer, "gn_list l = GN_NO_LIST;\nl.item[0].position = 1; /* here */\nreturn 0;"),
    (fault.WrongType, "int *p = calloc(2, sizeof(int));\nfloat *q = (float *)(void *)p; /* here */\nreturn q == NULL;"),
    (fault.NoReturn, "n++;"),
    (fault.TooLong, "while (n > 0) /* here */\nn = 5;\nreturn 0;"),
    (fault.TooLong, "again:;\ngoto again; /* here */"),
    (fault.Race, f"int64_t s = 0;\n{TEAM}\ns += i; /* here */\n}}\n}}\nreturn (int)s;"),
    (fault.Race, f"out[0] = 0.0;\n{TEAM}\nout[i / 2] = 1.0; /* here */\n}}\n}}\nreturn 0;"),
    (fault.Race, f"int a[6] = {{0}};\n{TEAM}\na[i] = a[i + 1]; /* here */\n}}\n}}\nreturn 0;"),
    (fault.Race, "#pragma omp parallel\n{\nout[0] = 1.0; /* here */\n}\nreturn 0;"),
    (
        fault.Race,
        f"double s = 0.0;\n{TEAM}\n#pragma omp atomic\ns += 1.0;\nif (i == 2)\ns = 2.0; /* here */\n}}\n}}\nreturn 0;",
    ),
    (
        fault.Race,
        "double s = 0;\n#pragma omp simd\nfor (int64_t i = 0; i < n; i++) {\ns = i; /* here */\n}\nreturn (int)s;",
    ),
    (
        fault.Race,
        "#pragma omp parallel\n{\n#pragma omp critical\n{ n = 1; }\n#pragma omp single\nn++; /* here */\n}\nreturn 0;",
    ),
    (fault.BadTeam, "#pragma omp parallel\n{\n#pragma omp single\n{ /* here */\ngoto gone;\n}\ngone:;\n}\nreturn 0;"),
    (fault.BadTeam, f"{TEAM} /* here */\nif (i == 1) {{ break; }}\n}}\n}}\nreturn 0;"),
]


def body_of(text: str, seed: int = 0) -> int:
    """What a body returns."""
    whole = program(f'#include "gnomon.h"\nint f(const int *in, double *out, int64_t n)\n{{\n{text}\n}}\n')
    inputs, outputs = lend("in", INT, range(5), CALLER), lend("out", DOUBLE, [UNSET] * 5, CALLER, writable=True)
    state = State(seed, limit=10_000)
    found: int = call(whole, "f", [inputs, outputs, 5], state)
    refuse_leaks(state)
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("kind", "text"), WRONG)
def test_wrong_bodies(kind: type[MachineError], text: str, seed: int) -> None:
    with pytest.raises(kind) as caught:
        body_of(text, seed)
    assert type(caught.value) is kind
    assert "here" in caught.value.text or (kind is fault.NoReturn and caught.value.text.startswith("int f("))
    assert str(caught.value).startswith(f"{caught.value.what}, in line {caught.value.line} of kernel: ")


LOOP = "for (int64_t i = 0; i < 9; i++) {"
SUMMED = TEAM.replace("parallel", "parallel reduction(+ : s)")
RIGHT = [
    ("int s = n > 9 ? (int8_t)300 + (int)1e10 : 7;\nreturn s;", 7),
    ("int a[3] = {1, 2};\nint *p = a + 3;\nreturn (int)(p - a) + a[2];", 3),
    ("int *p = malloc(8);\np[1] = 7;\np = realloc(p, 16);\nint s = p[1];\nfree(p);\nfree(NULL);\nreturn s;", 7),
    ("uint8_t s = 250;\ns += 10;\nreturn s;", 4),
    (f"int s = 0;\n{LOOP}\nif (i == 2)\ncontinue;\nif (i == 4)\nbreak;\ns += (int)i;\n}}\nreturn s;", 4),
    ("gn_pair a = {1, 2}, b = a;\nb.position++;\nreturn (int)(10 * a.position + b.position);", 23),
    (f"int64_t s = 0;\n{TEAM}\n#pragma omp atomic\ns += in[i];\n}}\n}}\nreturn (int)s;", 10),
    (f"int64_t s = 0;\n{TEAM}\n#pragma omp critical\n{{ s = s + in[i]; }}\n}}\n}}\nreturn (int)s;", 10),
    (f"{TEAM}\nout[i] = in[i];\n}}\n#pragma omp single\n{{ out[0] += out[1]; }}\n}}\nreturn (int)out[0];", 1),
    (
        "int *p = NULL;\n#pragma omp parallel\n{\n#pragma omp single\np = calloc(5, 4);\n#pragma omp for\n"
        "for (int64_t i = 0; i < n; i++) {\np[i] = in[i];\n}\n}\nint s = p[3];\nfree(p);\nreturn s;",
        3,
    ),
    (f"int64_t s = 1;\n{SUMMED}\ns += in[i];\n}}\n}}\nreturn (int)s;", 11),
    (f"{TEAM}\nout[n - 1 - i] = in[i];\n}}\n}}\nreturn (int)out[1];", 3),
    (f"int s = 1;\n#pragma omp simd reduction(* : s)\n{LOOP.replace('9', 'n')}\ns *= in[i] + 1;\n}}\nreturn s;", 120),
]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("text", "value"), RIGHT)
def test_right_bodies(text: str, value: int, seed: int) -> None:
    assert body_of(text, seed) == value


ROWS, COLUMNS = 100, 150
CHANGES: list[tuple[str, str, str, type[MachineError], str]] = [
    ("spmv_csr", "pA2 < pA2_end;", "pA2 <= pA2_end;", fault.OutOfBounds, "A2_crd[pA2]"),
    ("spmv_csr", "double ty = 0.0;", "double ty;", fault.Uninitialised, "ty += A_vals[pA2]"),
    ("spmv_csr", "y_vals[i] = ty;", "if (i > 0) y_vals[i] = ty;", fault.Uninitialised, ""),
    ("spmv_csr", "y_vals[i] = ty;", "((double *) x_vals)[0] = ty;", fault.WriteToInput, "((double *) x_vals)[0] = ty;"),
    ("spmv_csr", "y_vals[i] = ty;", "y_vals[i + 1] = ty;", fault.OutOfBounds, "y_vals[i + 1] = ty;"),
    ("spmv_rows", "i0 * 32 + i1", "i0 * 31 + i1", fault.Race, "y_vals[i] = ty;"),
    ("spmspv_columns", "#pragma omp atomic", "", fault.Race, "y_vals[i] += A_vals[pA2] * x_vals[px1];"),
    ("spmspv_columns", "y_vals[p] = 0.0;", ";", fault.Uninitialised, "y_vals[i] += A_vals[pA2] * x_vals[px1];"),
    ("add_csr", "gn_resize(C2_crd, C2_capacity,", "gn_resize(C2_crd, 9,", fault.OutOfBounds, "C2_crd[pC2]"),
    ("add_csr", "C2_crd[pC2] = (int32_t)", "C2_crd[pC2] = (int8_t)", fault.Narrowed, "C2_crd[pC2] = (int8_t)"),
    ("add_csr", "restrict C_vals = NULL;", "restrict C_vals;", fault.Uninitialised, "gn_resize(C_vals"),
    ("spgemm_csr", "free(w1_count);", "", fault.Leak, "array = GN_CALLOC("),
    ("spgemm_csr", "free(w1_count);", "free(w1_crd);", fault.DoubleFree, "free(w1_crd);"),
    ("spgemm_csr", "gn_zeros(A1_dimension + 1,", "gn_zeros(A1_dimension,", fault.OutOfBounds, "C2_pos[i + 1]"),
    ("spgemm_csr", "sw1 < w1_list.size", "sw1 <= w1_list.size", fault.Uninitialised, "w1_list.item[sw1].coordinate"),
    ("spgemm_rows", "C2_first[i0 + 1] = pC2_own", "C2_first[1] = pC2_own", fault.Race, "C2_first[1] = pC2_own"),
    ("spgemm_rows", "gn_zeros(i0_end + 1,", "gn_zeros(i0_end,", fault.OutOfBounds, "C2_first[i0 + 1]"),
]  # fmt: skip
EXPRESSIONS = {
    "spmv": ("y(i) = A(i,j) * x(j)", {"A": "CSR", "x": "dense"}),
    "spmspv": ("y(i) = A(i,j) * x(j)", {"A": "CSC", "x": "SparseVector"}),
    "add": ("C(i,j) = A(i,j) + B(i,j)", {"A": "CSR", "B": "CSR"}),
    "spgemm": ("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR", "B": "CSR"}),
}


def operands(formats: dict[str, str], expression: str) -> dict[str, Tensor]:
    """Operands that fit an expression, with enough in them that every mistake counts."""
    rng = np.random.default_rng(0)
    extents = {"i": ROWS, "j": COLUMNS, "k": 20}
    found = {}
    for name, format in formats.items():
        indices = expression.split(f"{name}(")[1].split(")")[0].split(",")
        shape = tuple(extents[v] for v in indices)
        values = rng.integers(1, 9, shape) * (rng.random(shape) < 0.1)
        found[name] = gn.tensor(np.nonzero(values), values[np.nonzero(values)].astype(float), shape, format)
    return found


@cache
def right_kernel(name: str) -> tuple[str, Layout, dict[str, Tensor], tuple[int, ...]]:
    """The text of a golden kernel that computes what it should, with the layout of its result, operands and a shape."""
    expression, formats = EXPRESSIONS[name.split("_")[0]]
    text = (GOLDEN / f"{name}.c").read_text()
    given_ = operands(formats, expression)
    left, right = (t.to_numpy() for t in given_.values())
    wanted = left + right if "+" in expression else left @ right
    layout = Layout.uniform(format_of("CSR") if wanted.ndim == 2 else dense(1), wanted.dtype, 0.0)
    assert np.array_equal(machine(text, layout).evaluate(given_, wanted.shape).to_numpy(), wanted)
    return text, layout, given_, wanted.shape


@pytest.mark.parametrize(("name", "old", "new", "kind", "line"), CHANGES)
def test_changed_kernels(name: str, old: str, new: str, kind: type[MachineError], line: str) -> None:
    text, layout, given_, shape = right_kernel(name)
    assert old in text
    with pytest.raises(kind) as caught:
        machine(text.replace(old, new), layout).evaluate(given_, shape, Conditions(seed=1))
    assert type(caught.value) is kind
    assert line in caught.value.text
