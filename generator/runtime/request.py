"""Requests: what a kernel is asked for, before anything is generated."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from ...reference.algebra.scalars import abbreviate, checked_fill
from ...reference.algebra.semirings import Semiring, semiring_or_none
from ...reference.errors import ExpressionError
from ...reference.files.operands import as_tensor, valid_tensor
from ...reference.notation.extent import StandIn
from ...reference.notation.resolution import Resolved, ring_operands
from ...reference.notation.text import Text, as_text
from ...reference.notation.wellformed import unused_operand
from ...reference.schedule.branched.choice import Choice
from ...reference.schedule.schedule import Schedule, as_schedule
from ...reference.statement.front_end import Stated, refuse_convert
from ...reference.statement.statement import Program
from ...reference.storage.format import Format
from ...reference.storage.named_formats import dense
from ...reference.storage.spec import Spec, spec
from ...reference.storage.tensor import Tensor
from ..source import SHARING
from ..storage.layout import Layout, layout_key
from . import cache
from .compiler import FLAGS, Compiler, compiler
from .conversions import Conversion, conversions_of
from .coordinates import COORDINATES, Coordinates, coordinates_of
from .nvcc import chosen_nvcc
from .stand_ins import SMALL, WIDEST, stand_ins
from .unasked import recall_unasked

if TYPE_CHECKING:
    from ...reference.statement.tags import Target

OVERFLOW = ("check", "ignore")


class Tuning(Struct, frozen=True):
    """What measuring may choose: flags of the compiler beside its own, and how threads share out iterations."""

    flags: tuple[str, ...] = ()
    sharing: str = SHARING


class Request(Stated, frozen=True, dict=True):
    """What a kernel is asked for: an expression, the layout of every operand, and how the result is to be stored.

    `choice` is what the schedule was chosen from, for other operands to choose again. `shapes` are stand-ins for those
    of the operands, where these are known and have an extent that is not small.
    `overflow`: integers that do not fit in their dtype are reported (`check`), or have no value that anyone promises.
    """

    declarations: Mapping[str, Layout]
    schedule: Schedule = Schedule()
    choice: Choice | None = None
    tuning: Tuning = Tuning()
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    overflow: str = OVERFLOW[0]

    def resolve_without_shapes(self) -> Resolved:
        """The assignment resolved for operands whose shapes are not known: stand-ins will do."""
        small = {name: (StandIn(SMALL),) * layout.format.order for name, layout in self.declarations.items()}
        return self.resolve({**small, **self.shapes})

    @property
    def program(self) -> Program:
        """The program without a schedule, for operands of any shapes."""
        return self.lower(self.resolve_without_shapes())

    def result(self, resolved: Resolved) -> Layout:
        """The layout in which the result is assembled."""
        index = "int64" if self.is_far else self.result_spec.index.name
        format = self.format
        if self.is_packed:
            format = self.lower(resolved).formats[self.assignment.target.tensor]
        return Layout.uniform(format, resolved.dtype, resolved.fill, index)

    @property
    def packed_spec(self) -> Spec | None:
        """The spec that the result is converted to after it is assembled; None if it is assembled as requested."""
        return Spec(self.format, index=self.result_spec.index) if self.is_packed else None

    def conversions(self, shapes: Mapping[str, tuple[int, ...]]) -> tuple[Conversion, ...]:
        """How operands of some shapes are converted for the statement without a schedule."""
        is_plain = all(layout.format.map.is_permutation for layout in self.declarations.values())
        if is_plain and self.convert is None:
            return ()
        return conversions_of(self.lower(self.resolve(shapes)), self.declarations, far=self.is_far)

    def folds_nothing(self, extents: Mapping[str, int]) -> bool:
        """Whether some reduction has no contributions. Where missing ones count, loops are others then than those for
        which schedules are chosen unasked."""
        kept = self.assignment.target.indices
        return any(not n and v not in kept for v, n in extents.items())

    def arguments(self, operands: Mapping[str, Any]) -> Mapping[str, Any]:
        """Operands with sizes, as the statement without a schedule reads them."""
        known = measurable(operands, self.ring)
        found = self.conversions({name: each.shape for name, each in known.items()})
        return {**known, **{each.name: known[each.source].convert(each.spec) for each in found}}

    @property
    def title(self) -> str:
        """The expression, what else changes its meaning, and the schedule."""
        ring = "" if self.semiring is None else f"    in {self.semiring}"
        return f"{self.text}{ring}" + (f"    by {self.schedule}" if self.schedule else "")

    @cached_property
    def is_far(self) -> bool:
        """Whether an operand is known to have coordinates beyond 32 bits."""
        return any(n > WIDEST for shape in self.shapes.values() for n in shape)

    @cached_property
    def wide(self) -> bool:
        """Whether anything has 64-bit indices: workspaces then have them too."""
        every = [i for layout in self.declarations.values() for i in layout.index]
        return self.is_far or self.result_spec.index.name == "int64" or any(index == "int64" for _, _, index in every)

    def key(self, extents: Mapping[str, Any]) -> str:
        """What identifies the library, with the extents that the statement depends on, and the kinds of others."""
        compiler = chosen_compiler() if self.target == "c" else chosen_nvcc()
        return cache.digest(self.identity, repr(sorted(extents.items())), compiler.identity, *FLAGS)

    @property
    def identity(self) -> str:
        """What identifies the request, whatever compiles it."""
        parts = [f"{name} {layout_key(layout)}" for name, layout in self.declarations.items()]
        custom = [
            f"{name} {op.c} {op.checked} {op.complex_fold} {op!r} {op.source}"
            for name, op in (self.text.operators or {}).items()
        ]
        format = layout_key(Layout.uniform(self.format, np.dtype(bool), 0))
        ring = "" if self.ring is None else self.ring.source
        asked = f"{format} {self.result_spec.dtype} {self.result_spec.fill!r} {self.result_spec.index}"
        return cache.digest(
            cache.fingerprint(), self.text.source, asked, ring, str(self.convert), str(self.schedule),
            repr(self.tuning), self.overflow, self.target, repr(sorted(self.shapes.items())),
            *parts, *custom,
        )  # fmt: skip


def chosen_compiler() -> Compiler:
    """The compiler that the environment asks for."""
    return compiler(os.environ.get("CC"))


def make_request(
    expression: str | Text,
    specs: Mapping[str, Any],
    *,
    out: str | Format | Spec | None = None,
    semiring: str | Semiring | None = None,
    convert: str | None = None,
    schedule: str | Schedule | None = None,
    overflow: str = OVERFLOW[0],
    target: str = "c",
) -> Request:
    """The request for a kernel on operands that are stored so; those not named are dense float64."""
    refuse_convert(convert)
    refuse_overflow(overflow)
    runs_on, asked = known_target(target), as_schedule(schedule)
    ring = semiring_or_none(semiring)
    text = as_text(expression).in_ring(ring)
    specs = specify_coordinates(text, specs)
    orders = operand_orders(text, specs)
    for name in specs:
        refuse_spec(name, specs[name], text, orders)
    inside = ring_operands(text.assignment)
    layouts = {
        name: layout_for(name, specs.get(name), order, ring if name in inside else None)
        for name, order in orders.items()
    }
    given = {name: np.shape(each) for name, each in specs.items() if is_data(each)}
    are_given = given.keys() == orders.keys()
    shapes = stand_ins(given) if are_given else {}
    request = Request(text, layouts, out, semiring, convert, shapes=shapes, overflow=overflow, target=runs_on)
    return by_schedule(request, asked, specs if are_given else None)


def refuse_spec(name: str, given: Any, text: Text, orders: Mapping[str, int]) -> None:
    """Refuse a format or a tensor for what is no operand of a text, and what is neither."""
    if name not in orders:
        raise unused_operand(name, text.source)
    if given is None:
        raise ExpressionError(
            f"{name} is None",
            hint=f"write its format, {name}='CSR' for example, or leave it out if it is dense",
            source=text.source,
            rule="error.python",
        )


def by_schedule(
    request: Request, schedule: str | Schedule | None, operands: Mapping[str, Any] | None = None
) -> Request:
    """The request by a schedule, its settings worked out, on operands if all are known."""
    asked = as_schedule(schedule)
    request = replace(request, schedule=asked)
    if not asked.settings:
        return request
    match recall_unasked(request.identity, asked, lambda: request.program, request.target):
        case Choice() as choice:
            chosen = choice.finalists[0] if operands is None else choice.at(request.arguments(operands))
            return replace(request, schedule=chosen.schedule, choice=choice)
        case Schedule() as found:
            return replace(request, schedule=found)


def measurable(operands: Mapping[str, Any], ring: Semiring | None) -> dict[str, Any]:
    """Operands with sizes: tensors, arrays and coordinates as they are."""
    plain = Tensor | np.ndarray | Coordinates
    return {n: v if isinstance(v, plain) else as_tensor(n, v, ring) for n, v in operands.items()}


def known_target(target: object) -> Target:
    """A target by its name. Raises ExpressionError for what names none."""
    match target:
        case str("c" | "cuda"):
            return target
        case _:
            raise ExpressionError(
                f"target={abbreviate(target)} is not known",
                hint='write target="c" or target="cuda"',
                rule="error.python",
            )


def refuse_tune(tune: object) -> None:
    """Refuse a `tune` that is neither True nor False."""
    if not isinstance(tune, bool | np.bool_):
        raise ExpressionError(
            f"tune={abbreviate(tune)} is neither True nor False",
            hint="write tune=True to measure schedules, and schedule=... to give one",
            rule="error.python",
        )


def refuse_overflow(overflow: object) -> None:
    """Refuse a way to treat integers that overflow that is not known."""
    if not isinstance(overflow, str) or overflow not in OVERFLOW:
        raise ExpressionError(
            f"overflow={abbreviate(overflow)} is not known",
            hint=f"write {' or '.join(f'overflow={o!r}' for o in OVERFLOW)}",
            rule="error.python",
        )


def operand_orders(text: Text, specs: Mapping[str, Any]) -> dict[str, int]:
    """The operands in order of appearance, with their orders."""
    found = {a.tensor: len(a.indices) for a in text.reads}
    if text.target.tensor in specs:
        found[text.target.tensor] = len(text.target.indices)
    return found


def specify_coordinates(text: Text, specs: Mapping[str, Any]) -> dict[str, Any]:
    """How operands are stored, with the vectors of coordinates that a text reads: themselves if all others are given.

    Raises ExpressionError for a name of these that is given something else.
    """
    own = text.coordinate_places
    stored = dict.fromkeys(own, COORDINATES)
    data = {name: value for name, value in specs.items() if is_data(value)}
    for name in own:
        if name in specs and name not in data:
            raise ExpressionError(
                f"{name} is given a format, but it is an index variable: its value is its coordinate",
                hint=f"leave {name} out, or rename the variable",
                source=text.source,
                rule="notation.coordinates",
            )
    known = coordinates_of(text, data)
    return {**specs, **stored, **(known if all(a.tensor in data for a in text.inputs) else {})}


def is_data(given: Any) -> bool:
    """Whether an operand is given, rather than how it is stored."""
    return given is not None and not isinstance(given, str | Format | Spec)


def layout_for(name: str, given: Any, order: int, ring: Semiring | None) -> Layout:
    """The layout of an operand from a format, a spec, or a tensor or array like those to come."""
    if isinstance(given, Coordinates):
        given = COORDINATES
    if is_data(given):
        return Layout.of(valid_tensor(name, as_tensor(name, given, ring)))
    asked = spec(dense(order) if given is None else given)
    dtype = np.dtype("float64") if asked.dtype is None else asked.dtype
    fill = asked.fill
    if fill is None:
        fill = 0 if ring is None or ring.add.left_identity is None else ring.add.left_identity(dtype)
    return Layout.uniform(asked.format_for(order), dtype, checked_fill(fill, dtype), asked.index.name)
