"""Refutations: mistakes seeded in golden kernels are found, on tensors that are valid."""

import pytest
from gnomon.properties.proofs.c.c_refutation import find_overrun

from .test_c_safety import WRONG, golden, seeded

BEYOND = {
    *("missing growth", "too little growth", "a value further than coordinates", "elements of another size"),
    *("a table as large as before", "no room for what threads append"),
}
"""Mistakes that need more elements, or two functions, or more than the operands that an estimate counts."""


@pytest.mark.every(2)
@pytest.mark.parametrize("mistake", sorted(WRONG.keys() - BEYOND))
def test_mistakes_are_found(mistake: str) -> None:
    text, source = seeded(mistake)
    found = find_overrun(text, source)
    assert found is not None and found.access.text in text


@pytest.mark.every(2)
@pytest.mark.parametrize("name", ["spmv_csr", "spmv_ell", "hash_csr", "add_csr", "spmm_csr"])
def test_nothing_is_found_in_golden_kernels(name: str) -> None:
    assert find_overrun(*golden(name)) is None


def test_without_time_nothing_is_found() -> None:
    assert find_overrun(*seeded("bound one too far"), seconds=0) is None
