"""Guards: where the provenance graph asks for none, loops give a variable values of its range only.

Derived loops run over their whole ranges, and parents are recovered from them upward; what is looked up in storage is
inside. (Senanayake 2020, section 5.3.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ....reference.statement.derivation import (
    Bound,
    Collapse,
    Coord,
    Derivation,
    Divide,
    Pos,
    derived_variables,
    recover_original,
)
from ....reference.statement.derivation import holds as is_held
from ....reference.statement.provenance import Split
from ....reference.statement.provenance_graph import ProvenanceGraph
from ..obligation import Obligation
from ..solver import Term, exhibit, z3
from ..verdict import Proved, Verdict, together
from .relation_chains import FIRST, Chain, begins, chains, named, shown, sizes
from .symbolic import Execution, Raised, always, explore, term_of
from .walked import Nest, Walk

RULES = ("schedules 7",)
Check = Callable[[ProvenanceGraph, str], bool]


class Recovered:
    """The variables of a nest, recovered from loops that run over their whole ranges."""

    def __init__(self, nest: Nest, run: Execution) -> None:
        self.walk = Walk(nest, run)
        self.walk.stand.coordinates.update(self.walk.stand.point)
        self.graph, self.run = nest.graph, run
        for relation in self.graph.relations:
            self.measure(relation)

    def measure(self, relation: Derivation) -> None:
        """Assume that a bound holds; name the quotient of an extent by a factor, of which the solver then knows."""
        match relation:
            case Bound(parent=parent):
                self.run.assume(term_of(is_held(relation, (0, self.walk.spaces.extent(parent)))))
            case Split(parent=parent, factor=size) | Divide(parent=parent, parts=size):
                term_of(self.walk.spaces.extent(parent) % size)
            case Collapse() | Pos() | Coord():
                return

    def is_inside(self, variable: str, value: Any) -> Term:
        """Whether a value lies in the range of a variable."""
        return z3.And(term_of(value) >= 0, term_of(value) < term_of(self.walk.spaces.extent(variable)))

    def value(self, variable: str) -> Any:
        """The value of a variable: of a loop or of a look into storage, any in its range."""
        uses = self.graph.uses(variable)
        if not uses or isinstance(uses[0], Pos | Coord):
            free = self.run.integer(f"{variable}_any")
            self.run.assume(self.is_inside(variable, free))
            return free
        held = {v: self.value(v) for v in derived_variables(uses[0])}
        return recover_original(uses[0], variable, held, self.walk.spaces)


def keeps(nest: Nest, variable: str, check: Check = ProvenanceGraph.is_in_bounds) -> Verdict:
    """Whether a variable stays in its range, for all extents, factors and parts by which it needs no guard."""

    def claim(run: Execution) -> Term:
        given = nest.sized(run)
        if not check(given.graph, variable):
            return z3.BoolVal(True)
        found = Recovered(given, run)
        return found.is_inside(variable, found.value(variable))

    return always(claim, show=sizes(nest), seconds=5)


def leaves(nest: Nest, variable: str) -> Verdict:
    """Whether a variable can leave its range: proved by a witness."""

    def claim(run: Execution) -> Term:
        found = Recovered(nest, run)
        return z3.Not(found.is_inside(variable, found.value(variable)))

    found: list[Verdict] = [
        exhibit([*path.condition, path.result], shown(nest))
        for path in explore(claim)
        if not isinstance(path.result, Raised)
    ]
    return next((verdict for verdict in found if isinstance(verdict, Proved)), found[0])


def asked(length: int, first: str) -> Iterator[tuple[Chain, str]]:
    """All variables of the chains of so many commands that begin with one."""
    for chain in chains(length):
        if begins(chain, 1) == (first,):
            relations = chain.nest.graph.relations
            for variable in dict.fromkeys(v for relation in relations for v in chain.nest.graph.names(relation)):
                yield chain, variable


def is_remainder(chain: Chain, variable: str) -> bool:
    """Whether a variable is recovered as a remainder, which is in its range whatever it is of."""
    uses = chain.nest.graph.uses(variable)
    return bool(uses) and isinstance(uses[0], Collapse) and uses[0].inner == variable


def guarded(length: int, first: str, check: Check = ProvenanceGraph.is_in_bounds) -> Iterator[tuple[Chain, str]]:
    """Those of these variables that need a guard, but for remainders."""
    for chain, variable in asked(length, first):
        if not check(chain.nest.graph, variable) and not is_remainder(chain, variable):
            yield chain, variable


def sound(length: int, first: str, check: Check = ProvenanceGraph.is_in_bounds) -> Verdict:
    """Whether what needs no guard stays inside."""
    return together(named(chain, keeps(chain.nest, v, check)) for chain, v in asked(length, first))


def needed(length: int, first: str, check: Check = ProvenanceGraph.is_in_bounds) -> Verdict:
    """Whether what needs a guard can get outside, but for remainders."""
    found = [named(chain, leaves(chain.nest, v)) for chain, v in guarded(length, first, check)]
    return together(Proved() if isinstance(verdict, Proved) else verdict for verdict in found)


def stricter() -> Verdict:
    """Whether the inner variable of a collapse stays inside although a guard is asked for."""
    found = [(c, v) for c, v in asked(2, "collapse") if is_remainder(c, v) and not c.nest.graph.is_in_bounds(v)]
    return together(named(chain, keeps(chain.nest, v, lambda graph, variable: True)) for chain, v in found)


def obligations() -> tuple[Obligation, ...]:
    """That no guard is missing, and which are not needed."""
    lengths = {1: "one command", 2: "two commands"}
    without = "Schedules of {} that begin with {}: where no guard is asked for, recovered values lie in their range."
    some = (
        "Schedules of {} that begin with {}: where a guard is asked for, some values lie outside, but for remainders."
    )
    return (
        *(
            Obligation(
                f"relations.guards.{claim.__name__}.{length}.{first}",
                text.format(lengths[length], first),
                partial(claim, length, first),
                RULES,
                slow=length > 1,
            )
            for claim, text, about in ((sound, without, asked), (needed, some, guarded))
            for length in lengths
            for first in FIRST
            if any(True for _ in about(length, first))
        ),
        Obligation(
            "relations.guards.stricter",
            "Stricter than need be: the inner variable of a collapse is a remainder, and never leaves its range.",
            stricter,
            RULES,
        ),
    )
