"""Typing: no kernel computes in a type that its statement does not have, and what does is found."""

import gnomon as gn
import pytest
from c_typing import untyped
from gnomon.generator.kernel_source import generate
from gnomon.generator.runtime.request import OVERFLOW, make_request
from gnomon.generator.runtime.sources import request_source
from gnomon.properties.differential.batch import source_of
from gnomon.properties.programs.kernels import KERNELS
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import programs
from gnomon.reference.errors import Unsupported
from hypothesis import given, settings


@pytest.mark.every(2)
@pytest.mark.parametrize("name", KERNELS)
def test_golden_kernels(name: str) -> None:
    request = KERNELS[name]()
    assert untyped(generate(request_source(request, request.resolve_without_shapes()))) == []


@given(programs())
@settings(max_examples=settings().max_examples // 20)
def test_random_kernels(drawn: Problem) -> None:
    for overflow in OVERFLOW:
        try:
            text = generate(source_of(drawn.ready, overflow), modes=("evaluate",))
        except Unsupported:
            continue
        assert untyped(text) == [], drawn.source


WRONG = {
    "return 100000 * 100000 * x;": "the constant 100000 beside the constant 100000",
    "return x * 2;": "double beside the constant 2",
    "return n;": "int64_t where double is meant",
    "return x * n;": "double beside int64_t",
    "x = 1;": "the constant 1 where double is meant",
    "x += 1;": "double beside the constant 1",
    "x = a + b;": "int8_t widened to int where double is meant",
    "x = (double) (a + b);": "int8_t widened to int, but made double",
    "a = a * b;": "int8_t widened to int where int8_t is meant",
    "a = gn_min_int8(a, 300);": "the constant 300 where int8_t is meant",
    "a = (int8_t) 300;": "the constant 300, which int8_t does not hold",
    "m = n;": "int64_t where int32_t is meant",
    "n = u + n;": "uint64_t beside int64_t",
    "x = a < b ? x : 1;": "double beside the constant 1",
    "n = 1 + 1;": "the constant 1 beside the constant 1",
    "x = p[x];": "an index that is double",
    "x = INFINITY * 2;": "floating beside the constant 2",
}
RIGHT = (
    "return x * 2.0;", "a = (int8_t) (a + b);", "a = (int8_t) (a * 3);", "n = m + n * 2;", "a += b;", "x = -INFINITY;",
    "x = n != 0 && x != 0 ? x : 1.0;", "n = INT64_C(3) * 4;", "a = gn_add_int8(a, 1, &s);", "x = p[m + 1];",
    "f = (f + f) != 0;", "n += f;", "x = (double) (n * 3);", "u = u * UINT64_C(2);", "f = !f || a == b;",
)  # fmt: skip


def function(body: str) -> str:
    given_ = "double x, int8_t a, int8_t b, int32_t m, int64_t n, uint64_t u, bool f, const double *p, int s"
    return f"double f({given_}) {{ {body} }}"


@pytest.mark.parametrize("body", WRONG)
def test_what_has_no_type_of_the_statement_is_found(body: str) -> None:
    (found,) = untyped(function(body))
    assert found.endswith(WRONG[body])


@pytest.mark.parametrize("body", RIGHT)
def test_what_loses_nothing_is_left_alone(body: str) -> None:
    assert untyped(function(body)) == []


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_constants_beside_constants(dtype: str) -> None:
    stored = {"a": gn.spec("Dense", dtype=dtype)}
    request = make_request("y(i) = pair(a(i), 2) - pair(a(i), a(i)) * 3", stored, overflow="ignore")
    assert untyped(generate(request_source(request, request.resolve_without_shapes()))) == []
