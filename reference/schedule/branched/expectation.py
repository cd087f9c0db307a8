"""Expectation: how often something runs where what is stored lies anywhere, as a product of sizes not known yet.

Beyond the paper, which counts at most. A loop over stored coordinates runs as often as its extent times the share of
coordinates that are there, and so does one over what a temporary holds: a sum of many summands is rarely missing, one
of few is missing as often as all of them are. Names of sizes are those of constraints: `K`, `nnz(B)`, `nnz(B(i,j))`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
from msgspec import Struct

T = TypeVar("T", str, "Share")


class Term(Struct, frozen=True, order=True):
    """Sizes multiplied, divided by others, times shares of what there is, divided by other shares.

    >>> stored = product(["nnz(B)"], ["I", "J"])
    >>> print(stored * product("I"), product("K", shares=[Share(stored, ("J",))]))
    nnz(B)/J K·[1-(1-nnz(B)/(I·J))^J]
    >>> float(product("K", shares=[Share(stored, ("J",))]).evaluate({"nnz(B)": 8, "I": 4, "J": 4, "K": 16}))
    15.0
    """

    factors: tuple[str, ...] = ()
    divisors: tuple[str, ...] = ()
    shares: tuple[Share, ...] = ()
    divided: tuple[Share, ...] = ()

    def __mul__(self, other: Term) -> Term:
        if other == Term():
            return self
        return product(
            (*self.factors, *other.factors),
            (*self.divisors, *other.divisors),
            (*self.shares, *other.shares),
            (*self.divided, *other.divided),
        )

    def __truediv__(self, other: Term) -> Term:
        return self * Term(other.divisors, other.factors, other.divided, other.shares)

    def __str__(self) -> str:
        above = "·".join([*self.factors, *map(str, self.shares)]) or "1"
        below = [*self.divisors, *map(str, self.divided)]
        return f"{above}/({'·'.join(below)})" if len(below) > 1 else "/".join([above, *below])

    @property
    def names(self) -> frozenset[str]:
        """The sizes that it depends on."""
        return frozenset([*self.factors, *self.divisors]).union(*(each.names for each in (*self.shares, *self.divided)))

    def evaluate(self, at: Mapping[str, Any]) -> Any:
        """Its value: a number, or an array where sizes have arrays of values."""
        found: Any = 1.0
        for name in self.factors:
            found = found * at[name]
        for name in self.divisors:
            found = found / at[name]
        for share in self.shares:
            found = found * share.evaluate(at)
        for share in self.divided:
            found = found / share.evaluate(at)
        return found


class Share(Struct, frozen=True, order=True):
    """How many of the components of a temporary are there: those of which one summand at least is."""

    chance: Term
    summands: tuple[str, ...]

    def __str__(self) -> str:
        return f"[1-(1-{self.chance})^{'·'.join(self.summands) or '1'}]"

    @property
    def names(self) -> frozenset[str]:
        """The sizes that it depends on."""
        return self.chance.names.union(self.summands)

    def evaluate(self, at: Mapping[str, Any]) -> Any:
        """Its value, between 0 and 1."""
        missing = np.log1p(-np.minimum(self.chance.evaluate(at), 1 - 1e-12))
        return -np.expm1(product(self.summands).evaluate(at) * missing)


def product(
    factors: Iterable[str],
    divisors: Iterable[str] = (),
    shares: Iterable[Share] = (),
    divided: Iterable[Share] = (),
) -> Term:
    """The term of some sizes and shares, what is in both left out."""
    return Term(*quotient(factors, divisors), *quotient(shares, divided))


def quotient(above: Iterable[T], below: Iterable[T]) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """What is left of a product and of what it is divided by, in order."""
    up, down = sorted(above), list[T]()
    for each in sorted(below):
        if each in up:
            up.remove(each)
        else:
            down.append(each)
    return tuple(up), tuple(down)
