"""Programs as a user types them, down to operands that cannot be packed, and the label of what refuses them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from ...reference.algebra.dtypes import Number
from ...reference.algebra.operator import Operator
from ...reference.algebra.operators import ADD, OPERATORS
from ...reference.errors import GnomonError
from ...reference.execution.evaluate import execute
from ...reference.notation.printer import pretty
from ...reference.notation.syntax import Access, Apply, Assignment, Expr, accesses
from ...reference.storage.packing import pack
from ...reference.storage.spec import spec
from ...reference.storage.tensor import Tensor
from ..programs.features import Features
from ..programs.problem import Problem
from .programs import unscheduled_programs
from .tensors import tensors

FLOAT = np.dtype("float64")
NEW, OTHER = "Z", "z"
"""A tensor and a variable that no drawn program has."""

SUMMED = Access(NEW, (OTHER,))
FOLDS = tuple(o for o in OPERATORS.values() if o.reduction is not None)


class Given(Struct, frozen=True):
    """Components as they are handed to `gn.tensor`, which may refuse them; `coordinates` has one row a mode."""

    coordinates: tuple[Any, ...]
    values: tuple[Any, ...]
    shape: tuple[Any, ...]
    format: str
    dtype: str | None = None
    fill: Number = 0

    def pack(self) -> Tensor:
        """The tensor with these components. Raises GnomonError."""
        return pack(self.coordinates, self.values, self.shape, self.format, dtype=self.dtype, fill=self.fill)

    def __str__(self) -> str:
        parts = [repr(list(self.coordinates)), repr(list(self.values)), repr(self.shape), repr(self.format)]
        return f"gn.tensor({', '.join(parts)}, dtype={self.dtype!r}, fill={self.fill!r})"


Operand = Tensor | Given


class Written(Struct, frozen=True):
    """What a user writes: an expression, operands by name, the result's format, dtype and fill, and settings."""

    source: str
    operands: Mapping[str, Operand]
    out: str
    semiring: str | None = None
    schedule: str = ""
    convert: str | None = None
    dtype: str | None = None
    fill: Number | None = None

    def evaluate(self) -> Tensor:
        """The result, by the reference, from packing to the last loop. Raises GnomonError."""
        packed = {name: o.pack() if isinstance(o, Given) else o for name, o in self.operands.items()}
        asked = spec(self.out, dtype=self.dtype, fill=self.fill)
        settings = {"semiring": self.semiring, "convert": self.convert}
        return execute(self.source, packed, out=asked, schedule=self.schedule, **settings).result


class Invalid(Written, frozen=True):
    """What must be refused with exactly the class `error`; `mistake` names the rule that it breaks.

    `says` is a regular expression that occurs in gnomon's message, by which others can see the reason. It is gnomon's
    own wording: theirs need not match it. The repr is a script that is refused, if every operand's storage is sound.
    """

    error: type[GnomonError] = GnomonError
    mistake: str = ""
    says: str = ""

    def __repr__(self) -> str:
        operands = [f"{name} = {unpack(o) if sound(o) else o}" for name, o in self.operands.items()]
        asked = "" if self.dtype is None and self.fill is None else f", dtype={self.dtype!r}, fill={self.fill!r}"
        names = "".join(f", {name}={name}" for name in self.operands)
        settings = f"semiring={self.semiring!r}, convert={self.convert!r}, schedule={self.schedule!r}"
        call = f"gn.evaluate({self.source!r}{names}, out=gn.spec({self.out!r}{asked}), {settings})"
        return "\n".join(
            [
                "import gnomon as gn",
                "from numpy import inf, nan",
                *operands,
                f"{call}  # {self.error.__name__}: {self.mistake}",
            ]
        )


Write = Callable[[st.DrawFn, Features], Written]


class Mistake(Struct, frozen=True):
    """A way to break one rule: the class that refuses it, what every message says, how it is drawn, needed features.

    `says` is a regular expression that occurs in every message for this mistake, and in none that refuses for another
    reason; mistakes that one rule refuses, such as integers that overflow, may share it.
    """

    error: type[GnomonError]
    says: str
    write: Write
    needs: tuple[str, ...] = ()

    def possible(self, features: Features) -> bool:
        """Whether programs with these features can be broken in this way."""
        return all(getattr(features, name) for name in self.needs)


def sound(operand: Operand) -> bool:
    """Whether components can be read from an operand."""
    return isinstance(operand, Given) or operand.sound


def unpack(operand: Operand) -> Given:
    """The components of an operand."""
    if isinstance(operand, Given):
        return operand
    coordinates, values = operand.components()
    rows = tuple(tuple(row) for row in coordinates.tolist())
    held = tuple(values.tolist())
    return Given(rows, held, operand.shape, str(operand.format), operand.dtype.name, operand.fill)


def program(draw: st.DrawFn, features: Features, **narrower: Any) -> Problem:
    """A valid program without a schedule, with features narrowed down."""
    return draw(unscheduled_programs(replace(features, **narrower)))


def plain_program(draw: st.DrawFn, features: Features, **narrower: Any) -> Problem:
    """A valid program with one variable or more on the left, by plain assignment, without semiring and mask."""
    orders = tuple(order for order in features.orders if order) or (1,)
    return program(draw, features, **{"orders": orders, "semirings": (), "updates": (), "masks": (), **narrower})


def ring_program(draw: st.DrawFn, features: Features, **narrower: Any) -> Problem:
    """A valid program in a semiring, by plain assignment, without mask."""
    return program(draw, features, **{"plain": False, "updates": (), "masks": (), **narrower})


def write_program(problem: Problem, **changes: Any) -> Written:
    """A problem as it is written, with changes."""
    known = {"convert": "auto", "schedule": str(problem.schedule), "out": str(problem.out)}
    kept = {name: getattr(problem, name) for name in ("source", "operands", "semiring")}
    return Written(**{**kept, **known, **changes})


def edit_assignment(problem: Problem, change: Callable[[Assignment], Assignment], **operands: Operand) -> Written:
    """A problem with another assignment and further operands, its result in a dense format of the order on the left."""
    assignment = change(problem.text.assignment)
    out = str(problem.out) if len(assignment.target.indices) == problem.out.order else "Dense"
    return write_program(problem, source=pretty(assignment), operands={**problem.operands, **operands}, out=out)


def append_term(problem: Problem, term: Expr, operator: Operator = ADD, **operands: Operand) -> Written:
    """A problem with one more term on the right: `value + term`, or another operator."""
    return edit_assignment(problem, lambda a: replace(a, value=Apply(operator, (a.value, term))), **operands)


def target(problem: Problem) -> Access:
    """The left side."""
    return problem.text.assignment.target


def reads(problem: Problem) -> tuple[Access, ...]:
    """The accesses of the right side."""
    return tuple(dict.fromkeys(accesses(problem.text.assignment.value)))


def dtype(problem: Problem) -> np.dtype:
    """The dtype of some operand."""
    return problem.operands[reads(problem)[0].tensor].dtype


def fresh(draw: st.DrawFn, features: Features, problem: Problem, *variables: str) -> Tensor:
    """One more operand, over variables of a problem or a new one."""
    extents = {OTHER: 2, **problem.extents}
    return draw(tensors(tuple(extents[v] for v in variables), dtype=dtype(problem), features=features))


def ones(shape: tuple[int, ...], dtype: np.dtype) -> Given:
    """A dense array of ones."""
    count = int(np.prod(shape))
    rows = np.indices(shape).reshape(len(shape), count)
    held = (dtype.type(1).item(),) * count
    return Given(tuple(map(tuple, rows.tolist())), held, shape, "Dense", dtype.name)
