"""Tables of the specification, made from declarations: nobody types them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping

import numpy as np

from ...reference import errors
from ...reference.algebra.dtypes import DTYPES
from ...reference.algebra.operator import Constant, Operator
from ...reference.algebra.operators import OPERATORS
from ...reference.algebra.promotion import FLOAT64
from ...reference.algebra.semirings import KNOWN, semiring
from ...reference.algebra.spellings import ALIASES, FUNCTIONS
from ...reference.notation.types import sample
from ...reference.schedule.command import FORMS
from ...reference.schedule.commands import EFFECTS
from ...reference.statement.tags import STRATEGIES, UNITS
from . import level_tables
from .merges import COLUMNS, merge_rows
from .table import Table, code, summary


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


def promotions() -> Table:
    """The common dtype of any two dtypes."""
    rows = [(code(a.name), *(np.result_type(a, b).name for b in DTYPES)) for a in DTYPES]
    return Table(("", *(dtype.name for dtype in DTYPES)), tuple(rows))


def weak_promotions() -> Table:
    """The dtype that a number of a text takes beside an operand, by its kind."""
    kinds = {
        "Boolean": np.dtype("bool"),
        "integer": np.dtype("int64"),
        "float": FLOAT64,
        "complex": np.dtype("complex128"),
    }
    rows = [(code(own.name), *(np.result_type(own, sample(kind)).name for kind in kinds.values())) for own in DTYPES]
    return Table(("beside", *kinds), tuple(rows))


def semirings() -> Table:
    """The semirings that are well known."""
    rows = []
    for name, what in KNOWN:
        ring = semiring(name)
        rows.append(
            (code(name), code(ring.add.name), code(ring.multiply.name), constants(ring.add.left_identity), what)
        )
    return Table(("semiring", "add", "multiply", "absent", "what for"), tuple(rows))


def spellings() -> Table:
    """What other systems call operators, and where these names may be used."""
    rows = [
        (code(own), code(name), "texts and semirings" if own in FUNCTIONS else "semirings")
        for own, name in ALIASES.items()
    ]
    return Table(("name", "operator", "where"), tuple(rows))


def commands() -> Table:
    """Scheduling commands: how they are written, and what is asked of each beyond its arguments."""
    rows = [
        (
            code(name),
            code(form.example),
            ", ".join(code(each.name) for each in EFFECTS[name].preconditions),
            summary(EFFECTS[name].function),
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


def constants(*sides: Constant | None) -> str:
    """What constants are in float64, where both sides have the same once, else for each side."""
    found = [None if side is None else side(np.dtype("float64")) for side in sides]
    if all(each is None for each in found):
        return ""
    words = ["none" if each is None else code(f"{each:g}" if isinstance(each, float) else str(each)) for each in found]
    return words[0] if len(set(words)) == 1 else f"{words[0]} left, {words[1]} right"


TABLES: Mapping[str, Callable[[], Table]] = {
    "operators": operators,
    "operator-types": operator_types,
    "semirings": semirings,
    "spellings": spellings,
    "merges": merges,
    "dtypes": dtypes,
    "promotions": promotions,
    "weak-promotions": weak_promotions,
    "levels": level_tables.level_formats,
    "level-arrays": level_tables.level_arrays,
    "level-interface": level_tables.interface,
    "level-access": level_tables.access_functions,
    "level-assembly": level_tables.assembly_functions,
    "restricted-expressions": level_tables.expressions,
    "restricted-statements": level_tables.statements,
    "letters": level_tables.letters,
    "formats": level_tables.named_formats,
    "matrix-market": level_tables.matrix_market_fields,
    "scipy": level_tables.scipy_formats,
    "commands": commands,
    "arguments": command_arguments,
    "units": units,
    "errors": error_classes,
}
"""The tables by the names that pages call them by."""
