"""One loop nest: which variable each storage level binds, and in which order the loops run.

A level of a permuted format binds a source variable. A blocked map splits the variable; a rank gets a loop of its
own; the second occurrence of a variable in one access is a copy that takes the value of the first.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from itertools import combinations

from msgspec import Struct, field
from msgspec.structs import replace

from ..levels.level import Insert
from ..notation.syntax import Access
from ..storage.coordinate_map import Mode, Quotient, Remainder, Term
from ..storage.coordinate_map import Rank as RankTerm
from ..storage.format import Format
from .iteration_graph import Edge, IterationGraph, appended_prefix, operand_edges, result_edges
from .relation import FormatRelation, Rank, Same, Split

Fresh = Callable[[str], str]


class Nest(Struct):
    """A loop nest under construction. `formats` lacks the tensors whose level order is still open: workspaces, and what
    operands are converted to, of which `preferred` says how they would be stored if loops can follow."""

    formats: Mapping[str, Format]
    preferred: Mapping[str, tuple[str, ...]]
    fresh: Fresh
    extents: dict[str, int]
    splits: dict[str, Split] = field(default_factory=dict)
    copies: dict[tuple[str, int], str] = field(default_factory=dict)
    ranks: list[Rank] = field(default_factory=list)

    def bind(self, access: Access) -> Access | None:
        """The access with its level variables; None if its map contradicts a split that the nest already has."""
        format = self.formats.get(access.tensor)
        if format is None or format.map.is_permutation:
            order = range(len(access.indices)) if format is None else format.stored_modes
            return replace(access, levels=self.apart([access.indices[m] for m in order]))
        if len(set(access.indices)) < len(access.indices) or not self.can_split(access, format):
            return None
        return replace(access, levels=self.level_variables(access, format))

    def level_variables(self, access: Access, format: Format) -> tuple[str, ...]:
        """The variables bound by the levels of a mapped access; they enter the nest's relations."""
        return tuple(self.level_variable(access, k, term) for k, term in enumerate(format.map.terms))

    def apart(self, variables: Iterable[str]) -> tuple[str, ...]:
        """The variables, with the second and later occurrences of one replaced by copies."""
        found: list[str] = []
        seen: dict[str, int] = {}
        for variable in variables:
            count = seen[variable] = seen.get(variable, 0) + 1
            found.append(variable if count == 1 else self.copy(variable, count))
        return tuple(found)

    def copy(self, variable: str, count: int) -> str:
        """The variable that takes the value of another at its `count`-th occurrence in one access."""
        if (variable, count) not in self.copies:
            name = self.copies[variable, count] = self.fresh(variable)
            self.extents[name] = self.extents[variable]
        return self.copies[variable, count]

    def can_split(self, access: Access, format: Format) -> bool:
        """Whether no split of the nest contradicts the map."""
        return all(
            access.indices[t.mode] not in self.splits or self.splits[access.indices[t.mode]].factor == t.factor
            for t in format.map.terms
            if isinstance(t, Quotient)
        )

    def level_variable(self, access: Access, k: int, term: Mode | Quotient | Remainder | RankTerm) -> str:
        """The variable bound by level `k` of a mapped access; it enters the nest's relations."""
        match term:
            case Mode(mode=mode):
                return access.indices[mode]
            case Quotient(mode=mode, factor=factor):
                return self.split(access.indices[mode], factor).outer
            case Remainder(mode=mode, factor=factor):
                return self.split(access.indices[mode], factor).inner
            case RankTerm():
                name = self.fresh("r")
                self.ranks.append(Rank(name, access.tensor, k))
                return name

    def split(self, variable: str, factor: int) -> Split:
        """The split of a variable, made at its first use."""
        if variable not in self.splits:
            split = Split(variable, self.fresh(f"{variable}o"), self.fresh(f"{variable}i"), factor)
            self.splits[variable] = split
            self.extents[split.outer] = -(-self.extents[variable] // factor)
            self.extents[split.inner] = factor
        return self.splits[variable]

    def bind_result(self, access: Access) -> Access | None:
        """The result with its level variables if any level is appended to; None if the nest lacks its splits."""
        format = self.formats.get(access.tensor)
        if format is None or all(isinstance(level, Insert) for level in format.levels):
            return access
        levels = []
        for term in format.map.terms:
            match term:
                case Mode(mode=mode):
                    levels.append(access.indices[mode])
                case Quotient(mode=mode, factor=factor) | Remainder(mode=mode, factor=factor):
                    split = self.splits.get(access.indices[mode])
                    if split is None or split.factor != factor:
                        return None
                    levels.append(split.outer if isinstance(term, Quotient) else split.inner)
                case RankTerm():
                    return None
        return replace(access, levels=tuple(levels))

    def loops(self, variable: str) -> tuple[str, ...]:
        """The loops that give the coordinate of a variable."""
        split = self.splits.get(variable)
        return (variable,) if split is None else (split.outer, split.inner)

    def terms(self, mode: int, variable: str, blocked: Container[str]) -> tuple[tuple[Term, str], ...]:
        """The terms of a mode that a variable indexes, with the variables that their levels bind."""
        if variable not in blocked:
            return ((Mode(mode), variable),)
        split = self.splits[variable]
        return ((Quotient(mode, split.factor), split.outer), (Remainder(mode, split.factor), split.inner))

    def relations(self) -> tuple[FormatRelation, ...]:
        """What the nest adds to the statement's provenance."""
        copies = tuple(Same(name, variable) for (variable, _), name in self.copies.items())
        return (*self.splits.values(), *copies, *self.ranks)

    def graph(self, variables: Iterable[str], operands: Iterable[Access], result: Access | None) -> IterationGraph:
        """The iteration graph of bound accesses over these source variables."""
        operands = tuple(operands)
        derived = [*self.copies.values(), *(r.rank for r in self.ranks)]
        nodes = dict.fromkeys(v for variable in variables for v in self.loops(variable)) | dict.fromkeys(derived)
        known = set(nodes) | set(self.splits)
        loops = {v: self.loops(v) for v in known}
        edges = [Edge(s.outer, s.inner, None, True) for s in self.splits.values()]
        edges += [Edge(self.loops(v)[-1], name, None, True) for (v, _), name in self.copies.items()]
        for access in operands:
            if access.tensor in self.formats:
                edges += operand_edges(access, self.formats[access.tensor], loops)
            order = [loops[v][-1] for v in self.preferred.get(access.tensor, ())]
            edges += [Edge(outer, inner, access, False) for outer, inner in combinations(order, 2)]
        if result is not None and result.levels:
            edges += result_edges(result, self.formats[result.tensor], loops)
        return IterationGraph(tuple(nodes), tuple(edges))

    def assembles(self, result: Access, order: tuple[str, ...]) -> bool:
        """Whether loops in this order visit the result as its append levels require."""
        if not result.levels:
            return True
        loops = {v: self.loops(v) for v in result.levels}
        prefix = appended_prefix(result, self.formats[result.tensor], loops)
        return order[: len(prefix)] == prefix
