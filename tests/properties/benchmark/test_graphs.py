"""Graph algorithms and their peers: the same results, and a peer with others is told."""

from __future__ import annotations

import numpy as np
import pytest
from gnomon.properties.benchmark.graphs import Algorithm, algorithms_on, grid, numbers
from gnomon.properties.benchmark.inputs import hubs
from gnomon.reference.errors import DisagreementError
from msgspec.structs import replace

GRAPHS = {"hubs": hubs(4, 3), "a grid": grid(4)}


@pytest.mark.parametrize("name", GRAPHS)
def test_peers_of_algorithms_give_what_these_give(name: str) -> None:
    found = {case.kernel: case for case in algorithms_on(name, GRAPHS[name])}
    assert list(found) == ["bfs", "sssp", "pagerank", *(f"triangles {m}" for m in METHODS)]
    assert all("scipy" in found[kernel].agreement for kernel in ("bfs", "sssp"))
    assert all(case.agreement == tuple(case.peers) for case in found.values())
    assert [row.threads for case in found.values() for row in case.rows(2)] == [2] * len(found)


METHODS = ("burkhardt", "cohen", "sandia_ll", "sandia_uu")


@pytest.mark.parametrize("wrong", [[0.0, 1.0, 3.0], [0.0, 1.0, np.inf]])
def test_a_peer_that_gives_something_else_is_told(wrong: list[float]) -> None:
    case = Algorithm("bfs", "a path", 1.0, lambda: np.array([0.0, 1.0, 2.0]), {"other": lambda: np.array(wrong)})
    with pytest.raises(DisagreementError, match="bfs on a path: other gives something else"):
        list(case.rows(1))
    if np.isfinite(wrong[-1]):
        assert replace(case, rounding=1.0).agreement == ("other",)


def test_a_search_of_scipy_is_read_as_levels() -> None:
    order, before = np.array([1, 0, 3]), np.array([1, -9999, -9999, 0])
    assert numbers((order, before)).tolist() == [1, 0, np.inf, 2]
