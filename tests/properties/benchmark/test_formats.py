"""Kernels in every format beside CSR: what is measured, what is refused, and what is told of it."""

import json

import pytest
from click.testing import CliRunner
from gnomon.properties.benchmark.formats import FORMATS, KERNELS, SWEEPS, Asked, cell, main, ratio


def test_the_command_measures_a_kernel_in_every_format() -> None:
    found = CliRunner().invoke(main, ["--only", "sum", "--json"])
    assert found.exit_code == 0, found.output
    told = [json.loads(line) for line in found.output.splitlines() if line]
    assert [each["A"] for each in told] == list(FORMATS)
    assert all(each["kernel"] == "sum" and each["ratio"] > 0 for each in told)


def test_what_takes_long_is_told_in_words() -> None:
    assert str(Asked("A B", "HashMap", "COO", "CSR")) == "A B, A in HashMap, B in COO, into CSR"
    assert str(Asked("sum", "ELL")) == "sum, A in ELL"


def test_sweeps_change_one_format_or_two() -> None:
    operands, results, pairs = (list(sweep("A B")) for sweep in SWEEPS.values())
    assert {(each.b, each.out) for each in operands} == {("CSR", "CSR")} and len(operands) == len(FORMATS)
    assert {(each.a, each.b) for each in results} == {("CSR", "CSR")} and len(results) == len(FORMATS)
    assert len(pairs) == len(FORMATS) ** 2
    assert not list(SWEEPS["result"]("sum")) and not list(SWEEPS["pair"]("sum"))


def test_what_is_refused_has_no_number() -> None:
    found = ratio(Asked("copy", "ELL", out="DIA(2)"))
    assert isinstance(found, str) and cell(found).strip() == "-"
    assert cell(2.34).strip() == "2.3"


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_have_a_sparse_matrix(kernel: str) -> None:
    assert "A(" in Asked(kernel).expression


def test_a_kernel_that_is_not_there() -> None:
    found = CliRunner().invoke(main, ["--only", "nothing", "--only", "none"])
    assert "no kernel's name starts with nothing or none" in str(found.exception)
