"""The preprocessor: macros and conditionals by C11's own examples, lines kept, and the header as gcc has it."""

import re
import subprocess
from pathlib import Path

import pytest
from gnomon.generator.runtime.compiler import INCLUDE
from gnomon.properties.machine.preprocessor import preprocess, tokens
from gnomon.properties.machine.source import HEADER, header, system
from gnomon.reference.errors import Unsupported


def words(text: str) -> list[str]:
    """The tokens of a text without spaces."""
    return [token for token in tokens(text) if not token.isspace()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define N 3\nN + N1", "3 + N1"),
        ("#define f(x) x * (x)\nf(f(2)) f", "2 * (2) * (2 * (2)) f"),
        ("#define f(a) a * g\n#define g(a) f(a)\nf(2)(9)", "2 * g(9)"),
        ("#define cat(a, b) a ## b\ncat(x, 1) cat(, y)", "x1 y"),
        ("#define t(x, y, z) x ## y ## z\nt(1,2,3) t(,4,5) t(6,,7) t(8,9,) t(,,6)", "123 45 67 89 6"),
        ("#define N M\n#define M N\nN", "N"),
        ("#define f(x, y) x y\nf((1, 2), g(3, 4))", "(1, 2) g(3, 4)"),
        ("#ifdef A\nno\n#else\nyes\n#endif\n#ifndef A\nyes\n#endif", "yes yes"),
        ("#define A 1\n#if defined(A) && !defined(B)\nyes\n#ifdef B\nno\n#endif\n#endif\n#undef A\nA", "yes A"),
        ("a /* N\n */ b // c\nd", "a b d"),
    ],
)
def test_macros(text: str, expected: str) -> None:
    assert words(preprocess(text, {})[0]) == words(expected)


def test_lines_stay_where_they_are() -> None:
    text = "#define f(x) \\\n  x \\\n  + 1\n/* one\ntwo */ a\n#if defined(B)\nb\n#endif\nf(2)\n#pragma omp simd\nc"
    lines = preprocess(text, {})[0].split("\n")
    assert [n for n, line in enumerate(lines, 1) if line.strip()] == [5, 9, 10, 11]
    assert [" ".join(line.split()) for line in lines if line.strip()] == ["a", "2 + 1", "#pragma omp simd", "c"]


@pytest.mark.parametrize("text", ["#error no", "#if N > 1\n#endif", "#define f(x) x\nf(1"])
def test_what_is_not_built_is_refused(text: str) -> None:
    with pytest.raises(Unsupported):
        preprocess(text, {})


def test_the_header_is_what_gcc_makes_of_it(tmp_path: Path) -> None:
    """With empty headers of the system; gcc has macros of its own for those of `<complex.h>` and `<math.h>`."""
    for name in re.findall(r"#include <([\w./]+)>", (INCLUDE / HEADER).read_text()):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    command = ["gcc", "-E", "-P", "-nostdinc", "-U__linux__", "-U__GNUC__", f"-I{tmp_path}", str(INCLUDE / HEADER)]
    theirs = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert words(preprocess((INCLUDE / HEADER).read_text(), {})[0]) == words(theirs)


def test_the_header_is_parsed_once() -> None:
    assert header() is header()
    assert {"NULL", "GN_NO_LIST", "GN_INDEX_MAX"} <= header().macros.keys() > system().keys()
