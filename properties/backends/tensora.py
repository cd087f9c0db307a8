"""tensora: tensor algebra compiled by LLVM, for dense and compressed levels in any order of modes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from importlib.metadata import version

import numpy as np
from msgspec.structs import replace
from tensora.desugar import NoKernelFoundError

from ...reference.algebra.operators import ADD, MUL, NEG, SUB
from ...reference.notation.syntax import Access, Apply, Assignment, Expr, Fill, Literal, accesses
from ...reference.storage.format import Format
from ...reference.storage.tensor import Tensor
from ..programs.features import Features, Storage
from ..programs.problem import Problem
from .backend import Refused, Scripted
from .notation import is_cyclic, narrowest, print_expression, without_sums
from .result import Result

LEVELS = Storage(levels=("dense", "compressed"))
READING = """\
order = found.mode_ordering
places = [((), 0)]
for mode, level in zip(order, found.taco_indices):
    if level:
        pos, crd = level
        places = [((*i, crd[q]), q) for i, p in places for q in range(pos[p], pos[p + 1])]
    else:
        n = found.dimensions[mode]
        places = [((*i, c), p * n + c) for i, p in places for c in range(n)]
values = found.taco_vals
components = [(tuple(i[order.index(mode)] for mode in range(len(order))), values[p]) for i, p in places]
result = found.dimensions, components"""


class Tensora(Scripted):
    """tensora's `evaluate`.

    Its documentation excludes diagonals and results with an index that no operand has. Only its error messages exclude
    results on the right, names that are both a tensor's and an index's, programs for which no kernel is found ("likely
    due to sparse tensors needing to be iterated in opposite orders"), and a sparse level of the result below a sum or a
    later level. Only its simplifier's docstring has the law `0 * expr => 0`, which infinities and NaN break. Nothing
    says what a sparse result stores. Results are read from their arrays: `to_dok` misreads cyclic orders of modes.
    """

    name = "tensora"
    version = version("tensora")
    features = Features(
        coordinates=False,
        selections=False,
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
        a = bare(problem)
        check_zeros(a.value, problem.operands)
        made = [f"{name} = {tensor_of(t)}" for name, t in problem.operands.items()]
        given = "".join(f", {name}={name}" for name in problem.operands)
        return "\n".join(
            [
                "from numpy import inf, nan",
                "from tensora import Tensor, evaluate",
                *made,
                f"found = evaluate({assignment(a)!r}, {modes(problem.out)!r}{given})",
                READING,
            ]
        )

    def run(self, problem: Problem) -> Result:
        """What the script computes, as it is stored. Raises Refused where tensora says that it finds no way."""
        try:
            return result_of(*super().run(problem))
        except NoKernelFoundError:
            stored = {name: t.format for name, t in problem.operands.items()}
            if is_cyclic(a := bare(problem), {**stored, a.target.tensor: problem.out}):
                raise Refused("storage orders that form a cycle") from None
            raise Refused("no kernel is found although the orders agree") from None
        except NotImplementedError as error:
            if "not currently implemented" in str(error):
                raise Refused("a sparse level of the result below a sum or a later level") from None
            raise


def result_of(shape: tuple[int, ...], components: list[tuple[tuple[int, ...], float]]) -> Result:
    """The components of a result, stored zeros included; of one that is stored twice the last, as tensora reads it."""
    held = dict(components)
    coords = np.array(list(held), np.int64).reshape(len(held), len(shape))
    return Result(shape, np.dtype("float64"), coords, np.array(list(held.values()), float))


def bare(problem: Problem) -> Assignment:
    """The assignment without sums and signs. Raises Refused."""
    a = without_sums(problem.terms, [narrowest])
    return replace(a, value=positive(a.value))


def check_zeros(e: Expr, operands: Mapping[str, Tensor]) -> None:
    """Refuse products with operands that hold infinities or NaN: of what tensora folds to the number 0, and of a sum
    with a number that is 0 where its operands are absent, since tensora computes the product there."""
    if not isinstance(e, Apply):
        return
    read = {access.tensor for access in accesses(e)}
    if e.operator is MUL and not all(is_finite(operands[name]) for name in read):
        if is_zero(e):
            raise Refused("the number 0 times infinities or NaN")
        if any(has_number(argument) and number_of(argument) == 0 for argument in e.args):
            raise Refused("a sum with a number that is 0 where operands are absent, times infinities or NaN")
    for argument in e.args:
        check_zeros(argument, operands)


def is_zero(e: Expr) -> bool:
    """Whether tensora folds an expression to the number 0, whatever operands hold."""
    match e:
        case Literal(value=value):
            return value == 0
        case Apply(operator=operator, args=args):
            return (any if operator is MUL else all)(map(is_zero, args))
        case _:
            return False


def has_number(e: Expr) -> bool:
    """Whether operands and a number are added up somewhere in an expression."""
    if not isinstance(e, Apply):
        return False
    numeric = [not any(accesses(argument)) for argument in e.args]
    return (e.operator in (ADD, SUB) and any(numeric) and not all(numeric)) or any(map(has_number, e.args))


def number_of(e: Expr) -> complex:
    """The number that an expression is where all of its operands are absent."""
    match e:
        case Literal(value=value):
            return value
        case Apply(operator=operator, args=args):
            found: complex = operator.compute(*map(number_of, args))
            return found
        case _:
            return 0.0


def is_finite(tensor: Tensor) -> bool:
    """Whether a tensor holds neither infinities nor NaN."""
    return bool(np.isfinite(tensor.components()[1]).all())


def tensor_of(tensor: Tensor) -> str:
    """The call that makes a tensor; a number is the list that is nested 0 times deep."""
    coords, values = tensor.components()
    if tensor.order == 0:
        return f"Tensor.from_lol({float(values.sum())!r})"
    places = [tuple(i) for i in coords.T.tolist()]
    return f"Tensor.from_aos({places}, {values.tolist()}, dimensions={tensor.shape}, format={modes(tensor.format)!r})"


def modes(format: Format) -> str:
    """A format as tensora writes it: `ds`, or `d1s0` where the modes are in another order."""
    order = format.stored_modes
    letters = [level.letter for level in format.levels]
    if order == sorted(order):
        return "".join(letters)
    return "".join(f"{letter}{mode}" for letter, mode in zip(letters, order, strict=True))


def assignment(a: Assignment) -> str:
    """An assignment as tensora writes it."""
    return f"{leaf(a.target)} = {print_expression(a.value, leaf)}"


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
