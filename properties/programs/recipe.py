"""Operands that no file gives: ones, or random numbers at random places."""

from __future__ import annotations

import math
import re

import numpy as np
from msgspec import Struct

from ...reference.errors import GnomonError
from ...reference.files.text import INTEGER
from ...reference.storage.packing import checked_shape, tensor
from ...reference.storage.tensor import Tensor

CELLS, MOST = 2**62, 2**28
FORM = "ones[:SHAPE] or random[:SHAPE[:DENSITY[:SEED]]], for example random:1000x800:0.01:7 or random::0.01"


class Recipe(Struct, frozen=True):
    """How an operand is made: its values, and the shape, density and seed if they are given."""

    values: str
    shape: tuple[int, ...] | None = None
    density: float | None = None
    seed: int = 0

    def pack(self, shape: tuple[int, ...], format: str | None) -> Tensor:
        """The tensor of a shape in a format, else in COO if a density is given and dense if none is.

        Raises GnomonError for more cells than can be counted, or more components than are stored.
        """
        cells = math.prod(shape)
        count = cells if self.density is None else round(self.density * cells)
        if cells > CELLS or count > MOST:
            what = f"{count} components of {cells} cells"
            raise GnomonError(f"{what} are too many to make", hint=f"give a smaller shape or density: {FORM}")
        chance = np.random.default_rng(self.seed)
        at = np.arange(cells) if self.density is None else places(chance, cells, count)
        coords = np.array(np.unravel_index(at, shape or (1,)))[: len(shape)]
        values = np.ones(len(at)) if self.values == "ones" else 1.0 - chance.random(len(at))
        usual = "" if not shape else "Dense" if self.density is None else "COO"
        return tensor(coords, values, shape, usual if format is None else format)


def places(chance: np.random.Generator, cells: int, count: int) -> np.ndarray:
    """`count` different numbers below `cells`, in order; every set of them is equally likely."""
    if 2 * count > cells:
        return np.sort(chance.permutation(cells)[:count])
    found = np.zeros(0, np.int64)
    while len(found) < count:
        found = np.unique(np.concatenate([found, chance.integers(0, cells, count)]))
    return np.sort(chance.permutation(found)[:count])


def recipe(text: str) -> Recipe | None:
    """How an option says that an operand is made, if it does. Raises GnomonError for a recipe that makes no sense.

    >>> recipe("random:3x4:0.5"), recipe("matrix.mtx")
    (Recipe(values='random', shape=(3, 4), density=0.5, seed=0), None)
    """
    values, *rest = text.split(":")
    if values not in ("ones", "random"):
        return None
    if len(rest) > (1 if values == "ones" else 3):
        raise GnomonError(f"{text!r} has more parts than {values} takes", hint=f"write {FORM}")
    sizes, density, seed = (*rest, "", "", "")[:3]
    return Recipe(values, extents(sizes, text), share(density, text), number(seed, text))


def extents(words: str, text: str) -> tuple[int, ...] | None:
    """A shape such as `1000x800`, or None if it is left out."""
    if not words:
        return None
    if not re.fullmatch(r"[0-9]+(x[0-9]+)*", words):
        raise GnomonError(f"expected a shape such as 1000x800, but found {words!r} in {text!r}", hint=f"write {FORM}")
    return checked_shape([int(word[:25]) for word in words.split("x")])


def share(word: str, text: str) -> float | None:
    """A density from 0 to 1, or None if it is left out."""
    if not word:
        return None
    try:
        found = float(word)
    except ValueError:
        found = math.nan
    if not 0 <= found <= 1:
        raise GnomonError(f"expected a density from 0 to 1, but found {word!r} in {text!r}", hint=f"write {FORM}")
    return found


def number(word: str, text: str) -> int:
    """A seed, 0 if it is left out."""
    if not word:
        return 0
    if not INTEGER.fullmatch(word) or word.startswith("-") or len(word) > 25:
        raise GnomonError(f"expected a seed, but found {word[:25]!r} in {text!r}", hint=f"write {FORM}")
    return int(word)
