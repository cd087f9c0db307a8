"""The parser of restricted Python: from the tree of a function's text to the nodes of `restricted_syntax.py`."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Sequence
from tokenize import TokenError
from typing import Any, Literal, NoReturn

from msgspec import Struct

from ..errors import CompileError, InternalError
from ..span import Span
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
    assigned_variables,
    inside,
    written_arrays,
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


class Text(Struct, frozen=True, eq=False):
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

    def error(self, place: Location, why: str, hint: str = ALLOWED) -> CompileError:
        """The error for a part of the function, and what to write instead."""
        shown = self.text.splitlines()[place.line - 1]
        return CompileError(
            f"{self.file}:{self.line + place.line - 1}: {self.tree.name}: {why}",
            hint=hint,
            source=shown,
            span=Span(place.start, len(shown) if place.stop is None else place.stop),
            rule="level.text.refused",
        )


class Restricted(Struct, frozen=True, eq=False):
    """A level function: the parameters after self, the statements without the docstring, and its text."""

    name: str
    parameters: tuple[str, ...]
    body: Block
    text: Text


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


def read_names(e: Expression | Coordinates) -> tuple[str, ...]:
    """The variables, fields and arrays that an expression reads itself."""
    match e:
        case Variable(name=name) | Field(name=name) | Coordinate(of=name) | Element(array=name):
            return (name,)
        case _:
            return ()


class Parser:
    """From the tree of a function's text to restricted Python. Every method raises CompileError for what is not.

    What is said by names is taken as it is said; what must be there, those who know the level ask.
    """

    def __init__(self, text: Text) -> None:
        self.text = text
        every = [n for n in ast.walk(text.tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        self.variables = {a.arg for a in text.tree.args.args[1:]} | {n.id for n in every}

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
                return self.loop(s, For(name, begin, end, self.block(s.body), place=place))
            case ast.Return(value=value):
                return self.return_statement(value, place)
            case ast.Pass():
                return Pass(place=place)
            case _:
                self.refuse(s, f"{type(s).__name__} statements are not restricted Python")

    def loop(self, s: ast.For, loop: For) -> For:
        """A loop over a range that stays as it is."""
        read = {name for e in inside(loop.end) for name in read_names(e)}
        for name in (*assigned_variables(loop.body), *written_arrays(loop.body)):
            if name == loop.variable or name in read:
                self.refuse(s, f"the body of a loop does not assign to {name}, on which its range depends")
        return loop

    def assignment(self, target: ast.expr, value: ast.expr, place: Location) -> Statement:
        """An assignment to a variable, to an element, or of the results of a call to several variables."""
        match target:
            case ast.Name(id=name):
                return Assign(name, self.expression(value), place=place)
            case ast.Subscript(value=ast.Attribute(value=ast.Name("self"), attr=array), slice=index):
                return Store(self.array(target, array), self.expression(index), self.expression(value), place=place)
            case ast.Tuple(elts=elements):
                names = tuple(self.target(each) for each in elements)
                call = self.expression(value) if isinstance(value, ast.Call) else None
                if not isinstance(call, Call) or len(names) == 1:
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
                return self.storage_field(e, name)
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
                return Field(self.scalar(e, name), place=place)
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
                return Call(self.own_function(e, name), tuple(self.argument(each) for each in args), place=place)
            case _:
                self.refuse(e, f"{ast.unparse(e)} is not restricted Python")

    def element(self, of: ast.expr, index: ast.expr, place: Location) -> Expression:
        """An element of an array, or a coordinate."""
        match of:
            case ast.Attribute(value=ast.Name("self"), attr=name):
                return Element(self.array(of, name), self.expression(index), place=place)
            case ast.Name() | ast.Attribute() if isinstance(found := self.expression(of), Variable):
                return Coordinate(found.name, self.coordinate(index), place=place)
            case _:
                self.refuse(of, "only arrays and coordinate tuples are indexed")

    def coordinate(self, e: ast.expr) -> Expression:
        """What says which coordinate of a path is taken."""
        return self.expression(e)

    def array(self, e: ast.expr, name: str) -> str:
        """An array of the level, by name."""
        return name

    def scalar(self, e: ast.expr, name: str) -> str:
        """An extent, a parameter or a configured property of the level, by name."""
        return name

    def storage_field(self, e: ast.expr, name: str) -> str:
        """A storage field of the level, by name."""
        return name

    def own_function(self, e: ast.expr, name: str) -> str:
        """A function of the level, by name."""
        return name

    def argument(self, e: ast.expr) -> Expression | Coordinates:
        """An argument of a call."""
        if isinstance(e, ast.Tuple):
            return Coordinates(self.expressions(e.elts), place=location_of(e))
        return self.expression(e)
