"""Searches on all small graphs: the listings keep what they must, and others do not."""

from __future__ import annotations

import pytest
from gnomon.generator.graphs.graph import listing
from gnomon.properties.proofs.procedures import searches
from gnomon.properties.proofs.procedures.searches import check_small_graphs, distance, edges, obligations, paths
from gnomon.properties.proofs.solver import exhibit, z3
from gnomon.properties.proofs.verdict import Bounded, Proved, Refuted
from gnomon.reference.procedure.parser import parse_procedure

CLAIMS = {
    "bfs_levels": searches.levels_are_distances,
    "bfs_parents": searches.parents_are_nearer,
    "bellman_ford": searches.distances_are_least,
    "bellman_ford_largest": searches.distances_are_least,
    "fastsv": searches.labels_are_least,
}


@pytest.mark.parametrize("obligation", obligations(), ids=lambda o: o.id)
def test_searches_keep_what_they_must(obligation: searches.Obligation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "MOST", 3)
    assert obligation.prove() == Bounded("graphs of at most 3 vertices")


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("bfs_levels", "<!$levels(j)>", ""),
        ("bfs_levels", "<!$levels(j)>", "<!$frontier(j)>"),
        ("bfs_levels", "levels(j) += frontier(j) ", "levels(j) = frontier(j) "),
        ("bfs_levels", "in any_plus", "in any_first"),
        ("bfs_parents", "in min_first", "in max_first"),
        ("bfs_parents", "frontier(i) * i ", "frontier(i) * frontier(i) "),
        ("bellman_ford", "near(i) * A(i,j)", "near(i) * A(j,i)"),
        ("bellman_ford", "in min_plus\n  until", "in max_plus\n  until"),
        ("bellman_ford", "lt(found(j), distance(j))", "gt(found(j), distance(j))"),
        ("bellman_ford_largest", "near(j)<!$distance(j),merge> = found(j)", "near(j) = found(j)"),
        ("bellman_ford_largest", "lt(found(j), distance(j))", "gt(found(j), distance(j))"),
        ("fastsv", "<lt(j, label(i))>", ""),
        ("fastsv", " + N(i,j) + S(i,j)", ""),
        ("fastsv", "<eq(parent(i), j)> = C(i,j)", "<ge(parent(i), j)> = N(i,j)"),
        ("fastsv", "C(i,j) * j                     in min_second", "C(i,j) * j in max_second"),
    ],
)
def test_other_searches_are_refuted(name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = listing(name).source
    assert old in text
    monkeypatch.setattr(searches, "listing", lambda _: parse_procedure(text.replace(old, new)))
    assert isinstance(check_small_graphs(CLAIMS[name]), Refuted)


def test_a_direction_that_finds_something_else_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    before, pull = listing("bfs_levels").source.split("frontier(i) * B(i,j)")
    monkeypatch.setattr(searches, "listing", lambda _: parse_procedure(f"{before}frontier(i) * B(j,i){pull}"))
    assert isinstance(check_small_graphs(CLAIMS["bfs_levels"]), Refuted)


@pytest.mark.parametrize("claims", CLAIMS.values(), ids=CLAIMS)
def test_what_is_given_can_be_met(claims: searches.Claims) -> None:
    _, given = claims(3)
    assert isinstance(exhibit([z3.BoolVal(True), *given], {}), Proved)


def test_paths_are_all_that_come_to_no_vertex_twice() -> None:
    assert sorted(paths(4, 0, 3)) == [(0, 1, 2, 3), (0, 1, 3), (0, 2, 1, 3), (0, 2, 3), (0, 3)]
    assert list(paths(4, 2, 2)) == [(2,)]


def test_a_distance_is_that_of_the_edges_that_are_there() -> None:
    graph = edges(3)
    held = [graph[0, 1].present, graph[1, 2].present, z3.Not(graph[0, 2].present)]
    assert isinstance(exhibit([*held, distance(graph, 3, 2) == 2], {}), Proved)
