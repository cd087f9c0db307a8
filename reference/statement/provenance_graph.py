"""The provenance graph: what the derived variables of a schedule derive from, and what is known from which.

(Senanayake 2020, sections 3.3 and 5.)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ..notation.syntax import Access
from .derivation import Bound, Coord, Derivation, Divide, Pos, derived_variables, parents
from .provenance import Split


@dataclass(frozen=True, slots=True)
class ProvenanceGraph:
    """The relations of one schedule, in the order of its commands, above the loops.

    Variables that no relation derives are the original ones, over which unscheduled loops run.
    """

    relations: tuple[Derivation, ...] = ()

    def with_(self, relation: Derivation) -> ProvenanceGraph:
        """These relations and one more."""
        return ProvenanceGraph((*self.relations, relation))

    def reading(self, accesses: Sequence[Access]) -> ProvenanceGraph:
        """These relations with positions of accesses that a statement still has."""
        return ProvenanceGraph(tuple(follow_access(relation, accesses) for relation in self.relations))

    def names(self, relation: Derivation) -> tuple[str, ...]:
        """The variables of a relation."""
        return (*parents(relation), *derived_variables(relation))

    def parts(self, variable: str) -> bool:
        """Whether a variable is one of several that its value takes, or derives from one that is."""
        match self.relation_of(variable):
            case Split() | Divide():
                return True
            case None | Coord():
                return False
            case relation:
                return any(self.parts(v) for v in parents(relation))

    def relation_of(self, variable: str) -> Derivation | None:
        """The relation that derives a variable; None for an original one."""
        return next((r for r in self.relations if variable in derived_variables(r)), None)

    def uses(self, variable: str) -> tuple[Derivation, ...]:
        """The relations that derive from a variable."""
        return tuple(r for r in self.relations if variable in parents(r))

    def positions(self) -> tuple[Pos, ...]:
        """The relations that count positions."""
        return tuple(r for r in self.relations if isinstance(r, Pos))

    def originals(self, variable: str) -> tuple[str, ...]:
        """The original variables that a variable derives from, outer ones first."""
        relation = self.relation_of(variable)
        if relation is None:
            return (variable,)
        return tuple(dict.fromkeys(v for parent in parents(relation) for v in self.originals(parent)))

    def lineage(self, variable: str) -> tuple[str, ...]:
        """A variable and all that it derives from."""
        relation = self.relation_of(variable)
        above = () if relation is None else tuple(v for parent in parents(relation) for v in self.lineage(parent))
        return (variable, *above)

    def offspring(self, variable: str) -> tuple[str, ...]:
        """All that derives from a variable.

        >>> ProvenanceGraph((Split("i", "i0", "i1", 4), Split("i1", "a", "b", 2))).offspring("i")
        ('i0', 'i1', 'a', 'b')
        """
        return tuple(
            v for use in self.uses(variable) for each in derived_variables(use) for v in (each, *self.offspring(each))
        )

    def bounds_on(self, variable: str, known: Collection[str]) -> tuple[Bound, ...]:
        """What is said of the ranges that a loop counts through, if none of the loops around counts through them.

        >>> tiled = ProvenanceGraph((Bound("i", "b", 16, "max_exact"), Split("b", "b0", "b1", 4)))
        >>> [bound.bounded for bound in tiled.bounds_on("b0", ())], tiled.bounds_on("b1", ("b0",))
        (['b'], ())
        """
        around = {v for each in known for v in self.lineage(each)}
        own = set(self.lineage(variable)) - around
        return tuple(r for r in self.relations if isinstance(r, Bound) and r.bounded in own)

    def shares(self, variable: str, other: str) -> bool:
        """Whether two variables derive from a common original one."""
        return not set(self.originals(variable)).isdisjoint(self.originals(other))

    def is_position(self, variable: str) -> bool:
        """Whether a variable counts positions rather than coordinates."""
        return self.space_of(variable) is not None

    def space_of(self, variable: str) -> Pos | None:
        """The relation whose positions a variable counts."""
        match self.relation_of(variable):
            case Pos() as relation:
                return relation
            case None | Coord():
                return None
            case relation:
                return self.space_of(parents(relation)[-1])

    def is_derivable(self, variable: str, known: Collection[str]) -> bool:
        """Whether a value follows downward from known ones."""
        relation = self.relation_of(variable)
        return variable in known or (
            relation is not None and all(self.is_derivable(parent, known) for parent in parents(relation))
        )

    def is_recoverable(self, variable: str, known: Collection[str]) -> bool:
        """Whether a value follows upward from known ones."""
        return variable in known or any(
            all(self.is_recoverable(v, known) for v in derived_variables(use)) for use in self.uses(variable)
        )

    def leads_to(self, relation: Derivation, known: Collection[str]) -> bool:
        """Whether known variables derive from what a relation derives: sibling nests may each have their own."""
        return any(
            v in known or any(self.leads_to(use, known) for use in self.uses(v)) for v in derived_variables(relation)
        )

    def expansion(self, variable: str, known: Collection[str]) -> tuple[str, ...]:
        """The loops that a loop over a derived variable stands for: those that make the variables it completes known.

        Without an original variable among them it is a loop over a range of integers (section 5.4).

        >>> split = Split("i", "i0", "i1", 4)
        >>> ProvenanceGraph((split,)).expansion("i0", ()), ProvenanceGraph((split,)).expansion("i1", ("i0",))
        ((), ('i',))
        """
        if self.relation_of(variable) is None or self.is_derivable(variable, known):
            return ()
        found = self.loops_of(variable, known)
        return found if any(self.relation_of(v) is None for v in found) else ()

    def loops_of(self, variable: str, known: Collection[str]) -> tuple[str, ...]:
        """The loops from whose variables the value of a variable follows, outermost first."""
        relation = self.relation_of(variable)
        if variable in known:
            return ()
        if relation is None:
            return (variable,)
        if isinstance(relation, Split | Divide):
            siblings = [v for v in derived_variables(relation) if v != variable]
            if not all(self.is_recoverable(v, known) for v in siblings):
                return (variable,)
        found: list[str] = []
        for parent in parents(relation):
            found += [v for v in self.loops_of(parent, (*known, *found)) if v not in found]
        return tuple(found)

    def leaves(self, variable: str, known: Collection[str]) -> tuple[str, ...]:
        """Which of some loops a variable has become, in the order in which they count through it."""
        uses = [use for use in self.uses(variable) if self.leads_to(use, known)]
        if variable in known or not uses:
            return (variable,)
        replaced = {use.position: use.coordinate for use in self.relations if isinstance(use, Coord)}
        first = uses[0]
        if isinstance(first, Coord) and first.position == variable:
            return self.leaves(first.coordinate, known)
        own = [replaced.get(v, v) for v in derived_variables(first)]
        return tuple(leaf for v in own for leaf in self.leaves(v, known))


def follow_access(relation: Derivation, accesses: Sequence[Access]) -> Derivation:
    """A relation with positions of one of some accesses."""
    match relation:
        case Pos():
            return relation.reading(accesses)
        case Coord(of=of):
            return replace(relation, of=of.reading(accesses))
        case _:
            return relation
