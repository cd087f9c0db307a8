"""Variables: the C variables of a tensor under construction, and how many positions its levels have so far."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct, field

from ...reference.levels.level import Insert, Widen
from ...reference.storage.format import interleaving
from ..ir import ir
from ..ir.ir import INT, Expr, Int, Name, Spelled
from ..ir.writer import Writer
from ..scope.coordinate_list import CoordinateList
from ..scope.extents import level_extents
from ..scope.frame import Frame
from ..scope.tensors import Store, bind_level
from ..storage.layout import SHARED, array_names, c_type, default_parameters, field_of, parameters
from ..storage.level_functions import Bound
from .form import ROOT, Form

NOWHERE = Name("NULL")


class Variables(Struct, frozen=True, dict=True):
    """The variables of a tensor that is written: its levels over arrays and parameters, values, and what is counted.

    `counters` and `capacities` belong to heads of groups, `counts` to levels that widen: the children of each parent.
    `begins` is the tensor as whose contents it begins; `listed` are the coordinates that are there, if that is noted.
    """

    form: Form
    bounds: list[Bound] = field(default_factory=list)
    arrays: dict[tuple[int, str], Name] = field(default_factory=dict)
    settings: dict[tuple[int, str], Expr] = field(default_factory=dict)
    vals: Name = NOWHERE
    present: Name | None = None
    counters: dict[int, Name] = field(default_factory=dict)
    capacities: dict[int, Name] = field(default_factory=dict)
    counts: dict[int, Name] = field(default_factory=dict)
    begins: Store | None = None
    listed: CoordinateList | None = None

    @property
    def store(self) -> Store:
        """The tensor as one that can be read."""
        return Store(self.form.name, self.form.layout, tuple(self.bounds), self.vals, self.present, self.listed)

    def sizes(self, k: int, positions: Expr, out: Writer) -> Expr:
        """The number of positions of level `k`, for that many in the head of its group."""
        group = self.form.group(k)
        size = positions
        for n in range(max(group, 0), k + 1):
            if n != group:
                size = self.bounds[n].one("size", (size,), out)
        return size

    def total(self, group: int) -> Expr:
        """The number of positions of a group's head so far; for the first group, the root."""
        return ir.ONE if group == ROOT else self.counters[group]

    def parents(self, k: int, out: Writer, positions: Expr | None = None) -> Expr:
        """The number of parents of level `k`, for that many positions in the head of their group."""
        if k == 0:
            return ir.ONE
        given = self.total(self.form.group(k - 1)) if positions is None else positions
        return self.sizes(k - 1, given, out)

    def positions(self, out: Writer) -> Expr:
        """The number of positions of the first group's last level."""
        size: Expr = ir.ONE
        for level in self.bounds:
            size = level.one("size", (size,), out)
        return size

    def keeps(self, k: int) -> bool:
        """Whether a level that is inserted into keeps which of its coordinates are there."""
        path = tuple(Name("c", True) for _ in range(k + 1))
        return self.bounds[k].call("locate", (Name("p", True), path), Writer())[1] != ir.TRUE

    @cached_property
    def needs_fill(self) -> bool:
        """Whether values must be set before anything is stored: always, except where one insertion sets each."""
        levels = self.form.levels
        inserts = bool(levels) and isinstance(levels[-1], Insert) and self.keeps(len(levels) - 1)
        return self.form.parameter is not None or self.form.meeting or not inserts

    @cached_property
    def is_plain(self) -> bool:
        """Whether every component has a position beforehand, and nothing is kept but its value."""
        form = self.form
        return form.last_append < 0 and not form.flagged and not any(self.keeps(k) for k in range(len(form.levels)))


def declare_variables(form: Form, frame: Frame) -> Variables:
    """Declare arrays, parameters and counters of a tensor that is written."""
    root, name, layout = frame.routine.region, form.name, form.layout
    arrays: dict[tuple[int, str], Name] = {}
    for k, array in array_names(layout.format):
        stem = f"{name}_{array}" if k == SHARED else f"{name}{k + 1}_{array}"
        arrays[k, array] = pointer(form, frame, layout.types[k, array], stem, k, array)
    vals = NOWHERE if form.bare else pointer(form, frame, c_type(layout.dtype), f"{name}_vals", None, "vals")
    present = root.declare("bool *", f"{name}_present", Spelled("NULL")) if form.flagged else None
    if present is not None:
        frame.routine.frees.append(present.name)
    begins = None if form.begins is None else frame.tensors.stores.get(form.begins)
    made = Variables(form, arrays=arrays, vals=vals, present=present, begins=begins)
    extents = level_extents(frame, form.target)
    for k, level in enumerate(form.levels):
        own = settings(form, frame, k)
        made.settings.update({(k, setting): e for setting, e in own.items()})
        following = extents[k + 1] if k + 1 < len(extents) else ir.ZERO
        made.bounds.append(bind_level(layout, k, {"N": extents[k], "M": following, **own}, arrays))
        if isinstance(level, Widen) and form.fresh:
            made.counts[k] = root.declare(f"{INT} *", f"{name}{k + 1}_count", Spelled("NULL"))
            frame.routine.frees.append(made.counts[k].name)
    for h in form.heads:
        made.counters[h] = root.declare(INT, f"p{name}{h + 1}", ir.ZERO, natural=True)
        if form.fresh:
            made.capacities[h] = root.declare(INT, f"{name}{h + 1}_capacity", ir.ZERO, natural=True)
    frame.tensors.stores[name] = made.store
    return made


def pointer(form: Form, frame: Frame, type: str, stem: str, k: int | None, array: str) -> Name:
    """Declare a pointer to an array: empty where this function allocates it, else where the caller keeps it."""
    if form.is_lent or (k is None and form.given):
        assert form.parameter is not None
        where = f"{form.parameter}->vals" if k is None else field_of(form.parameter, form.layout.format, k, array)
        return frame.routine.region.declare(f"{type} *restrict", stem, Spelled(where))
    moves = any(isinstance(level, Widen) for level in form.levels)
    name = frame.routine.region.declare(f"{type} *" if moves else f"{type} *restrict", stem, Spelled("NULL"))
    if form.parameter is None:
        frame.routine.frees.append(name.name)
    return name


def settings(form: Form, frame: Frame, k: int) -> dict[str, Expr]:
    """The parameters of a level: fixed by the format, chosen as for no data, or read from a finished result."""
    constants, chosen = interleaving(form.layout.format, k), default_parameters(form.levels[k])
    found: dict[str, Expr] = {}
    for n, name in enumerate(parameters(form.layout.format, k)):
        if name in constants:
            found[name] = Int(constants[name])
            continue
        value: Expr = Spelled(f"{form.parameter}->level[{k}].parameter[{n}]") if form.is_lent else Int(chosen[name])
        found[name] = frame.routine.region.declare(INT, f"{form.name}{k + 1}_{name}", value, natural=True)
    return found
