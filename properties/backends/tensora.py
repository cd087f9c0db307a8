"""tensora: tensor algebra compiled by LLVM, for dense and compressed levels in any order of modes."""

from __future__ import annotations

import math
from importlib.metadata import version
from typing import Any

import numpy as np
from tensora.desugar import NoKernelFoundError

from ...reference.coordinate_map import Mode
from ...reference.format import Format
from ...reference.operators import MUL, NEG, SUB
from ...reference.syntax import Access, Apply, Assignment, Expr, Fill, Literal
from ...reference.tensor import Tensor
from ..features import Features, Storage
from ..problem import Problem
from .backend import Refused, Scripted
from .notation import narrowest, without_sums, written
from .result import Result

LEVELS = Storage(levels=("dense", "compressed"))


class Tensora(Scripted):
    """tensora's `evaluate`.

    Its documentation excludes diagonals, results on the right, and sparse tensors that are iterated in opposite orders.
    It says nothing about what a sparse result stores.
    """

    name = "tensora"
    version = version("tensora")
    features = Features(
        orders=(0, 1, 2, 3, 4),
        dtypes=("float64",),
        mixed=False,
        operands=LEVELS,
        results=LEVELS,
        operators=("add", "sub", "mul", "neg"),
        reductions=("add",),
        updates=(),
        masks=(),
        semirings=(),
        diagonals=False,
        fills=False,
        duplicates=False,
        schedules=False,
    )

    def script(self, problem: Problem) -> str:
        """Operands from coordinates, one call of `evaluate`."""
        expression = assignment(without_sums(problem.terms, [narrowest]))
        made = [f"{name} = {tensor_of(t)}" for name, t in problem.operands.items()]
        given = "".join(f", {name}={name}" for name in problem.operands)
        return "\n".join(
            [
                "from numpy import inf, nan",
                "from tensora import Tensor, evaluate",
                *made,
                f"result = evaluate({expression!r}, {modes(problem.out)!r}{given})",
            ]
        )

    def run(self, problem: Problem) -> Result:
        """What the script computes, as it is stored. Raises Refused where tensora says that it finds no way."""
        try:
            return result_of(super().run(problem))
        except NoKernelFoundError:
            raise Refused("no kernel is found, as for sparse tensors in opposite orders") from None
        except NotImplementedError as error:
            if "not currently implemented" in str(error):
                raise Refused("a sparse level of the result below a sum or a later level") from None
            raise


def result_of(found: Any) -> Result:
    """The components of a tensora tensor, stored zeros included."""
    held = found.to_dok(explicit_zeros=True)
    coords = np.array(list(held), np.int64).reshape(len(held), found.order)
    return Result(tuple(found.dimensions), np.dtype("float64"), coords, np.array(list(held.values()), float))


def tensor_of(tensor: Tensor) -> str:
    """The call that makes a tensor; a number is the list that is nested 0 times deep."""
    coords, values = tensor.components()
    if tensor.order == 0:
        return f"Tensor.from_lol({float(values.sum())!r})"
    places = [tuple(i) for i in coords.T.tolist()]
    return f"Tensor.from_aos({places}, {values.tolist()}, dimensions={tensor.shape}, format={modes(tensor.format)!r})"


def modes(format: Format) -> str:
    """A format as tensora writes it: `ds`, or `d1s0` where the modes are in another order."""
    order = [term.mode for term in format.map.terms if isinstance(term, Mode)]
    letters = [level.letter for level in format.levels]
    if order == sorted(order):
        return "".join(letters)
    return "".join(f"{letter}{mode}" for letter, mode in zip(letters, order, strict=True))


def assignment(a: Assignment) -> str:
    """An assignment as tensora writes it."""
    return f"{leaf(a.target)} = {written(positive(a.value), leaf)}"


def positive(e: Expr) -> Expr:
    """An expression without signs, which tensora's grammar lacks: `-a` is `(0 - 1) * a`."""
    match e:
        case Apply(operator=operator, args=(argument,)) if operator is NEG:
            return Apply(MUL, (Apply(SUB, (Literal(0), Literal(1))), positive(argument)))
        case Apply(operator=operator, args=args):
            return Apply(operator, tuple(map(positive, args)))
        case Literal(value=int() | float() as value) if value < 0:
            return Apply(SUB, (Literal(0), Literal(-value)))
        case _:
            return e


def leaf(e: Access | Literal | Fill) -> str:
    """An access or a number; tensora writes a scalar's parentheses, too."""
    match e:
        case Access(tensor=tensor, indices=indices):
            return f"{tensor}({','.join(indices)})"
        case Literal(value=int() | float() as value) if not isinstance(value, bool) and math.isfinite(value):
            return repr(value)
        case Literal() | Fill():
            raise Refused("a number that is not real or not finite")
