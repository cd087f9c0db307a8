"""Restricted Python: the language in which level functions are written.

Assignment, arithmetic on 64-bit integers (`//` and `%` round down), comparisons, boolean operators, `min` and `max`,
indexing, `if`, `while`, `for … in range`, calls to the level's own functions, `return` of a tuple. The text of a level
function is its single definition: the interpreter calls it, the generator translates it, the prover encodes it. What
is not in the language is refused while the text is parsed (`restricted_parser.py`), and so is what the level lacks.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import fields
from functools import cache

from msgspec import Struct

from .level import Append, CoordinatePositionIteration, CoordinateValueIteration, Insert, Level, Locate, Reset, Widen
from .restricted_parser import Parser, Text, read_source
from .restricted_syntax import (
    Block,
    Call,
    Constant,
    Coordinate,
    Expression,
    Negative,
    Return,
    Statement,
    Unpack,
    Variable,
    all_statements,
    expressions,
)

CAPABILITIES = (CoordinateValueIteration, CoordinatePositionIteration, Locate, Insert, Widen, Reset, Append)
LEVEL_FUNCTIONS = tuple(
    dict.fromkeys(
        name for each in CAPABILITIES for name, member in vars(each).items() if callable(member) and name[0] != "_"
    )
)


class Restricted(Struct, frozen=True, eq=False):
    """A level function: the parameters after self, the statements without the docstring, and its text."""

    name: str
    parameters: tuple[str, ...]
    body: Block
    text: Text


def level_functions(level: Level) -> tuple[str, ...]:
    """The level functions that a level defines, in the order of the capabilities."""
    kind = type(level)
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
    text = read_source(getattr(kind, name), f"{kind.__name__}.{name}")
    return LevelFunctionParser(text, kind).function()


def paths_of(function: str, parameters: Sequence[str]) -> Iterator[str]:
    """The parameters of a level function that are paths, as its capability has them."""
    for capability in CAPABILITIES:
        member = vars(capability).get(function)
        if member is not None:
            wanted = list(inspect.signature(member).parameters.values())[1:]
            yield from (name for name, p in zip(parameters, wanted, strict=False) if p.annotation == "Coordinates")


def path_names(body: Block) -> Iterator[str]:
    """The variables of which some code takes coordinates."""
    yield from (e.of for e in expressions(body) if isinstance(e, Coordinate))


def handed_on(s: Statement) -> tuple[Expression, ...]:
    """The expression of which a statement takes all results, if there is one."""
    match s:
        case Unpack(call=call):
            return (call,)
        case Return(values=(e,)):
            return (e,)
        case _:
            return ()


def has_several_results(kind: type[Level], name: str, within: frozenset[str] = frozenset()) -> bool:
    """Whether a function of a level returns several results, by itself or those of another one."""
    tree = read_source(getattr(kind, name), f"{kind.__name__}.{name}").tree
    for node in ast.walk(tree):
        match node:
            case ast.Return(value=ast.Tuple(elts=[_, _, *_]) | ast.Dict(keys=[_, _, *_])):
                return True
            case ast.Return(value=ast.Call(func=ast.Attribute(value=ast.Name("self"), attr=other))):
                if other not in within and has_several_results(kind, other, within | {name}):
                    return True
            case _:
                continue
    return False


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
        parameters = tuple(a.arg for a in arguments.args[1:])
        body = self.block(self.text.body)
        self.check_paths(body, {*paths_of(tree.name, parameters), *path_names(body)})
        self.check_calls(body)
        return Restricted(tree.name, parameters, body, self.text)

    def check_paths(self, body: Block, paths: Collection[str]) -> None:
        """Refuse what is done with paths, but to take coordinates and to pass them on."""
        every = list(expressions(body))
        passed = [each for e in every if isinstance(e, Call) for each in e.arguments]
        for e in every:
            if isinstance(e, Variable) and e.name in paths and not any(e is each for each in passed):
                why = f"{e.name} is a path, of which coordinates are taken, and which is passed on"
                raise self.text.error(e.place, why)

    def check_calls(self, body: Block) -> None:
        """Refuse calls that stand as expressions, of functions with several results: in Python they are a tuple."""
        whole = [e for s in all_statements(body) for e in handed_on(s)]
        for e in expressions(body):
            if not isinstance(e, Call) or any(e is each for each in whole):
                continue
            if has_several_results(self.kind, e.function):
                why = f"{e.function} has several results, which are assigned to as many variables"
                raise self.text.error(e.place, why)

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
