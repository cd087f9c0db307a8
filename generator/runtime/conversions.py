"""Conversions: operands that a kernel reads in another format than they are given in, kept for as long as they live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct as Term
from msgspec import field
from msgspec.structs import replace

from ...reference.errors import GnomonError
from ...reference.statement.statement import Program
from ...reference.storage.format import Format
from ...reference.storage.hierarchy import is_lasting
from ...reference.storage.named_formats import format_of
from ...reference.storage.spec import Spec
from ...reference.storage.tensor import Tensor
from ..storage.layout import Layout
from .library import Library
from .operand import Kept, Slot
from .structs import Struct


class Conversion(Term, frozen=True):
    """What a kernel reads as `name`: the operand `source` in a format, with indices of some width."""

    name: str
    source: str
    format: Format
    index: str

    @property
    def spec(self) -> Spec:
        """How the operand is to be stored."""
        return Spec(self.format, index=np.dtype(self.index))

    def layout(self, given: Layout) -> Layout:
        """The layout of what is read, by that of what is given."""
        return Layout.uniform(self.format, given.dtype, given.fill, self.index)


def conversions_of(program: Program, layouts: Mapping[str, Layout], *, far: bool) -> tuple[Conversion, ...]:
    """The conversions that a program asks for, of operands that are laid out so; indices are as wide as theirs, and
    wide where coordinates may be `far`."""

    def width(source: str) -> str:
        return "int64" if far or any(index == "int64" for _, _, index in layouts[source].index) else "int32"

    return tuple(
        Conversion(program.given(c.name), source, program.formats[c.name], width(source))
        for c in program.converted
        for source in (program.given(c.source),)
    )


def parameters(operands: Sequence[str], conversions: Sequence[Conversion]) -> tuple[str, ...]:
    """The parameters of a kernel, in order: its operands, and operands in a second format behind them."""
    return (*operands, *(each.name for each in conversions if each.name not in operands))


def as_note(conversions: Sequence[Conversion]) -> list[list[str]]:
    """Conversions as they are kept in the cache."""
    return [[each.name, each.source, str(each.format), each.index] for each in conversions]


def read_conversions(facts: Sequence[Any], layouts: Mapping[str, Layout]) -> tuple[Conversion, ...] | None:
    """Conversions out of a note of the cache; None if it is malformed."""
    try:
        return tuple(read_conversion(each, layouts) for each in facts)
    except (GnomonError, TypeError, ValueError, KeyError):
        return None


def read_conversion(fact: Sequence[Any], layouts: Mapping[str, Layout]) -> Conversion:
    """A conversion out of a note. Raises an error if it is malformed."""
    name, source, format, index = map(str, fact)
    return Conversion(name, source, format_of(format, layouts[source].format.order), np.dtype(index).name)


class Converter(Term):
    """The tensors to which a kernel has converted operands, by conversion, kept as long as the operands live."""

    slots: Mapping[str, Slot]
    library: Library
    known: dict[Conversion, Kept[tuple[Tensor, Struct]]] = field(default_factory=dict)

    def read(
        self, conversions: Sequence[Conversion], structs: Mapping[str, Struct], operands: Mapping[str, Any]
    ) -> list[Struct]:
        """The structs of the parameters, in order. Raises the errors of converting."""
        made = {each.name: self.convert(each, operands[each.source])[1] for each in conversions}
        return list({**structs, **made}.values())

    def arguments(self, conversions: Sequence[Conversion], operands: Mapping[str, Any]) -> dict[str, Any]:
        """The tensors that are read, by name."""
        return {**operands, **{each.name: self.convert(each, operands[each.source])[0] for each in conversions}}

    def convert(self, conversion: Conversion, given: Any) -> tuple[Tensor, Struct]:
        """An operand as it is read, and its struct. Only what a tensor becomes is kept: arrays may change."""
        kept = self.known.setdefault(conversion, Kept())
        found = kept.of(given)
        if found is not None:
            return found
        slot = self.slots[conversion.source]
        tensor = slot.convert(given).convert(conversion.spec)
        replace(slot, layout=conversion.layout(slot.layout)).check(tensor, given)
        found = tensor, Struct.of(tensor)
        if isinstance(given, Tensor) and is_lasting(given):
            kept.keep(given, found)
            self.library.keep(found[1])
        return found
