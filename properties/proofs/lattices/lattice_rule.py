"""Assignments by the fill rule: what a lattice point's statement has to do, whatever is present deeper in the loops.

Compared are the meaning of the whole statement where some accesses are missing, which `fill_rule.py` takes from
docs/spec/denotation/missing.md, and that of the statement that `substitution.py` has left there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from ....reference.algebra.dtypes import Number
from ....reference.notation.syntax import Access, Fill, Mask
from ....reference.notation.types import dtype_of
from ....reference.statement.statement import Assign
from ..solver import Term, z3
from .agreement import Place
from .fill_rule import NUMBERS, Meaning, Rule


class ByRule(Struct, frozen=True):
    """The reading of assignments by the fill rule, for tensors with these fills."""

    rule: Rule
    fills: Mapping[str, Number]

    def is_idle(self, leaf: Assign, missing: frozenset[Access], place: Place) -> Term:
        """Whether the mask is closed, or the value is missing and makes no difference."""
        unchanged = self.leaves_target(leaf, self.meaning(leaf, missing, place))
        return z3.Or(z3.Not(self.admits(leaf.mask, missing, place)), unchanged)

    def leaves_target(self, leaf: Assign, meaning: Meaning) -> Term:
        """Whether a value is missing and the target holds it anyway, or the reduction's identity. What a result holds
        that goes on from previous contents is not known."""
        if leaf.operator is None:
            held = self.fills.get(leaf.target.tensor)
        else:
            identity = leaf.operator.left_identity
            held = None if identity is None else identity(dtype_of(leaf.value))
        return z3.BoolVal(False) if held is None else z3.And(meaning.missing, meaning.value == self.rule.constant(held))

    def agrees(self, leaf: Assign, other: Assign, missing: frozenset[Access], place: Place) -> Term:
        """Whether both are idle, or both assign the same: a value, or one that is missing."""
        a, b = self.meaning(leaf, missing, place), self.meaning(other, frozenset(), place)
        idle, left = self.is_idle(leaf, missing, place), self.is_idle(other, frozenset(), place)
        same = z3.And(a.missing == b.missing, a.stored == b.stored, a.value == b.value)
        return z3.And(idle == left, z3.Or(idle, same))

    def runs(self, leaf: Assign) -> Term:
        """Whether an assignment that is run, where all that it reads is present, computes what it means.

        It has something to do, unless a mask by value is closed; only a constant fill is folded as missing.
        """
        place = Place()

        def stored_meaning(access: Access) -> Meaning:
            return Meaning(z3.BoolVal(False), z3.BoolVal(True), self.variable(access, place))

        meaning = self.rule.of(leaf.value, stored_meaning)
        computed = self.rule.plain(leaf.value, lambda access: self.variable(access, place))
        folded = meaning.missing == z3.BoolVal(isinstance(leaf.value, Fill))
        return z3.And(meaning.value == computed, folded, z3.Not(self.leaves_target(leaf, meaning)))

    def meaning(self, leaf: Assign, missing: frozenset[Access], place: Place) -> Meaning:
        """The meaning of what is assigned."""
        return self.rule.of(leaf.value, self.access(missing, place))

    def access(self, missing: frozenset[Access], place: Place) -> Callable[[Access], Meaning]:
        """The meaning of accesses: missing, or present or not as the loops inside will find."""

        def access_meaning(access: Access) -> Meaning:
            absent = self.rule.missing_operand(self.fills[access.tensor])
            if access in missing:
                return absent
            present = place.present(access)
            value = z3.If(present, self.variable(access, place), absent.value)
            return Meaning(z3.Not(present), present, value, absent.constants)

        return access_meaning

    def variable(self, access: Access, place: Place) -> Term:
        """What an access holds."""
        return NUMBERS.variable(place.name(access))

    def admits(self, mask: Mask | None, missing: frozenset[Access], place: Place) -> Term:
        """Whether a mask is open: what it does not hold is outside, whatever its fill."""
        if mask is None:
            return z3.BoolVal(True)
        held = self.rule.of(mask.value, self.access(missing, place))
        inside = held.stored
        if not mask.structural:
            inside = z3.And(inside, held.value != self.rule.constant(0))
        return z3.Not(inside) if mask.complement else inside
