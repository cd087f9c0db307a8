"""Claims: what holds is proved once, what does not is refused with numbers, what nobody can tell is refused too."""

import math

import gnomon as gn
import pytest
from gnomon.properties.proofs.operators import claims
from gnomon.properties.proofs.operators.claims import prove_claims
from gnomon.reference.errors import DisagreementError, GnomonError
from gnomon.reference.notation.declaration import Declaration

EITHER = Declaration("either(a,b) = a + b - a * b", identity=0, annihilator=1, commutative=True, associative=True)


@pytest.mark.parametrize(
    "declared",
    [
        EITHER,
        Declaration("toll(a,b) = a + b + 1", -1, None, True, True, False, ("max", "min")),
        Declaration("nearer(a,b) = a * le(a, b) + b * gt(a, b)", commutative=True, associative=True, idempotent=True),
        Declaration("half(a,b) = (a + b) / 2", commutative=True, idempotent=True),
        Declaration("scaled(a,b) = 0.5 * a * b", identity=2, associative=True),
        Declaration("both(a,b) = and(a, b)", commutative=True, associative=True, annihilator=0),
    ],
)
def test_what_holds_is_proved(declared: Declaration) -> None:
    operator = prove_claims(declared)
    assert operator is declared.operator


@pytest.mark.parametrize(
    ("declared", "equation", "claim"),
    [
        (Declaration("capped(a,b) = min(a + b, 100)", identity=0), r"capped\(identity, b\) = b", "identity"),
        (Declaration("f(a,b) = a - b", commutative=True), r"f\(a, b\) = f\(b, a\)", "commutative"),
        (Declaration("f(a,b) = a - b", associative=True), r"f\(f\(a, b\), c\) = f\(a, f\(b, c\)\)", "associative"),
        (Declaration("f(a,b) = a + b", idempotent=True), r"f\(a, a\) = a", "idempotent"),
        (Declaration("f(a,b) = a * b", annihilator=1), r"f\(annihilator, b\) = annihilator", "annihilator"),
        (
            Declaration("f(a,b) = a * b", distributes_over=("min",)),
            r"f\(min\(a, b\), c\) = min\(f\(a, c\), f\(b, c\)\)",
            "distributes_over",
        ),
        (Declaration("f(a,b) = min(a, b * 1.5)", idempotent=True), r"f\(a, a\) = a", "idempotent"),
    ],
)
def test_what_does_not_hold_is_refused_with_numbers(declared: Declaration, equation: str, claim: str) -> None:
    with pytest.raises(DisagreementError, match=rf"{equation} is refuted\n[abc]: ") as error:
        prove_claims(declared)
    assert error.value.hint == f"leave {claim} out, or declare another operator"


def test_laws_leave_nan_out_of_an_infinite_annihilator_too() -> None:
    """As 0 annihilates in products, though 0 times NaN is none."""
    assert prove_claims(Declaration("high(a,b) = max(a, b)", annihilator=math.inf)).left_annihilator is not None
    with pytest.raises(DisagreementError, match="is refuted"):
        prove_claims(Declaration("sum2(a,b) = a + b", annihilator=math.inf))


def test_an_infinite_identity_is_one_among_floats_too() -> None:
    """Of integers the largest number is left out; an infinity times 0 is not a number."""
    text = "nearer(a,b) = a * le(a, b) + b * gt(a, b)"
    assert prove_claims(Declaration("low(a,b) = min(a, b)", identity=math.inf)).left_identity is not None
    with pytest.raises(DisagreementError, match="is refuted\nb: "):
        prove_claims(Declaration(text, identity=math.inf))


def test_what_the_solver_does_not_know_is_not_taken_to_hold() -> None:
    norm = Declaration("norm(a,b) = sqrt(a * a + b * b)", commutative=True)
    with pytest.raises(GnomonError, match="is not proved: the solver knows some of its operators by their names alone"):
        prove_claims(norm)
    turned = Declaration("turned(a,b) = a * b * 1j", commutative=True)
    with pytest.raises(GnomonError, match="is not proved"):
        prove_claims(turned)


def test_claims_are_proved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = gn.operator("once(a,b) = a + b + 5", identity=-5, commutative=True, associative=True)
    monkeypatch.setattr(claims, "prove_claim", None)
    assert gn.operator("once(a,b) = a + b + 5", identity=-5, commutative=True, associative=True) is first
