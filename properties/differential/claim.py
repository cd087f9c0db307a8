"""Claims: a result that somebody else has computed, against what the expression means."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import Struct

from ...reference.algebra.dtypes import DTYPES, Number
from ...reference.algebra.operators import DUPLICATES
from ...reference.algebra.semirings import Semiring
from ...reference.denotation.meaning import Coordinates, Point
from ...reference.errors import DisagreementError, ExpressionError, StorageError, argument_error
from ...reference.files.scipy_arrays import from_scipy, is_scipy
from ...reference.notation.text import Text, as_text
from ...reference.schedule.preparation import Instance, instantiate
from ...reference.storage.format import Format
from ...reference.storage.packing import array_of
from ...reference.storage.spec import Spec, spec
from ...reference.storage.tensor import Tensor
from ..programs.problem import denote
from .check import SAMPLE, Report, Sample
from .difference import Difference, find_difference, structure_difference

SHOWN = 5


class Claim(Struct, frozen=True):
    """A result: an array, or the components that a tensor stores and the value of all others.

    `typed` if its dtype is one that somebody chose: numbers and lists of Python have none.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    typed: bool
    array: np.ndarray | None = None
    held: Mapping[Coordinates, Any] | None = None
    fill: Number = 0
    format: Format | None = None

    def at(self, i: Coordinates) -> Any:
        """The value at a coordinate."""
        return self.array[i].item() if self.array is not None else (self.held or {}).get(i, self.fill)

    def some(self, seed: int) -> list[Coordinates]:
        """Some coordinates, as many as a sample takes, of what is stored, or in an array not zero."""
        if self.array is None:
            return sorted(self.held or {})
        if not self.shape:
            return [()]
        places = np.flatnonzero(self.array)
        chosen = random.Random(seed).sample(range(len(places)), min(SAMPLE, len(places)))
        return list(zip(*(a.tolist() for a in np.unravel_index(places[chosen], self.shape)), strict=True))

    def difference(self, point: Point, i: Coordinates) -> Difference | None:
        """The difference between the claim and the denotation at a coordinate: in value, or in structure if the claim
        has one."""
        found = find_difference(point, i, self.at(i))
        if found is not None or self.format is None or self.held is None:
            return found
        return structure_difference(point, i, self.at(i), i in self.held, self.format.dense_leaves)


def check_result(
    source: str | Text,
    operands: Mapping[str, Any],
    result: Any,
    *,
    seed: int = 0,
    out: str | Format | Spec | None = None,
    semiring: str | Semiring | None = None,
) -> Report:
    """Compare a result that somebody has computed with the denotation of an expression; nothing is run.

    `result` is an array, a list, a number, a tensor or SciPy sparse. Its shape and its dtype have to be those of the
    expression, its values within the error bound; of a tensor and of SciPy sparse the structure is compared, too.
    Which points are looked at is as in `check`. Raises DisagreementError with the first differences, ExpressionError
    for what is no result.
    """
    given = from_scipy(result) if is_scipy(result) else result
    text = as_text(source)
    order = len(text.target.indices)
    if out is None and isinstance(given, Tensor) and given.order == order:
        out = spec(given.format, fill=given.fill if semiring is None else None)
    instance = instantiate(text, operands, out=out, semiring=semiring)
    claim = claim_of(given, instance, has_fill=given is result)
    check_kind(claim, instance)
    denotation = denote(instance.resolved, instance.operands)
    sample = Sample.of(denotation, claim.some(seed), seed)
    found = [d for i in sample.coordinates if (d := claim.difference(denotation.point(i), i)) is not None]
    if found:
        raise DisagreementError(print_differences(found, sample), hint=advice(found), differences=found)
    return Report(len(sample.coordinates), sample.points, sample.seed)


def check_kind(claim: Claim, instance: Instance) -> None:
    """Raise DisagreementError if the shape or the dtype of a result is not that of the expression."""
    resolved = instance.resolved
    if claim.shape != resolved.shape:
        raise DisagreementError(f"the result has shape {claim.shape}, but the expression means shape {resolved.shape}")
    if claim.typed and claim.dtype != resolved.dtype:
        raise DisagreementError(
            f"the result has dtype {claim.dtype.name}, but the expression means {resolved.dtype.name}",
            hint=f"convert the result, or ask for out=gn.spec(..., dtype='{claim.dtype.name}') if that is meant",
        )


def print_differences(found: list[Difference], sample: Sample) -> str:
    """The first differences, one a line, and how many there are."""
    few = "" if len(found) <= SHOWN else ", of which the first are"
    lines = [f"the result is wrong at {len(found)} of {len(sample.coordinates)} points compared{few}"]
    return "\n".join([*lines, *(f"  {difference}" for difference in found[:SHOWN])])


def advice(found: list[Difference]) -> str | None:
    """How to compare values alone, if only the structure differs."""
    only = all(d.structural for d in found)
    return "an array, as of to_numpy() or toarray(), has values alone" if only else None


def claim_of(given: Any, instance: Instance, *, has_fill: bool) -> Claim:
    """A result as a claim; what SciPy does not store is absent. Raises ExpressionError for what is none."""
    if given is None:
        raise argument_error("the result is None, not a tensor", "return what is computed, or leave result out")
    if isinstance(given, Tensor):
        return of_tensor(given, given.fill if has_fill else instance.resolved.fill)
    if not isinstance(given, np.ndarray | np.generic | bool | int | float | complex | list | tuple):
        raise ExpressionError(
            f"the result is a {type(given).__name__}, not a tensor",
            hint="give an array, a tensor or a number",
            rule="error.python",
        )
    array = array_of(given, "elements of the result")
    if array.dtype not in DTYPES:
        raise ExpressionError(
            f"the result has dtype {array.dtype}",
            hint=f"use one of {', '.join(d.name for d in DTYPES)}",
            rule="type.dtypes",
        )
    return Claim(array.shape, array.dtype, isinstance(given, np.ndarray | np.generic), array=array)


def of_tensor(given: Tensor, fill: Number) -> Claim:
    """A tensor as a claim: duplicates stand for their sum. Raises DisagreementError if it breaks an invariant."""
    try:
        given.validate()
    except StorageError as error:
        raise DisagreementError(f"the result is no tensor: {error.message}") from None
    held: dict[Coordinates, Any] = {}
    with np.errstate(all="ignore"):
        for i, value in given.entries():
            held[i] = DUPLICATES.compute(held[i], value) if i in held else value
    return Claim(given.shape, given.dtype, True, held=held, fill=fill, format=given.format)
