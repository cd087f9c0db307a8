"""The frame of a kernel function: one function being written, and where its tensors are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from ...reference.errors import InternalError
from ...reference.notation.syntax import Access
from ...reference.statement.derivation import Bound
from ...reference.statement.iteration_graph import is_random_access
from ...reference.statement.provenance import Rank, Same, Split
from ...reference.statement.statement import Program, assignments, reads
from ...reference.statement.substitution import background_of
from ...reference.storage.coordinate_map import Mode, Remainder
from ...reference.storage.format import Format, interleaving
from ..ir import ir
from ..ir.ir import INT, Expr, Int, Name, Spelled
from ..ir.writer import Writer
from ..storage.layout import SHARED, Layout, array_names, c_type, field_of, parameters
from ..storage.level_functions import Bound as Level
from .env import Env

Mode_ = Literal["assemble", "compute", "evaluate", "count"]


@dataclass(frozen=True)
class Store:
    """A tensor in C: its levels over their arrays, its values, and for some workspaces which values are present."""

    name: str
    layout: Layout
    bounds: tuple[Level, ...]
    vals: Name
    present: Name | None = None

    @property
    def format(self) -> Format:
        """The storage format."""
        return self.layout.format

    @property
    def type(self) -> str:
        """The C type of the values."""
        return c_type(self.layout.dtype)


@dataclass
class Frame:
    """One function being written. `whole`: every blocked extent is a multiple of its block.

    What is declared once is so in the `region`: the function, or the part of it that every thread of a team runs.
    `exit` is the label to go to where something has failed. `checks`: integers that overflow are reported.
    """

    program: Program
    layouts: Mapping[str, Layout]
    mode: Mode_
    root: Writer
    parameters: Mapping[str, str]
    wide: bool
    sharing: str
    checks: bool
    whole: bool = False
    stores: dict[str, Store] = field(default_factory=dict)
    lists: dict[tuple[Access, int], Name] = field(default_factory=dict)
    frees: list[str] = field(default_factory=list)
    fallible: bool = False
    dimensions: dict[str, Expr] = field(default_factory=dict)
    exit: str = "done"
    is_parallel: bool = False

    def __post_init__(self) -> None:
        self.region = self.root
        self.formats = self.program.formats
        self.fills = self.program.fills
        self.dtypes = self.program.dtypes
        self.background = background_of(self.program)
        self.types = {name: c_type(d) for name, d in self.dtypes.items()}
        self.workspaces = {w.name: w for w in self.program.workspaces}
        self.provenance, self.derivations = self.program.provenance, self.program.derivations
        self.result = self.program.result
        self.accesses = [a for a in reads(self.program.statement) if a.tensor not in self.workspaces]
        self.targets: dict[str, Access] = {}
        for leaf in assignments(self.program.statement):
            self.targets.setdefault(leaf.target.tensor, leaf.target)

    def enter(self, region: Writer, exit: str) -> tuple[Writer, str, dict[tuple[Access, int], Name], list[str]]:
        """Begin a part that every thread runs, with lists and memory of its own; what was there, for `leave`."""
        outer = (self.region, self.exit, self.lists, self.frees)
        self.region, self.exit, self.lists, self.frees = region, exit, {}, []
        self.is_parallel = True
        return outer

    def leave(self, outer: tuple[Writer, str, dict[tuple[Access, int], Name], list[str]]) -> None:
        """End that part."""
        self.region, self.exit, self.lists, self.frees = outer
        self.is_parallel = False

    @property
    def is_structural(self) -> bool:
        """Whether what is being written finds out which components there are, and computes no values."""
        return self.mode in ("assemble", "count")

    def wants(self, name: str) -> bool:
        """Whether anybody asks for the values of a tensor that is written."""
        return not self.is_structural or name in self.deciding

    @cached_property
    def deciding(self) -> frozenset[str]:
        """The workspaces whose values decide which components there are: those of masks, and what makes these up."""
        leaves = list(assignments(self.program.statement))
        found = {leaf.mask.access.tensor for leaf in leaves if leaf.mask is not None and not leaf.mask.structural}
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

    def is_sparse(self, name: str) -> bool:
        """Whether a parameter is an operand that keeps which of its components are there."""
        return name != self.result and bool(self.layouts[name].index)

    def size(self, name: str) -> Expr:
        """The number of values of an operand."""
        key = f"{name}_size"
        if key not in self.dimensions:
            value = Spelled(f"{self.parameters[name]}->size")
            self.dimensions[key] = self.root.declare(f"const {INT}", key, value, natural=True)
        return self.dimensions[key]

    def fail_if(self, out: Writer, condition: Expr) -> None:
        """Leave the function where something failed."""
        self.fallible = True
        out.add(ir.If(condition, (ir.Jump("goto", self.exit),)))

    def fail(self, out: Writer, condition: Expr, status: str) -> None:
        """Leave the function with a status where a condition holds."""
        self.fallible = True
        out.add(ir.If(condition, (ir.Assign(Name("status"), Spelled(status)), ir.Jump("goto", self.exit))))

    def check(self, out: Writer) -> None:
        """Leave the function where an allocation failed."""
        self.fail_if(out, Spelled("status != GN_OK"))

    def load(self, name: str) -> None:
        """Declare the arrays of an operand."""
        layout, parameter = self.layouts[name], self.parameters[name]
        pointers = {
            (k, array): self.root.declare(
                f"const {layout.types[k, array]} *restrict",
                f"{name}_{array}" if k == SHARED else f"{name}{k + 1}_{array}",
                Spelled(field_of(parameter, layout.format, k, array)),
            )
            for k, array in array_names(layout.format)
        }
        bounds = []
        for k, _ in enumerate(layout.format.levels):
            fields: dict[str, Expr] = {"N": self.extent(name, k), "M": ir.ZERO}
            if k + 1 < len(layout.format.levels):
                fields["M"] = self.extent(name, k + 1)
            constants = interleaving(layout.format, k)
            for n, each in enumerate(parameters(layout.format, k)):
                fields[each] = (
                    Int(constants[each])
                    if each in constants
                    else self.root.declare(
                        f"const {INT}",
                        f"{name}{k + 1}_{each}",
                        Spelled(f"{parameter}->level[{k}].parameter[{n}]"),
                        natural=True,
                    )
                )
            bounds.append(self.bound(layout, k, fields, pointers))
        kind = c_type(layout.dtype)
        vals = self.root.declare(f"const {kind} *restrict", f"{name}_vals", Spelled(f"{parameter}->vals"))
        self.stores[name] = Store(name, layout, tuple(bounds), vals)

    def bound(
        self, layout: Layout, k: int, fields: Mapping[str, Expr], arrays: Mapping[tuple[int, str], Expr]
    ) -> Level:
        """Level `k` over its storage."""
        level = layout.format.levels[k]
        own = {name: arrays[k, name] for name in level.arrays()}
        common = {name: arrays[SHARED, name] for name, role in level.roles().items() if role == "shared"}
        types = {name: layout.types[k, name] for name in own} | {name: layout.types[SHARED, name] for name in common}
        return Level(level, {**fields, **own, **common}, types)

    def extent(self, name: str, k: int) -> Expr:
        """The extent of a level of an operand: a constant inside a block."""
        term = self.layouts[name].format.map.terms[k]
        if isinstance(term, Remainder):
            return Int(term.factor)
        key = f"{name}{k + 1}"
        if key not in self.dimensions:
            value = Spelled(f"{self.parameters[name]}->level[{k}].extent")
            self.dimensions[key] = self.root.declare(f"const {INT}", f"{key}_dimension", value, natural=True)
        return self.dimensions[key]

    def dimension(self, variable: str) -> Expr:
        """The extent of an original variable: what a schedule says, which has been checked, or where it is found."""
        exact = self.exact(variable)
        return self.measured(variable) if exact is None else exact

    def exact(self, variable: str) -> Expr | None:
        """The extent of a variable that a schedule says, if it does."""
        said = (use for use in self.derivations.uses(variable) if isinstance(use, Bound) and use.kind == "max_exact")
        return next((Int(use.size) for use in said), None)

    def measured(self, variable: str) -> Expr:
        """The extent of an original variable, from an operand that has it or from what a format derives it from."""
        relation = self.provenance.derived_from(variable)
        match relation:
            case Rank(tensor=tensor, level=level):
                return self.extent(tensor, level)
            case Same(original=original):
                return self.dimension(original)
            case Split(inner=inner, factor=factor) if inner == variable:
                return Int(factor)
            case _:
                pass
        for access in self.accesses:
            for k, term in enumerate(self.formats[access.tensor].map.terms):
                if isinstance(term, Mode) and access.indices[term.mode] == variable:
                    return self.extent(access.tensor, k)
        if isinstance(relation, Split):
            return ir.floordiv(ir.add(self.dimension(relation.parent), Int(relation.factor - 1)), Int(relation.factor))
        for access in self.accesses:
            if variable in access.indices:
                mode = access.indices.index(variable)
                if variable not in self.dimensions:
                    value = Spelled(f"{self.parameters[access.tensor]}->shape[{mode}]")
                    stem = f"{variable}_dimension"
                    self.dimensions[variable] = self.root.declare(f"const {INT}", stem, value, natural=True)
                return self.dimensions[variable]
        indexed = {v for access in self.accesses for v in access.indices}
        other = next((v for v in self.alike(variable) if v in indexed), None)
        if other is None:
            raise InternalError(f"no operand has the variable {variable}")
        return self.dimension(other)

    def alike(self, variable: str) -> list[str]:
        """The variables with the same extent: where a workspace is read by one, it is written by another."""
        found = [variable]
        for each in found:
            for name, target in self.targets.items():
                for access in self.reads_of(name):
                    pairs = set(zip(access.indices, target.indices, strict=True))
                    found += [v for pair in pairs if each in pair for v in pair if v not in found]
        return found

    def reads_of(self, name: str) -> list[Access]:
        """The accesses through which a workspace is read."""
        return [a for a in reads(self.program.statement) if a.tensor == name]

    def scratch(self, access: Access, k: int) -> Name:
        """The scratch list that a level of an access is sorted in, declared once."""
        if (access, k) not in self.lists:
            self.lists[access, k] = self.region.declare(
                "gn_list", f"{access.tensor}{k + 1}_list", Spelled("GN_NO_LIST")
            )
            self.frees.append(f"{self.lists[access, k].name}.item")
        return self.lists[access, k]

    def recover(self, variable: str, env: Env) -> Expr:
        """The coordinate of a source variable from those of the loops."""
        if variable in env.coordinates:
            return env.coordinates[variable]
        loops = self.provenance.loops(variable, env.bound)
        if loops is None or len(loops) != 2:
            raise InternalError(f"the coordinate of {variable} is not known inside {env.bound}")
        outer, inner = loops
        factor = next(s.factor for s in self.provenance.splits(variable) if s.outer == outer)
        return ir.add(ir.mul(env.coordinates[outer], Int(factor)), env.coordinates[inner])
