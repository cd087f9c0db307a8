"""Facts: what a program says of its tensors and variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct

from ...reference.algebra.dtypes import Number
from ...reference.loops.plan import Planner, Surroundings
from ...reference.notation.syntax import Access
from ...reference.statement.iteration_graph import is_random_access
from ...reference.statement.provenance import Provenance
from ...reference.statement.relation import Bound, Collapse
from ...reference.statement.statement import Program, Workspace, assignments, reads
from ...reference.statement.substitution import Background
from ...reference.storage.format import Format
from ..ir.ir import Expr, Int
from ..storage.layout import c_type


class Facts(Struct, frozen=True, dict=True):
    """What the program of a kernel says, by the names of its tensors and variables."""

    program: Program

    @cached_property
    def formats(self) -> dict[str, Format]:
        """The format of every tensor."""
        return self.program.formats

    @cached_property
    def fills(self) -> dict[str, Number]:
        """The fill value of every tensor."""
        return self.program.fills

    @cached_property
    def dtypes(self) -> dict[str, np.dtype]:
        """The dtype of every tensor."""
        return self.program.dtypes

    @cached_property
    def types(self) -> dict[str, str]:
        """The C type of every tensor's values."""
        return {name: c_type(d) for name, d in self.dtypes.items()}

    @cached_property
    def planner(self) -> Planner:
        """What plans the statements."""
        return Planner(self.program)

    @property
    def background(self) -> Background:
        """What stands for a missing access."""
        return self.planner.background

    @cached_property
    def outside(self) -> Surroundings:
        """What encloses the whole program."""
        return Surroundings(self.planner.space)

    @property
    def workspaces(self) -> dict[str, Workspace]:
        """The workspaces by name."""
        return self.program.workspace

    @property
    def provenance(self) -> Provenance:
        """The relations among index variables."""
        return self.program.provenance

    @property
    def result(self) -> str:
        """The name of the result."""
        return self.program.result

    @cached_property
    def accesses(self) -> list[Access]:
        """The accesses to operands."""
        return [a for a in reads(self.program.statement) if a.tensor not in self.workspaces]

    @cached_property
    def targets(self) -> dict[str, Access]:
        """The first access through which each tensor is written."""
        found: dict[str, Access] = {}
        for leaf in assignments(self.program.statement):
            found.setdefault(leaf.target.tensor, leaf.target)
        return found

    @cached_property
    def deciding_workspaces(self) -> frozenset[str]:
        """The workspaces whose values decide which components there are: those of masks, and what makes these up."""
        leaves = list(assignments(self.program.statement))
        masks = (leaf.mask for leaf in leaves if leaf.mask is not None and not leaf.mask.structural)
        found = {access.tensor for mask in masks for access in mask.reads}
        for _ in self.workspaces:
            found |= {a.tensor for leaf in leaves if leaf.target.tensor in found for a in reads(leaf)}
        return frozenset(found & set(self.workspaces))

    def is_dense(self, access: Access, variable: str) -> bool:
        """Whether an access has every coordinate of a variable, if it is indexed by it, and finds it."""
        levels = self.formats[access.tensor].levels
        if variable in access.indices and variable not in access.levels:
            return False
        own = [level for level, v in zip(levels, access.levels, strict=True) if v == variable]
        return all(level.full and is_random_access(level) for level in own)

    def reads_of(self, name: str) -> list[Access]:
        """The accesses through which a workspace is read."""
        return [a for a in reads(self.program.statement) if a.tensor == name]

    def alike(self, variable: str) -> list[str]:
        """The variables with the same extent: where a workspace is read by one, it is written by another."""
        found = [variable]
        for each in found:
            for name, target in self.targets.items():
                for access in self.reads_of(name):
                    pairs = {*self.collapsed_pairs(access.indices, target.indices)}
                    found += [v for pair in pairs if each in pair for v in pair if v not in found]
        return found

    def collapsed_pairs(self, these: Sequence[str], those: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Variables with the same extents, and those that are collapsed into each, in the same order."""
        for pair in zip(these, those, strict=True):
            yield pair
            match [self.provenance.derivation_of(v) for v in pair]:
                case [Collapse(outer=a, inner=b), Collapse(outer=c, inner=d)]:
                    yield from self.collapsed_pairs((a, b), (c, d))
                case _:
                    pass

    def is_over_collapsed(self, access: Access) -> bool:
        """Whether a variable of an access goes through the combinations of several, of which there may be many."""
        lineages = (self.provenance.lineage(v) for v in access.indices)
        return any(isinstance(self.provenance.derivation_of(v), Collapse) for lineage in lineages for v in lineage)

    def exact(self, variable: str) -> Expr | None:
        """The extent of a variable that a schedule says, if it does."""
        said = (use for use in self.provenance.uses(variable) if isinstance(use, Bound) and use.kind == "max_exact")
        return next((Int(use.size) for use in said), None)
