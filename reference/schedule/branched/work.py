"""Work: what a schedule does, as a sum in sizes that are not known yet. How it is counted is `works.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from .expectation import Term


class Sought(Struct, frozen=True, order=True):
    """The steps of a merge through an operand, or the bisections for each coordinate of another operand, the `leader`:
    whichever work is less.

    >>> from gnomon.reference.schedule.branched.expectation import product
    >>> found = Sought(product(["nnz(B)"]), product("I"))
    >>> print(found)
    min(nnz(B), 6·I·log(1+nnz(B)/I))
    >>> [round(float(found.evaluate({"nnz(B)": 1000, "I": n}))) for n in (0.5, 8, 1000)]
    [33, 335, 1000]
    """

    steps: Term
    leader: Term

    def __str__(self) -> str:
        return f"min({self.steps}, {BISECTED}·{self.leader}·log(1+{self.steps / self.leader}))"

    @property
    def names(self) -> frozenset[str]:
        """The sizes that it depends on."""
        return self.steps.names | self.leader.names

    def evaluate(self, at: Mapping[str, Any]) -> Any:
        """Its value: a number, or an array where sizes have arrays of values."""
        steps, leader = self.steps.evaluate(at), self.leader.evaluate(at)
        return np.minimum(steps, BISECTED * leader * np.log2(1 + steps / leader))


Counted = tuple[int, Term | Sought]
Told = tuple[frozenset[str], Term]
"""The loops that tell in which fiber of an operand a loop is, and the steps through all of these fibers."""
BISECTED = 6
"""The work of a bisection, which no processor foretells, where a step of a merge is 1."""


def step_or_seek(walked: Sequence[Told], leaders: Sequence[Told]) -> Iterator[Term | Sought]:
    """The steps of a merge through each of several operands. One is sought in, where the loops that tell in which fiber
    it is are some of a leader's, and not all: of another operand (`loop.seek`), or of a list (`loop.shorter`), without
    which there is nothing to do."""
    for above, own in walked:
        leader = next((steps for others, steps in leaders if above < others), None)
        yield own if leader is None else Sought(own, leader)


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

    def exceeds(self, other: Work) -> bool:
        """Whether it is more than another, whatever the sizes are, since it has all of its terms.

        >>> from gnomon.reference.schedule.branched.expectation import product
        >>> rows, whole = (Work(((20, product(["nnz(A)"])), (n, product("IJ")))) for n in (1, 100))
        >>> whole.exceeds(rows), rows.exceeds(rows), rows.exceeds(whole)
        (True, False, False)
        """
        return other.counts() < self.counts()

    def counts(self) -> Counter[Term | Sought]:
        """How often each term counts."""
        found = Counter[Term | Sought]()
        for count, term in self.terms:
            found[term] += count
        return found

    def evaluate(self, at: Mapping[str, Any]) -> Any:
        """Its value: a number, or an array where sizes have arrays of values."""
        return sum(count * term.evaluate(at) for count, term in self.terms)
