"""Expressions of C on the machine and by gcc: the same values, and the same operations that have none.

gcc's sanitizer says which operations are undefined; a narrowing that loses a value, which C leaves to the compiler, is
a fault of the machine alone.
"""

import math
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from depth import ALL
from gnomon.properties.machine.fault import BadConversion, BadShift, DivisionByZero, MachineError, Narrowed, Overflow
from gnomon.properties.machine.program import Program, program
from gnomon.properties.machine.run import call
from gnomon.properties.machine.state import State
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

WHOLE = {f"{sign}int{bits}_t": (bits, not sign) for sign in ("", "u") for bits in (8, 16, 32, 64)}
TYPES = (*WHOLE, "bool", "float", "double")
UNDEFINED = (Overflow, BadShift, DivisionByZero, BadConversion)
WHOLE_SIGNS = ("%", "<<", ">>", "&", "|", "^")
COUNT = 60 if ALL else 30
TRAPS = """#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static sigjmp_buf there;
static void back(int number) { siglongjmp(there, number); }
"""
FLAGS = ["-std=gnu11", "-O0", "-w", "-fsanitize=undefined,float-cast-overflow", "-fno-sanitize=float-divide-by-zero"]


def numbers(kind: str) -> st.SearchStrategy[str]:
    """Numbers of a type as C constants, the extreme ones often."""
    if kind == "bool":
        return st.sampled_from(("0", "1"))
    if kind in WHOLE:
        bits, signed = WHOLE[kind]
        low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
        some = st.one_of(st.integers(low, high), st.integers(max(low, -3), 3), st.sampled_from((low, high)))
        return some.map(lambda n: f"(-{-n - 1}{'L' * signed} - 1)" if n < 0 else f"{n}{'L' if signed else 'UL'}")
    wide = st.floats(allow_nan=False, allow_infinity=False, width=32)
    return st.one_of(wide, st.sampled_from((0.5, -0.0, 3.0, 1e10, -(2.0**31), 2.0**63))).map(float.hex)


def terms(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Expressions over some variables.

    What is converted is no sum or product: of those gcc computes only the bits that are kept, unseen by its sanitizer.
    """
    leaves = st.sampled_from(names) | st.sampled_from(("0", "1", "3", "2147483647", "1.5", "0.25f", "5L", "7u"))

    def deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        calls = st.builds("{}({})".format, st.sampled_from(("sqrt", "fabsf", "floor", "ceilf")), inner)
        calls |= st.builds("fmod({}, {})".format, inner, inner)
        plain = leaves | calls
        return st.one_of(
            st.builds("({} {} {})".format, inner, st.sampled_from(("+", "-", "*", "/", "<", "==", "!=", ">=")), inner),
            st.builds("({} {} {})".format, inner, st.sampled_from(("&&", "||")), inner),
            st.builds("((int64_t){} {} (int32_t){})".format, plain, st.sampled_from(WHOLE_SIGNS), plain),
            st.builds("((uint32_t){} {} (uint8_t){})".format, plain, st.sampled_from(WHOLE_SIGNS), plain),
            st.builds("(({}){})".format, st.sampled_from(TYPES), plain),
            st.builds("({} {})".format, st.sampled_from(("-", "!", "+")), inner),
            st.builds("(~(int16_t){})".format, plain),
            st.builds("({} ? {} : {})".format, inner, inner, inner),
            st.builds("isnan({})".format, calls),
            calls,
        )

    return st.recursive(leaves, deeper, max_leaves=8)


@st.composite
def functions(draw: st.DrawFn) -> tuple[str, str]:
    """The type that a function returns, and its body: one line."""
    kinds = draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=3))
    names = tuple("abc"[: len(kinds)])
    held = " ".join(f"{kind} {name} = {draw(numbers(kind))};" for kind, name in zip(kinds, names, strict=True))
    result = draw(st.sampled_from(("double", "float", "int64_t", "uint64_t")))
    return result, f"{held} return {draw(terms(names))};"


def printed(result: str, n: int) -> str:
    """A statement that prints what a function returns, or that a division by zero has ended it."""
    shown = f'"{"%llu" if result[0] in "ub" else "%lld"}\\n", (long long)'
    shown = '"%a\\n", (double)' if result in ("float", "double") else shown
    return f'if (sigsetjmp(there, 1)) puts("trap"); else printf({shown}f{n}());'


def by_gcc(drawn: list[tuple[str, str]], text: str, folder: Path) -> tuple[list[float | int], set[int]]:
    """What gcc's program gives, and the functions of which its sanitizer complains."""
    main = " ".join(printed(result, n) for n, (result, _) in enumerate(drawn))
    path = folder / "expressions.c"
    path.write_text(f"{text}\n{TRAPS}\nint main(void) {{ signal(SIGFPE, back); {main} return 0; }}\n")
    subprocess.run(["gcc", *FLAGS, "-o", folder / "expressions", path, "-lm"], check=True, capture_output=True)
    done = subprocess.run([folder / "expressions"], check=True, capture_output=True, text=True)
    lines = done.stdout.split()
    values = [
        0 if line == "trap" else float.fromhex(line) if result in ("float", "double") else int(line)
        for (result, _), line in zip(drawn, lines, strict=True)
    ]
    first = text.splitlines().index(next(line for line in text.splitlines() if " f0(" in line)) + 1
    found = {int(n) - first for n in re.findall(r"expressions\.c:(\d+):\d+: runtime error", done.stderr)}
    return values, found | {n for n, line in enumerate(lines) if line == "trap"}


def same(a: Any, b: Any) -> bool:
    """Whether two numbers are one, zeros with their signs."""
    if a != a or b != b:
        return a != a and b != b
    return bool(a == b) and math.copysign(1, a) == math.copysign(1, b)


@settings(
    max_examples=max(2, settings.default.max_examples // 100), phases=[Phase.generate],
    suppress_health_check=list(HealthCheck), deadline=None,
)  # fmt: skip
@given(st.lists(functions(), min_size=COUNT, max_size=COUNT))
def test_expressions_mean_what_gcc_makes_of_them(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str, str]]
) -> None:
    lines = [f"static {result} f{n}(void) {{ {body} }}" for n, (result, body) in enumerate(drawn)]
    text = "\n".join(["#include <math.h>", "#include <stdint.h>", "#include <stdbool.h>", *lines])
    values, undefined = by_gcc(drawn, text, tmp_path_factory.mktemp("c"))
    whole = program(text)
    for n, line in enumerate(lines):
        value = outcome(whole, f"f{n}")
        if value is Narrowed:
            continue
        assert (value in UNDEFINED) == (n in undefined), (line, value)
        if n not in undefined:
            assert same(float(value) if isinstance(values[n], float) else value, values[n]), (line, value, values[n])


def outcome(whole: Program, name: str) -> Any:
    """What a function returns, or the kind of its fault."""
    try:
        return call(whole, name, [], State())
    except MachineError as error:
        return type(error)


def test_what_stands_before_a_comma_is_done_first() -> None:
    head = "#include <stdint.h>\nstatic int64_t f(void) "
    text = f"{head}{{ int64_t x = 1, y = 2; return y > 3 ? x : ((void) (x = 5), x++, y + x); }}"
    assert call(program(text), "f", [], State()) == 8
