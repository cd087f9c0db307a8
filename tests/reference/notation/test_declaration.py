"""Declarations: texts that define operators, and what does not."""

import copy
import pickle
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.algebra.operators import OPERATORS
from gnomon.reference.errors import DtypeError, ExpressionError, ParseError, Unsupported
from gnomon.reference.notation.declaration import TAKEN, Declaration, declaration


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("min(a,b) = a", "the name min is taken", "min(a,b)"),
        ("plus(a,b) = a", "the name plus is taken", "plus(a,b)"),
        ("sum(a,b) = a", "the name sum is taken", "sum(a,b)"),
        ("int8(a,b) = a", "the name int8 is taken", "int8(a,b)"),
        ("my_op(a,b) = a", "the name my_op has other characters than letters and digits", "my_op(a,b)"),
        ("f(a,a) = a", "an operator has one operand, or two of different names", "f(a,a)"),
        ("f(true,b) = true + b", "true is a number, and no name for an operand", "f(true,b)"),
        ("f(a,inf) = a", "inf is a number, and no name for an operand", "f(a,inf)"),
        ("f = 3", "an operator has one operand, or two of different names", "f"),
        ("f(a,b,c) = a", "an operator has one operand, or two of different names", "f(a,b,c)"),
        ("f(a,b) = a + c", r"c is no operand of f\(a,b\)", "c"),
        ("f(a,b) = A(a) + b", r"A is no operand of f\(a,b\)", "A(a)"),
        ("f(a,b) = a + a(b)", r"a is no operand of f\(a,b\)", "a(b)"),
        ("f(a,b) = sum(k, a(k)) + b", "an operator reduces nothing, but this does over k", "sum(k, a(k))"),
        ("f(a,b) += a", "an operator is defined by = alone", "f(a,b) += a"),
        ("f(a,b)<a> = a", "an operator is defined by = alone", "f(a,b)<a> = a"),
        ("f(a,b) = any(a, b)", "any may be either operand", "any(a, b)"),
    ],
)
def test_what_defines_no_operator_is_refused_where_it_is_wrong(text: str, message: str, at: str) -> None:
    with pytest.raises(ExpressionError, match=message) as error:
        gn.operator(text)
    span = error.value.span
    assert span is not None and text[span.start : span.stop] == at


def test_texts_that_do_not_parse_are_refused() -> None:
    with pytest.raises(ParseError, match="expected"):
        gn.operator("f(a,b) = a +")
    with pytest.raises(ParseError, match="expected an operator as text, but found 3"):
        gn.operator(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({"identity": "0"}, "identity='0' is no number"),
        ({"identity": float("nan")}, "identity=nan is no number"),
        ({"annihilator": [1]}, r"annihilator=\[1\] is no number"),
        ({"commutative": 1}, "commutative=1 is not known"),
        ({"distributes_over": "nothing"}, "distributes_over='nothing' names no operators"),
        ({"distributes_over": 3}, "distributes_over=3 names no operators"),
    ],
)
def test_what_cannot_be_claimed_is_refused(claim: dict[str, object], message: str) -> None:
    with pytest.raises(ExpressionError, match=message):
        gn.operator("f(a,b) = a + b", **claim)  # type: ignore[arg-type]


HOP = gn.operator("hop(a,b) = a + 1")


@pytest.mark.parametrize(
    "made",
    [
        HOP,
        gn.text("y(i) = hop(x(i), 1)", operators=[HOP]),
        gn.compile(gn.text("y(i) = hop(x(i), 1)", operators=[HOP]), x="d"),
    ],
    ids=["operator", "text", "kernel"],
)
def test_what_holds_an_operator_is_not_pickled_but_declared_again(made: Any) -> None:
    with pytest.raises(Unsupported, match="the operator hop holds functions, which cannot be pickled") as refused:
        pickle.dumps(made)
    assert refused.value.hint == f"declare it there, too: {HOP.source}"
    assert eval(HOP.source, {"gn": gn}).name == "hop"


def test_operators_that_everybody_has_go_by_their_names() -> None:
    with pytest.raises(Unsupported) as refused:
        pickle.dumps(OPERATORS["min"])
    assert refused.value.hint == "send its name, 'min'"


def test_an_operator_is_its_own_copy() -> None:
    assert copy.deepcopy(HOP) is HOP and copy.deepcopy({"hop": HOP})["hop"] is HOP


def test_one_operand_has_no_laws() -> None:
    assert gn.operator("twice(a) = 2 * a").arity == 1
    with pytest.raises(ExpressionError, match="twice has one operand, so there are no laws of it"):
        gn.operator("twice(a) = 2 * a", idempotent=True)


def test_an_operator_that_takes_no_dtype_is_refused() -> None:
    with pytest.raises(DtypeError, match="f of float64: add leaves the dtype that all of it computes in"):
        gn.operator("f(a,b) = lt(a, b) + lt(b, a)")


def test_numbers_alone_are_one_number() -> None:
    assert gn.operator("f(a,b) = a * (1 / 4 + 2)").smt == "(* {0} 2.25)"


def test_declared_names_are_taken() -> None:
    assert {"min", "plus", "prod", "inf", "float64", "lor"} <= TAKEN and "hop" not in TAKEN


def test_it_says_how_it_is_declared() -> None:
    made = declaration(
        "f(a,b) = min(a, b)",
        np.float64(np.inf),
        None,
        ["plus", "max"],
        commutative=True,
        associative=False,
        idempotent=True,
    )
    assert made == Declaration("f(a,b) = min(a, b)", np.inf, None, True, False, True, ("add", "max"))
    assert made.source == (
        "gn.operator('f(a,b) = min(a, b)', identity=inf, commutative=True, idempotent=True, "
        "distributes_over=('add', 'max'))"
    )
    assert made.claims == ("identity", "commutative", "idempotent", "distributes_over")


def test_an_infinite_identity_is_the_extreme_of_integers() -> None:
    low = gn.operator("low(a,b) = min(a, b)", identity=np.inf, commutative=True, associative=True)
    assert low.left_identity is not None
    assert [low.left_identity(np.dtype(d)) for d in ("int8", "uint16", "float32", "bool")] == [127, 65535, np.inf, True]
