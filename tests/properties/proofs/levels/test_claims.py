"""Claims: what they say beside level functions becomes variables, calls and refusals of restricted Python."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gnomon.properties.proofs.levels.claims import COLUMN, COMPLAINTS, COVERS, claim
from gnomon.properties.proofs.levels.declared import OfBitmap
from gnomon.reference.errors import CompileError
from gnomon.reference.levels.aos import CompressedAoS
from gnomon.reference.levels.compressed import Compressed
from gnomon.reference.levels.invariants import segments
from gnomon.reference.levels.level import Violation
from gnomon.reference.levels.restricted_syntax import (
    Call,
    Constant,
    For,
    If,
    Negation,
    Return,
    Variable,
    expressions,
)


def test_all_of_a_range_becomes_a_loop_that_refuses() -> None:
    said = claim(OfBitmap.insert_init_invariant)
    assert said.parameters == ("p", "begin", "before")
    (loop,) = said.body
    assert isinstance(loop, For) and loop.end == Variable("len(self.flag)")
    (refusal,) = loop.body
    assert isinstance(refusal, If) and isinstance(refusal.test, Negation)
    assert refusal.then == (Return((Constant(False),)),)
    assert "before.flag" in str(refusal.test)


def test_complaints_of_others_are_handed_on() -> None:
    said = claim(CompressedAoS.violations)
    ours, theirs = [s for s in said.body if isinstance(s, Return) and s.names == COMPLAINTS]
    assert isinstance(ours.values[0], Call) and said.others[ours.values[0].function] is segments
    (call,) = theirs.values
    assert isinstance(call, Call) and call.function == "fibers" and call.arguments[0].function == COLUMN  # type: ignore[union-attr]
    called = [e.function for e in expressions(claim(Compressed.fibers).body) if isinstance(e, Call)]
    assert COVERS in called


class Hasty(Compressed):
    """It complains of what is no formula."""

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        while parents > 0:
            yield Violation("pos", 0, "is wrong")


def test_what_is_no_formula_is_refused_with_its_place() -> None:
    with pytest.raises(CompileError, match=r"test_claims.py:\d+: violations: an invariant cannot be read.*while"):
        claim(Hasty.violations)
