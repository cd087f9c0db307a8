"""Operator laws: each law that an operator declares, over each carrier that it computes in.

Reductions are reordered by these laws also where they hold only nearly or conditionally, in floating point above all.
`EXCEPTIONS` lists those places, and each is an obligation too: that the law fails, with values for which it does, or
that it holds under its condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import combinations

from msgspec import Struct

from ....reference.algebra.operator import Operator
from ....reference.algebra.operators import DECLARED
from ..obligation import Obligation
from ..solver import Term, decide, exhibit, z3
from ..verdict import Verdict, together
from .carriers import BitVectors, Carrier, Floats, Reals
from .laws import CARRIERS, MISSING, WORDS, Calculus, Law, carriers, laws, repetition
from .operator_terms import apply

SAMPLES = (0.0, 1.0, 3.0, 0.1, -0.7, 1e16, -1e16, 1e-30, 1e30, 1e300, 1e-300, float("inf"))


class Fails(Struct, frozen=True):
    """The law does not hold, and why that does no harm."""

    because: str


class Divides(Struct, frozen=True):
    """The law holds where the divisor, b, is not zero."""


class Fits(Struct, frozen=True):
    """The law holds where no result overflows."""


class Rounds(Struct, frozen=True):
    """The law holds for finite floats because rounding is monotone: it is proved of every monotone rounding."""


Reservation = Fails | Divides | Fits | Rounds
ROUNDING = "results of reordered reductions differ by rounding, within the computed error bound"
STORED = "annihilators speak of missing operands, and values that are stored follow IEEE 754"
DIVISOR = "annihilators speak of missing operands, and dividing by a stored zero follows IEEE 754 or is an error"
SIDES = ("left", "right")
EXCEPTIONS: dict[tuple[str, str, str], Reservation] = {
    ("add", "associative", "floats"): Fails(ROUNDING),
    ("mul", "associative", "floats"): Fails(ROUNDING),
    ("add", "copies", "floats"): Fails(ROUNDING),
    **{("mul", f"distributes_over_add.{side}", "floats"): Fails(ROUNDING) for side in SIDES},
    **{("mul", f"{side}_annihilator", "floats"): Fails(STORED) for side in SIDES},
    **{(op, "right_annihilator", kind): Fails(DIVISOR) for op in ("div", "floordiv", "mod") for kind in CARRIERS},
    **{(op, "left_annihilator", kind): Divides() for op in ("div", "floordiv", "mod") for kind in CARRIERS},
    **{("add", f"distributes_over_{over}.{side}", "bits"): Fits() for over in ("min", "max") for side in SIDES},
    **{("add", f"distributes_over_{over}.{side}", "floats"): Rounds() for over in ("min", "max") for side in SIDES},
}


@cache
def obligations() -> tuple[Obligation, ...]:
    """The laws of every declared operator."""
    return tuple(o for operator in DECLARED for o in obligations_of(operator))


def obligations_of(operator: Operator) -> Iterator[Obligation]:
    """The laws that an operator declares, and that of its copies, kind of carrier by kind of carrier."""
    for law in (*laws(operator), *repetition(operator)):
        for kind in kinds(law):
            yield obligation(operator, law, kind)


def kinds(law: Law) -> Iterator[str]:
    """The kinds of carriers over which a law is claimed: the extended reals only where the reals lack a constant."""
    for kind in CARRIERS:
        if carriers(law, kind) and not (kind == "extended" and carriers(law, "reals")):
            yield kind


def obligation(operator: Operator, law: Law, kind: str) -> Obligation:
    """One law over one kind of carrier, as far as it is claimed there."""
    where = WORDS[kind]
    match EXCEPTIONS.get((operator.name, law.name, kind)):
        case None:
            said, attempt = f"{law.equation} for {where}", partial(holds, law, kind)
        case Fails(because=because):
            said, attempt = f"{law.equation} is not so for {where}; {because}", partial(fails, law, kind)
        case Divides():
            said, attempt = f"{law.equation} for {where} and b other than 0", partial(holds_dividing, law, kind)
        case Fits():
            said, attempt = f"{law.equation} for {where}, if nothing overflows", partial(holds_fitting, law)
        case Rounds():
            said, attempt = f"{law.equation} for finite floats: rounding is monotone", partial(holds_rounded, law)
    slow = kind == "floats" and law.rule != MISSING
    return Obligation(f"operators.{operator.name}.{law.name}.{kind}", said, attempt, (law.rule,), slow)


def holds(law: Law, kind: str) -> Verdict:
    """Whether a law holds over every carrier of a kind."""
    return together(prove_over_carrier(law, carrier) for carrier in carriers(law, kind))


def prove_over_carrier(law: Law, carrier: Carrier, *given: Term) -> Verdict:
    """Whether a law follows over a carrier."""
    k = Calculus(carrier)
    variables = dict(zip("abc", k.variables(), strict=True))
    known = [carrier.within(v) for v in variables.values()]
    claim = law.claim(k)
    shown = {name: v for name, v in variables.items() if occurs(v, claim)}
    return decide(claim, given=[*known, *given], show=shown)


def occurs(variable: Term, claim: Term) -> bool:
    """Whether a claim depends on a variable."""
    return not z3.eq(claim, z3.substitute(claim, (variable, z3.FreshConst(variable.sort()))))


def fails(law: Law, kind: str) -> Verdict:
    """Whether values break a law over every carrier of a kind."""
    return together(check_values(law, carrier) for carrier in carriers(law, kind))


def check_values(law: Law, carrier: Carrier) -> Verdict:
    """Whether values break a law."""
    k = Calculus(carrier)
    claim = law.claim(k)
    variables = {name: v for name, v in zip("abc", k.variables(), strict=True) if occurs(v, claim)}
    return exhibit([*(admissible(v, carrier) for v in variables.values()), z3.Not(claim)], variables)


def admissible(a: Term, carrier: Carrier) -> Term:
    """What values are looked for: any number of the carrier, but of the floats few, since they take long."""
    if isinstance(carrier, Floats):
        return z3.Or([a == carrier.constant(x) for x in SAMPLES])
    return carrier.within(a)


def holds_dividing(law: Law, kind: str) -> Verdict:
    """Whether a law holds for a divisor that is neither zero nor NaN."""
    return together(
        prove_over_carrier(
            law, carrier, z3.Not(k.same(k.variables()[1], carrier.constant(0))), number(k, k.variables()[1])
        )
        for carrier in carriers(law, kind)
        for k in [Calculus(carrier)]
    )


def number(k: Calculus, a: Term) -> Term:
    """Whether a term is not NaN, which annihilates everything."""
    equal = k.carrier.primitive("=", (a, a))
    assert equal is not None
    return equal


def holds_fitting(law: Law) -> Verdict:
    """Whether a law holds over machine integers where every result is what it would be with twice the width."""
    return together(
        prove_without_overflow(law, carrier) for carrier in carriers(law, "bits") if isinstance(carrier, BitVectors)
    )


def prove_without_overflow(law: Law, carrier: BitVectors) -> Verdict:
    """Whether a law holds where its first operator overflows for no two of the variables."""
    wide = BitVectors(2 * carrier.width, carrier.signed)
    first, pairs = law.operators[0], combinations(Calculus(carrier).variables(), 2)
    exact = [
        widen(apply(first, pair, carrier), carrier) == apply(first, [widen(x, carrier) for x in pair], wide)
        for pair in pairs
    ]
    return prove_over_carrier(law, carrier, *exact)


def widen(a: Term, carrier: BitVectors) -> Term:
    """A machine integer with twice the width."""
    return z3.SignExt(carrier.width, a) if carrier.signed else z3.ZeroExt(carrier.width, a)


class Rounded(Calculus, frozen=True):
    """Terms over the reals in which the results of one operator are rounded."""

    inexact: Operator
    rounding: Term

    def apply(self, operator: Operator, *args: Term) -> Term:
        exact = apply(operator, args, self.carrier)
        return self.rounding(exact) if operator is self.inexact else exact


def holds_rounded(law: Law) -> Verdict:
    """Whether a law holds over the reals if what its first operator gives is rounded by any monotone function."""
    rounding = z3.Function("rounded", z3.RealSort(), z3.RealSort())
    x, y = z3.Reals("x y")
    monotone = z3.ForAll([x, y], z3.Implies(x <= y, rounding(x) <= rounding(y)))
    k = Rounded(Reals(), law.operators[0], rounding)
    return decide(law.claim(k), given=[monotone], show=dict(zip("abc", k.variables(), strict=True)))
