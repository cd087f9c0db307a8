"""Formulas and validation say the same of storage: of packed tensors, and of broken ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest
from depth import DEEP
from gnomon.properties.proofs.levels.level_instances import Elements, Small, valid
from gnomon.properties.proofs.levels.restricted_terms import Notes
from gnomon.properties.proofs.levels.storage_axioms import (
    axioms,
    lengths,
    segment_bounds,
    shared_lengths,
    storage_terms,
)
from gnomon.properties.proofs.solver import decide, z3
from gnomon.properties.proofs.verdict import Proved, Refuted
from gnomon.properties.strategies import tensors
from gnomon.reference.errors import CompileError
from gnomon.reference.levels import LEVELS
from gnomon.reference.levels.aos import CompressedAoS
from gnomon.reference.levels.compressed import Compressed
from gnomon.reference.levels.hashed import Hashed
from gnomon.reference.levels.level import Level, Violation
from gnomon.reference.levels.range import Range
from gnomon.reference.levels.singleton import Singleton
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given, settings
from hypothesis import strategies as st

from .wrong_segments import Running


def meets(level: Level, parents: int, size: int) -> bool:
    """Whether a bound level's storage meets the formulas."""
    given = axioms(level, storage_terms(level), z3.IntVal(parents), z3.IntVal(size), Notes())
    verdict = decide(z3.And(*given))
    assert isinstance(verdict, Proved | Refuted)
    return isinstance(verdict, Proved)


@given(st.integers(1, 3).flatmap(lambda order: tensors((3, 2, 2)[:order])))
@settings(max_examples=max(settings.default.max_examples // 8, 1))
def test_packed_tensors_meet_the_formulas(tensor: Tensor) -> None:
    parents = 1
    for level in tensor.bound_levels():
        size = level.stored_size(parents)
        assert meets(level, parents, size)
        parents = size


@st.composite
def broken(draw: st.DrawFn) -> Small:
    """A small valid level with one element or parameter changed."""
    small = draw(st.sampled_from(some_valid())).copy()
    storage = small.storage()
    places: list[tuple[str, int | None]] = [
        (n, k) for n, v in storage.items() if isinstance(v, list) for k in range(len(v))
    ]
    places += [(name, None) for name, role in small.level.roles().items() if role == "parameter"]
    if places:
        name, k = draw(st.sampled_from(places))
        value = draw(st.integers(-2, 4))
        if k is None:
            storage[name] = value
        else:
            storage[name][k] = value
    return Small(small.level.bind(storage), small.parents, small.size, small.N, small.above)


LEVEL_FORMATS = [
    *(kind() for kind in LEVELS),
    Compressed(ordered=False),
    Compressed(full=True),
    CompressedAoS(ordered=False, full=True),
    Singleton(padded=True),
    Hashed(full=True),
]


MOST = None if DEEP else 60
"""So many small levels of each format are gone through, the smallest first."""


@cache
def some_valid() -> tuple[Small, ...]:
    """Some of the small valid levels of every format."""
    return tuple(small for level in LEVEL_FORMATS for small in islice(valid(level), 0, MOST, 7))


@given(broken())
@settings(max_examples=max(settings.default.max_examples // 4, 1))
def test_broken_storage_breaks_a_formula(small: Small) -> None:
    if any(len(getattr(small.level, name)) != length for name, length in small.wanted_lengths().items()):
        return
    broken = next(complaints(small), None)
    assert meets(small.level, small.parents, small.size) == (broken is None)


def complaints(small: Small) -> Iterator[Any]:
    """What validation finds."""
    if type(small.level).size is not Level.size and small.level.size(small.parents) != small.size:
        yield "size"
    yield from small.level.violations(small.parents, small.size)


def test_lengths_come_from_the_level() -> None:
    P, S, D = z3.Ints("P S D")
    assert lengths(Compressed(), {}, P, S, Notes())["pos"].eq(P + 1)
    assert shared_lengths(Range(), {}, (D,), Notes())["offset"].eq(D)


def test_segments_are_known_of_levels_iterated_by_position() -> None:
    P, S = z3.Ints("P S")
    assert segment_bounds(Range(), {"N": z3.Int("N"), "M": z3.Int("M")}, P, S, Notes()) == ()
    fields = {name: z3.Function(name, z3.IntSort(), z3.IntSort()) for name in ("pos", "crd")}
    inside, _ = segment_bounds(Compressed(), {**fields, "N": z3.Int("N")}, P, S, Notes())
    p = z3.Int("p")
    assert decide(fields["pos"](p) >= 0, given=[inside, p == 0, P > 0]) == Proved()


class Clever(Compressed):
    """Its invariants are in more than restricted Python."""

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        for p, c in enumerate(self.crd):
            if c < 0:
                yield Violation("crd", p, "is negative")


def test_invariants_in_other_python_are_refused() -> None:
    fields = {name: z3.Function(name, z3.IntSort(), z3.IntSort()) for name in ("pos", "crd")}
    with pytest.raises(CompileError, match="cannot be read as a formula: for p, c in enumerate"):
        axioms(Clever(), {**fields, "N": z3.Int("N")}, z3.Int("P"), z3.Int("S"), Notes())


def test_what_a_turn_leaves_to_the_next_is_not_known() -> None:
    fields = {name: z3.Function(name, z3.IntSort(), z3.IntSort()) for name in ("pos", "crd")}
    with pytest.raises(CompileError, match="last has no meaning as a term here"):
        axioms(Running(), {**fields, "N": z3.Int("N")}, z3.Int("P"), z3.Int("S"), Notes())


def test_elements_refuse_indices_from_the_end() -> None:
    array = Elements("crd", [3, 4], {})
    assert (array[1], list(array.read)) == (4, [("crd", 1)])
    for n in (-1, 2):
        with pytest.raises(IndexError):
            array[n]
        with pytest.raises(IndexError):
            array[n] = 0
