"""Tensors in a kernel function: the arrays, parameters and extents of those that it reads."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from ...reference.storage.coordinate_map import Remainder
from ...reference.storage.format import Format, interleaving
from ..ir import ir
from ..ir.ir import INT, Expr, Int, Name, Spelled
from ..ir.writer import Writer
from ..storage.layout import SHARED, Layout, array_names, c_type, field_of, parameters
from ..storage.level_functions import Bound
from .coordinate_list import CoordinateList
from .leaders import Place


class Store(Struct, frozen=True):
    """A tensor in C: its levels over their arrays, its values, and for some workspaces which values are present, or a
    list of the coordinates that are there."""

    name: str
    layout: Layout
    bounds: tuple[Bound, ...]
    vals: Name
    present: Name | None = None
    listed: CoordinateList | None = None

    @property
    def format(self) -> Format:
        """The storage format."""
        return self.layout.format

    @property
    def type(self) -> str:
        """The C type of the values."""
        return c_type(self.layout.dtype)


class Tensors(Struct, frozen=True):
    """The tensors of a function: `parameters` by name, their `layouts`, what has been declared of them in `root`, the
    levels from which extents are read (`leaders.py`), and which hold the `coordinates` of an index variable."""

    root: Writer
    layouts: Mapping[str, Layout]
    parameters: Mapping[str, str]
    leaders: Mapping[Place, Place]
    coordinates: frozenset[str] = frozenset()
    stores: dict[str, Store] = field(default_factory=dict)
    dimensions: dict[str, Expr] = field(default_factory=dict)

    def size(self, name: str) -> Expr:
        """The number of values of an operand."""
        key = f"{name}_size"
        return self.once(key, key, f"{self.parameters[name]}->size")

    def once(self, key: str, stem: str, place: str) -> Expr:
        """A number that a field of a tensor holds, in a variable that is declared once."""
        if key not in self.dimensions:
            self.dimensions[key] = self.root.declare(f"const {INT}", stem, Spelled(place), natural=True)
        return self.dimensions[key]

    def extent(self, name: str, k: int) -> Expr:
        """The extent of a level of an operand: a constant inside a block."""
        term = self.layouts[name].format.map.terms[k]
        if isinstance(term, Remainder):
            return Int(term.factor)
        name, k = self.leaders.get((name, k), (name, k))
        key = f"{name}{k + 1}"
        return self.once(key, f"{key}_dimension", f"{self.parameters[name]}->level[{k}].extent")

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
            bounds.append(bind_level(layout, k, fields, pointers))
        kind, vals = c_type(layout.dtype), Name(f"{name}_vals")
        if name not in self.coordinates:
            vals = self.root.declare(f"const {kind} *restrict", f"{name}_vals", Spelled(f"{parameter}->vals"))
        self.stores[name] = Store(name, layout, tuple(bounds), vals)


def bind_level(layout: Layout, k: int, fields: Mapping[str, Expr], arrays: Mapping[tuple[int, str], Expr]) -> Bound:
    """Level `k` over its storage."""
    level = layout.format.levels[k]
    own = {name: arrays[k, name] for name in level.arrays()}
    common = {name: arrays[SHARED, name] for name, role in level.roles().items() if role == "shared"}
    types = {name: layout.types[k, name] for name in own} | {name: layout.types[SHARED, name] for name in common}
    return Bound(level, {**fields, **own, **common}, types)
