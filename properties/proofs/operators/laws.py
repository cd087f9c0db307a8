"""Laws: what operators declare of themselves, as terms over a carrier (docs/spec/denotation, docs/spec/operators)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from msgspec import Struct

from ....reference.algebra.copies import copies
from ....reference.algebra.operator import Operator
from ....reference.algebra.operators import ADD, OPERATORS
from ....reference.errors import DtypeError
from ..solver import Term, z3
from .carriers import BitVectors, Booleans, Carrier, Floats, Integers, Reals
from .complexes import Complexes
from .extended_reals import ExtendedReals
from .operator_terms import apply, is_interpreted

Claim = Callable[["Calculus"], Term]
ORDER, MISSING, MOVING, CHOICE = "schedule.race", "denote.missing.operand", "schedule.reorder.requires", "semiring.any"

CARRIERS: Mapping[str, tuple[Carrier, ...]] = {
    "integers": (Integers(),),
    "reals": (Reals(),),
    "extended": (ExtendedReals(),),
    "complex": (Complexes(),),
    "booleans": (Booleans(),),
    "bits": tuple(BitVectors(width, signed) for width in (8, 16, 32, 64) for signed in (True, False)),
    "floats": (Floats("float32"), Floats("float64")),
}
"""The carriers by kind. The extended reals stand in for the reals where a law speaks of an infinity."""

WORDS = {
    "integers": "integers",
    "reals": "real numbers",
    "extended": "real numbers and infinities",
    "complex": "complex numbers",
    "booleans": "Booleans",
    "bits": "machine integers of 8 to 64 bits, which wrap around",
    "floats": "float32 and float64",
}


class Law(Struct, frozen=True):
    """A law of an operator: its name, the equation as text, the claim, of the variables a, b and c, and its rule.

    `constants` says that it speaks of a declared identity or annihilator, which a carrier may lack.
    """

    name: str
    equation: str
    claim: Claim
    operators: tuple[Operator, ...]
    rule: str
    constants: bool = False


class Calculus(Struct, frozen=True):
    """Terms over a carrier."""

    carrier: Carrier

    def variables(self) -> tuple[Term, Term, Term]:
        """Three numbers."""
        a, b, c = (self.carrier.variable(name) for name in "abc")
        return a, b, c

    def apply(self, operator: Operator, *args: Term) -> Term:
        """An operator over terms."""
        return apply(operator, args, self.carrier)

    def constant(self, declared: Callable[[np.dtype], object]) -> Term:
        """A declared identity or annihilator. Raises ValueError if the carrier does not have it."""
        return self.carrier.constant(declared(self.carrier.dtype))  # type: ignore[arg-type]

    def same(self, left: Term, right: Term) -> Term:
        """Whether two terms have one value: NaN is like NaN, and zero like negative zero."""
        if isinstance(self.carrier, Floats):
            return z3.Or(z3.fpEQ(left, right), z3.And(z3.fpIsNaN(left), z3.fpIsNaN(right)))
        return left == right


def laws(operator: Operator) -> Iterator[Law]:
    """The laws that an operator declares.

    What `any` gives is one of its arguments, no matter which, so its equations hold for the sets of possible values.

    >>> from gnomon.reference.algebra.operators import MIN
    >>> [law.name for law in laws(MIN)][:4]
    ['commutative', 'associative', 'idempotent', 'left_identity']
    """
    if operator.selects:
        yield from selections(operator)
        return
    yield from symmetries(operator)
    yield from neutral(operator)
    for name in sorted(operator.distributes_over):
        yield from distribution(operator, OPERATORS[name])


def symmetries(op: Operator) -> Iterator[Law]:
    """Commutativity, associativity, idempotence, and whether values count."""
    sign = op.name

    def commutes(k: Calculus) -> Term:
        a, b, _ = k.variables()
        return k.same(k.apply(op, a, b), k.apply(op, b, a))

    def associates(k: Calculus) -> Term:
        a, b, c = k.variables()
        return k.same(k.apply(op, k.apply(op, a, b), c), k.apply(op, a, k.apply(op, b, c)))

    def repeats(k: Calculus) -> Term:
        a, _, _ = k.variables()
        return k.same(k.apply(op, a, a), unit(k, op.left_unit, a))

    def ignores(k: Calculus) -> Term:
        a, b, c = k.variables()
        return k.same(k.apply(op, a, b), k.apply(op, c, c))

    if op.constant:
        yield Law("constant", f"{sign}(a, b) = {sign}(c, c)", ignores, (op,), "semiring.promotion")
    if op.commutative:
        yield Law("commutative", f"{sign}(a, b) = {sign}(b, a)", commutes, (op,), ORDER)
    if op.associative:
        yield Law("associative", f"{sign}({sign}(a, b), c) = {sign}(a, {sign}(b, c))", associates, (op,), ORDER)
    if op.idempotent:
        yield Law("idempotent", f"{sign}(a, a) = {print_law(op.left_unit, 'a')}", repeats, (op,), ORDER)


def neutral(op: Operator) -> Iterator[Law]:
    """Identities, which leave the other argument or its unit, and annihilators."""
    for side, identity, other in (
        ("left", op.left_identity, op.left_unit),
        ("right", op.right_identity, op.right_unit),
    ):
        if identity is not None:
            equation = f"{call(op, side, 'identity')} = {print_law(other, 'b')}"
            yield Law(f"{side}_identity", equation, leaves(op, side, identity, other), (op,), MISSING, constants=True)
    for side, zero in (("left", op.left_annihilator), ("right", op.right_annihilator)):
        if zero is not None:
            equation = f"{call(op, side, 'annihilator')} = annihilator"
            yield Law(f"{side}_annihilator", equation, absorbs(op, side, zero), (op,), MISSING, constants=True)


def leaves(op: Operator, side: str, identity: Callable[[np.dtype], object], other: Operator | None) -> Claim:
    """That an identity on one side leaves the argument on the other."""

    def claim(k: Calculus) -> Term:
        _, b, _ = k.variables()
        e = k.constant(identity)
        return k.same(k.apply(op, e, b) if side == "left" else k.apply(op, b, e), unit(k, other, b))

    return claim


def absorbs(op: Operator, side: str, zero: Callable[[np.dtype], object]) -> Claim:
    """That an annihilator on one side is the result."""

    def claim(k: Calculus) -> Term:
        _, b, _ = k.variables()
        z = k.constant(zero)
        return k.same(k.apply(op, z, b) if side == "left" else k.apply(op, b, z), z)

    return claim


def repetition(op: Operator) -> Iterator[Law]:
    """Copies that are folded at once: one copy more is one contribution more."""
    if op.reduction is None or op.selects or not (op.idempotent or op.multiple):
        return
    many = copies(op)

    def grows(k: Calculus) -> Term:
        a, b, _ = k.variables()
        more = k.apply(ADD, b, k.carrier.constant(1))
        follows = k.same(k.apply(many, a, more), k.apply(op, k.apply(many, a, b), a))
        return z3.Or(k.same(more, k.carrier.constant(0)), follows)

    said = f"{many.name}(a, b + 1) = {op.name}({many.name}(a, b), a) where b + 1 is not 0"
    yield Law("copies", said, grows, (op, many, ADD), "statement.contributions", constants=True)


def distribution(op: Operator, over: Operator) -> Iterator[Law]:
    """Distributivity, on both sides."""
    f, g = op.name, over.name

    def left(k: Calculus) -> Term:
        a, b, c = k.variables()
        whole = k.apply(op, k.apply(over, a, b), c)
        return k.same(whole, k.apply(over, k.apply(op, a, c), k.apply(op, b, c)))

    def right(k: Calculus) -> Term:
        a, b, c = k.variables()
        whole = k.apply(op, a, k.apply(over, b, c))
        return k.same(whole, k.apply(over, k.apply(op, a, b), k.apply(op, a, c)))

    yield Law(f"distributes_over_{g}.left", f"{f}({g}(a, b), c) = {g}({f}(a, c), {f}(b, c))", left, (op, over), MOVING)
    yield Law(
        f"distributes_over_{g}.right", f"{f}(a, {g}(b, c)) = {g}({f}(a, b), {f}(a, c))", right, (op, over), MOVING
    )


def selections(op: Operator) -> Iterator[Law]:
    """The laws of an operator that gives any of its arguments, said of the values that are possible."""

    def commutes(k: Calculus) -> Term:
        a, b, x = k.variables()
        return among(x, a, b) == among(x, b, a)

    def associates(k: Calculus) -> Term:
        a, b, c = k.variables()
        x, y = k.carrier.variable("x"), k.carrier.variable("y")
        first = z3.Exists([y], z3.And(among(y, a, b), among(x, y, c)))
        second = z3.Exists([y], z3.And(among(y, b, c), among(x, a, y)))
        return first == second

    def gives(k: Calculus) -> Term:
        a, b, _ = k.variables()
        return among(k.apply(op, a, b), a, b)

    yield Law("selects", f"{op.name}(a, b) is a or b", gives, (op,), CHOICE)
    yield Law("commutative", f"{op.name}(a, b) and {op.name}(b, a) may be the same", commutes, (op,), CHOICE)
    grouped = f"a fold by {op.name} may be any of what is folded, however it is grouped"
    yield Law("associative", grouped, associates, (op,), CHOICE)


def among(x: Term, *values: Term) -> Term:
    """Whether a term is one of several."""
    return z3.Or([x == value for value in values])


def unit(k: Calculus, other: Operator | None, value: Term) -> Term:
    """What an identity leaves of a value."""
    return value if other is None else k.apply(other, value)


def print_law(other: Operator | None, name: str) -> str:
    """What an identity leaves, as text."""
    return name if other is None else f"{other.name}({name})"


def call(op: Operator, side: str, constant: str) -> str:
    """An operator with a constant on one side, as text."""
    return f"{op.name}({constant}, b)" if side == "left" else f"{op.name}(b, {constant})"


def carriers(law: Law, kind: str) -> tuple[Carrier, ...]:
    """The carriers of a kind over which a law means something: its operators compute there, and constants exist."""
    return tuple(carrier for carrier in CARRIERS[kind] if is_meant(law, carrier))


def is_meant(law: Law, carrier: Carrier) -> bool:
    """Whether every operator of a law computes in the carrier's dtype and is spelled, and its constants are there."""
    if not all(computes(op, carrier.dtype) and is_interpreted(op, carrier) for op in law.operators):
        return False
    if not law.constants:
        return True
    try:
        law.claim(Calculus(carrier))
    except (ValueError, OverflowError, AssertionError):
        return False
    return True


def computes(operator: Operator, dtype: np.dtype) -> bool:
    """Whether an operator takes arguments of a dtype and computes in it."""
    try:
        return bool(operator.operand_dtype(*[dtype] * operator.arity) == dtype)
    except DtypeError:
        return False
