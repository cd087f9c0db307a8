"""A draft: what is known while a statement is built, of tensors, variables and the names that are taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import numpy as np
from msgspec import Struct, field

from ..algebra.dtypes import Number
from ..notation.elaboration import fresh_name
from ..notation.resolution import Resolved
from ..notation.syntax import Access, Expr, Fill, accesses
from ..storage.coordinate_map import CoordinateMap, Term
from ..storage.declaration import Declaration
from ..storage.format import Format
from ..storage.room import workspace_levels
from .blocks import Blocks
from .converting import Conversions, name_converted
from .provenance import Provenance
from .relation import FormatRelation, derived_variables
from .statement import Program, Statement, Workspace, assignments, indices
from .substitution import Background, counted_variables, without_operands


class Draft(Struct):
    """What is known while a statement is built: tensors, variables and the supply of fresh names."""

    formats: dict[str, Format]
    fills: dict[str, Number]
    dtypes: dict[str, np.dtype]
    extents: dict[str, int]
    convert: bool
    result: str
    previous: str
    taken: set[str]
    relations: list[FormatRelation] = field(default_factory=list)
    workspaces: dict[str, Workspace] = field(default_factory=dict)
    conversions: Conversions = field(default_factory=Conversions)
    open: set[str] = field(default_factory=set)
    continues: bool = False
    depends: set[str] = field(default_factory=set)
    staging: str | None = None
    staged: dict[str, str] = field(default_factory=dict)
    blocks: dict[str, Blocks] = field(default_factory=dict)

    @classmethod
    def of(cls, resolved: Resolved, formats: Mapping[str, Format], result: Format | None, convert: bool) -> Self:
        """The state before anything is lowered. Previous contents of the result get a name of their own."""
        name = resolved.assignment.target.tensor
        taken = {name, *formats, *dict(resolved.extents)}
        previous = fresh_name(f"{name}_old", taken)
        sources = {previous if n == name else n: n for n in formats}
        operands = dict(resolved.operands)
        return cls(
            formats={new: formats[old] for new, old in sources.items()} | ({} if result is None else {name: result}),
            fills={new: operands[old].fill for new, old in sources.items()} | {name: resolved.fill},
            dtypes={new: operands[old].dtype for new, old in sources.items()} | {name: resolved.dtype},
            extents=dict(resolved.extents),
            convert=convert,
            result=name,
            previous=previous,
            taken=taken | {previous},
        )

    def measure(self, value: Expr, resolved: Resolved) -> None:
        """Take in the reduction variables that were renamed apart."""
        operands = dict(resolved.operands)
        for access in accesses(value):
            self.extents |= dict(zip(access.indices, operands[access.tensor].shape, strict=True))
        self.taken |= set(self.extents)

    def program(self, statement: Statement, result: str) -> Program:
        """The finished statement with everything it needs to run; what only abandoned attempts used is left out."""
        written = {leaf.target.tensor for leaf in assignments(statement)}
        loops = set(indices(statement))
        found = Program(
            statement,
            Provenance(tuple(r for r in dict.fromkeys(self.relations) if set(derived_variables(r)) & loops)),
            tuple(w for name, w in self.workspaces.items() if name in written),
            tuple((n, Declaration(format, self.dtypes[n], self.fills[n])) for n, format in self.formats.items()),
            result,
            tuple(self.extents.items()),
            self.previous,
            frozenset(self.depends),
            staging=self.workspaces[self.staging] if self.staging is not None and self.staging in written else None,
            continues=self.continues,
        )
        return name_converted(found, self.conversions.sources)

    def fresh(self, stem: str) -> str:
        """A name not yet in use for a tensor or a variable."""
        name = fresh_name(stem, self.taken)
        self.taken.add(name)
        return name

    def background(self) -> Background:
        """What missing means for the tensors known so far."""
        return Background(self.fills, self.dtypes, self.extents)

    def fill_of(self, e: Expr) -> Fill:
        """An expression whose operands are all missing. The statement depends on the extents that this counts."""
        background = self.background()
        self.depends |= counted_variables(e, frozenset(accesses(e)), background)
        return without_operands(e, background)

    def workspace(self, indices: tuple[str, ...], dtype: np.dtype, missing: Number) -> Access:
        """A fresh workspace over these variables; its format is settled with the loops that read it."""
        name = self.fresh("w")
        self.fills[name], self.dtypes[name] = missing, dtype
        self.open.add(name)
        return Access(name, indices, dtype=dtype)

    def result_format(self, target: Access) -> Format | None:
        """The format of a target, or of what it is copied to; None if that is open."""
        return self.formats.get(self.staged.get(target.tensor, target.tensor))

    def settle(self, name: str, indices: tuple[str, ...], terms: tuple[Term, ...]) -> None:
        """Give a workspace its levels, in the order in which they are read."""
        map, blocks = CoordinateMap(len(indices), terms), self.blocks.get(name)
        extents = [n or 0 for n in map.level_extents([self.extents[v] for v in indices])]
        if blocks is None:
            levels = workspace_levels(extents)
        else:
            levels = blocks.levels([blocks.is_inside(indices, term) for term in terms], extents)
        self.formats[name] = Format(levels, map=map)
        self.record_workspace(name, indices)

    def record_workspace(self, name: str, indices: tuple[str, ...]) -> None:
        """Record a workspace whose format is known."""
        shape = tuple(self.extents[v] for v in indices)
        self.workspaces[name] = Workspace(name, self.formats[name], shape, self.dtypes[name], self.fills[name])
