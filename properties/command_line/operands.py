"""The operands of an expression: from files and numbers, made by a recipe, or made up."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...reference.errors import GnomonError, StorageError
from ...reference.files.suffix import read
from ...reference.notation.syntax import Access
from ...reference.notation.text import Text
from ...reference.storage.packing import tensor
from ...reference.storage.tensor import Tensor
from ..programs.recipe import Recipe, recipe


def tensors(text: Text) -> list[Access]:
    """Every access of an expression: what it reads, its mask, its result."""
    return [*text.inputs, text.target]


def check_names(text: Text, *options: Mapping[str, str]) -> None:
    """Raise GnomonError for a name that does not occur in an expression."""
    known = list(dict.fromkeys(access.tensor for access in tensors(text)))
    for name in (name for option in options for name in option):
        if name not in known:
            raise GnomonError(f"{name} does not occur in {text}", hint=f"its tensors are {', '.join(known)}")


def load_operands(text: Text, files: dict[str, str], formats: dict[str, str]) -> dict[str, Any]:
    """The operands that the options name; `ones` and `random` take their extents from the others if they have none."""
    check_names(text, files, formats)
    made = {name: how for name, value in files.items() if (how := recipe(value)) is not None}
    found: dict[str, Any] = {
        name: number(value) if is_number(value) else read(value, formats.get(name))
        for name, value in files.items()
        if name not in made
    }
    extents: dict[str, int] = {}
    places = tensors(text)
    for access in places:
        given = found[access.tensor].shape if isinstance(found.get(access.tensor), Tensor) else ()
        extents |= dict(zip(access.indices, own_shape(made.get(access.tensor)) or given, strict=False))
    for access in places:
        if access.tensor in made and access.tensor not in found:
            how = made[access.tensor]
            absent = [v for v in access.indices if v not in extents]
            if absent and how.shape is None:
                raise GnomonError(
                    f"the extent of {absent[0]} is not known, so {access.tensor} cannot be made",
                    hint=f"write its shape: -t {access.tensor}={how.values}:{'x'.join(['100'] * len(access.indices))}",
                )
            shape = tuple(extents[v] for v in access.indices) if how.shape is None else how.shape
            found[access.tensor] = how.pack(shape, formats.get(access.tensor))
    return found


def own_shape(how: Recipe | None) -> tuple[int, ...]:
    """The shape that a recipe gives, if it does."""
    return () if how is None or how.shape is None else how.shape


def is_number(text: str) -> bool:
    """Whether an option gives a number instead of a file; Python's digits with underscores are none."""
    try:
        complex(text)
    except ValueError:
        return False
    return "_" not in text


def number(text: str) -> int | float | complex:
    """The number that an option gives."""
    for kind in (int, float, complex):
        try:
            return kind(text)
        except ValueError:
            continue
    raise GnomonError(f"{text!r} is not a number")


def make_up_operands(text: Text, formats: dict[str, str]) -> dict[str, Tensor]:
    """Small operands in the given formats, dense where none is given."""
    check_names(text, formats)
    found: dict[str, Tensor] = {}
    for access in dict.fromkeys((*text.inputs, *((text.target,) if text.assignment.needs_contents else ()))):
        order = len(access.indices)
        format = formats.get(access.tensor, "Dense" if order else "")
        found[access.tensor] = sprinkle(order, len(found), format)
    return found


def sprinkle(order: int, number: int, format: str) -> Tensor:
    """A small tensor in a format that stores two components of three, others for every `number`.

    None lie above the diagonal where the format has no place for them.
    """
    extents = (4 if order < 5 else 2,) * order
    coords = np.indices(extents).reshape(order, math.prod(extents))
    strides = np.arange(1, order + 1)[:, None]
    coords = coords[:, (number + (coords * strides).sum(axis=0)) % 3 != 2] if order else coords
    try:
        return tensor(coords, np.arange(1.0, coords.shape[1] + 1), extents, format)
    except StorageError:
        coords = coords[:, (np.diff(coords, axis=0) <= 0).all(axis=0)]
        return tensor(coords, np.arange(1.0, coords.shape[1] + 1), extents, format)
