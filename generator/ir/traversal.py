"""Traversal: what expressions are made of, the expressions in statements, and the blocks in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from .ir import (
    Assign,
    Atomic,
    Binary,
    Call,
    Cast,
    Choice,
    Code,
    Declare,
    Do,
    Element,
    Expr,
    For,
    If,
    Int,
    Jump,
    Kernel,
    Name,
    Region,
    Return,
    Shuffle,
    Spelled,
    Stmt,
    Unary,
    Vote,
    While,
)

LEAVES = (Name, Int)


def parts(e: Expr) -> tuple[Expr, ...]:
    """The operands of an expression."""
    match e:
        case Name() | Int():
            return ()
        case Binary(left=left, right=right):
            return (left, right)
        case Element(array=array, index=index):
            return (array, index)
        case Spelled(args=()):
            return ()
        case Spelled(template=template, args=args):
            return tuple(a for n, a in enumerate(args) if f"{{{n}}}" in template)
        case Call(args=args):
            return args
        case Shuffle(value=value, lane=lane):
            return (value, lane)
        case Vote(value=value):
            return (value,)
        case Unary(operand=operand) | Cast(operand=operand):
            return (operand,)
        case Choice(condition=condition, then=then, orelse=orelse):
            return (condition, then, orelse)


def change_parts(e: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """An expression with each of its operands changed."""
    match e:
        case Name() | Int() | Spelled(args=()):
            return e
        case Spelled(template=template, args=args):
            return Spelled(template, tuple(map(change, args)))
        case Call(function=function, args=args):
            return Call(function, tuple(map(change, args)))
        case Element(array=array, index=index):
            return Element(change(array), change(index))
        case Shuffle(way=way, value=value, lane=lane, lanes=lanes):
            return Shuffle(way, change(value), change(lane), lanes)
        case Vote(value=value, lanes=lanes):
            return Vote(change(value), lanes)
        case Binary(operator=operator, left=left, right=right):
            return Binary(operator, change(left), change(right))
        case Unary(operator=operator, operand=operand):
            return Unary(operator, change(operand))
        case Cast(type=type, operand=operand):
            return Cast(type, change(operand))
        case Choice(condition=condition, then=then, orelse=orelse):
            return Choice(change(condition), change(then), change(orelse))


def replace_variables(e: Expr, values: Mapping[str, Expr]) -> Expr:
    """An expression with values in place of some variables.

    >>> replace_variables(Binary("+", Name("q"), Name("c")), {"q": Int(2)})
    Binary(operator='+', left=Int(value=2), right=Name(name='c'))
    """
    if isinstance(e, Name):
        return values.get(e.name, e)
    return change_parts(e, lambda part: replace_variables(part, values))


def subterms(e: Expr) -> Sequence[Expr]:
    """An expression and all that it is made of, in the order of the text."""
    found, left = [], [e]
    while left:
        each = left.pop()
        found.append(each)
        if not isinstance(each, LEAVES):
            left += parts(each)[::-1]
    return found


def names(e: Expr) -> list[str]:
    """The variables that an expression reads."""
    return [each.name for each in subterms(e) if isinstance(each, Name)]


@lru_cache(maxsize=4096)
def variables(*expressions: Expr) -> frozenset[str]:
    """The variables that some expressions read, each once."""
    return frozenset(name for e in expressions for name in names(e))


def inside(s: Stmt) -> Code:
    """The statements directly inside a statement."""
    match s:
        case Assign() | Declare():
            return ()
        case If(then=then, orelse=orelse):
            return then + orelse
        case While(body=body) | For(body=body) | Region(body=body) | Kernel(body=body):
            return body
        case _:
            return ()


def statements(code: Code) -> list[Stmt]:
    """The statements of some code and all inside them, in the order of the text."""
    found, left = [], [*reversed(code)]
    while left:
        s = left.pop()
        found.append(s)
        left += reversed(inside(s))
    return found


def declarations(code: Code) -> list[Declare]:
    """The declarations in some code."""
    return [s for s in statements(code) if isinstance(s, Declare)]


def change_blocks(s: Stmt, change: Callable[[Code], Code]) -> Stmt:
    """A statement with each block in it changed."""
    match s:
        case If(then=then, orelse=orelse):
            return replace(s, then=change(then), orelse=change(orelse))
        case While(body=body) | For(body=body) | Region(body=body) | Kernel(body=body):
            return replace(s, body=change(body))
        case _:
            return s


def change_code(code: Code, change: Callable[[Expr], Expr]) -> Code:
    """Statements with each expression in them changed, parts before wholes; places that are stored in among them."""

    def inside(e: Expr) -> Expr:
        return change(change_parts(e, inside))

    return tuple(change_statement(s, inside) for s in code)


def change_statement(s: Stmt, change: Callable[[Expr], Expr]) -> Stmt:
    """A statement with its expressions changed, and those of the statements inside it."""

    def block(code: Code) -> Code:
        return tuple(change_statement(each, change) for each in code)

    match s:
        case Declare(value=value):
            return replace(s, value=None if value is None else change(value))
        case Assign(target=target, value=value):
            return replace(s, target=change(target), value=change(value))
        case Atomic(update=Assign(target=target, value=value) as update):
            return replace(s, update=replace(update, target=change(target), value=change(value)))
        case Do(expression=e):
            return Do(change(e))
        case Return(value=e):
            return Return(None if e is None else change(e))
        case If(condition=condition, then=then, orelse=orelse):
            return If(change(condition), block(then), block(orelse))
        case While(condition=condition, body=body):
            return While(change(condition), block(body))
        case For(begin=begin, end=end, step=step, body=body):
            return replace(s, begin=change(begin), end=change(end), step=change(step), body=block(body))
        case Region(body=body):
            return replace(s, body=block(body))
        case Kernel(blocks=blocks, body=body):
            return replace(s, blocks=change(blocks), body=block(body))
        case _:
            return s


def without_breaks(code: Code) -> Code:
    """Some code without the breaks that would end a loop around it.

    >>> stop = Jump("break")
    >>> without_breaks((If(Name("a"), (stop,)), While(Name("b"), (stop,))))[1].body
    (Jump(kind='break', label=''),)
    """
    kept: list[Stmt] = []
    for s in code:
        match s:
            case Jump(kind="break"):
                pass
            case If() | Region():
                kept.append(change_blocks(s, without_breaks))
            case _:
                kept.append(s)
    return tuple(kept)


def leaves(code: Code) -> bool:
    """Whether code goes on with the next iteration of the loop around it, or ends that loop."""
    for s in code:
        match s:
            case Jump(kind="break" | "continue"):
                return True
            case If() | Region():
                if leaves(inside(s)):
                    return True
            case _:
                pass
    return False
