"""Tables of the specification, made from declarations: nobody types them."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ...reference import errors
from ...reference.algebra.dtypes import DTYPES
from ...reference.algebra.operator import Constant, Operator
from ...reference.algebra.operators import OPERATORS
from ...reference.algebra.semirings import KNOWN, semiring
from ...reference.levels import LEVELS
from ...reference.levels.level import (
    Append,
    CoordinatePositionIteration,
    CoordinateValueIteration,
    Insert,
    Level,
    Locate,
)
from ...reference.schedule.commands import FORMS
from ...reference.statement.tags import STRATEGIES, UNITS
from ...reference.storage.named_formats import DESCRIPTIONS, format_of
from .merges import COLUMNS, merge_rows

CAPABILITIES: Mapping[str, type] = {
    "coordinate value iteration": CoordinateValueIteration,
    "coordinate position iteration": CoordinatePositionIteration,
    "locate": Locate,
    "insert": Insert,
    "append": Append,
}
PROPERTIES = ("full", "ordered", "unique", "branchless", "compact", "padded")
YES = "yes"


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the names of its columns, and rows of cells, which are Markdown."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        """The table as Markdown.

        >>> print(Table(("a", "b"), (("`x|y`", ""),)))
        | a | b |
        | --- | --- |
        | `x\\|y` |  |
        """
        rows = [self.columns, ("---",) * len(self.columns), *self.rows]
        lines = (" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows)
        return "\n".join(f"| {line} |" for line in lines)


def operators() -> Table:
    """Every declared operator: its algebra, in float64 where that depends on the dtype."""
    laws = ("commutative", "associative", "idempotent")
    rows = [
        (
            code(o.name),
            code(o.symbol or ""),
            str(o.arity),
            constants(o.left_identity, o.right_identity),
            constants(o.left_annihilator, o.right_annihilator),
            ", ".join(law for law in laws if getattr(o, law)),
            ", ".join(map(code, sorted(o.distributes_over))),
            code(o.reduction or ""),
        )
        for o in OPERATORS.values()
    ]
    columns = ("operator", "sign", "operands", "identity", "annihilator", "laws", "distributes over", "reduction")
    return Table(columns, tuple(rows))


def operator_types() -> Table:
    """The dtype of every declared operator on operands of one dtype; nothing where it takes none such."""
    shown = [np.dtype(name) for name in ("bool", "int8", "int64", "uint64", "float32", "float64", "complex128")]
    rows = [(code(o.name), *(result_of(o, dtype) for dtype in shown)) for o in OPERATORS.values()]
    return Table(("operator", *(dtype.name for dtype in shown)), tuple(rows))


def result_of(operator: Operator, dtype: np.dtype) -> str:
    """The dtype that an operator gives."""
    try:
        return operator.result_dtype(*[dtype] * operator.arity).name
    except errors.GnomonError:
        return ""


def semirings() -> Table:
    """The semirings that are well known."""
    rows = []
    for name, what in KNOWN:
        ring = semiring(name)
        rows.append(
            (code(name), code(ring.add.name), code(ring.multiply.name), constants(ring.add.left_identity), what)
        )
    return Table(("semiring", "add", "multiply", "absent", "what for"), tuple(rows))


def level_formats() -> Table:
    """Every level format: what it offers and what it is (Chou 2018, Table 1)."""
    rows = [
        (
            code(level.name),
            code(level.letter),
            ", ".join(name for name, kind in CAPABILITIES.items() if isinstance(level, kind)),
            *(YES if getattr(level, name) else "" for name in PROPERTIES),
            ", ".join(map(code, level.configurable)),
        )
        for level in (kind() for kind in LEVELS)
    ]
    return Table(("level", "letter", "offers", *PROPERTIES, "may be said"), tuple(rows))


def level_arrays() -> Table:
    """What every level format stores."""
    rows = [
        (code(kind.name), *(", ".join(code(n) for n, r in kind.roles().items() if r == role) for role in ROLES))
        for kind in LEVELS
    ]
    return Table(("level", *ROLES.values()), tuple(rows))


ROLES = {"array": "arrays", "shared": "arrays of the tensor", "parameter": "parameters", "extent": "extents"}


def named_formats() -> Table:
    """Formats with a name."""
    rows = []
    for name, what in DESCRIPTIONS.items():
        format = format_of(name)
        rows.append((code(name), code(",".join(level.name for level in format.levels)), code(str(format.map)), what))
    return Table(("format", "levels", "map", "what"), tuple(rows))


def commands() -> Table:
    """Scheduling commands: how they are written, and what is asked of each beyond its arguments."""
    rows = [
        (
            code(name),
            code(form.example),
            ", ".join(code(each.name) for each in form.preconditions),
            summary(form.function),
        )
        for name, form in FORMS.items()
    ]
    return Table(("command", "example", "preconditions", "what it does"), tuple(rows))


def command_arguments() -> Table:
    """The arguments of scheduling commands, those that may be left out in brackets."""
    rows = []
    for name, form in FORMS.items():
        kinds = [str(kind) for kind in form.kinds]
        if form.optional is None:
            rows.append((code(name), f"{kinds[0]}, any number of times"))
        else:
            needed = len(kinds) - form.optional
            rows.append((code(name), ", ".join([*kinds[:needed], *(f"[{kind}]" for kind in kinds[needed:])])))
    return Table(("command", "arguments"), tuple(rows))


def summary(thing: object) -> str:
    """The first line of a docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def units() -> Table:
    """Parallel units and race strategies."""
    return Table(
        ("parallel units", "race strategies"), ((", ".join(map(code, UNITS)), ", ".join(map(code, STRATEGIES))),)
    )


def dtypes() -> Table:
    """The dtypes that tensors may have, and what a tensor of each holds at most."""
    return Table(
        ("dtype", "bytes", "least", "greatest"), tuple((code(d.name), str(d.itemsize), *ends(d)) for d in DTYPES)
    )


def ends(dtype: np.dtype) -> tuple[str, str]:
    """The least and the greatest number of a dtype that are finite."""
    match dtype.kind:
        case "b":
            return "false", "true"
        case "i" | "u":
            return str(np.iinfo(dtype).min), str(np.iinfo(dtype).max)
        case "f":
            return str(np.finfo(dtype).min), str(np.finfo(dtype).max)
        case _:
            return "", ""


def error_classes() -> Table:
    """The ways in which gnomon refuses."""
    found = [kind for kind in vars(errors).values() if inspect.isclass(kind) and kind.__module__ == errors.__name__]
    return Table(
        ("error", "kind of", "when"),
        tuple((code(k.__name__), ", ".join(code(b.__name__) for b in k.__bases__), summary(k)) for k in found),
    )


def merges() -> Table:
    """What every operator of two operands leaves at each point of its lattice."""
    return Table(COLUMNS, tuple(merge_rows()))


def code(text: str) -> str:
    """A text as code; nothing stays nothing."""
    return f"`{text}`" if text else ""


def constants(*sides: Constant | None) -> str:
    """What constants are in float64, where both sides have the same once, else for each side."""
    found = [None if side is None else side(np.dtype("float64")) for side in sides]
    if all(each is None for each in found):
        return ""
    words = ["none" if each is None else code(f"{each:g}" if isinstance(each, float) else str(each)) for each in found]
    return words[0] if len(set(words)) == 1 else f"{words[0]} left, {words[1]} right"


def level_functions(name: str) -> Iterator[tuple[str, str]]:
    """The level functions of a level format as they stand in its source, each with its name.

    >>> [name for name, _ in level_functions("compressed")][:2]
    ['pos_bounds', 'pos_access']
    """
    (kind,) = (kind for kind in LEVELS if kind.name == name)
    asked = [function for capability in CAPABILITIES.values() for function in protocol(capability)]
    for function in dict.fromkeys(asked):
        defined = getattr(kind, function, None)
        if defined is not None and defined is not getattr(Level, function, None):
            yield function, textwrap.dedent(inspect.getsource(defined)).rstrip()


def protocol(capability: type) -> list[str]:
    """The level functions that a capability asks for."""
    return [name for name, value in vars(capability).items() if inspect.isfunction(value) and not name.startswith("_")]


TABLES: Mapping[str, Callable[[], Table]] = {
    "operators": operators,
    "operator-types": operator_types,
    "semirings": semirings,
    "merges": merges,
    "dtypes": dtypes,
    "levels": level_formats,
    "level-arrays": level_arrays,
    "formats": named_formats,
    "commands": commands,
    "arguments": command_arguments,
    "units": units,
    "errors": error_classes,
}
"""The tables by the names that pages call them by."""
