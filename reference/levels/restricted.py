"""Restricted Python: the language in which level functions are written.

Assignment, arithmetic on 64-bit integers (`//` and `%` round down), comparisons, boolean operators, `min` and `max`,
indexing, `if`, `while`, `for … in range`, calls to the level's own functions, `return` of a tuple. The text of a level
function is its single definition: the interpreter calls it, the generator translates it, the prover encodes it. What
is not in the language is refused while the text is parsed (`restricted_parser.py`), and so is what the level lacks;
then what Python would find out while it runs (`restricted_calls.py`, `restricted_flow.py`, `restricted_kinds.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Hashable
from dataclasses import fields
from functools import cache, partial

from .level import Level
from .restricted_calls import CAPABILITIES, Own, calls, check_calls
from .restricted_flow import check_assigned
from .restricted_kinds import check_kinds
from .restricted_parser import Parser, Restricted, Text, read_source
from .restricted_syntax import Constant, Expression, Negative

LEVEL_FUNCTIONS = tuple(
    dict.fromkeys(
        name for each in CAPABILITIES for name, member in vars(each).items() if callable(member) and name[0] != "_"
    )
)


def level_functions(level: Level) -> tuple[str, ...]:
    """The level functions that a level defines, in the order of the capabilities."""
    return functions_of(type(level))


def functions_of(kind: type[Level]) -> tuple[str, ...]:
    """The level functions that levels of a class define."""
    return tuple(name for name in LEVEL_FUNCTIONS if getattr(kind, name, None) is not getattr(Level, name, None))


def parse_level_function(kind: type[Level], name: str) -> Restricted:
    """A level function, parsed. Raises CompileError with file and line if it is not restricted Python.

    >>> from gnomon.reference.levels.dense import Dense
    >>> parse_level_function(Dense, "size").body
    (Return(values=(Arithmetic(operator='*', left=Variable(name='parents'), right=Field(name='N')),), names=()),)
    """
    return parse_once(kind, name)  # type: ignore[arg-type]  # classes are hashable, whatever their instances are


@cache
def parse_once(kind: Hashable, name: str) -> Restricted:
    """As `parse_level_function`, once for each class and name."""
    assert isinstance(kind, type) and issubclass(kind, Level)
    found, own = parse_text(kind, name), own_of(kind)  # type: ignore[arg-type]
    check_calls(found, own)
    for call in calls(found):
        parse_level_function(kind, call.function)
    check_kinds(found, own)
    check_assigned(found.body, frozenset(found.parameters), found)
    return found


@cache
def parse_text(kind: Hashable, name: str) -> Restricted:
    """A level function as the grammar has it, whatever else is wrong with it. Raises CompileError."""
    assert isinstance(kind, type) and issubclass(kind, Level)
    text = read_source(getattr(kind, name), f"{kind.__name__}.{name}")
    return LevelFunctionParser(text, kind).function()


def own_of(kind: type[Level]) -> Own:
    """What a level has that the texts of its functions name."""
    truths = frozenset(f.name for f in fields(kind) if f.type in ("bool", bool) or isinstance(f.default, bool))
    return Own(partial(parse_text, kind), truths)  # type: ignore[arg-type]


class LevelFunctionParser(Parser):
    """From the tree of a level function's text to restricted Python, of a level that has what it uses."""

    def __init__(self, text: Text, kind: type[Level]) -> None:
        super().__init__(text)
        self.kind = kind
        self.arrays = [name for name, role in kind.roles().items() if role in ("array", "shared")]

    def function(self) -> Restricted:
        """The whole function."""
        tree = self.text.tree
        arguments = tree.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
            self.refuse(tree, "parameters are plain names without defaults")
        if not arguments.args or arguments.args[0].arg != "self" or arguments.posonlyargs:
            self.refuse(tree, "the first parameter is self")
        if tree.decorator_list:
            self.refuse(tree, "level functions have no decorators")
        return Restricted(tree.name, tuple(a.arg for a in arguments.args[1:]), self.block(self.text.body), self.text)

    def coordinate(self, e: ast.expr) -> Expression:
        found = super().coordinate(e)
        if not isinstance(found.e if isinstance(found, Negative) else found, Constant):
            self.refuse(e, "coordinates of a path are taken by a number")
        return found

    def array(self, e: ast.expr, name: str) -> str:
        if name not in self.arrays:
            self.refuse(e, f"the level has no array {name}")
        return name

    def scalar(self, e: ast.expr, name: str) -> str:
        if name in self.arrays or name not in {f.name for f in fields(self.kind)}:
            self.refuse(e, f"the level has no extent, parameter or property {name}")
        return name

    def storage_field(self, e: ast.expr, name: str) -> str:
        if name not in self.kind.roles():
            self.refuse(e, f"the level has no storage field {name}")
        return name

    def own_function(self, e: ast.expr, name: str) -> str:
        if not callable(getattr(self.kind, name, None)):
            self.refuse(e, f"the level has no function {name}")
        return name
