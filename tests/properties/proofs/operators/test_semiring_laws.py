"""Semiring laws: of every named semiring, and of those that a user might get wrong."""

import gnomon as gn
import pytest
from gnomon.properties.proofs.operators.semiring_laws import STRICTER, obligations, obligations_of
from gnomon.properties.proofs.verdict import Proved, Refuted
from gnomon.reference.algebra.operators import MUL, OPERATORS
from gnomon.reference.algebra.semirings import KNOWN, semiring
from gnomon.reference.errors import SemiringError
from gnomon.reference.notation.reinterpretation import distributes
from msgspec.structs import replace

ALL = {o.id: o for o in obligations()}


def test_every_named_semiring_has_laws() -> None:
    for name, _ in KNOWN:
        assert f"semirings.{name}.add" in ALL
        assert (f"semirings.{name}.distributes" in ALL) == (not name.startswith("any_") and not semiring(name).place)


def test_what_is_stricter_than_need_be_is_not_declared() -> None:
    for name in STRICTER:
        assert not distributes(semiring(name))


def test_a_multiply_that_does_not_distribute_is_shown_by_numbers() -> None:
    (found,) = [o for o in obligations_of(semiring("max_times")) if o.id.endswith("distributes")]
    verdict = found.prove()
    assert isinstance(verdict, Proved)
    assert verdict.witness


def test_a_wrong_declaration_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = replace(MUL, distributes_over=MUL.distributes_over | {"max"})
    monkeypatch.setitem(OPERATORS, "mul", wrong)
    (found,) = [o for o in obligations_of(semiring("max_times")) if o.id.endswith("distributes")]
    assert isinstance(found.prove(), Refuted)


def test_the_laws_of_any_pair_of_operators_are_proved() -> None:
    assert str(gn.prove_semiring("max_first")) == "2 obligations: 2 proved"
    with pytest.raises(SemiringError, match="cannot add"):
        gn.prove_semiring("minus_times")
