"""Libraries that compute on GPUs too, where there is none."""

import numpy as np
import pytest
from gnomon.properties.gpu.cases import on_tensor
from gnomon.properties.gpu.peers import AbsentError, whatever_fails, with_cupy, with_torch

CASE = next(case for case in on_tensor("one", np.zeros((3, 1), int), np.ones(1), (2, 2, 2)) if case.kernel == "MTTKRP")


@pytest.mark.parametrize("peer", [with_cupy, with_torch])
def test_peers_that_are_not_there_say_so(peer) -> None:
    with pytest.raises(AbsentError, match=r"not installed|no such kernel|finds no GPU"):
        peer(CASE)


def test_what_a_peer_does_ends_no_benchmark() -> None:
    with pytest.raises(AbsentError, match=r"^MemoryError: out of memory$"), whatever_fails():
        raise MemoryError("out of memory\nby far")
