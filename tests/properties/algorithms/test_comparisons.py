"""Comparisons of graph algorithms: others find the same on small graphs, and what differs is told."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from gnomon.properties.algorithms.__main__ import main
from gnomon.properties.algorithms.comparisons import Comparison, comparisons
from gnomon.properties.algorithms.graphs import both_ways, graphs, with_weights
from gnomon.properties.benchmark.inputs import hubs
from msgspec.structs import replace

pytest.importorskip("networkx")
pytest.importorskip("graphblas")


@pytest.mark.parametrize("name", ["no vertex", "hubs"])
def test_every_algorithm_finds_what_others_find(name: str) -> None:
    matrix = with_weights(hubs(5, 3)) if name == "hubs" else sp.csr_array((0, 0))
    found = [each.run() for each in comparisons(matrix)]
    assert not any(outcome.differing for outcome in found)
    assert all(outcome.beside for outcome in found)
    assert len({outcome.algorithm.partition(" ")[0].rstrip(",") for outcome in found}) == (9 if name == "hubs" else 6)


def test_what_differs_is_told() -> None:
    one = Comparison("levels", lambda: np.array([0.0, 1.0]), {"other": lambda: np.array([0.0, 2.0])})
    assert one.run().differing == ("other",)
    assert replace(one, relative=0.5).run().differing == () == replace(one, rounding=1.0).run().differing
    assert not one.is_same(np.array([0.0, np.inf]), np.array([0.0, 1.0]))


def test_an_undirected_graph_has_the_lighter_weight_both_ways() -> None:
    a = sp.csr_array(np.array([[0, 3.0, 0], [2.0, 7.0, 5.0], [0, 0, 0]]))
    assert both_ways(a).toarray().tolist() == [[0, 2, 0], [2, 7, 5], [0, 5, 0]]


def test_graphs_of_every_kind_are_searched() -> None:
    found = dict(graphs(5))
    assert min(a.shape[0] for a in found.values()) == 0
    assert all((a.data >= 1).all() and a.shape[0] == a.shape[1] for a in found.values())


def test_the_command_says_what_agrees(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--scale", "5", "--only", "no edge"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.endswith("all agree\n")
