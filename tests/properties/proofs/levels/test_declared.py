"""What is declared of a level format: in its own class first, then beside the proofs, then of what it is made from."""

from __future__ import annotations

import pytest
from gnomon.properties.proofs.levels.declared import DECLARED, OfCompressed, OfHashed, declared_invariant
from gnomon.reference.levels import LEVELS
from gnomon.reference.levels.aos import CompressedAoS
from gnomon.reference.levels.dense import Dense
from gnomon.reference.levels.level import Level

from .chunks import DeclaredChunks
from .wrong_slots import NeverStops


def test_a_class_says_it_before_what_it_is_made_from() -> None:
    assert declared_invariant(NeverStops, "locate_invariant") is NeverStops.locate_invariant
    assert declared_invariant(NeverStops, "locate_variant") is OfHashed.locate_variant
    assert declared_invariant(CompressedAoS, "append_invariant") is OfCompressed.append_invariant
    assert declared_invariant(DeclaredChunks, "append_invariant") is DeclaredChunks.append_invariant
    assert declared_invariant(Dense, "insert_init_invariant") is None


@pytest.mark.parametrize("kind", LEVELS, ids=lambda kind: kind.name)
def test_level_formats_hold_nothing_that_only_proofs_read(kind: type[Level]) -> None:
    assert not [name for name in vars(kind) if "variant" in name]


def test_every_declaration_is_of_a_function_of_the_level() -> None:
    for kind, said in DECLARED.items():
        names = [name for name in vars(said) if not name.startswith("_")]
        functions = {name.split("_invariant")[0].split("_variant")[0] for name in names} - {"append"}
        assert functions and all(hasattr(kind, name) for name in functions)
