"""Constraints: what texts state of sizes, and what is said of texts that do not."""

from __future__ import annotations

import pytest
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.errors import ParseError
from gnomon.reference.schedule.branched.constraints import known_constraints, parse_constraints

TTMC = KERNELS[5].contraction


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("8 <= K <= 256", ["8 <= K", "K <= 256"]),
        ("I >= 2*J", ["2·J <= I"]),
        ("J == K", ["J <= K", "K <= J"]),
        ("nnz(B) <= 1e-3*I*J*K, nnz( B( i , j ) ) <= I*J", ["nnz(B) <= 1/1000·I·J·K", "nnz(B(i,j)) <= I·J"]),
        ("-I + 3 <= (J - K)*2", ["3 - I <= 2·J - 2·K"]),
        ("", []),
    ],
)
def test_comparisons_of_polynomials(text: str, stated: list[str]) -> None:
    assert [str(each) for each in parse_constraints(text, TTMC)] == stated if text else True


def test_what_holds_of_all_data() -> None:
    assert {str(each) for each in known_constraints(TTMC)} >= {
        "1 <= N",
        "nnz(B(i,j)) <= I·J",
        "nnz(B) <= K·nnz(B(i,j))",
        "0 <= nnz(B)",
    }


@pytest.mark.parametrize(
    ("text", "message", "under"),
    [
        ("8 <= X", "X is no size of this expression", "X"),
        ("8 <= K, k", "k is no comparison", "k"),
        ("8 < K", "compares otherwise than", "8 < K"),
        ("K / 2 <= 3", "is no sum of products", "K / 2"),
        ("K**2 <= 3", "is no sum of products", "K**2"),
        ("8 <= K <=", "expected comparisons", None),
        ("True <= K", "is no number", "True"),
        ("nnz(C) <= 3", "is no size of this expression", "nnz(C)"),
        ("I*I*I*I*I*I*I*I*I <= 3", "multiplies more than 8 sizes", "I*I*I*I*I*I*I*I*I"),
        ("8 <= K\n", "one line", None),
        ("1" * 2000 + " <= K", "one line", None),
        ("(" * 400 + "K" + ")" * 400 + " <= 3", "expected comparisons", None),
        ("lambda: 3", "is no comparison", "lambda: 3"),
    ],
)
def test_other_texts_are_refused_with_a_caret(text: str, message: str, under: str | None) -> None:
    with pytest.raises(ParseError, match=message) as refused:
        parse_constraints(text, TTMC)
    span = refused.value.span
    assert span is not None and (under is None or text[span.start : span.stop] == under)
