"""Denotation = reference execution, in values and structure, on random problems."""

from dataclasses import replace

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.check import check
from gnomon.properties.problem import Problem
from gnomon.properties.strategies import PLAIN, Features, programs
from gnomon.reference.errors import DisagreementError, DtypeError
from gnomon.reference.evaluate import Execution, execute
from gnomon.reference.scalars import fill_fits
from hypothesis import given, settings
from hypothesis import strategies as st


def agrees(drawn: Problem) -> None:
    report = check(
        drawn.source, drawn.operands, out=drawn.out, semiring_name=drawn.semiring, convert="auto", engines=()
    )
    report.execution.result.validate()
    assert report.checked == report.points or report.seed is not None


@given(programs(PLAIN))
@settings(max_examples=3 * settings().max_examples)
def test_float64(drawn: Problem) -> None:
    agrees(drawn)


@given(programs(Features(plain=False, schedules=False)))
@settings(max_examples=2 * settings().max_examples)
def test_semirings(drawn: Problem) -> None:
    agrees(drawn)


@given(programs(Features(semirings=(), schedules=False)))
@settings(max_examples=3 * settings().max_examples)
def test_dtypes(drawn: Problem) -> None:
    agrees(drawn)


def test_a_wrong_result_is_reported_with_a_script(monkeypatch: pytest.MonkeyPatch) -> None:
    from gnomon.properties import check as module

    def wrong(source: str, operands: dict[str, object], **settings: object) -> Execution:
        right = execute(source, operands, **settings)
        result = gn.tensor([[0]], [np.nextafter(3.0, 4.0) + 1e-9], (1,), "Dense")
        return Execution(right.source, right.problem, right.operands, right.program, result, right.trace)

    monkeypatch.setattr(module, "execute", wrong)
    with pytest.raises(DisagreementError, match=r"means 3\.0") as caught:
        check("y(i) = x(i) + x(i) + x(i)", {"x": np.array([1.0])}, engines=())
    assert "gn.tensor([[0]], [1.0], (1,), 'dense'" in str(caught.value)


def test_large_results_are_sampled_and_say_so() -> None:
    x = np.arange(1500.0)
    report = gn.check("C(i,j) = x(i) * y(j)", x=x, y=x)
    assert report.seed is not None
    assert report.points == 1500 * 1500
    assert 0 < report.checked < report.points


@given(
    programs(replace(PLAIN, literals=False)),
    st.sampled_from([0, 1, -1, float("inf")]),
    st.sampled_from([None, "float32", "complex128"]),
)
def test_fills_and_dtypes_of_results(drawn: Problem, fill: float, dtype: str | None) -> None:
    out = gn.spec(drawn.out, fill=fill, dtype=dtype)
    if not fill_fits(fill, np.dtype(dtype or drawn.dtype)):
        with pytest.raises(DtypeError):
            check(drawn.source, drawn.operands, out=out, convert="auto", engines=())
        return
    check(drawn.source, drawn.operands, out=out, convert="auto", engines=()).execution.result.validate()
