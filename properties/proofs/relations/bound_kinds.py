"""Kinds of bounds: which factors fit them, and that a split by one of these needs no guard.

(Senanayake 2020, section 4, bound.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from ....reference.statement.derivation import KINDS, Bound, is_exact
from ....reference.statement.derivation import holds as is_held
from ....reference.statement.provenance import Split
from ....reference.statement.provenance_graph import ProvenanceGraph
from ..obligation import Obligation
from ..solver import Term, exhibit, z3
from ..verdict import Proved, Verdict, together
from .stored import Stored
from .symbolic import Execution, Integer, Raised, always, explore, term_of

Pair = tuple[int, int]
SHOWN = {name: z3.Int(name) for name in ("begin", "end", "size", "factor")}


def of_kinds() -> tuple[Obligation, ...]:
    """What holds of each kind of bound."""
    return tuple(map(of_kind, KINDS))


def of_kind(kind: str) -> Obligation:
    """One kind of bound: of one that factors can fit, what follows; of another, that it is right that none does."""
    id, rules = f"relations.bound.{kind}", ("schedules 5", "schedules 7")
    if fits_some(kind):
        said = f"Where a bound of the kind {kind} holds and a factor fits it, a split of what it bounds needs no guard."
        return Obligation(id, said, lambda: together([fitting(kind), fitted(kind)]), rules)
    said = f"No factor fits a bound of the kind {kind}: where it holds, a split of what it bounds may need a guard."
    return Obligation(id, said, lambda: together([unfitting(kind), rest(kind)]), rules)


def fits_some(kind: str) -> bool:
    """Whether any factor fits a bound of a kind: its own size does, if one does."""
    return ProvenanceGraph((Bound("i", "b", 2, kind),)).fits("b", 2)


@dataclass(frozen=True, slots=True)
class BoundedSplit:
    """A range with a bound that holds of it, and a split of what it bounds."""

    bound: Bound
    split: Split
    range: tuple[Integer, Integer]

    def fits(self) -> bool:
        """Whether the factor fits the bound, by the provenance graph."""
        return bool(ProvenanceGraph((self.bound,)).fits("b", self.split.factor))

    def is_exact(self) -> Term:
        """Whether the split needs no guard."""
        begin, end = self.range
        space = Stored({"b": end}, begin.execution)
        return term_of(is_exact(self.split, {"b": cast(Pair, (begin, end))}, space))


def bounded(kind: str, run: Execution, *, from_zero: bool) -> BoundedSplit:
    """Any range with a bound of a kind, which is assumed to hold; from zero, as those of loops are, or not."""
    begin, end, size, factor = (run.integer(name) for name in SHOWN)
    bound = Bound("i", "b", cast(int, size), kind)
    run.assume(begin.term == 0 if from_zero else begin.term >= 0, begin.term <= end.term, size.term > 0)
    run.assume(factor.term > 0, term_of(is_held(bound, cast(Pair, (begin, end)))))
    return BoundedSplit(bound, Split("b", "b0", "b1", cast(int, factor)), (begin, end))


def fitting(kind: str) -> Verdict:
    """Whether a factor that fits a bound splits the bounded range, which begins at zero, without a guard."""

    def claim(run: Execution) -> Term:
        found = bounded(kind, run, from_zero=True)
        return z3.Implies(z3.BoolVal(found.fits()), found.is_exact())

    return always(claim, show=SHOWN)


def fitted(kind: str) -> Verdict:
    """Whether a factor, other than the size itself, fits a bound that holds: proved by a witness."""

    def claim(run: Execution) -> Term:
        found = bounded(kind, run, from_zero=True)
        return z3.And(z3.BoolVal(found.fits()), z3.Int("factor") != z3.Int("size"), z3.Int("end") > 0)

    return sometimes(claim)


def unfitting(kind: str) -> Verdict:
    """Whether no factor fits a bound."""
    return always(lambda run: z3.BoolVal(not bounded(kind, run, from_zero=False).fits()), show=SHOWN)


def rest(kind: str) -> Verdict:
    """Whether a split of a range of which a bound holds may need a guard: proved by a witness."""
    return sometimes(lambda run: z3.Not(bounded(kind, run, from_zero=False).is_exact()))


def sometimes(claim: Callable[[Execution], Term]) -> Verdict:
    """Whether what is claimed of a bounded range holds of some: proved by a witness."""
    paths = [path for path in explore(claim) if not isinstance(path.result, Raised)]
    found = [exhibit([*path.condition, path.result], SHOWN) for path in paths]
    return next((verdict for verdict in found if isinstance(verdict, Proved)), together(found))
