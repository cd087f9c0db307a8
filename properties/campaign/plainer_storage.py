"""Plainer storage: the same program with its result or one operand in a format that is made of less.

Strategies draw formats whole, so that shrinking ends at any of those that show a defect. Level by level they become
alike, and one defect has one minimal program.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from ...reference.errors import GnomonError
from ...reference.storage.format import Format
from ..programs.features import Features
from ..programs.problem import Problem
from .ingredients import essential, list_ingredients


def plainer(problem: Problem, features: Features) -> Iterator[Problem]:
    """The problems in plainer formats, plainest first, that are valid and use no more than the features.

    Of several operands in one format, each becomes plainer by itself.
    """
    made, count = essential_parts(problem)
    for candidate in store_plainer(problem):
        own, fewer = essential_parts(candidate)
        if own <= made and fewer < count and features.lacks(candidate) is None and is_valid(candidate):
            yield candidate


def essential_parts(problem: Problem) -> tuple[frozenset[str], int]:
    """The essential ingredients of a problem, and how many there are with repetitions."""
    every = list(list_ingredients(problem))
    kept = essential(frozenset(every))
    return kept, sum(each in kept for each in every)


def store_plainer(problem: Problem) -> Iterator[Problem]:
    """The problem with its result, then with each operand, in other formats that can hold it."""
    for out in dict.fromkeys(plainer_formats(problem.out)):
        yield replace(problem, out=out)
    for name, tensor in problem.operands.items():
        for format in dict.fromkeys(plainer_formats(tensor.format)):
            try:
                converted = tensor.convert(format)
            except GnomonError:
                continue
            yield replace(problem, operands={**problem.operands, name: converted})


def plainer_formats(format: Format) -> Iterator[Format]:
    """Dense levels alone, and with the innermost compressed; then the levels all ordered, or all unique; with one of
    them dense, or as it is by default; then their modes in order.

    >>> [str(f) for f in plainer_formats(Format(["compressed(unordered)", "bitmap"]))][:4]
    ['dense,dense', 'dense,compressed', 'compressed,bitmap', 'dense,bitmap']
    """
    yield Format(["dense"] * format.order)
    if format.order:
        yield Format([*["dense"] * (format.order - 1), "compressed"])
    levels = format.levels
    for name in ("ordered", "unique"):
        kept = [replace(level, **{name: True}) if name in level.configurable else level for level in levels]
        if kept != list(levels):
            with suppress(GnomonError):
                yield Format(kept, map=format.map)
    for k, level in enumerate(levels):
        for other in ("dense", level.name):
            try:
                yield Format([*levels[:k], other, *levels[k + 1 :]], map=format.map)
            except GnomonError:
                continue
    if format.map.is_permutation:
        yield Format(levels)


def is_valid(problem: Problem) -> bool:
    """Whether a problem is accepted."""
    try:
        return bool(problem.ready)
    except GnomonError:
        return False
