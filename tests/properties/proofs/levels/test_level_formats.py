"""Wrong level formats are refuted by small arrays; right ones, ours and a user's, are not."""

from __future__ import annotations

import re
from itertools import islice

import pytest
from depth import DEEP
from gnomon.properties.proofs.levels.instances import prove
from gnomon.properties.proofs.levels.level_access import checked_functions, contracts
from gnomon.properties.proofs.levels.level_appending import fill_level
from gnomon.properties.proofs.levels.level_checks import counterexample, function_check
from gnomon.properties.proofs.levels.level_formats import obligations, obligations_of
from gnomon.properties.proofs.levels.level_instances import valid
from gnomon.properties.proofs.levels.level_model import model as whole
from gnomon.properties.proofs.obligation import Obligation
from gnomon.properties.proofs.solver import z3
from gnomon.properties.proofs.verdict import Bounded, Proved, Refuted, Unknown, detail
from gnomon.reference.levels import LEVELS
from gnomon.reference.levels.aos import CompressedAoS
from gnomon.reference.levels.banded import Banded
from gnomon.reference.levels.bitmap import Bitmap
from gnomon.reference.levels.compressed import Compressed
from gnomon.reference.levels.dense import Dense
from gnomon.reference.levels.level import Level
from gnomon.reference.levels.restricted import level_functions
from gnomon.reference.levels.singleton import Singleton

from .chunks import Chunks, DeclaredChunks, WrongInvariant
from .wrong_levels import BROKEN, NOT_PROVED, WRONG
from .wrong_places import Contradictory
from .wrong_slots import NoWrap


def obligation(level: Level, name: str) -> Obligation:
    (found,) = (o for o in obligations_of(level) if o.id == f"levels.{level.name}.{name}")
    return found


@pytest.mark.every(6)
@pytest.mark.parametrize(("level", "name"), WRONG, ids=[f"{level.name}-{name}" for level, name in WRONG])
def test_a_wrong_format_is_refuted_by_a_small_array(level: Level, name: str) -> None:
    verdict = obligation(level, name).prove()
    assert isinstance(verdict, Refuted)
    shown = dict(verdict.counterexample)
    assert "parents" in shown or "appended" in shown
    assert all(re.search(rf"\b{array} = \[[-0-9, ]*\]", detail(verdict)) for array in level.arrays())


def test_a_counterexample_shows_arguments_and_what_happens() -> None:
    shown = dict(obligation(NoWrap(), "in_range.locate").prove().counterexample)  # type: ignore[union-attr]
    assert shown["crd"] == "[0]" and shown["W"] == "1" and shown["arguments"] == "(0, (0, 0, 1))"
    assert shown["raised"] == "IndexError: 1"


@pytest.mark.every(2)
@pytest.mark.parametrize("level", [Chunks(), DeclaredChunks()], ids=lambda level: level.name)
def test_a_right_format_is_not_refuted(level: Level) -> None:
    for o in obligations_of(level)[:: 1 if DEEP else 3]:
        verdict = o.prove()
        assert isinstance(verdict, Proved | Bounded), o.id
        assert isinstance(verdict, Proved) or level.name == "chunks", o.id


@pytest.mark.every(3)
@pytest.mark.parametrize(("level", "name"), NOT_PROVED, ids=[f"{level.name}-{name}" for level, name in NOT_PROVED])
def test_what_rests_on_unrolled_loops_or_on_false_invariants_is_bounded(level: Level, name: str) -> None:
    assert isinstance(obligation(level, name).prove(), Bounded)


@pytest.mark.parametrize("level", BROKEN, ids=lambda level: level.name)
def test_formats_that_cannot_be_run_are_not_proved_and_raise_nothing(level: Level) -> None:
    found = obligation(level, "coordinates").prove()
    assert isinstance(found, Unknown) and f" {level.name} levels " in f" {found.reason}"
    if level.name == "no_such_array":
        assert re.fullmatch(
            r"pos_access of no_such_array levels raises AttributeError: .* \(wrong_segments.py, line \d+\)",
            found.reason,
        )
    else:
        assert "cannot be run: " in found.reason


def test_loops_without_an_invariant_are_bounded() -> None:
    assert obligation(Chunks(), "in_range.append_finalize").prove() == Bounded("loops of up to 4 turns")
    assert obligation(DeclaredChunks(), "in_range.append_finalize").prove() == Proved()


def test_a_wrong_invariant_proves_nothing() -> None:
    assert isinstance(obligation(WrongInvariant(), "append_finalize").prove(), Bounded)
    assert isinstance(obligation(WrongInvariant(), "in_range.append_finalize").prove(), Bounded)


def test_invariants_that_nothing_meets_are_found_out() -> None:
    assert isinstance(obligation(Contradictory(), "inhabited").prove(), Refuted)
    assert isinstance(obligation(Contradictory(), "ordered").prove(), Proved)


CHOSEN = [o for level in (Dense(), Bitmap(), Banded()) for o in obligations_of(level)]
OURS = obligations() if DEEP else tuple(o for o in CHOSEN if not o.slow)


@pytest.mark.every(3)
@pytest.mark.parametrize("o", OURS, ids=lambda o: o.id)
def test_ours_are_proved(o: Obligation) -> None:
    assert isinstance(o.prove(), Proved)


def test_ids_and_statements_are_told_apart() -> None:
    found = obligations()
    assert len({o.id for o in found}) == len(found)
    assert all(o.statement and re.fullmatch(r"[a-z0-9_.]+", o.id) for o in found)
    kinds = {o.id.split(".")[1] for o in found}
    assert {kind.name for kind in LEVELS} <= kinds


MOST = 200
"""Of so many small levels of a format, every fourth is gone through unless tests are deep."""


@pytest.mark.parametrize("kind", LEVELS, ids=lambda kind: kind.name)
def test_our_level_functions_stay_in_range_when_they_run(kind: type[Level]) -> None:
    level = kind()
    checks = [function_check(name) for name in level_functions(level)]
    for small in valid(level) if DEEP else islice(valid(level), 0, MOST, 4):
        assert [counterexample(check, small) for check in checks] == [None] * len(checks)


@pytest.mark.every(2)
@pytest.mark.parametrize("kind", LEVELS, ids=lambda kind: kind.name)
def test_no_contract_is_a_contradiction(kind: type[Level]) -> None:
    model = whole(kind())
    for function in checked_functions(kind()):
        for arguments, given in contracts(model, function):
            assert isinstance(prove(z3.BoolVal(False), given, rounds=1), Unknown), (function, arguments)


@pytest.mark.parametrize("level", [Compressed(), CompressedAoS(), Singleton(padded=True)], ids=lambda level: level.name)
def test_what_is_appended_is_no_contradiction(level: Level) -> None:
    _, given = fill_level(whole(level))
    some = [z3.Int("parents") == 2, z3.Int("size") == 2, z3.Int("N") == 3]
    assert isinstance(prove(z3.BoolVal(False), [*given, *some], rounds=1), Unknown)
