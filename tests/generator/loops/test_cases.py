"""Cases of a loop body: which statements are one."""

import gnomon as gn
import numpy as np
import pytest


@pytest.mark.parametrize(("one", "other"), [(0.0, -0.0), (-0.0, 0.0)])
def test_zeros_of_either_sign_are_different_cases(one: float, other: float) -> None:
    """Where `b` is missing the product is its fill, and a quotient tells zeros apart."""
    a = gn.tensor([[0, 1]], [2.0, 2.0], (4,), "SparseVector", fill=one)
    b = gn.tensor([[1, 2]], [2.0, 2.0], (4,), "SparseVector", fill=other)
    operands = {"a": a, "b": b, "d": np.full(4, -1.0)}
    found = [gn.evaluate("z(i) = 1 / max(d(i), a(i) * b(i))", engine=e, **operands) for e in ("reference", "c")]
    assert found[0].vals.tolist() == found[1].vals.tolist()
    assert found[0].vals[0] == -found[0].vals[2] == np.copysign(np.inf, other)
