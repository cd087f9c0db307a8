"""Passing through: an operator some of whose arguments may be missing, where the result is not.

An argument that annihilates is not missing there, any other counts as its fill. Where that is the identity, the other
argument passes through untouched: no arithmetic meets what is absent. What is read twice is kept in a variable, so that
the text is as long as the expression; it is computed only where it is asked for, if it may report that it has no value:

    double t = jC != j ? (jB == j ? B_vals[pB2] : 0.0) : jB == j ? B_vals[pB2] + C_vals[pC2] : C_vals[pC2];
    … = jD != j ? t : (jB == j || jC == j) ? t + D_vals[pD2] : D_vals[pD2];
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct

from ...reference.algebra.operator import Operator
from ...reference.loops.presence import Survey, annihilators, is_fill, survey
from ...reference.notation.syntax import Apply, Expr, Fill
from ...reference.notation.types import dtype_of
from ..ir import ir, logic, traversal
from ..ir.ir import Name
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.flags import condition
from ..scope.frame import Frame
from ..storage.layout import c_type

Part = Callable[[Expr, ir.Expr], ir.Expr]
Spell = Callable[[Operator, Sequence[ir.Expr]], ir.Expr]


class Passing(Struct, frozen=True, dict=True):
    """One application being written.

    `wanted` is where somebody asks for it. `part` gives an argument in the `dtype` computed in where it is present, and
    asked for; `spell` an operator on arguments, `through` an argument as the result, `inside` an application among the
    arguments, asked for somewhere.
    """

    e: Apply
    wanted: ir.Expr
    env: Env
    frame: Frame
    out: Writer
    dtype: np.dtype
    part: Part
    spell: Spell
    through: Callable[[ir.Expr], ir.Expr]
    inside: Callable[[Apply, ir.Expr], Passing]

    @cached_property
    def presences(self) -> tuple[Survey, ...]:
        """The presence of each argument, and its value where it is missing."""
        return tuple(survey(a, self.env.site.optional, self.frame.facts.background) for a in self.e.args)

    @cached_property
    def flags(self) -> tuple[ir.Expr, ...]:
        """Whether each argument is present."""
        return tuple(condition(k.present, self.env.site.flags) for k in self.presences)

    @cached_property
    def open(self) -> tuple[int, ...]:
        """The arguments that may be missing: not one without which nothing would be there."""
        whole = survey(self.e, self.env.site.optional, self.frame.facts.background).present
        sides = enumerate(zip(self.presences, annihilators(self.e), strict=True))
        asked = [n for n, (k, constant) in sides if can_miss(k) and not is_fill(k, constant)]
        return tuple(n for n in asked if self.presences[n].present != whole)

    @cached_property
    def passes(self) -> tuple[int, ...]:
        """The arguments in `open` whose fill is the operator's identity: where one is missing, the other passes
        through."""
        operator = self.e.operator
        identities = (operator.left_identity, operator.right_identity)
        return tuple(n for n in self.open if len(self.flags) == 2 and is_fill(self.presences[n], identities[n]))

    @property
    def is_total(self) -> bool:
        """Whether the value may be asked for where it is missing too."""
        return len(self.passes) == 2

    def value(self) -> ir.Expr:
        """The application, where it is present."""
        return self.of([self.argument(n) for n in range(len(self.e.args))])

    def of(self, args: Sequence[ir.Expr]) -> ir.Expr:
        """The application to arguments that have been written."""
        found = self.spell(self.e.operator, args)
        for n in self.passes:
            unit = (self.e.operator.left_unit, self.e.operator.right_unit)[n]
            other = self.through(args[1 - n]) if unit is None else self.spell(unit, (args[1 - n],))
            if self.is_total and n and not isinstance(self.e.args[0], Apply):
                other = self.value_or_fill(0, other)
            flag = self.flags[n]
            found = logic.choice(logic.negate(flag), other, found) if n else logic.choice(flag, found, other)
        return found

    def argument(self, n: int) -> ir.Expr:
        """An argument, in a variable if it is longer than an access and may be read twice, as by operators of users."""
        e = self.e.args[n]
        if isinstance(e, Apply) and (1 - n in self.passes or self.e.operator.source):
            return self.hold(n)
        return self.whole(n) if n in self.open and n not in self.passes else self.part(e, self.where_needed(n))

    @cached_property
    def applications(self) -> tuple[Passing | None, ...]:
        """The applications among the arguments, asked for where this one is."""
        return tuple(self.inside(a, self.wanted) if isinstance(a, Apply) else None for a in self.e.args)

    def is_total_argument(self, n: int) -> bool:
        """Whether the value of an argument may be asked for where it is missing."""
        inner = self.applications[n]
        return inner is not None and inner.is_total

    def where_needed(self, n: int) -> ir.Expr:
        """Where an argument is needed: where the application is asked for, and the argument is present."""
        return self.wanted if self.is_total_argument(n) else logic.both(self.wanted, self.flags[n])

    def hold(self, n: int) -> Name:
        """An argument, or its fill, in a variable: a chain of operators is added up in one."""
        inner = self.applications[n]
        alike = inner is not None and self.dtype == dtype_of(inner.e)
        if inner is not None and alike and inner.is_total and isinstance(inner.e.args[0], Apply):
            total = inner.hold(0)
            self.out.add(ir.Assign(total, self.where_wanted(inner.of([total, inner.argument(1)]), total)))
            return total
        zero = self.part(Fill(0, self.dtype), ir.TRUE)
        return self.out.declare(c_type(self.dtype), "t", self.where_wanted(self.whole(n), zero))

    def where_wanted(self, value: ir.Expr, other: ir.Expr) -> ir.Expr:
        """A value that may report only where somebody asks for it."""
        return logic.choice(self.wanted, value, other) if reports(value) else value

    def whole(self, n: int) -> ir.Expr:
        """An argument, or its fill where it is missing."""
        value = self.part(self.e.args[n], self.where_needed(n))
        return value if self.is_total_argument(n) or not can_miss(self.presences[n]) else self.value_or_fill(n, value)

    def value_or_fill(self, n: int, value: ir.Expr) -> ir.Expr:
        """A value where an argument is present, the argument's fill where it is missing."""
        missing = self.presences[n].without
        assert isinstance(missing, Fill)
        return logic.choice(self.flags[n], value, self.part(missing, ir.TRUE))


def reports(e: ir.Expr) -> bool:
    """Whether an expression may report that it has no value."""
    return ir.STATUS_ADDRESS in traversal.subterms(e)


def can_miss(known: Survey) -> bool:
    """Whether an argument may be missing, which no constant is."""
    return isinstance(known.without, Fill) and not isinstance(known.present, bool)
