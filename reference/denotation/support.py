"""Support: the denotation with sums that pass over terms known to vanish, found by an index of the operands.

A reduction leaves out contributions that are missing and equal to its identity. Which are, follows from the rule of
missing operands alone: where an operand whose fill annihilates holds nothing, a product is missing, whatever its other
factors. So a product needs a look only where all such factors hold something, a sum of terms where one of them does.
What is left out may be less than what vanishes, and never is more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache, reduce

from msgspec import Struct

from ..algebra.exact import exact
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce
from ..notation.types import dtype_of
from .denote import Denotation, fold
from .meaning import Coordinates, Meaning, Point, State, is_missing

Fiber = frozenset[int]
UNKNOWN = Meaning(State.PRESENT, Fraction(1))
POINTS = 2048


class Either(Struct, frozen=True):
    """The coordinates that belong to one of several supports."""

    parts: tuple[Support, ...]


class Both(Struct, frozen=True):
    """The coordinates that belong to each of several supports."""

    parts: tuple[Support, ...]


Support = Access | Either | Both


class IndexedDenotation(Denotation, frozen=True, dict=True):
    """A denotation whose reductions look only at coordinates where the operands hold something, if that is enough.

    Several results are compared with one denotation, so that the points asked for last are remembered.
    """

    def point(self, i: Coordinates) -> Point:
        return self.recent(i)

    @cached_property
    def recent(self) -> Callable[[Coordinates], Point]:
        """What the result may be at a coordinate, worked out once for the coordinates that were asked for last."""
        return lru_cache(POINTS)(super().point)

    def contributing_values(self, e: Reduce, where: Mapping[str, int]) -> Iterable[int]:
        """The values of a reduction's variable at which its body may count."""
        if e not in self.supports:
            self.supports[e] = self.support_of(e)
        support = self.supports[e]
        return (
            super().contributing_values(e, where)
            if support is None
            else sorted(self.coordinates(support, e.index, where))
        )

    @cached_property
    def supports(self) -> dict[Reduce, Support | None]:
        """The supports of reductions met so far; None for those that have to look at the whole extent."""
        return {}

    @cached_property
    def fibers(self) -> dict[tuple[str, tuple[int, ...], tuple[int, ...]], dict[Coordinates, Fiber]]:
        """By tensor, bound modes and modes of a variable: the variable's coordinates under those of the bound modes."""
        return {}

    def support_of(self, e: Reduce) -> Support | None:
        """Where contributions to a reduction count, if they do not elsewhere."""
        support, beyond = self.outside(e.body, e.index)
        return support if self.counts_for_nothing(e, beyond) else None

    def outside(self, e: Expr, index: str) -> tuple[Support, Meaning]:
        """A support of an expression along a variable, and what the expression is elsewhere."""
        match e:
            case Access(tensor=tensor, indices=indices) if index in indices:
                return e, Meaning(State.MISSING, exact(self.operands[tensor].fill))
            case Access():
                return Either(()), UNKNOWN
            case Literal(value=value) | Fill(value=value):
                return Either(()), Meaning(State.CONSTANT, exact(value))
            case Apply():
                return self.outside_operator(e, index)
            case Reduce(operator=operator, body=body):
                support, beyond = self.outside(body, index)
                vanishes = self.counts_for_nothing(e, beyond)
                return support, fold(operator, [], dtype_of(e)) if vanishes else UNKNOWN

    def outside_operator(self, e: Apply, index: str) -> tuple[Support, Meaning]:
        """As `outside`: where one argument annihilates all others, only where that holds something."""
        found = [self.outside(a, index) for a in e.args]
        whole = tuple(beyond for _, beyond in found)
        alone = [tuple(m if n == k else UNKNOWN for n, m in enumerate(whole)) for k in range(len(whole))]
        deciding = [k for k, args in enumerate(alone) if is_missing(self.apply(e, args))]
        if deciding:
            return Both(tuple(found[k][0] for k in deciding)), self.apply(e, alone[deciding[0]])
        known = self.apply(e, whole) if all(m.state is not State.PRESENT for m in whole) else UNKNOWN
        return Either(tuple(support for support, _ in found)), known

    def coordinates(self, support: Support, index: str, where: Mapping[str, int]) -> Fiber:
        """The coordinates of a variable in a support, given those of the variables around it."""
        match support:
            case Access():
                return self.fiber(support, index, where)
            case Either(parts=parts):
                return frozenset().union(*(self.coordinates(part, index, where) for part in parts))
            case Both(parts=parts):
                return reduce(frozenset.intersection, (self.coordinates(part, index, where) for part in parts))

    def fiber(self, access: Access, index: str, where: Mapping[str, int]) -> Fiber:
        """The coordinates of a variable at which an access holds something, whatever unbound ones are."""
        bound = tuple(n for n, v in enumerate(access.indices) if v != index and v in where)
        own = tuple(n for n, v in enumerate(access.indices) if v == index)
        key = (access.tensor, bound, own)
        if key not in self.fibers:
            self.fibers[key] = index_fibers(self.tables[access.tensor], bound, own)
        return self.fibers[key].get(tuple(where[access.indices[n]] for n in bound), frozenset())


def index_fibers(
    table: Mapping[Coordinates, object], bound: tuple[int, ...], own: tuple[int, ...]
) -> dict[Coordinates, Fiber]:
    """The coordinates of components whose modes `own` agree, by the coordinates of their modes `bound`."""
    found: dict[Coordinates, set[int]] = {}
    for i in table:
        values = {i[n] for n in own}
        if len(values) == 1:
            found.setdefault(tuple(i[n] for n in bound), set()).update(values)
    return {under: frozenset(values) for under, values in found.items()}
