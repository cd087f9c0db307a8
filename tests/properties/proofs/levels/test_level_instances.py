"""Small levels are all there are, and whatever is proved of ours holds of them when their functions run."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, product
from typing import Any

import pytest
from depth import DEEP
from gnomon.properties.proofs.levels import level_checks
from gnomon.properties.proofs.levels.declared import declared_invariant
from gnomon.properties.proofs.levels.level_checks import counterexample
from gnomon.properties.proofs.levels.level_instances import Elements, Shape, Small, contents, valid
from gnomon.properties.proofs.levels.level_scenarios import check_append, fibers
from gnomon.reference.levels import LEVELS
from gnomon.reference.levels.accumulator import Accumulator
from gnomon.reference.levels.bitmap import Bitmap
from gnomon.reference.levels.compressed import Compressed
from gnomon.reference.levels.hashed import Hashed
from gnomon.reference.levels.level import Append, CoordinatePositionIteration, Insert, Level, Locate, Reset, Widen
from gnomon.reference.levels.singleton import Singleton

INSERTED = [kind for kind in LEVELS if issubclass(kind, Insert)]
APPENDED = [kind() for kind in LEVELS if issubclass(kind, Append)]


@pytest.mark.parametrize(
    ("level", "parents", "size", "known"),
    [
        (Compressed(), 1, 2, {"N": 2}),
        (Compressed(full=True), 2, 2, {"N": 1}),
        (Compressed(ordered=False), 1, 3, {"N": 3}),
        (Hashed(), 1, 3, {"N": 2, "W": 3}),
        (Accumulator(), 1, 2, {"N": 2}),
    ],
    ids=lambda each: getattr(each, "name", None),
)
def test_nothing_that_is_valid_is_left_out(level: Level, parents: int, size: int, known: dict[str, int]) -> None:
    shape = Shape(level, parents, size, known["N"], (2, 2), known)
    lengths, greatest = shape.lengths(), max(known["N"], size)
    assert lengths is not None
    found = [small.contents() for small in contents(shape, lengths, greatest)]
    every = set()
    for values in product(range(-1, greatest + 1), repeat=sum(lengths.values())):
        left = iter(values)
        small = shape.with_storage({n: Elements(n, [next(left) for _ in range(k)], {}) for n, k in lengths.items()})
        if small.is_valid():
            every.add(small.contents())
    assert len(set(found)) == len(found) and set(found) <= every
    assert {essence(text, lengths) for text in found} == {essence(text, lengths) for text in every}


def essence(text: str, lengths: dict[str, int]) -> str:
    """The contents of a level, without what an accumulator keeps beyond its count."""
    arrays: dict[str, list[int]] = {}
    exec(text.replace("], ", "]; "), {}, arrays)
    if "count" in arrays:
        arrays["crd"] = arrays["crd"][: arrays["count"][0]]
    return str(arrays)


FEW = slice(None) if DEEP else slice(0, 300, 3)
"""Which of the small levels of a format are looked at; there are more of two formats."""


@pytest.mark.parametrize("kind", LEVELS, ids=lambda kind: kind.name)
def test_ours_hold_what_is_proved_of_them(kind: type[Level]) -> None:
    level = kind()
    names = ["segments", *(n for n in ("ordered", "unique", "full", "branchless", "compact") if getattr(level, n))]
    names += ["locate"] * isinstance(level, Locate) + ["widen"] * isinstance(level, Widen)
    names += ["insert", *["insert_init"] * (not level.full)] * (kind in INSERTED)
    names += ["insert_reset"] * isinstance(level, Reset) + ["coordinates"] * (level.name != "offset")
    chosen = islice(valid(level), FEW.start, FEW.stop, FEW.step)
    smalls = [small for small in chosen if not getattr(small.level, "stride", 0) > 2]
    assert any(small.components() for small in smalls)
    for small in smalls:
        for name in names:
            assert counterexample(getattr(level_checks, f"check_{name}"), small) is None


@pytest.mark.parametrize("level", [*APPENDED, Singleton(padded=True), Compressed(unique=False)], ids=lambda k: k.name)
def test_ours_give_back_what_is_appended(level: Level) -> None:
    assert next(check_append(level), None) is None


def test_fibers_are_appended_in_pieces() -> None:
    found = list(fibers(Compressed(), 3))
    assert ((0, 2),) in found and ((0,), (2,)) in found and ((0,), (1, 2)) in found
    assert not any(c == (2, 0) for c, *_ in found)


def said(kind: type[Level], name: str) -> Callable[..., Any]:
    """What is declared of a level format."""
    found = declared_invariant(kind, name)
    assert found is not None
    return found


@pytest.mark.parametrize("kind", [Bitmap, Hashed, Accumulator], ids=lambda kind: kind.name)
def test_declared_invariants_hold_when_loops_end(kind: Any) -> None:
    for small in valid(kind()):
        for parents in range(small.parents + 1):
            begin = small.level.size(parents)
            after = small.copy().level
            after.insert_init(begin, small.size)  # type: ignore[attr-defined]
            invariant = said(kind, "insert_init_invariant")
            assert invariant(after, p=max(begin, small.size), begin=begin, before=small.level)


def test_declared_invariants_hold_when_appending_ends() -> None:
    for small in valid(Compressed()):
        level, counts = small.copy().level, [end - begin for begin, end in segments(small)]
        level.append_init(0, small.parents)  # type: ignore[attr-defined]
        for p, count in enumerate(counts):
            level.append_edges(p, 0, count)  # type: ignore[attr-defined]
        assert said(Compressed, "append_invariant")(level, small.parents, counts)
        before = Small(level, small.parents, small.size, small.N, small.above).copy().level
        level.append_finalize(small.parents, small.size)  # type: ignore[attr-defined]
        ended: Any = {"p": small.parents + 1, "total": small.size, "before": before}
        assert said(Compressed, "append_finalize_invariant")(level, **ended)
        assert small.contents() == Small(level, small.parents, small.size, small.N, small.above).contents()


def segments(small: Small) -> list[tuple[int, int]]:
    """The bounds of every parent's segment."""
    assert isinstance(small.level, CoordinatePositionIteration)
    return [small.level.pos_bounds(p) for p in range(small.parents)]


def test_resets_and_searches_keep_their_declared_invariants() -> None:
    for small in valid(Accumulator()):
        after = small.copy().level
        after.insert_reset(0, small.parents)  # type: ignore[attr-defined]
        assert said(Accumulator, "insert_reset_invariant")(after, small.parents, 0, small.level)
    for small in valid(Hashed()):
        for p, path, c, q in level_checks.vacancies(small):
            begin = p * small.level.W  # type: ignore[attr-defined]
            home = begin + c % small.level.W  # type: ignore[attr-defined]
            if q != home:
                assert said(Hashed, "locate_invariant")(small.level, (*path, c), begin, home, q)
                assert said(Hashed, "locate_variant")(small.level, home, q) > 0
