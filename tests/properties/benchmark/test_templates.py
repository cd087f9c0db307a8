"""How well templates are ranked: what is told of times, and of none."""

import json
from math import isnan

import pytest
from click.testing import CliRunner
from gnomon.generator.runtime.request import make_request
from gnomon.properties.benchmark.templates import KERNELS, LIMIT, Measured, line, main, means
from gnomon.reference.schedule.autoschedule.ranking import rank


def measured(name: str, seconds: list[float], none: float = 9.0, unasked: float = 3.0) -> Measured:
    expression, formats, out = KERNELS[name]
    request = make_request(expression, formats, out=out)
    program = request.program
    return Measured(name, program, tuple(zip(rank(program), seconds, strict=False)), none, unasked)


def test_an_order_that_agrees_and_one_that_does_not() -> None:
    agrees, turned = (measured("SpMV CSR", times).columns() for times in ([1.0, 2.0, 4.0], [4.0, 2.0, 1.0]))
    assert agrees == {"templates": 3, "rank": 1.0, "first": 1.0, "of 12": 1.0, "unasked": 3.0, "none": 9.0}
    assert turned["rank"] == -1.0 and (turned["first"], turned["of 12"]) == (4.0, 1.0)


def test_of_many_templates_the_first_twelve_are_told_apart_from_the_others() -> None:
    found = measured("SpMM CSR", [5.0] * 12 + [1.0]).columns()
    assert found["of 12"] == found["first"] == 5.0


def test_the_best_may_be_none_of_the_templates() -> None:
    assert measured("SpMV CSR", [2.0, 3.0], unasked=1.0).columns()["first"] == 2.0


def test_two_templates_have_no_correlation_and_are_left_out_of_the_mean() -> None:
    few, more = measured("SpMV CSR", [1.0, 2.0]).columns(), measured("SpMV CSR", [1.0, 2.0, 4.0]).columns()
    assert isnan(few["rank"])
    assert means([few, more]) == {
        "templates": 5, "rank": 1.0, "first": 1.0, "of 12": 1.0, "unasked": pytest.approx(3.0),
        "none": pytest.approx(9.0),
    }  # fmt: skip
    assert line("mean", means([more])).split() == ["mean", "3", "1.00", "1.00", "1.00", "3.00", "9.00"]


def test_the_command_measures_a_kernel() -> None:
    found = CliRunner().invoke(main, ["--only", "SpMV and", "--json"])
    assert found.exit_code == 0, found.output
    told = json.loads(found.output)
    assert told["kernel"] == "SpMV and a vector" and told["templates"] == len(told["seconds"]) == 3
    assert all(0 < seconds <= LIMIT for seconds in told["seconds"].values())


def test_a_kernel_that_is_not_there() -> None:
    found = CliRunner().invoke(main, ["--only", "nothing", "--only", "none"])
    assert "no kernel's name starts with nothing or none" in str(found.exception)
