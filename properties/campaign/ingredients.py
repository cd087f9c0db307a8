"""Ingredients: what a program is made of beyond the plainest, by which findings are told apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from ...reference.algebra.operators import SUB
from ...reference.notation.printer import pretty
from ...reference.notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce, accesses, is_coordinate
from ...reference.storage.coordinate_map import permutation_map
from ...reference.storage.format import Format, print_level
from ...reference.storage.tensor import Tensor
from ..programs.problem import Problem

WHOLE, RESULT, EXPRESSION = "levels ", "result ", "expression "
ODD = ("duplicates", "fill", "an operand without components", "extent 0")


def essential(made: frozenset[str]) -> frozenset[str]:
    """Ingredients without the formats as a whole: two minimal programs with the same have the same defect."""
    return frozenset(each for each in made if not each.startswith((WHOLE, f"{RESULT}{WHOLE}")))


def ingredients(problem: Problem, named: bool = False) -> frozenset[str]:
    """Operators, reductions, levels, dtypes and so on; dense float64 operands have none.

    A program has the defect that a minimal program shows only if it has all of that program's ingredients. Where
    expressions are `named`, the expression is one, but for its mask and for whether it adds or subtracts.
    """
    own = (f"{EXPRESSION}{plain_expression(problem)}",) if named else ()
    return frozenset((*own, *list_ingredients(problem)))


def expression_among(made: frozenset[str]) -> str:
    """The expression among ingredients, if it is one."""
    return next((each for each in made if each.startswith(EXPRESSION)), "")


def oddities(made: frozenset[str]) -> frozenset[str]:
    """Ingredients that code which all expressions share may stumble over: what is odd about operands, whatever is done
    with them."""
    return frozenset(each for each in made if each in ODD or each.endswith(" unordered"))


def of_storage(each: str) -> bool:
    """Whether an ingredient is about formats."""
    return each.startswith(("level", RESULT, "modes ", "a map "))


def plain_expression(problem: Problem) -> str:
    """The expression of a problem without its mask and update, with sums for differences."""
    return pretty(replace(problem.terms, mask=None, operator=None, merge=False)).replace(" - ", " + ")


def list_ingredients(problem: Problem) -> Iterator[str]:
    """The ingredients, with repetitions."""
    a = problem.terms
    if problem.semiring is not None:
        yield f"semiring {problem.semiring}"
    if a.operator is not None:
        yield f"update {a.operator.name}"
    if a.mask is not None:
        yield "mask"
        yield from ["mask complement"] * a.mask.complement
        yield from ["mask structural"] * a.mask.structural
        yield f"mask {'merge' if a.merge else 'replace'}"
        yield from ["mask expression"] * (not isinstance(a.mask.value, Access))
        yield from ["mask of previous contents"] * a.asks_contents
    yield from of_term(a.value)
    read = [access.tensor for access in accesses(a.value)]
    if len(set(read)) < len(read):
        yield "a tensor twice"
    for tensor in problem.operands.values():
        yield from of_tensor(tensor)
    yield from (f"{RESULT}{each}" for each in of_format(problem.out))
    yield from (f"setting {each}" for each in problem.schedule.settings)
    yield from (f"command {command.name}" for command in problem.schedule.commands)
    if 0 in problem.extents.values():
        yield "extent 0"


def of_term(e: Expr) -> Iterator[str]:
    """Operators and reductions, numbers, diagonals, and operands of different variables. A difference is a sum, too."""
    match e:
        case Access(indices=indices):
            if len(set(indices)) < len(indices):
                yield "diagonal"
            if is_coordinate(e):
                yield "coordinate"
        case Literal() | Fill():
            yield "number"
        case Apply(operator=operator, args=args):
            yield f"operator {operator.name}"
            yield from ["operator add"] * (operator is SUB)
            for argument in args:
                yield from of_term(argument)
        case Reduce(operator=operator, body=body):
            yield f"reduction {operator.name}"
            yield from of_term(body)


def of_tensor(tensor: Tensor) -> Iterator[str]:
    """Levels, order, dtype, fill, and what is odd about the values."""
    yield from of_format(tensor.format)
    if tensor.order == 0 or tensor.order > 2:
        yield f"order {tensor.order}"
    if tensor.dtype.name != "float64":
        yield f"dtype {tensor.dtype.name}"
    if tensor.fill != 0:
        yield "fill"
    coords, values = tensor.components()
    if tensor.dtype.kind in "fc" and not np.isfinite(values).all():
        yield "not finite"
    if len({tuple(i) for i in coords.T.tolist()}) < len(values):
        yield "duplicates"
    if not len(values):
        yield "an operand without components"


def of_format(format: Format) -> Iterator[str]:
    """Levels other than dense ones, what is special about them, all together, and other orders of modes or blocks."""
    levels = [print_level(level) for level in format.levels]
    for level, text in zip(format.levels, levels, strict=True):
        if text != "dense":
            yield f"level {level.name}"
            yield from (f"level {level.name} {word}" for word in text[len(level.name) + 1 : -1].split(",") if word)
    if set(levels) - {"dense"}:
        yield f"{WHOLE}{','.join(levels)}"
    if not format.map.is_permutation:
        yield "a map with blocks or ranks"
    elif format.map != permutation_map(range(format.order)):
        yield "modes in another order"
