"""Sums left out: what implicit ones express by either rule, and what is refused."""

import pytest
from gnomon.properties.backends.backend import Refused
from gnomon.properties.backends.notation import is_cyclic, is_sum_of_products, narrowest, termwise, without_sums
from gnomon.reference.notation.parser import parse
from gnomon.reference.notation.printer import pretty
from gnomon.reference.notation.reductions import explicit
from gnomon.reference.storage.format import Format


def bare(source, *rules):
    return pretty(without_sums(explicit(parse(source)), rules))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("y(i) = A(i,j) * x(j) + z(i)", "y(i) = A(i,j) * x(j) + z(i)"),
        ("y(i) = b(i) + A(i,j) * x(j) + c(i)", "y(i) = b(i) + A(i,j) * x(j) + c(i)"),
        ("a = c * sum(i, sum(j, A(i,j) * x(j)))", "a = c * (A(i,j) * x(j))"),
        ("a = sum(j, sum(i, A(i,j) * A(i,j)))", "a = A(i,j) * A(i,j)"),
        ("y(i) = sum(k, A(i,k)) + sum(k, B(i,k))", "y(i) = A(i,k) + B(i,j)"),
        ("a = sum(i, -x(i) / 2)", "a = -x(i) / 2"),
        ("y(i) += A(i,j)", "y(i) += A(i,j)"),
    ],
)
def test_sums_that_both_rules_give_back_are_left_out(source, expected):
    assert bare(source, narrowest, termwise) == expected


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("a = sum(j, x(j) + c)", narrowest),
        ("a = sum(j, x(j) + c)", termwise),
        ("y(i) = sum(j, A(i,j) + z(i) + x(j))", termwise),
        ("a = sum(i, x(i)) * sum(j, x(j) + y(j) - c)", narrowest),
    ],
)
def test_sums_that_a_rule_puts_elsewhere_are_refused(source, rule):
    with pytest.raises(Refused, match="sums that implicit ones do not express"):
        bare(source, rule)


def test_the_narrowest_sum_counts_an_addend_between_as_often_as_the_text_says():
    assert bare("y(i) = sum(j, A(i,j) + z(i) + x(j))", narrowest) == "y(i) = A(i,j) + z(i) + x(j)"


@pytest.mark.parametrize("source", ["y_1(i) = x(i)", "y(i) = i * x(i)"])
def test_names_that_other_grammars_lack_are_refused(source):
    with pytest.raises(Refused, match="a name"):
        bare(source, narrowest)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = x(i) * -y(i) - z(i) + 2", True),
        ("a = -(x(i) + 1)", True),
        ("a = x(i) * (y(i) + 1)", False),
        ("a = x(i) / 2", False),
    ],
)
def test_sums_of_products(source, expected):
    assert is_sum_of_products(parse(source).value) is expected


@pytest.mark.parametrize(
    ("source", "formats", "expected"),
    [
        ("y(i,j) = A(i,j) + B(i,j)", {"y": "dd", "A": "ds", "B": "ds:1,0"}, True),
        ("y(i,j) = A(i,j) + B(j,i)", {"y": "dd", "A": "ds", "B": "ds:1,0"}, False),
        ("y(i,j) = A(i,j)", {"y": "sd:1,0", "A": "ds"}, True),
        ("y(i,j) = A(i,j)", {"y": "dd:1,0", "A": "ds"}, False),
        ("y = A(i,j) * B(j,k) * C(k,i)", {"y": "", "A": "ss", "B": "ss", "C": "ss"}, True),
        ("y = A(i,j,k) * B(k,i)", {"y": "", "A": "dsd", "B": "ss"}, True),
    ],
)
def test_storage_orders_that_form_a_cycle(source, formats, expected):
    assert is_cyclic(parse(source), {name: Format(text) for name, text in formats.items()}) is expected
