"""Work: what a schedule does, as a sum in sizes that are not known yet. How it is counted is `works.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from .expectation import Term

Counted = tuple[int, Term]


class Work(Struct, frozen=True):
    """Terms, each as often as it says.

    >>> from gnomon.reference.schedule.branched.expectation import product
    >>> print(Work(((2, product("IJ")), (3, product(["nnz(B)"])))))
    2·I·J + 3·nnz(B)
    """

    terms: tuple[Counted, ...]

    def __str__(self) -> str:
        return " + ".join(f"{count}·{term}" if count > 1 else str(term) for count, term in self.terms)

    @property
    def names(self) -> frozenset[str]:
        """The sizes that it depends on."""
        return frozenset[str]().union(*(term.names for _, term in self.terms))

    def evaluate(self, at: Mapping[str, Any]) -> Any:
        """Its value: a number, or an array where sizes have arrays of values."""
        return sum(count * term.evaluate(at) for count, term in self.terms)
