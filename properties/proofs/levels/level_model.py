"""A level over storage of unknown size and contents: what every statement about level formats speaks of."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ....reference.levels.compressed import Compressed
from ....reference.levels.dense import Dense
from ....reference.levels.level import CoordinatePositionIteration, Level
from ..solver import Term, z3
from .invariant_terms import fresh, is_element, subterms
from .restricted_paths import call_own, run
from .restricted_terms import Field, Notes, Scope, Value, both, formula
from .storage_axioms import axioms, lengths, scope_of, segment_bounds, shared_lengths

Path = tuple[Term, ...]
"""The coordinates of a parent and its ancestors, the parent's last."""
DEPTH = 3


class Model(Struct, frozen=True, eq=False, dict=True):
    """A level, its storage, the number of its parents and of its positions.

    `notes` are on everything that is said in terms of the level's text, for all models made from one another.
    """

    level: Level
    fields: Mapping[str, Field]
    parents: Term
    size: Term
    extents: tuple[Term, ...]
    is_segmented: bool = False
    notes: Notes = field(default_factory=Notes)

    def with_storage(self, fields: Mapping[str, Field]) -> Model:
        """The model with other storage."""
        return replace(self, fields={**self.fields, **fields})

    def with_sizes(self, parents: Term, size: Term) -> Model:
        """The model with another number of parents and positions."""
        return replace(self, parents=parents, size=size)

    @cached_property
    def is_by_position(self) -> bool:
        """Whether the children of a parent are iterated by position."""
        return isinstance(self.level, CoordinatePositionIteration)

    @cached_property
    def arrays(self) -> tuple[str, ...]:
        """The names of the arrays."""
        return tuple(name for name, field in self.fields.items() if callable(field))

    @cached_property
    def lengths(self) -> dict[str, Term]:
        """The length of each array."""
        own = lengths(self.level, self.fields, self.parents, self.size, self.notes)
        return own | shared_lengths(self.level, self.fields, self.extents, self.notes)

    def axioms(self) -> tuple[Term, ...]:
        """What holds of valid storage."""
        return axioms(self.level, self.fields, self.parents, self.size, self.notes)

    def assumptions(self) -> tuple[Term, ...]:
        """What holds of valid storage, with what follows from it by induction over the parents, if that is proved.

        That a level is full helps to prove nothing else, and says of every coordinate that there is a position: left
        out.
        """
        found = [a for a in self.axioms() if not any(is_existential(t) for t in subterms(a))]
        if self.is_segmented:
            found += segment_bounds(self.level, self.fields, self.parents, self.size, self.notes)
        return tuple(found)

    def fullness(self) -> tuple[Term, ...]:
        """What valid storage says of what exists, and of numbers."""
        exists = [a for a in self.axioms() if any(is_existential(t) for t in subterms(a))]
        return (*exists, *(a for a in self.axioms() if not z3.is_quantifier(a)))

    def frame(self) -> tuple[Term, ...]:
        """What holds of the numbers alone, whatever the arrays hold: also while a level is assembled."""
        own = {f.name() for f in self.fields.values() if isinstance(f, z3.FuncDeclRef)}
        return tuple(a for a in self.axioms() if not any(is_element(t) and t.decl().name() in own for t in subterms(a)))

    def path(self) -> Path:
        """The coordinates of some parent and its ancestors."""
        return tuple(fresh(f"i{DEPTH - n}") for n in range(DEPTH))

    def parent(self, p: Term, path: Path) -> tuple[Term, ...]:
        """That a position is one of a parent with these coordinates."""
        within = [z3.And(i >= 0, i < n) for i, n in zip(path, self.extents, strict=True)]
        own = (path[-1] == p,) if is_below_dense(self.level) else ()
        return (p >= 0, p < self.parents, *within, *own)

    def results(self, function: str, *arguments: Value) -> tuple[Any, ...]:
        """The results of a level function."""
        scope = scope_of(self.level, self.fields, self.notes).replace(lengths=self.lengths, before=self.fields)
        return call_own(function, arguments, scope)

    def runs(self, function: str, arguments: Sequence[Value], notes: Notes) -> list[Scope]:
        """The paths through a level function."""
        return run(self.level, self.fields, function, arguments, notes, True, self.lengths)

    def bounds(self, p: Term, path: Path) -> tuple[Term, Term]:
        """The bounds of iteration below a parent: positions or coordinates."""
        begin, end = self.results("pos_bounds", p) if self.is_by_position else self.results("coord_bounds", path)
        return begin, end

    def access(self, p: Term, path: Path, at: Term) -> tuple[Term, Term, Value]:
        """The coordinate, the position and whether there is a child, at a position or coordinate within the bounds."""
        if self.is_by_position:
            c, found = self.results("pos_access", at, path)
            return c, at, found
        q, found = self.results("coord_access", p, (*path, at))
        return at, q, found

    def child(self, p: Term, path: Path, c: Term, q: Term) -> Term:
        """That iteration below a parent gives a coordinate and a position."""
        begin, end = self.bounds(p, path)
        coordinate, position, found = self.access(p, path, q if self.is_by_position else c)
        at = q if self.is_by_position else c
        return formula(both(begin <= at, at < end, found, coordinate == c, position == q))


def is_existential(t: Term) -> bool:
    """Whether a formula says that something exists."""
    return bool(z3.is_quantifier(t) and t.is_exists())


def model(level: Level) -> Model:
    """A level over storage of which nothing is known."""
    fields: dict[str, Field] = {}
    for name, role in level.roles().items():
        is_array = role in ("array", "shared")
        fields[name] = z3.Function(name, z3.IntSort(), z3.IntSort()) if is_array else z3.Int(name)
    extents = tuple(z3.Int(f"extent{DEPTH - n}") for n in range(DEPTH))
    fields.setdefault("N", z3.Int("N"))
    parents = z3.Int("parents")
    return Model(level, fields, parents, z3.Int("size"), extents)


def relax_full(level: Level) -> Level:
    """A level while it is assembled: one that is to be full need not be so until everything has been stored."""
    return dataclasses.replace(level, full=False) if level.full and "full" in level.configurable else level


def is_below_dense(level: Level) -> bool:
    """Whether a level stands below one dense level only, so that the position of a parent is its coordinate."""
    deeper = ((Dense(), Dense()), (Compressed(),), (Compressed(unique=False),))
    return level.misfit((Dense(),)) is None and all(level.misfit(above) is not None for above in deeper)
