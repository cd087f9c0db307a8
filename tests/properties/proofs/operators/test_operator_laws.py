"""Operator laws: what is declared is proved, what is declared wrongly is refuted with numbers that do it."""

from fractions import Fraction

import numpy as np
import pytest
from gnomon.properties.proofs.operators.operator_laws import EXCEPTIONS, obligations, obligations_of
from gnomon.properties.proofs.verdict import Proved, Refuted, Verdict
from gnomon.reference.algebra.operator import Operator
from gnomon.reference.algebra.operators import ADD, ANY, DECLARED, FIRST, MAX, MUL, PAIR, SUB, XOR
from gnomon.reference.algebra.promotion import ONE, ZERO, largest
from msgspec.structs import replace

ALL = {o.id: o for o in obligations()}


def verdicts(operator: Operator, law: str) -> dict[str, Verdict]:
    """The verdicts on a law, by kind of carrier."""
    found = {o.id: o for o in obligations_of(operator)}
    return {id.rpartition(".")[2]: o.prove() for id, o in found.items() if f".{law}." in id}


def test_every_law_that_an_operator_declares_is_claimed_somewhere() -> None:
    for operator in DECLARED:
        names = {o.id for o in obligations_of(operator)}
        flags = {"commutative": operator.commutative, "associative": operator.associative}
        flags |= {"left_annihilator": operator.left_annihilator is not None and not operator.selects}
        flags |= {f"distributes_over_{over}": True for over in operator.distributes_over}
        for law, declared in flags.items():
            assert declared == any(f".{law}." in name for name in names), (operator.name, law)


def test_every_exception_is_of_a_law_that_there_is() -> None:
    known = {o.id for o in obligations()}
    used = {f"operators.{op}.{law}.{kind}" for op, law, kind in EXCEPTIONS} & known
    kinds = {(op, law) for op, law, _ in EXCEPTIONS}
    assert all(any(id.startswith(f"operators.{op}.{law}.") for id in used) for op, law in kinds)


WRONG = {
    "subtraction commutes": (replace(SUB, commutative=True), "commutative"),
    "subtraction is associative": (replace(SUB, associative=True), "associative"),
    "zero is the identity of products": (replace(MUL, left_identity=ZERO), "left_identity"),
    "one annihilates products": (replace(MUL, right_annihilator=ONE), "right_annihilator"),
    "sums are idempotent": (replace(ADD, idempotent=True), "idempotent"),
    "sums distribute over products": (replace(ADD, distributes_over=frozenset({"mul"})), "distributes_over_mul.left"),
    "the first of two commutes": (replace(FIRST, commutative=True), "commutative"),
    "a pair is idempotent": (replace(PAIR, idempotent=True), "idempotent"),
    "the largest number is the identity of max": (replace(MAX, left_identity=largest), "left_identity"),
    "exclusive or is idempotent": (replace(XOR, idempotent=True), "idempotent"),
    "sums have the unit of exclusive or": (replace(ADD, left_unit=XOR.left_unit), "left_identity"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_law_declared_wrongly_is_refuted(name: str) -> None:
    operator, law = WRONG[name]
    asked = [o for o in obligations_of(operator) if f".{law}." in o.id]
    assert any(isinstance(o.prove(), Refuted) for o in asked), asked


def test_a_refutation_is_one_when_computed() -> None:
    asked = {o.id: o for o in obligations_of(replace(SUB, associative=True))}
    verdict = asked["operators.sub.associative.integers"].prove()
    assert isinstance(verdict, Refuted)
    a, b, c = (int(value) for _, value in verdict.counterexample)
    assert SUB.compute(SUB.compute(a, b), c) != SUB.compute(a, SUB.compute(b, c))


def test_sums_of_floats_are_not_associative_and_the_numbers_show_it() -> None:
    verdict = ALL["operators.add.associative.floats"].prove()
    assert isinstance(verdict, Proved)
    a, b, c = (rational(value) for _, value in verdict.witness)
    assert (a + b) + c != a + (b + c)


def rational(text: str) -> np.float32:
    """A float32 as the solver prints it: `1.5*(2**4)`."""
    mantissa, _, power = text.partition("*(2**")
    return np.float32(Fraction(mantissa) * Fraction(2) ** int(power.rstrip(")") or 0))


def test_what_selects_is_one_of_what_it_selects_from() -> None:
    assert set(map(type, verdicts(ANY, "selects").values())) == {Proved}
    assert isinstance(verdicts(replace(MUL, selects=True), "selects")["integers"], Refuted)
