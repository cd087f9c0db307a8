"""Passing through: an operator some of whose arguments may be missing, where the result is not.

An argument that annihilates is not missing there, any other counts as its fill. Where that is the identity, the other
argument passes through untouched: no arithmetic meets what is absent. What is read twice is kept in a variable, so that
the text is as long as the expression:

    double t = atB2 ? B_vals[pB2] : 0.0;
    … = atC2 ? (atB2 ? t + C_vals[pC2] : C_vals[pC2]) : t;
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..reference.operator import Operator
from ..reference.presence import Told, annihilators, is_fill, told
from ..reference.syntax import Apply, Expr, Fill
from ..reference.types import result_dtype
from . import ir
from .flags import condition
from .frame import Env, Frame
from .layout import c_type
from .writer import Writer

Part = Callable[[Expr], ir.Expr]
Spell = Callable[[Operator, Sequence[ir.Expr]], ir.Expr]


@dataclass(frozen=True)
class Passing:
    """One application being written: `part` gives an argument where it is present, `spell` an operator on arguments."""

    e: Apply
    env: Env
    frame: Frame
    out: Writer
    part: Part
    spell: Spell

    @cached_property
    def known(self) -> tuple[Told, ...]:
        """When each argument is present, and what it is where it is not."""
        return tuple(told(a, self.env.optional, self.frame.background) for a in self.e.args)

    @cached_property
    def flags(self) -> tuple[ir.Expr, ...]:
        """Whether each argument is present."""
        return tuple(condition(k.present, self.env.flags) for k in self.known)

    @cached_property
    def open(self) -> tuple[int, ...]:
        """The arguments that may be missing."""
        sides = zip(self.known, annihilators(self.e), strict=True)
        return tuple(n for n, (k, constant) in enumerate(sides) if can_miss(k) and not is_fill(k, constant))

    @cached_property
    def passes(self) -> tuple[int, ...]:
        """Those of them where the other argument passes through."""
        operator = self.e.operator
        identities = (operator.left_identity, operator.right_identity)
        return tuple(n for n in self.open if len(self.flags) == 2 and is_fill(self.known[n], identities[n]))

    @property
    def is_total(self) -> bool:
        """Whether the value may be asked for where it is missing too."""
        return len(self.passes) == 2

    def value(self) -> ir.Expr:
        """The application, where it is present."""
        args = [self.argument(n) for n in range(len(self.e.args))]
        found = self.spell(self.e.operator, args)
        for n in self.passes:
            unit = (self.e.operator.left_unit, self.e.operator.right_unit)[n]
            other = args[1 - n]
            found = ir.choice(self.flags[n], found, other if unit is None else self.spell(unit, (other,)))
        return found

    def argument(self, n: int) -> ir.Expr:
        """An argument, in a variable if it is read twice and longer than an access, or may be missing where read."""
        e = self.e.args[n]
        if n in self.open and n not in self.passes:
            return self.whole(n)
        if 1 - n in self.passes and (isinstance(e, Apply) or (self.is_total and not n)):
            return self.out.declare(c_type(result_dtype(e, self.frame.dtypes)), "t", self.whole(n))
        return self.part(e)

    def whole(self, n: int) -> ir.Expr:
        """An argument, or its fill where it is missing."""
        e, missing = self.e.args[n], self.known[n].without
        if isinstance(e, Apply) and replace(self, e=e).is_total:
            return self.part(e)
        if not can_miss(self.known[n]):
            return self.part(e)
        assert isinstance(missing, Fill)
        return ir.choice(self.flags[n], self.part(e), self.part(missing))


def can_miss(known: Told) -> bool:
    """Whether an argument may be missing: a constant is what it is."""
    return isinstance(known.without, Fill) and not isinstance(known.present, bool)
