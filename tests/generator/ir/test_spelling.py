"""Spelling: trees that are made without the parser are those that the parser makes."""

import subprocess
import sys

import pytest
from gnomon.generator.ir import emission
from gnomon.generator.ir.spelling import spelling, variable

TYPES = ("double", "const int64_t", "int32_t *restrict", "const double *restrict", "gn_tensor *", "const _Bool *")
PLACES = ("GN_OK", "status != GN_OK", "a && b", "A->level[1].array[0]", "l.item", "&status", "&l.item", "0.0", "-0.0f")


@pytest.mark.parametrize("type", TYPES)
def test_variables_are_declared_as_the_parser_says(type: str) -> None:
    assert repr(variable(type, "name")) == repr(emission.parse(f"{type} name;").ext[-1])


@pytest.mark.parametrize("text", PLACES)
def test_expressions_are_what_the_parser_says(text: str) -> None:
    parsed = emission.parse(f"int f(void) {{ return {text}; }}").ext[-1].body.block_items[0].expr
    assert repr(spelling(text)) == repr(parsed)


@pytest.mark.parametrize("type", ["unsigned int", "double _Complex", "int **", "const char *const"])
def test_other_types_are_left_to_the_parser(type: str) -> None:
    assert variable(type, "name") is None


@pytest.mark.parametrize("text", ["a + b + c", "f(x)", "sizeof(int)", "(double) n", "!a", "a[i]", "1"])
def test_other_expressions_are_left_to_the_parser(text: str) -> None:
    assert spelling(text) is None


def test_what_is_spelled_in_a_product_needs_no_parser() -> None:
    told = "import sys, gnomon as gn; gn.compile('y(i) = A(i,j) * x(j)', A='CSR').source; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout.split()
    assert "gnomon.generator.ir.emission" in found
    assert not [name for name in found if name.endswith(("c_parser", "c_lexer")) or name.startswith("pycparser")]
