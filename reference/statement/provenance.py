"""Provenance: one graph of the relations among index variables, and what is known from which.

Above are the variables of the source expression. Formats relate those to the variables of their levels, as a blocked
map does `i` to `i//b` and `i%b`; over these, or over the source variables themselves, unscheduled loops run: they are
the *original* variables. A schedule derives others from them. The value of a source variable is recovered upward
through both, while a loop over an original variable, being one that storage is walked by, stands for no other.
(Senanayake 2020, sections 3.2, 3.3 and 5.)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from ..notation.syntax import Access
from .relation import (
    Collapse,
    Coord,
    Derivation,
    FormatRelation,
    Pos,
    Relation,
    Same,
    Split,
    derived_variables,
    parents,
)


class Provenance(Struct, frozen=True, dict=True):
    """The relations of one statement: those of its formats, and those of its schedule in the order of the commands.

    Rows in blocks of 4, whose loop `io` is split again; the row is known where both loops are:

    >>> graph = Provenance((Split("i", "io", "ii", 4),)).extend(Split("io", "a", "b", 2))
    >>> graph.originals("b"), graph.loops("i", ("a", "io", "b", "ii"))
    (('io',), ('io', 'ii'))
    >>> graph.is_original("ii"), graph.recovery("i", ("a", "b", "ii"))
    (True, Split(parent='i', outer='io', inner='ii', factor=4))
    """

    of_formats: tuple[FormatRelation, ...] = ()
    of_schedule: tuple[Derivation, ...] = ()

    @property
    def relations(self) -> tuple[Relation, ...]:
        """All relations, each after those that derive what it derives from."""
        return (*self.of_formats, *self.of_schedule)

    def extend(self, relation: Derivation) -> Provenance:
        """These relations and one more of the schedule."""
        return replace(self, of_schedule=(*self.of_schedule, relation))

    def follow(self, accesses: Sequence[Access]) -> Provenance:
        """The same relations, with positions counted by accesses that a statement still has."""
        return replace(self, of_schedule=tuple(follow_access(relation, accesses) for relation in self.of_schedule))

    def format_relation_of(self, variable: str) -> FormatRelation | None:
        """The relation of a format that introduces a variable; None for one of the source expression."""
        return next((r for r in self.of_formats if variable in derived_variables(r)), None)

    def splits(self, variable: str) -> tuple[Split, ...]:
        """The splits of a source variable by formats: sibling loop nests may split one variable differently."""
        return tuple(r for r in self.of_formats if isinstance(r, Split) and r.parent == variable)

    def parts(self, variable: str) -> tuple[str, ...]:
        """The variables into which formats have split a source variable, and its copies."""
        own = [v for split in self.splits(variable) for v in derived_variables(split)]
        return (*own, *(r.copy for r in self.of_formats if isinstance(r, Same) and r.original == variable))

    def loops(self, variable: str, known: Collection[str]) -> tuple[str, ...] | None:
        """The known variables that give the value of a source or original one, outermost first; None if it is not
        known yet."""
        if variable in known:
            return (variable,)
        split = next((s for s in self.splits(variable) if s.outer in known and s.inner in known), None)
        return self.common_loops(variable, known) if split is None else derived_variables(split)

    def is_collapsed(self, variable: str) -> bool:
        """Whether original variables, and nothing else, are collapsed into a variable."""
        relation = self.derivation_of(variable)
        above = () if relation is None else parents(relation)
        return isinstance(relation, Collapse) and all(self.is_original(v) or self.is_collapsed(v) for v in above)

    def common_loops(self, variable: str, known: Collection[str]) -> tuple[str, ...] | None:
        """The known variable into which commands have collapsed one with others, as `loops`; None if there is none."""
        fused = [r.fused for r in self.uses(variable) if isinstance(r, Collapse) and self.is_collapsed(r.fused)]
        found = (self.loops(f, known) for f in fused)
        return next((loops for loops in found if loops is not None), None)

    def is_original(self, variable: str) -> bool:
        """Whether no command of the schedule derives a variable."""
        return self.derivation_of(variable) is None

    def derivation_of(self, variable: str) -> Derivation | None:
        """The relation of the schedule that derives a variable; None for an original one."""
        return self.derivations.get(variable)

    @cached_property
    def derivations(self) -> dict[str, Derivation]:
        """The relation of the schedule that derives a variable, by variable."""
        return {v: relation for relation in reversed(self.of_schedule) for v in derived_variables(relation)}

    def uses(self, variable: str) -> tuple[Derivation, ...]:
        """The relations of the schedule that derive from a variable."""
        return tuple(r for r in self.of_schedule if variable in parents(r))

    def positions(self) -> tuple[Pos, ...]:
        """The relations that count positions."""
        return tuple(r for r in self.of_schedule if isinstance(r, Pos))

    def originals(self, variable: str) -> tuple[str, ...]:
        """The original variables that a variable derives from, outer ones first."""
        relation = self.derivation_of(variable)
        if relation is None:
            return (variable,)
        return tuple(dict.fromkeys(v for parent in parents(relation) for v in self.originals(parent)))

    def lineage(self, variable: str) -> tuple[str, ...]:
        """A variable and all that the schedule derives it from."""
        relation = self.derivation_of(variable)
        above = () if relation is None else tuple(v for parent in parents(relation) for v in self.lineage(parent))
        return (variable, *above)

    def offspring(self, variable: str) -> tuple[str, ...]:
        """All that the schedule derives from a variable.

        >>> Provenance(of_schedule=(Split("i", "i0", "i1", 4), Split("i1", "a", "b", 2))).offspring("i")
        ('i0', 'i1', 'a', 'b')
        """
        return tuple(
            v for use in self.uses(variable) for each in derived_variables(use) for v in (each, *self.offspring(each))
        )

    def is_position(self, variable: str) -> bool:
        """Whether a variable counts positions rather than coordinates."""
        return self.space_of(variable) is not None

    def space_of(self, variable: str) -> Pos | None:
        """The relation whose positions a variable counts."""
        match self.derivation_of(variable):
            case Pos() as relation:
                return relation
            case None | Coord():
                return None
            case relation:
                return self.space_of(parents(relation)[-1])

    def is_derivable(self, variable: str, known: Collection[str]) -> bool:
        """Whether the value of a variable is known or follows from those of its parents."""
        return variable in known or self.follows(variable, known)

    def follows(self, variable: str, known: Collection[str]) -> bool:
        """Whether the value of a variable follows from those of its parents, rather than being known by its own loop
        alone."""
        relation = self.derivation_of(variable)
        return relation is not None and all(self.is_derivable(parent, known) for parent in parents(relation))

    def is_recoverable(self, variable: str, known: Collection[str]) -> bool:
        """Whether the value of a variable is known or follows from those that a schedule derives from it."""
        return variable in known or any(
            all(self.is_recoverable(v, known) for v in derived_variables(use)) for use in self.uses(variable)
        )

    def recovery(self, variable: str, known: Collection[str]) -> Derivation | None:
        """The relation, of a format or the schedule, by which a value follows from derived ones; None if none does."""
        below = (*self.splits(variable), *self.uses(variable))
        return next((r for r in below if all(self.is_recoverable(v, known) for v in derived_variables(r))), None)

    def uses_towards(self, variable: str, known: Collection[str]) -> list[Derivation]:
        """The uses of a variable by which one of these derives."""
        return [use for use in self.uses(variable) if self.leads_to(use, known)]

    def leads_to(self, relation: Derivation, known: Collection[str]) -> bool:
        """Whether one of these variables derives by a relation: sibling nests may each have relations of their own."""
        return any(v in known or bool(self.uses_towards(v, known)) for v in derived_variables(relation))


def follow_access(relation: Derivation, accesses: Sequence[Access]) -> Derivation:
    """The relation, whose positions are those of an access that is still there."""
    match relation:
        case Pos():
            return relation.follow(accesses)
        case Coord(of=of):
            return replace(relation, of=of.follow(accesses))
        case _:
            return relation
