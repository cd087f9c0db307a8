"""Inputs that show what a schedule does wrong: small operands, run with the schedule and without it.

Values are distinct primes with alternating signs, or without. Components are all there, or every other one, or in one
row only, so that operands meet and miss each other; where a level admits duplicates, there are some.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from ....reference.algebra.semirings import Semiring, semiring
from ....reference.errors import GnomonError
from ....reference.execution.evaluate import interpret_unchecked
from ....reference.execution.interpreter import interpret
from ....reference.notation.syntax import Assignment, accesses, mask_reads
from ....reference.notation.text import Text
from ....reference.schedule.application import apply_schedule_unchecked
from ....reference.schedule.preparation import prepare
from ....reference.schedule.schedule import Schedule
from ....reference.storage.format import Format
from ....reference.storage.named_formats import dense
from ....reference.storage.packing import pack
from ....reference.storage.spec import Spec, spec
from ....reference.storage.tensor import Tensor
from ...programs.problem import print_format
from ..verdict import Values

Cells = Callable[[tuple[int, ...], int], bool]
"""Whether the operand with some number holds a component."""

Operands = tuple[Mapping[str, Tensor], ...]
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71)
LONG = 10
"""So many coordinates are a long row."""
EXTENTS = ((3, 3, 3), (2, 3, 2), (1, 2, 2))
PATTERNS: tuple[Cells, ...] = (
    lambda i, number: True,
    lambda i, number: (sum(i) + number) % 2 == 0,
    lambda i, number: number == 0 or sum(i) % 2 == 1,
    lambda i, number: number != 0 or sum(i) % 2 == 1,
    lambda i, number: i[-1:] != (0,) or number % 2 == 1,
    lambda i, number: not i or i[0] == len(i) - 1,
)


class Question(Struct, frozen=True):
    """An expression with everything that `gn.evaluate` is told beside the operands, and how these are stored.

    `extents` are those of variables that have to have them, `sizes` those of some that are tried beside others.
    """

    text: Text
    formats: Mapping[str, Format | str | Spec]
    out: Format | str | Spec | None = None
    semiring: str | Semiring | None = None
    convert: str | None = None
    extents: Mapping[str, int] = field(default_factory=dict)
    sizes: tuple[Mapping[str, int], ...] = ()

    @property
    def settings(self) -> dict[str, Any]:
        """What `prepare` is told."""
        return {"out": self.out, "semiring": self.semiring, "convert": self.convert}

    @property
    def assignment(self) -> Assignment:
        """The expression as a term."""
        return self.text.assignment


class Shown(Struct, frozen=True):
    """An input on which a schedule goes wrong: what it gives, and what is right."""

    question: Question
    operands: Mapping[str, Tensor]
    schedule: Schedule
    found: str
    right: str

    def values(self) -> Values:
        """The input as a program, and both results."""
        return (("input", self.program()), ("with the schedule", self.found), ("without", self.right))

    def program(self) -> str:
        """What a user may paste to see what goes wrong."""
        return print_call(self.question, self.operands, self.schedule, unchecked="True")


def print_call(question: Question, operands: Mapping[str, Tensor], schedule: Schedule, **more: str) -> str:
    """The call of `gn.evaluate` on some operands, as a user writes it, with `import gnomon as gn` before it."""
    given = {name: literal(tensor) for name, tensor in operands.items()}
    settings = {
        "out": None if question.out is None else print_out(question.out),
        "semiring": None if question.semiring is None else semiring(question.semiring).source,
        "convert": None if question.convert is None else repr(question.convert),
        "schedule": repr(str(schedule)) if schedule else None,
        **more,
    }
    parts = [f"{name}={text}" for name, text in {**given, **settings}.items() if text is not None]
    return f"gn.evaluate({', '.join([repr(str(question.text)), *parts])})"


def print_out(out: Format | str | Spec) -> str:
    """A format or a spec as Python text."""
    match out:
        case str():
            return repr(out)
        case Format():
            return repr(print_format(out))
        case Spec(format=format, dtype=dtype, fill=fill):
            given = "" if dtype is None else f", dtype={dtype.name!r}"
            given += "" if fill is None else f", fill={number(fill)}"
            return f"gn.spec({print_out(format)}{given})"


def literal(tensor: Tensor) -> str:
    """A tensor as Python text."""
    coords, values = tensor.components()
    own = "" if tensor.fill == 0 else f", fill={number(tensor.fill)}"
    own += "" if tensor.dtype == np.float64 else f", dtype={tensor.dtype.name!r}"
    held = "[" + ", ".join(map(number, values.tolist())) + "]"
    places = "[" + ", ".join(map(row, coords.tolist())) + "]"
    return f"gn.tensor({places}, {held}, {tensor.shape}, {print_format(tensor.format)!r}{own})"


def row(coordinates: list[int]) -> str:
    """The coordinates of one mode as Python text; a long row that is regular is said shortly.

    >>> row([0, 1, 2]), row([0] * 17), row(list(range(17)))
    ('[0, 1, 2]', '[0] * 17', 'list(range(17))')
    """
    many = len(coordinates)
    if many >= LONG and len(set(coordinates)) == 1:
        return f"[{coordinates[0]}] * {many}"
    return f"list(range({many}))" if many >= LONG and coordinates == list(range(many)) else str(coordinates)


def number(value: Any) -> str:
    """A number as Python text that needs no names."""
    plain = np.asarray(value).item()
    return repr(plain) if np.isfinite(plain) else f"float('{plain}')"


def counterexample(
    question: Question, earlier: Schedule, schedules: tuple[Schedule, ...], given: Operands = ()
) -> Shown | None:
    """The first small input on which one of several schedules, applied without checks, goes wrong; None without one.

    What is `given` is tried first. On such an input, the commands that come `earlier` give what is right.
    """
    for operands in (*given, *inputs(question)):
        right = plain(question, operands)
        if right is None or wrong(question, operands, earlier, right) is not None:
            continue
        for schedule in schedules:
            found = wrong(question, operands, schedule, right)
            if found is not None:
                return Shown(question, operands, schedule, found, text(right))
    return None


def plain(question: Question, operands: Mapping[str, Tensor]) -> Tensor | None:
    """The result without a schedule, if there is one."""
    try:
        ready = prepare(question.text, operands, **question.settings)
        return interpret(ready.program, ready.operands, index=ready.index)[0]
    except GnomonError:
        return None


def wrong(question: Question, operands: Mapping[str, Tensor], schedule: Schedule, right: Tensor) -> str | None:
    """What a schedule gives in the place of what is right; None if it gives that, or cannot be applied."""
    try:
        ready = prepare(
            question.text, operands, schedule=schedule, applied=apply_schedule_unchecked, **question.settings
        )
    except GnomonError:
        return None
    try:
        found, _ = interpret_unchecked(ready)
    except GnomonError as error:
        return f"{type(error).__name__}: {error.message}"
    return None if same(found, right) else text(found)


def same(found: Tensor, right: Tensor) -> bool:
    """Whether two results have the same components, but for rounding."""
    if sorted(i for i, _ in found.entries()) != sorted(i for i, _ in right.entries()):
        return False
    if right.dtype.kind in "biu":
        return bool(np.array_equal(found.to_numpy(), right.to_numpy()))
    tolerance = 1e-3 if right.dtype.itemsize == 4 else 1e-9
    return bool(np.allclose(found.to_numpy(), right.to_numpy(), rtol=tolerance, atol=tolerance, equal_nan=True))


def text(result: Tensor) -> str:
    """A result as text, with the stored components of one that may lack some."""
    if result.format.dense_leaves:
        return str(result.to_numpy().tolist())
    return str({i: np.asarray(v).item() for i, v in sorted(result.entries(), key=lambda entry: entry[0])})


def inputs(question: Question) -> Iterator[dict[str, Tensor]]:
    """Small operands: of several shapes, patterns and signs."""
    assignment = question.assignment
    read = [*accesses(assignment.value), *mask_reads(assignment.mask)]
    if assignment.target.tensor in question.formats:
        read.append(assignment.target)
    variables = list(dict.fromkeys(v for access in read for v in access.indices))
    kinds = [*((cells, True) for cells in PATTERNS), *((cells, False) for cells in PATTERNS[:2])]
    for extents, (cells, signs) in product(shapes(question, variables), kinds):
        made: dict[str, Tensor] = {}
        for access in read:
            shape = tuple(extents[v] for v in access.indices)
            try:
                made[access.tensor] = operand(question, access.tensor, shape, cells, len(made), signs)
            except GnomonError:
                break
        else:
            yield made


def shapes(question: Question, variables: list[str]) -> list[Mapping[str, int]]:
    """Extents of the variables."""
    found = [{v: sizes[n % len(sizes)] for n, v in enumerate(variables)} for sizes in EXTENTS]
    wider = [{**found[0], **each} for each in question.sizes if each]
    return [{**each, **question.extents} for each in (*found, *wider)]


def operand(question: Question, name: str, shape: tuple[int, ...], cells: Cells, at: int, signs: bool) -> Tensor:
    """An operand as a question wants it stored."""
    asked = spec(question.formats.get(name, dense(len(shape))))
    format, fill = asked.format_for(len(shape)), asked.fill
    dtype = np.dtype("float64") if asked.dtype is None else asked.dtype
    if fill is None:
        fill = neutral(question, dtype)
    coords = [i for i in product(*map(range, shape)) if cells(i, at) or format.dense_leaves]
    values: list[Any] = []
    for n, i in enumerate(coords):
        prime = PRIMES[(n + 3 * at) % len(PRIMES)] * (-1 if signs and n % 3 == 1 and dtype.kind != "u" else 1)
        values.append(prime if cells(i, at) else fill)
    if coords and not any(level.unique for level in format.levels[-1:]):
        coords, values = [*coords, coords[0]], [*values, values[0]]
    places = np.array(coords, np.int64).reshape(len(coords), len(shape)).T
    if not all(level.ordered for level in format.levels):
        places, values = places[:, ::-1], values[::-1]
    return pack(places, np.array(values).astype(dtype), shape, replace(asked, format=format, dtype=dtype), fill=fill)


def neutral(question: Question, dtype: np.dtype) -> Any:
    """The fill of operands of which nothing is said."""
    if question.semiring is None:
        return 0
    identity = semiring(question.semiring).add.left_identity
    return 0 if identity is None else identity(dtype)
