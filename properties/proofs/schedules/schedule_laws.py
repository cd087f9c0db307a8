"""Laws that commands of a schedule use, as terms of the solver: for the very expressions that they are used on.

A missing operand is the constant fill of its tensor; it acts as identity or annihilator where its fill is declared to
be that (docs/spec/denotation/missing.md). Numbers are those of mathematics: integers, reals, reals with infinities, or
Booleans.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np
from msgspec import Struct

from ....reference.algebra.operator import Constant, Operator
from ....reference.notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce, accesses
from ....reference.notation.types import dtype_of
from ....reference.schedule.parts import through
from ....reference.statement.statement import Assign, Forall, Program, Sequence, Statement, Where, assignments, reads
from ....reference.statement.substitution import annihilates
from ..operators.carriers import Booleans, Carrier, Integers, Reals
from ..operators.extended_reals import ExtendedReals
from ..operators.laws import laws
from ..operators.operator_laws import prove_over_carrier
from ..operators.operator_terms import apply
from ..solver import Term, decide, z3
from ..verdict import Bounded, Proved, Refuted, Unknown, Verdict, of_each, together

Missing = frozenset[Access]
Meaning = Term | Fill | Literal
Decide = Callable[["Algebra"], Verdict]
NOTHING: Missing = frozenset()


class Algebra(Struct, frozen=True):
    """The numbers of a program, and what its accesses stand for."""

    program: Program
    carrier: Carrier

    def held_value(self, access: Access) -> Term:
        """The value of an access that holds a component."""
        return self.carrier.variable(f"{access.tensor}({','.join(access.indices)})")

    def proper(self, term: Term) -> Term:
        """Whether a term is a number that may be stored: infinities and NaN never meet what is absent."""
        match self.carrier:
            case ExtendedReals():
                return self.carrier.is_finite(term)
            case _:
                return self.carrier.within(term)

    def fill(self, tensor: str) -> Fill:
        """What a missing component of a tensor stands for."""
        return Fill(self.program.fills[tensor], self.program.dtypes[tensor])

    def meaning(self, e: Expr, missing: Missing = NOTHING) -> Meaning:
        """What an expression is where some accesses hold nothing: a fill or a literal if nothing else is left."""
        match e:
            case Access():
                return self.fill(e.tensor) if e in missing else self.held_value(e)
            case Literal() | Fill():
                return e
            case Apply(operator=operator, args=args):
                return self.apply(operator, dtype_of(e), [self.meaning(a, missing) for a in args])
            case Reduce():
                raise ValueError("a reduction inside an expression")

    def apply(self, operator: Operator, dtype: np.dtype, parts: list[Meaning]) -> Meaning:
        """An operator over what its arguments are."""
        fills = [part for part in parts if isinstance(part, Fill)]
        declared = (operator.left_annihilator, operator.right_annihilator)
        for part, annihilator in zip(parts, declared, strict=False):
            if isinstance(part, Fill) and annihilates(annihilator, part):
                return part
        if not all(isinstance(part, Fill | Literal) for part in parts):
            for side, (part, identity, unit) in enumerate(
                zip(parts, identities(operator), units(operator), strict=False)
            ):
                if isinstance(part, Fill) and annihilates(identity, part):
                    other = self.term(parts[1 - side])
                    return other if unit is None else apply(unit, [other], self.carrier)
            return apply(operator, [self.term(part) for part in parts], self.carrier)
        if not fills:
            return Literal(operator.compute(*[part.value for part in parts]))
        if operator.absent is not None and any(isinstance(p, Fill) and annihilates(operator.absent, p) for p in parts):
            return Fill(operator.absent(dtype), dtype)
        return Fill(operator.compute(*[part.value for part in parts]), dtype)

    def term(self, part: Meaning) -> Term:
        """The number that something is."""
        return self.carrier.constant(part.value) if isinstance(part, Fill | Literal) else part

    def holds(self, claim: Term, read: Iterable[Access], *others: Term) -> Verdict:
        """Whether a claim holds for all numbers that some accesses and other variables may be."""
        shown = {f"{a.tensor}({','.join(a.indices)})": self.held_value(a) for a in read}
        shown |= {str(other): other for other in others}
        return decide(claim, given=[self.proper(term) for term in shown.values()], show=shown, seconds=5)


def identities(operator: Operator) -> tuple[Constant | None, Constant | None]:
    """What leaves the other argument of an operator, on its left and on its right."""
    return operator.left_identity, operator.right_identity


def units(operator: Operator) -> tuple[Operator | None, Operator | None]:
    """What is left of the other argument, if it is not itself."""
    return operator.left_unit, operator.right_unit


def over(program: Program, exprs: Iterable[Expr], target: str, claim: Decide) -> Verdict:
    """The verdict on a claim about expressions and what they are assigned to, over the numbers that they are of."""
    names = {a.tensor for e in exprs for a in accesses(e)} | {target}
    carrier = carrier_of(program, names)
    if carrier is None:
        return Unknown(f"{', '.join(sorted(names))} hold complex numbers, or truth values beside others")
    try:
        return claim(Algebra(program, carrier))
    except ValueError as error:
        return Unknown(str(error))


def carrier_of(program: Program, names: set[str]) -> Carrier | None:
    """The numbers that some tensors hold."""
    dtypes, fills = program.dtypes, program.fills
    kinds = {np.dtype(dtypes[name]).kind for name in names}
    floats = [fills[name] for name in names if np.dtype(dtypes[name]).kind == "f"]
    match sorted(kinds):
        case ["b"]:
            return Booleans()
        case ["i"] | ["u"] | ["i", "u"]:
            (widest,) = {np.result_type(*[np.dtype(dtypes[name]) for name in names]).name}
            return Integers(widest) if np.dtype(widest).kind in "iu" else Reals()
        case found if "f" in found and set(found) <= set("fiu"):
            return Reals() if all(math.isfinite(f) for f in floats) else ExtendedReals()  # type: ignore[arg-type]
        case _:
            return None


def idle(program: Program, s: Statement, missing: Missing) -> Verdict:
    """Whether a statement leaves everything as it is where some operands hold nothing, whatever the others hold."""
    match s:
        case Assign():
            return idle_assignment(program, s, missing)
        case Forall(body=body):
            return idle(program, body, missing)
        case Where(consumer=consumer, producer=producer, workspace=workspace):
            if isinstance(idle(program, producer, missing), Proved):
                missing |= {a for a in reads(consumer) if a.tensor == workspace}
            return idle(program, consumer, missing)
        case Sequence(statements=statements):
            return of_each(idle(program, each, missing) for each in statements)


def idle_assignment(program: Program, s: Assign, missing: Missing) -> Verdict:
    """Whether an assignment leaves its target as it is: its fill, or whatever has been reduced into it."""
    if s.mask is not None and s.mask.value in missing and not s.mask.complement:
        return Proved()

    def leaves_target(algebra: Algebra) -> Verdict:
        found = algebra.meaning(s.value, missing)
        value = algebra.term(found)
        present = [a for a in accesses(s.value) if a not in missing]
        if s.operator is None:
            return algebra.holds(value == algebra.term(algebra.fill(s.target.tensor)), present)
        if s.operator.selects:
            nothing = isinstance(found, Fill) and annihilates(s.operator.left_identity, found)
            return Proved() if nothing else Refuted(((f"{s.operator.name} may be", str(value)),))
        before = algebra.carrier.variable(f"{s.target.tensor} before")
        kept = before if s.operator.left_unit is None else apply(s.operator.left_unit, [before], algebra.carrier)
        return algebra.holds(apply(s.operator, [before, value], algebra.carrier) == kept, present, before)

    return over(program, [s.value], s.target.tensor, leaves_target)


def distributes(program: Program, s: Where) -> Verdict:
    """Whether what is computed from a workspace may be computed from each contribution to it instead.

    For all numbers `f(a + b) = f(a) + f(b)`, where `+` is the reduction that fills the workspace and `f` the value that
    reads it; and where nothing is contributed there is nothing to do.
    """
    producer = list(assignments(s.producer))[-1]
    consumers = [leaf for leaf in assignments(s.consumer) if any(a.tensor == s.workspace for a in reads(leaf))]
    return of_each(over_reduction(program, producer, consumer, s.workspace) for consumer in consumers)


def over_reduction(program: Program, producer: Assign, consumer: Assign, workspace: str) -> Verdict:
    """Whether the value of a consumer distributes over the reduction of a producer."""
    inner, read = producer.operator, next(a for a in reads(consumer) if a.tensor == workspace)
    if inner is None:
        return Proved()
    outer = consumer.operator or inner

    def each(algebra: Algebra) -> Verdict:
        a, b = (algebra.carrier.variable(name) for name in ("one part", "another part"))

        def f(part: Term) -> Term:
            found = algebra.term(algebra.meaning(consumer.value))
            return z3.substitute(found, (algebra.held_value(read), part))

        whole = f(apply(inner, [a, b], algebra.carrier))
        parts = apply(outer, [f(a), f(b)], algebra.carrier)
        others = [access for access in accesses(consumer.value) if access != read]
        return algebra.holds(whole == parts, others, a, b)

    law = over(program, [consumer.value], consumer.target.tensor, each)
    return together([law, idle(program, consumer, frozenset({read}))])


def absent(program: Program, s: Where) -> Verdict:
    """Whether an empty workspace reads as what is computed into it does where its operands hold nothing."""
    part = list(assignments(s.producer))[-1].value
    consumer = next(leaf for leaf in assignments(s.consumer) if any(a.tensor == s.workspace for a in reads(leaf)))
    read = next(a for a in reads(consumer) if a.tensor == s.workspace)
    whole = through(consumer.value, read, part)

    def alike(algebra: Algebra) -> Verdict:
        new = algebra.term(algebra.meaning(consumer.value, frozenset({read})))
        old = algebra.term(algebra.meaning(whole, frozenset(accesses(part))))
        return algebra.holds(new == old, [a for a in accesses(consumer.value) if a != read])

    return over(program, [whole, consumer.value], consumer.target.tensor, alike)


def in_any_order(program: Program, leaf: Assign) -> Verdict:
    """Whether the contributions to one component may be combined in any order."""
    operator = leaf.operator
    if operator is None:
        return Proved()
    carrier = carrier_of(program, {leaf.target.tensor})
    if carrier is None:
        return Bounded("real numbers; complex ones add like pairs of them")
    own = {law.name: law for law in laws(operator)}
    needed = [own.get(name) for name in ("commutative", "associative")]
    if None in needed:
        return Refuted((("operator", operator.name), ("declared", ", ".join(own) or "nothing")))
    return together(prove_over_carrier(law, carrier) for law in needed if law is not None)
