"""Tables about storage: level formats with their functions (Chou 2018, Tables 1 to 3), formats, files."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from ...reference.files.matrix_market import FIELDS
from ...reference.files.scipy_arrays import FORMATS
from ...reference.levels import LEVELS, restricted_syntax
from ...reference.levels.level import (
    Append,
    CoordinatePositionIteration,
    CoordinateValueIteration,
    Insert,
    Level,
    Locate,
    Reset,
    Widen,
)
from ...reference.storage.format import SHORT, print_level
from ...reference.storage.named_formats import DESCRIPTIONS, format_of
from .table import Table, code, summary

ACCESS: Mapping[str, type] = {
    "coordinate value iteration": CoordinateValueIteration,
    "coordinate position iteration": CoordinatePositionIteration,
    "locate": Locate,
}
ASSEMBLY: Mapping[str, type] = {"insert": Insert, "widen": Widen, "reset": Reset, "append": Append}
CAPABILITIES = {**ACCESS, **ASSEMBLY}
PROPERTIES = ("full", "ordered", "unique", "branchless", "compact", "padded")
ROLES = {"array": "arrays", "shared": "arrays of the tensor", "parameter": "parameters", "extent": "extents"}
YES = "yes"
BLANK = "\N{NO-BREAK SPACE}"


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


def interface() -> Table:
    """Every level function with its signature, by capability."""
    rows = [
        (capability, code(name), code(signature(name)))
        for capability, kind in CAPABILITIES.items()
        for name in protocol(kind)
    ]
    return Table(("capability", "level function", "signature"), tuple(rows))


def signature(name: str) -> str:
    """The signature of a level function in the paper's notation, from a level format that has it.

    >>> signature("pos_bounds"), signature("is_crowded")
    ('pos_bounds(p_{k-1}) -> <pbegin_k, pend_k>', 'is_crowded(count) -> bool')
    """
    written = (summary(defined_function(kind, name)).partition(":")[0] for kind in LEVELS)
    found = next((text for text in written if text.startswith(f"{name}(")), None)
    if found is not None:
        return found
    (asked,) = (vars(kind)[name] for kind in CAPABILITIES.values() if name in vars(kind))
    parameters = ", ".join(list(inspect.signature(asked).parameters)[1:])
    return f"{name}({parameters}) -> {inspect.signature(asked).return_annotation}"


def access_functions() -> Table:
    """The access functions of every level format (Chou 2018, Table 2)."""
    return definitions(ACCESS)


def assembly_functions() -> Table:
    """The assembly functions of every level format (Chou 2018, Table 3)."""
    return definitions(ASSEMBLY)


def definitions(capabilities: Mapping[str, type]) -> Table:
    """What the level functions of some capabilities do in every level format that offers them."""
    rows = [
        (code(kind.name), code(name), body(defined_function(kind, name)))
        for kind in LEVELS
        for capability in capabilities.values()
        if isinstance(kind(), capability)
        for name in protocol(capability)
    ]
    return Table(("level", "level function", "definition"), tuple(rows))


def body(function: Any) -> str:
    """The statements of a level function, a line each."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(tree, ast.FunctionDef)
    lines = [line for s in tree.body[1:] for line in ast.unparse(s).splitlines()]
    return "<br>".join(code(indent(line)) for line in lines) or "nothing"


def indent(line: str) -> str:
    """A line whose leading blanks stay where Markdown takes them for code."""
    return BLANK * (len(line) - len(line.lstrip())) + line.lstrip()


def level_functions(name: str) -> Iterator[tuple[str, str]]:
    """The level functions of a level format as they stand in its source, each with its name.

    >>> [name for name, _ in level_functions("compressed")][:2]
    ['pos_bounds', 'pos_access']
    """
    (kind,) = (kind for kind in LEVELS if kind.name == name)
    for function in dict.fromkeys(name for capability in CAPABILITIES.values() for name in protocol(capability)):
        defined = defined_function(kind, function)
        if defined is not None:
            yield function, textwrap.dedent(inspect.getsource(defined)).rstrip()


def defined_function(kind: type[Level], name: str) -> Any:
    """A level function that a level format defines; None if it does not."""
    found = getattr(kind, name, None)
    return None if found is getattr(Level, name, None) else found


def protocol(capability: type) -> list[str]:
    """The level functions that a capability asks for."""
    return [name for name, value in vars(capability).items() if inspect.isfunction(value) and not name.startswith("_")]


def expressions() -> Table:
    """The expressions of restricted Python."""
    return nodes(get_args(restricted_syntax.Expression))


def statements() -> Table:
    """The statements of restricted Python."""
    return nodes(get_args(restricted_syntax.Statement))


def nodes(kinds: Sequence[type]) -> Table:
    """What there is in restricted Python."""
    return Table(("construct", "what it is"), tuple((kind.__name__, summary(kind)) for kind in kinds))


def letters() -> Table:
    """The letters of short forms."""
    return Table(
        ("letter", "level"), tuple((code(letter), code(print_level(level))) for letter, level in SHORT.items())
    )


def named_formats() -> Table:
    """Formats with a name."""
    rows = []
    for name, what in DESCRIPTIONS.items():
        format = format_of(name)
        levels = ",".join(print_level(level) for level in format.levels)
        rows.append((code(name), code(levels), code(str(format.map)), what))
    return Table(("format", "levels", "map", "what"), tuple(rows))


def matrix_market_fields() -> Table:
    """The fields of Matrix Market files."""
    rows = ((code(f), str(len(parts)), ", ".join(code(p.name) for p in parts)) for f, parts in FIELDS.items())
    return Table(("field", "numbers an entry", "each read as"), tuple(rows))


def scipy_formats() -> Table:
    """The format in which a SciPy matrix or array is taken."""
    return Table(
        ("SciPy", "format"), tuple((code(kind), code(name)) for kind, name in {**FORMATS, "bsr": "BCSR(b,c)"}.items())
    )
