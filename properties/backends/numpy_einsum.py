"""NumPy's `einsum`: sums of products of dense arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_letters

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ...reference.algebra.operators import MUL
from ...reference.errors import MeaningError
from ...reference.notation.reductions import factors
from ...reference.notation.syntax import Access, Apply, Assignment, Expr, Fill, Literal, Reduce
from ...reference.notation.types import dtype_of, infer_types, is_weak
from ...reference.storage.tensor import Tensor
from ..programs.features import Features
from ..programs.problem import Problem
from .backend import Refused, Scripted
from .spelling import HEADER, spelled_array, spelled_number
from .ssa import Lines

SIGNS = {"add": "+", "sub": "-"}


class Einsum(Scripted):
    """Products under sums by `einsum` with `optimize=True`; sums and differences of these by NumPy's operators.

    Optimised, an expression goes through pairwise contraction, `tensordot` and BLAS as well as through the loops of
    `einsum` itself, to which single operands and what BLAS cannot do are left. Sparse operands are made dense, where
    what is absent meets infinities: those are no part of the programs. NumPy documents how dtypes promote, and `dtype`
    of `einsum` where sums widen.
    """

    name = "einsum"
    version = np.__version__
    features = Features(
        coordinates=False,
        selections=False,
        orders=(0, 1, 2, 3, 4),
        operators=("add", "sub", "mul", "neg"),
        reductions=("add",),
        updates=("add",),
        masks=(),
        semirings=("plus_times",),
        specials=False,
        schedules=False,
    )
    promises = ("dtype",)

    def script(self, problem: Problem) -> str:
        """Operands as dense arrays, a line for every `einsum`, and one for every sum."""
        lines = Lines(f"{HEADER}\n", problem.operands)
        for name, tensor in problem.operands.items():
            lines.bind(name, dense_array(tensor))
        a = problem.terms
        value = infer_types(a.value, {name: t.dtype for name, t in problem.operands.items()})
        return lines.finish(str(Writer(lines).assign(replace(a, value=value))))


def dense_array(tensor: Tensor) -> str:
    """An operand as a dense array. Raises Refused where it is none."""
    if not np.isfinite(tensor.fill):
        raise Refused("an infinite fill, which meets what is absent elsewhere")
    try:
        return spelled_array(tensor.to_numpy())
    except MeaningError:
        raise Refused("duplicates whose sum overflows") from None


class Value(Struct, frozen=True):
    """What a text in the script stands for: a variable per axis; `weak` if it is a number that takes any dtype."""

    text: str
    indices: tuple[str, ...]
    weak: bool = False

    def __str__(self) -> str:
        return self.text


class Writer(Struct):
    """Writes the lines of a script."""

    lines: Lines

    def put(self, text: str, indices: tuple[str, ...]) -> Value:
        """A new line that assigns a text."""
        return Value(self.lines.let(text), indices)

    def assign(self, a: Assignment) -> Value:
        """The right side with its axes as the target has them, added to previous contents if there are any."""
        value = self.transpose(self.term(a.value), a.target.indices)
        if a.operator is None or a.target.tensor not in self.lines.names:
            return value
        return self.put(f"{self.lines.names[a.target.tensor]} + {value}", a.target.indices)

    def term(self, e: Expr) -> Value:
        """An expression."""
        match e:
            case Literal(value=value) | Fill(value=value):
                return Value(spelled_number(value), (), weak=True)
            case Apply() if is_weak(e):
                raise Refused("an operation on numbers alone")
            case Apply(operator=operator, args=(left, right)) if operator is not MUL:
                return self.add(SIGNS[operator.name], self.term(left), self.term(right))
            case Apply(args=(argument,)):
                negated = self.term(argument)
                return self.put(f"-{negated}", negated.indices)
            case Access() | Apply() | Reduce():
                return self.product(e)

    def add(self, sign: str, left: Value, right: Value) -> Value:
        """A sum or a difference, of values that may have different variables."""
        union = (*left.indices, *(v for v in right.indices if v not in left.indices))
        return self.put(f"{self.broadcast(left, union)} {sign} {self.broadcast(right, union)}", union)

    def product(self, e: Expr) -> Value:
        """A product under sums, by one `einsum`; numbers among its factors come before it."""
        over: list[str] = []
        body = e
        while isinstance(body, Reduce):
            over.append(body.index)
            body = body.body
        parts = [self.factor(f) for f in factors(body, MUL)]
        numbers = [p for p in parts if p.weak]
        arrays = [p for p in parts if not p.weak]
        kept = tuple(v for v in dict.fromkeys(v for p in arrays for v in p.indices) if v not in over)
        if not over and len(arrays) == 1 and len(set(arrays[0].indices)) == len(arrays[0].indices):
            summed = arrays[0]
        else:
            summed = self.einsum(arrays, kept, self.forced_dtype(e, body))
        if not numbers:
            return summed
        return self.put(" * ".join([*map(str, numbers), str(summed)]), kept)

    def forced_dtype(self, e: Expr, body: Expr) -> str:
        """The dtype of a product as an argument, where it is not that of its arrays: sums widen, numbers promote."""
        own = dtype_of(e)
        arrays = [dtype_of(f) for f in factors(body, MUL) if not is_weak(f)]
        return "" if own == np.result_type(*arrays) else f", dtype={own.name!r}"

    def factor(self, e: Expr) -> Value:
        """A factor of a product: an operand as it is, or the value of an expression."""
        return Value(self.lines.names[e.tensor], e.indices) if isinstance(e, Access) else self.term(e)

    def einsum(self, arrays: Sequence[Value], indices: tuple[str, ...], forced: str) -> Value:
        """The call for some arrays and a result with these variables."""
        letter = letters_of(v for array in arrays for v in array.indices)
        inputs = ",".join("".join(letter[v] for v in array.indices) for array in arrays)
        subscripts = f"{inputs}->{''.join(letter[v] for v in indices)}"
        operands = ", ".join(map(str, arrays))
        return self.put(f"np.einsum({subscripts!r}, {operands}{forced}, optimize=True)", indices)

    def transpose(self, v: Value, indices: tuple[str, ...]) -> Value:
        """A value with its axes in the order of some variables."""
        wanted = tuple(w for w in indices if w in v.indices)
        return v if wanted == v.indices else self.einsum([v], wanted, "")

    def broadcast(self, v: Value, indices: tuple[str, ...]) -> str:
        """A value with axes that broadcast to those of some variables."""
        turned = self.transpose(v, indices)
        slots = [":" if w in v.indices else "None" for w in indices]
        first = slots.index(":") if ":" in slots else len(slots)
        return f"{turned}[{', '.join(slots[first:])}]" if "None" in slots[first:] else str(turned)


def letters_of(variables: Iterator[str]) -> dict[str, str]:
    """A letter for every variable: its own name if that is one."""
    found = dict.fromkeys(variables, "")
    found |= {v: v for v in found if v in ascii_letters}
    spare = (c for c in ascii_letters if c not in found)
    return {v: letter or next(spare) for v, letter in found.items()}
