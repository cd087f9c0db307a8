"""Plainer storage: the same program with its result or one operand in a format that is made of less.

Strategies draw formats whole, so that shrinking ends at any of those that show a defect. Level by level they become
alike, and one defect has one minimal program.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...reference.errors import GnomonError
from ...reference.storage.format import Format
from ..programs.features import Features
from ..programs.problem import Problem
from .ingredients import essential, ingredients


def plainer(problem: Problem, features: Features) -> Iterator[Problem]:
    """The problems in plainer formats, plainest first, that are valid and use no more than the features."""
    made = essential(ingredients(problem))
    for candidate in store_plainer(problem):
        if essential(ingredients(candidate)) < made and features.lacks(candidate) is None and is_valid(candidate):
            yield candidate


def store_plainer(problem: Problem) -> Iterator[Problem]:
    """The problem with its result, then with each operand, in other formats that can hold it."""
    for out in plainer_formats(problem.out):
        yield replace(problem, out=out)
    for name, tensor in problem.operands.items():
        for format in plainer_formats(tensor.format):
            try:
                converted = tensor.convert(format)
            except GnomonError:
                continue
            yield replace(problem, operands={**problem.operands, name: converted})


def plainer_formats(format: Format) -> Iterator[Format]:
    """Dense levels alone, and with the innermost compressed; then the levels with one of them dense, or as it is by
    default; then their modes in order.

    >>> [str(f) for f in plainer_formats(Format(["compressed(unordered)", "bitmap"]))][:4]
    ['dense,dense', 'dense,compressed', 'dense,bitmap', 'compressed,bitmap']
    """
    yield Format(["dense"] * format.order)
    if format.order:
        yield Format([*["dense"] * (format.order - 1), "compressed"])
    levels = format.levels
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
