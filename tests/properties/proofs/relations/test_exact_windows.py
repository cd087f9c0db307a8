"""Nothing is left out that would have to be compared, and less than that is refuted."""

from __future__ import annotations

import pytest
from gnomon.properties.proofs.relations.exact_windows import crossings
from gnomon.properties.proofs.relations.relation_chains import Chain, chains, constant
from gnomon.properties.proofs.relations.walked import is_reached_once
from gnomon.properties.proofs.verdict import Bounded, Refuted
from gnomon.reference.loops import iteration_space
from gnomon.reference.statement import exactness

FIRST = "split(i,i0,i1,3),split(j,j0,j1,2),reorder(i0,j0,j1,i1),collapse(i0,j0,f)"
TURNED = "split(i,i0,i1,3),reorder(i1,i0),collapse(i1,i0,i1i0)"


def nested(schedule: str) -> Chain:
    """The chain of a schedule."""
    return next(c for c in (*crossings(), *chains(3)) if ",".join(map(str, c.commands)) == schedule)


@pytest.mark.every(2)
@pytest.mark.parametrize("schedule", [TURNED, FIRST])
def test_what_is_left_out_where_nothing_is_compared_is_missed(schedule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    nest = nested(schedule).nest
    assert isinstance(constant(nest, is_reached_once), Bounded)
    monkeypatch.setattr(iteration_space, "variables_to_compare", lambda graph, bound, added, narrowed, stepped: ())
    assert isinstance(constant(nest, is_reached_once), Refuted)


def test_an_inner_part_that_is_trusted_before_the_outer_one_is_known_is_refuted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = exactness.narrows_exactly
    monkeypatch.setattr(
        exactness,
        "narrows_exactly",
        lambda graph, use, variable, around, narrowed, stepped: before(
            graph,
            use,
            getattr(use, "outer", variable) if hasattr(use, "fused") else variable,
            around,
            narrowed,
            stepped,
        ),
    )
    assert isinstance(constant(nested(FIRST).nest, is_reached_once), Refuted)


def test_two_loops_in_tiles_are_collapsed_in_every_order() -> None:
    assert len(crossings()) == 36
    assert nested(FIRST).nest.completions() == {"f": (), "j1": ("j",), "i1": ("i",)}
