"""Restricted Python: the language in which level functions are written.

Assignment, arithmetic on 64-bit integers (`//` and `%` round down), comparisons, boolean operators, `min` and `max`,
indexing, `if`, `while`, `for … in range`, calls to the level's own functions, `return` of a tuple. The text of a level
function is its single definition: the interpreter calls it, the generator translates it, the prover encodes it.

So that loops can be proved, a level may declare beside a function, for its first loop, what is true whenever a turn
begins and when the loop ends: `insert_init_invariant`; for its second loop `insert_init_invariant_2`. Such a function
names variables of the other as parameters, for a `for` loop the loop's variable among them, and `before`, the level as
it was when the function was called. It assigns, loops over ranges and branches, returns False where something does not
hold, and at its end True, a condition, or `all` of one over a range. `len` of an array may be used. A `while` loop also
has a number that is never negative and decreases with every turn: `locate_variant`. For a level that is appended to,
`appended(parents, counts)` says in the same language what its arrays hold once `counts[p]` positions have been appended
below each parent `p`. `Level.violations` is written in it too, with `yield Violation(...)` where something is wrong; it
may hand over to other such functions, and use the conditions of `levels/invariants.py`.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..errors import CompileError, InternalError
from ..span import Span
from .level import Append, CoordinatePositionIteration, CoordinateValueIteration, Insert, Level, Locate, Reset, Widen

ALLOWED = (
    "a level function may assign, compute with + - * // %, compare, use and, or, not, min, max, index arrays, branch "
    "with if, loop with while or for ... in range(...), call functions of its own level, and return"
)
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
CAPABILITIES = (CoordinateValueIteration, CoordinatePositionIteration, Locate, Insert, Widen, Reset, Append)
LEVEL_FUNCTIONS = tuple(
    dict.fromkeys(
        name for each in CAPABILITIES for name, member in vars(each).items() if callable(member) and name[0] != "_"
    )
)


@dataclass(frozen=True, eq=False)
class Restricted:
    """A level function as a checked syntax tree, with the file and the line where it starts."""

    tree: ast.FunctionDef
    file: str
    line: int
    text: str

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters after self."""
        return tuple(a.arg for a in self.tree.args.args[1:])

    @property
    def body(self) -> list[ast.stmt]:
        """The statements, without the docstring."""
        first = self.tree.body[0]
        return self.tree.body[is_docstring(first) :]


def is_docstring(s: ast.stmt) -> bool:
    return isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) and isinstance(s.value.value, str)


def level_functions(level: Level) -> tuple[str, ...]:
    """The level functions that a level defines, in the order of the capabilities."""
    kind = type(level)
    return tuple(name for name in LEVEL_FUNCTIONS if getattr(kind, name, None) is not getattr(Level, name, None))


def check_level(level: Level) -> None:
    """Raise CompileError, with file and line, where a level function is not in restricted Python."""
    for name in level_functions(level):
        restricted(type(level), name)


def restricted(kind: type[Level], name: str) -> Restricted:
    """The text of a level function. Raises CompileError with file and line if it is not restricted Python.

    >>> from gnomon.reference.levels.dense import Dense
    >>> restricted(Dense, "size").parameters
    ('parents',)
    """
    return parsed(kind, name)  # type: ignore[arg-type]  # classes are hashable, whatever their instances are


@cache
def parsed(kind: Hashable, name: str) -> Restricted:
    """The text of a level function, parsed and checked once."""
    assert isinstance(kind, type)
    found = read(getattr(kind, name), f"{kind.__name__}.{name}")
    for node, why in violations(found):
        raise violation(found, node, why)
    return found


def read(function: Any, name: str) -> Restricted:
    """The text of a function, parsed. Raises CompileError if it cannot be read."""
    try:
        lines, first = inspect.getsourcelines(inspect.unwrap(function))
        file = inspect.getsourcefile(function) or "?"
    except (OSError, TypeError):
        raise CompileError(f"the source of {name} cannot be read", hint="define the level format in a file") from None
    text = textwrap.dedent("".join(lines))
    tree = ast.parse(text).body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise InternalError(f"{name} is not a function")
    return Restricted(tree, file, first, text)


def violation(function: Restricted, node: ast.AST, why: str) -> CompileError:
    """The error for a part of a level function, with its place."""
    line, start = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    shown = function.text.splitlines()[line - 1]
    stop = getattr(node, "end_col_offset", None)
    same_line = getattr(node, "end_lineno", line) == line and stop is not None
    return CompileError(
        f"{function.file}:{function.line + line - 1}: {function.tree.name}: {why}",
        hint=ALLOWED,
        source=shown,
        span=Span(start, stop if same_line and stop is not None else len(shown)),
    )


def violations(function: Restricted) -> Iterator[tuple[ast.AST, str]]:
    """What a function uses beyond the restricted language."""
    arguments = function.tree.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
        yield function.tree, "parameters are plain names without defaults"
    if function.tree.decorator_list:
        yield function.tree, "level functions have no decorators"
    for s in function.body:
        yield from statement_violations(s)


def statement_violations(s: ast.stmt) -> Iterator[tuple[ast.AST, str]]:
    match s:
        case ast.Assign(targets=[target], value=value):
            yield from target_violations(target)
            yield from expression_violations(value)
        case ast.If(test=test, body=body, orelse=orelse):
            yield from expression_violations(test)
            yield from block_violations(body + orelse)
        case ast.While(test=test, body=body, orelse=[]):
            yield from expression_violations(test)
            yield from block_violations(body)
        case ast.For(target=ast.Name(), iter=ast.Call(func=ast.Name("range"), args=args), body=body, orelse=[]):
            if len(args) not in (1, 2):
                yield s, "range takes an end, or a begin and an end"
            for each in args:
                yield from expression_violations(each)
            yield from block_violations(body)
        case ast.Return(value=None) | ast.Pass():
            pass
        case ast.Return(value=ast.Tuple(elts=elements)):
            for each in elements:
                yield from expression_violations(each)
        case ast.Return(value=ast.Dict(keys=keys, values=values)):
            if not all(isinstance(key, ast.Constant) for key in keys):
                yield s, "keys are names of storage fields"
            for each in values:
                yield from expression_violations(each)
        case ast.Return(value=value):
            assert value is not None
            yield from expression_violations(value)
        case _:
            yield s, f"{type(s).__name__} statements are not restricted Python"


def block_violations(body: list[ast.stmt]) -> Iterator[tuple[ast.AST, str]]:
    for s in body:
        yield from statement_violations(s)


def target_violations(target: ast.expr) -> Iterator[tuple[ast.AST, str]]:
    match target:
        case ast.Name():
            pass
        case ast.Subscript(value=ast.Attribute(value=ast.Name("self")), slice=index):
            yield from expression_violations(index)
        case ast.Tuple(elts=elements):
            for each in elements:
                if not isinstance(each, ast.Name):
                    yield each, "several results are assigned to plain names"
        case _:
            yield target, "only names and elements of the level's arrays are assigned to"


def expression_violations(e: ast.expr) -> Iterator[tuple[ast.AST, str]]:
    match e:
        case ast.Constant(value=value):
            if not isinstance(value, int):
                yield e, f"{value!r} is not an integer or a truth value"
        case ast.Name() | ast.Attribute(value=ast.Name("self")):
            pass
        case ast.BinOp(left=left, op=op, right=right):
            if not isinstance(op, OPERATORS):
                yield e, f"{type(op).__name__} is not an operator of restricted Python"
            yield from expression_violations(left)
            yield from expression_violations(right)
        case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=operand):
            yield from expression_violations(operand)
        case ast.BoolOp(values=values):
            for each in values:
                yield from expression_violations(each)
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            if not all(isinstance(op, COMPARISONS) for op in ops):
                yield e, "comparisons are == != < <= > >="
            for each in (left, *comparators):
                yield from expression_violations(each)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            for each in (test, body, orelse):
                yield from expression_violations(each)
        case ast.Subscript(value=value, slice=index):
            if not isinstance(value, ast.Name | ast.Attribute):
                yield e, "only arrays and coordinate tuples are indexed"
            yield from expression_violations(value)
            yield from expression_violations(index)
        case ast.Call(func=ast.Name("min" | "max"), args=args, keywords=[]):
            for each in args:
                yield from expression_violations(each)
        case ast.Call(func=ast.Attribute(value=ast.Name("self")), args=args, keywords=[]):
            for each in args:
                if not isinstance(each, ast.Tuple):
                    yield from expression_violations(each)
        case _:
            yield e, f"{ast.unparse(e)} is not restricted Python"
