"""Kernels that are compiled together: each gives what is meant, and one that does not is found out."""

from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import check
from gnomon.reference.errors import DisagreementError, Unsupported
from gnomon.reference.schedule.settings import AUTO
from msgspec.structs import replace
from together import Together

A = gn.tensor([[0, 1], [1, 0]], [2.0, 3.0], (2, 2), "CSR")
PRODUCT, SUM = "y(i) = A(i,j) * x(j)", "C(i,j) = A(i,j) + x(j)"


def left() -> Together:
    """A product by the schedule that it gets unasked and without one, and a sum in another dtype."""
    together, x = Together(), np.array([5.0, 7.0])
    asked = ((PRODUCT, {"schedule": AUTO}), (PRODUCT, {}), (SUM, {"out": gn.spec("dd", dtype="complex128")}))
    for source, settings in asked:
        given = {name: each for name, each in settings.items() if name != "schedule"}
        execution = check(source, {"A": A, "x": x}, engines=(), **given).execution
        assert together.by_kernel(execution, settings) is execution.result
    return together


def test_kernels_are_right_together(tmp_path: Path) -> None:
    together = left()
    texts = [case.text for case, _ in together.left]
    assert ["omp parallel" in text for text in texts] == [True, False, False]
    together.finish(tmp_path)
    assert len(list(tmp_path.glob("*.so"))) == 1


@pytest.mark.parametrize("wrong", range(3))
def test_a_wrong_kernel_is_found_out(wrong: int, tmp_path: Path) -> None:
    together = left()
    case, execution = together.left[wrong]
    assert "A_vals[pA2]" in case.text
    together.left[wrong] = (replace(case, text=case.text.replace("A_vals[pA2]", "(1 + A_vals[pA2])")), execution)
    with pytest.raises(DisagreementError, match="C: ") as caught:
        together.finish(tmp_path)
    assert execution.text.source in str(caught.value.hint)


def test_what_c_refuses_is_not_left() -> None:
    together = Together()
    execution = check(PRODUCT, {"A": A, "x": np.ones(2)}, engines=()).execution
    with pytest.raises(Unsupported):
        together.by_kernel(execution, {"schedule": "parallelize(i,GPUBlock,NoRaces)"})
    assert not together.left
