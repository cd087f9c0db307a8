"""Lists of coordinates: what threads do to them keeps what is claimed, and what they must not do does not."""

import pytest
from depth import DEEP
from gnomon.generator.ir import ir
from gnomon.properties.proofs.devices import sorts
from gnomon.properties.proofs.devices.lists import a_list, hold_each_once, lists_of, steps_keep
from gnomon.properties.proofs.devices.sorts import of_step, pairs_are_apart
from gnomon.properties.proofs.solver import decide, z3
from gnomon.properties.proofs.verdict import Proved
from msgspec.structs import replace

NOW, EXTENT, OWN = a_list(), z3.Int("extent"), z3.Int("own")
KNOWN = [NOW.invariant(EXTENT), OWN >= 0, OWN < EXTENT]
POWERS = sorts.MOST if DEEP else 16
"""So many powers of two are looked at as distances."""


def test_lists_hold_each_coordinate_once() -> None:
    assert hold_each_once() == Proved()
    assert len(list(steps_keep())) == 4


def test_the_first_at_a_coordinate_alone_notes_it() -> None:
    """Without the compare-and-swap, a thread would wait for a second place."""
    again = replace(NOW, waits=z3.Store(NOW.waits, OWN, True))
    assert not isinstance(decide(again.invariant(EXTENT), given=[*KNOWN, NOW.flag[OWN]], seconds=0.5), Proved)


def test_a_place_is_taken_and_counted_at_once() -> None:
    place = replace(
        NOW,
        waits=z3.Store(NOW.waits, OWN, False),
        writes=z3.Store(NOW.writes, OWN, True),
        taken=z3.Store(NOW.taken, OWN, NOW.count),
    )
    given = [*KNOWN, NOW.flag[OWN], NOW.waits[OWN], NOW.taken[OWN] < 0]
    assert not isinstance(decide(place.invariant(EXTENT), given=given, seconds=0.5), Proved)


def test_a_list_is_read_when_nobody_adds_to_it() -> None:
    n = z3.Int("n")
    here = [NOW.invariant(EXTENT), n >= 0, n < NOW.count]
    inside = z3.And(NOW.crd[n] >= 0, NOW.crd[n] < EXTENT)
    assert isinstance(decide(inside, given=[*here, NOW.is_still()]), Proved)
    assert not isinstance(decide(inside, given=here, seconds=0.5), Proved)


def test_lists_are_told_by_what_gives_them_places() -> None:
    counter = ir.Element(ir.Name("count"), ir.ZERO)
    take = ir.Call("gn_atomic_add_int64", (ir.Unary("&", counter), ir.ONE))
    stores = [
        ir.Assign(ir.Element(ir.Name(name), index), ir.Name("j")) for name, index in (("a", take), ("b", counter))
    ]
    other = ir.Assign(ir.Element(ir.Name("c"), ir.Name("p")), ir.Name("j"))
    assert dict(lists_of((ir.If(ir.TRUE, (stores[0],)), stores[1], other))) == {"a": "count", "b": "count"}


def test_steps_of_a_sort_exchange_pairs_that_lie_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorts, "MOST", POWERS)
    assert pairs_are_apart() == Proved()
    apart, _ = of_step(lambda k, away: (k, k + away), 2)
    assert not isinstance(apart, Proved)
