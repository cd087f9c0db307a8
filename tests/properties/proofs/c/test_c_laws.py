"""The laws that proofs about C use are proved, and their opposites are not."""

import pytest
from gnomon.properties.proofs.c.c_laws import laws
from gnomon.properties.proofs.obligation import Obligation
from gnomon.properties.proofs.verdict import Proved


@pytest.mark.parametrize("law", laws(), ids=lambda law: law.id)
def test_laws(law: Obligation) -> None:
    assert law.prove() == Proved()
