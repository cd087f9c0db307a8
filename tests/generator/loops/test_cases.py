"""Cases of a loop body: which statements are one, and which cases can be left out."""

from itertools import combinations

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.loops.cases import meeting
from gnomon.reference.notation.syntax import Access, Literal
from gnomon.reference.statement.statement import Assign
from hypothesis import given
from hypothesis import strategies as st

MEANT = (None, *(Assign(Access(name, ()), Literal(1)) for name in ("one", "other")))
ACCESSES = tuple(Access(name, ("i",)) for name in "abcd")


@pytest.mark.parametrize(("one", "other"), [(0.0, -0.0), (-0.0, 0.0)])
def test_zeros_of_either_sign_are_different_cases(one: float, other: float) -> None:
    """Where `b` is missing the product is its fill, and a quotient tells zeros apart."""
    a = gn.tensor([[0, 1]], [2.0, 2.0], (4,), "SparseVector", fill=one)
    b = gn.tensor([[1, 2]], [2.0, 2.0], (4,), "SparseVector", fill=other)
    operands = {"a": a, "b": b, "d": np.full(4, -1.0)}
    found = [gn.evaluate("z(i) = 1 / max(d(i), a(i) * b(i))", engine=e, **operands) for e in ("reference", "c")]
    assert found[0].vals.tolist() == found[1].vals.tolist()
    assert found[0].vals[0] == -found[0].vals[2] == np.copysign(np.inf, other)


def subsets_of(count: int) -> list[frozenset[Access]]:
    """The subsets of some accesses, larger ones first."""
    return [frozenset(s) for size in range(count, -1, -1) for s in combinations(ACCESSES[:count], size)]


@given(data=st.data(), count=st.integers(0, 4))
def test_cases_are_left_out_as_long_as_subsets_meet_their_own_statement(data: st.DataObject, count: int) -> None:
    """One case after another, from the definition: none whose absence some subset would notice."""
    certain = data.draw(st.sampled_from([s for s in subsets_of(count) if len(s) < 2]))
    subsets = [s for s in subsets_of(count) if certain <= s]
    meant = {s: data.draw(st.sampled_from(MEANT)) for s in subsets}
    kept = list(subsets)
    for candidate in subsets:
        rest = [s for s in kept if s != candidate]
        if all(meant[s] == next((meant[k] for k in rest if k <= s), None) for s in subsets):
            kept = rest
    met = {s: next((k for k in kept if k <= s), None) for s in subsets}
    groups, left = meeting(ACCESSES[:count], subsets, meant)
    assert groups == {k: [s for s in subsets if met[s] == k] for k in kept}
    assert list(groups) == kept and left == [s for s in subsets if met[s] is None]


def test_a_product_of_ten_operands_has_one_case() -> None:
    """And is found among 1,024 subsets in a moment."""
    operands = {name: gn.tensor([[1, 2]], [2.0, 3.0], (4,), "SparseVector") for name in "abcdefghkl"}
    product = " * ".join(f"{name}(i)" for name in operands)
    kernel = gn.compile(f"z(i) = {product}", out="SparseVector", **operands)
    assert kernel.source.count("* h_vals[") == 2  # to assemble and compute, and to compute alone
    assert gn.to_dict(kernel(**operands)) == {(1,): 2.0**10, (2,): 3.0**10}
