"""Restricted Python: the language in which level functions are written.

Assignment, arithmetic on 64-bit integers (`//` and `%` round down), comparisons, boolean operators, `min` and `max`,
indexing, `if`, `while`, `for … in range`, calls to the level's own functions, `return` of a tuple. The text of a level
function is its single definition: the interpreter calls it, the generator translates it, the prover encodes it. What
is not in the language is refused while the text is parsed into the nodes of `restricted_syntax.py`.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from tokenize import TokenError
from typing import Any, Literal, NoReturn

from ..errors import CompileError, InternalError
from ..span import Span
from .level import Append, CoordinatePositionIteration, CoordinateValueIteration, Insert, Level, Locate, Reset, Widen
from .restricted_syntax import (
    Arithmetic,
    Assign,
    Block,
    Call,
    Choice,
    Comparison,
    Connective,
    Constant,
    Coordinate,
    Coordinates,
    Element,
    Expression,
    Extreme,
    Field,
    For,
    If,
    Location,
    Negation,
    Negative,
    Operator,
    Pass,
    Return,
    Sign,
    Statement,
    Store,
    Unpack,
    Variable,
    While,
)

ALLOWED = (
    "a level function may assign, compute with + - * // %, compare, use and, or, not, min, max, index arrays, branch "
    "with if, loop with while or for ... in range(...), call functions of its own level, and return"
)
OPERATORS: dict[type[ast.operator], Operator] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
SIGNS: dict[type[ast.cmpop], Sign] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
EXTREMES: dict[str, Literal["min", "max"]] = {"min": "min", "max": "max"}
CAPABILITIES = (CoordinateValueIteration, CoordinatePositionIteration, Locate, Insert, Widen, Reset, Append)
LEVEL_FUNCTIONS = tuple(
    dict.fromkeys(
        name for each in CAPABILITIES for name, member in vars(each).items() if callable(member) and name[0] != "_"
    )
)


@dataclass(frozen=True, eq=False)
class Text:
    """The text of a function, with the file and the line where it starts."""

    tree: ast.FunctionDef
    file: str
    line: int
    text: str

    @property
    def body(self) -> list[ast.stmt]:
        """The statements, without the docstring."""
        match self.tree.body[0]:
            case ast.Expr(value=ast.Constant(value=str())):
                return self.tree.body[1:]
            case _:
                return self.tree.body

    def error(self, place: Location, why: str) -> CompileError:
        """The error for a part of the function."""
        shown = self.text.splitlines()[place.line - 1]
        return CompileError(
            f"{self.file}:{self.line + place.line - 1}: {self.tree.name}: {why}",
            hint=ALLOWED,
            source=shown,
            span=Span(place.start, len(shown) if place.stop is None else place.stop),
            rule="level.text.refused",
        )


@dataclass(frozen=True, eq=False)
class Restricted:
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
    assert isinstance(kind, type)
    text = read_source(getattr(kind, name), f"{kind.__name__}.{name}")
    return Parser(text).function()


def read_source(function: Callable[..., Any], name: str) -> Text:
    """The text of a function. Raises CompileError if it cannot be read, or if what stands there is none."""
    try:
        lines, first = inspect.getsourcelines(inspect.unwrap(function))
        file = inspect.getsourcefile(function) or "?"
        text = textwrap.dedent("".join(lines))
        tree = ast.parse(text).body[0]
    except (OSError, TypeError, SyntaxError, TokenError):
        raise CompileError(
            f"the source of {name} cannot be read", hint="define the level format in a file", rule="level.text.refused"
        ) from None
    if not isinstance(tree, ast.FunctionDef):
        raise InternalError(f"{name} is not a function")
    return Text(tree, file, first, text)


def location_of(node: ast.AST) -> Location:
    """Where a node of Python's stands."""
    line = getattr(node, "lineno", 1)
    stop = getattr(node, "end_col_offset", None) if getattr(node, "end_lineno", line) == line else None
    return Location(line, getattr(node, "col_offset", 0), stop)


class Parser:
    """From the tree of a function's text to restricted Python. Every method raises CompileError for what is not."""

    def __init__(self, text: Text) -> None:
        self.text = text
        every = [n for n in ast.walk(text.tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        self.variables = {a.arg for a in text.tree.args.args[1:]} | {n.id for n in every}

    def function(self) -> Restricted:
        """The whole function."""
        tree = self.text.tree
        arguments = tree.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
            self.refuse(tree, "parameters are plain names without defaults")
        if tree.decorator_list:
            self.refuse(tree, "level functions have no decorators")
        parameters = tuple(a.arg for a in arguments.args[1:])
        return Restricted(tree.name, parameters, self.block(self.text.body), self.text)

    def refuse(self, node: ast.AST, why: str) -> NoReturn:
        """Raise CompileError for a part of the function."""
        raise self.text.error(location_of(node), why)

    def block(self, body: Sequence[ast.stmt]) -> Block:
        """Statements one after another."""
        return tuple(self.statement(s) for s in body)

    def statement(self, s: ast.stmt) -> Statement:
        """A statement."""
        place = location_of(s)
        match s:
            case ast.Assign(targets=[target], value=value):
                return self.assignment(target, value, place)
            case ast.If(test=test, body=body, orelse=orelse):
                return If(self.expression(test), self.block(body), self.block(orelse), place=place)
            case ast.While(test=test, body=body, orelse=[]):
                return While(self.expression(test), self.block(body), place=place)
            case ast.For(
                target=ast.Name(id=name), iter=ast.Call(func=ast.Name("range"), args=args, keywords=[]), orelse=[]
            ):
                if len(args) not in (1, 2):
                    self.refuse(s, "range takes an end, or a begin and an end")
                begin, end = [Constant(0)] * (2 - len(args)) + [self.expression(each) for each in args]
                return For(name, begin, end, self.block(s.body), place=place)
            case ast.Return(value=value):
                return self.return_statement(value, place)
            case ast.Pass():
                return Pass(place=place)
            case _:
                self.refuse(s, f"{type(s).__name__} statements are not restricted Python")

    def assignment(self, target: ast.expr, value: ast.expr, place: Location) -> Statement:
        """An assignment to a variable, to an element, or of the results of a call to several variables."""
        match target:
            case ast.Name(id=name):
                return Assign(name, self.expression(value), place=place)
            case ast.Subscript(value=ast.Attribute(value=ast.Name("self"), attr=array), slice=index):
                return Store(array, self.expression(index), self.expression(value), place=place)
            case ast.Tuple(elts=elements):
                names = tuple(self.target(each) for each in elements)
                call = self.expression(value) if isinstance(value, ast.Call) else None
                if not isinstance(call, Call):
                    self.refuse(value, "several variables are assigned the results of a function of the level")
                return Unpack(names, call, place=place)
            case _:
                self.refuse(target, "only names and elements of the level's arrays are assigned to")

    def target(self, e: ast.expr) -> str:
        """One of several variables that are assigned to."""
        if not isinstance(e, ast.Name):
            self.refuse(e, "several results are assigned to plain names")
        return e.id

    def return_statement(self, value: ast.expr | None, place: Location) -> Return:
        """A `return` statement: one result, several, or several by name."""
        match value:
            case None:
                return Return((), place=place)
            case ast.Tuple(elts=elements):
                return Return(self.expressions(elements), place=place)
            case ast.Dict(keys=keys, values=values):
                return Return(self.expressions(values), tuple(self.key(each, value) for each in keys), place=place)
            case _:
                return Return((self.expression(value),), place=place)

    def key(self, e: ast.expr | None, whole: ast.expr) -> str:
        """The name of a result."""
        match e:
            case ast.Constant(value=str() as name):
                return name
            case _:
                self.refuse(e or whole, "keys are names of storage fields")

    def expressions(self, every: Sequence[ast.expr]) -> tuple[Expression, ...]:
        """Expressions one beside another."""
        return tuple(self.expression(e) for e in every)

    def expression(self, e: ast.expr) -> Expression:
        """An expression."""
        place = location_of(e)
        match e:
            case ast.Constant(value=int() as value):
                return Constant(value, place=place)
            case ast.Constant(value=value):
                self.refuse(e, f"{value!r} is not an integer or a truth value")
            case ast.Name(id=name) if name in self.variables:
                return Variable(name, place=place)
            case ast.Name(id=name):
                self.refuse(e, f"{name} is no parameter or variable of the function, and not restricted Python")
            case ast.Attribute(value=ast.Name("self"), attr=name):
                return Field(name, place=place)
            case ast.BinOp(left=left, op=op, right=right):
                if type(op) not in OPERATORS:
                    self.refuse(e, f"{type(op).__name__} is not an operator of restricted Python")
                return Arithmetic(OPERATORS[type(op)], self.expression(left), self.expression(right), place=place)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return Negative(self.expression(operand), place=place)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Negation(self.expression(operand), place=place)
            case ast.BoolOp(op=op, values=values):
                return Connective("and" if isinstance(op, ast.And) else "or", self.expressions(values), place=place)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                if not all(type(op) in SIGNS for op in ops):
                    self.refuse(e, "comparisons are == != < <= > >=")
                sides = self.expressions((left, *comparators))
                return Comparison(tuple(SIGNS[type(op)] for op in ops), sides, place=place)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return Choice(*self.expressions((test, body, orelse)), place=place)
            case ast.Subscript(value=value, slice=index):
                return self.element(value, index, place)
            case ast.Call(func=ast.Name("min" | "max" as name), args=[_, _, *_] as args, keywords=[]):
                return Extreme(EXTREMES[name], self.expressions(args), place=place)
            case ast.Call(func=ast.Attribute(value=ast.Name("self"), attr=name), args=args, keywords=[]):
                return Call(name, tuple(self.argument(each) for each in args), place=place)
            case _:
                self.refuse(e, f"{ast.unparse(e)} is not restricted Python")

    def element(self, of: ast.expr, index: ast.expr, place: Location) -> Expression:
        """An element of an array, or a coordinate."""
        match self.subscript_base(of):
            case Field(name=name):
                return Element(name, self.expression(index), place=place)
            case Variable(name=name):
                return Coordinate(name, self.expression(index), place=place)
            case _:
                self.refuse(of, "only arrays and coordinate tuples are indexed")

    def subscript_base(self, of: ast.expr) -> Expression | None:
        """The array or coordinate tuple under a subscript; None for any other expression."""
        return self.expression(of) if isinstance(of, ast.Name | ast.Attribute) else None

    def argument(self, e: ast.expr) -> Expression | Coordinates:
        """An argument of a call."""
        if isinstance(e, ast.Tuple):
            return Coordinates(self.expressions(e.elts), place=location_of(e))
        return self.expression(e)
