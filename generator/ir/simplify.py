"""Simplification of finished code: what nothing reads is not computed.

Before: `const int64_t iA = A1_crd[pA1]; double t = 0.0; for (…) {}`. After: nothing. What goes has no effect on memory
or on the status of the kernel; loops go only if their bodies are empty and they count to an end.
"""

from __future__ import annotations

from collections.abc import Set

from msgspec.structs import replace

from . import ir, logic, traversal
from .ir import (
    Assign,
    Atomic,
    Code,
    Comment,
    Declare,
    Do,
    Expr,
    For,
    If,
    Kernel,
    Launch,
    Name,
    Region,
    Return,
    Stmt,
    While,
)


def simplify(code: Code) -> Code:
    """The code without what has no effect.

    >>> simplify((Declare("int64_t", "p", ir.ZERO), For("q", ir.ZERO, Name("n"), ())))
    ()
    >>> freed = Do(ir.Call("free", (ir.Spelled("first"),)))
    >>> simplify((Declare("int64_t *", "first", ir.Spelled("NULL")), freed))
    ()
    """
    while True:
        shorter, _ = block(code)
        if shorter == code:
            return code
        code = shorter


def uses(code: Code) -> set[str]:
    """Every variable that is read, other than in assignments to itself."""
    return block(code)[1]


def block(code: Code) -> tuple[Code, set[str]]:
    """The statements of a block that matter, last things first, and the variables that they read."""
    kept: list[Stmt] = []
    read: set[str] = set()
    for s in reversed(code):
        if isinstance(s, Comment) and not kept:
            continue
        if isinstance(s, Declare):
            if s.name not in read and (s.value is None or is_pure(s.value)):
                kept = [each for each in kept if not serves(each, s.name)]
                if any(mentions(each, s.name) for each in kept):
                    kept = [without(each, s.name) for each in kept]
                continue
            if s.name not in read and isinstance(s.value, ir.Call):
                s = Do(s.value)
            else:
                read.discard(s.name)
        shorter, own = statement(s)
        kept[:0] = shorter
        read |= own
    return tuple(kept), read


def statement(s: Stmt) -> tuple[Code, Set[str]]:
    """A statement without what has no effect, and the variables that it reads."""
    match s:
        case Declare(value=value):
            return (s,), set() if value is None else traversal.variables(value)
        case Assign(target=Name(name=name), value=value):
            return (s,), traversal.variables(value) - {name} | (set() if is_pure(value) else {name})
        case Assign(target=target, value=value):
            return (s,), traversal.variables(target, value)
        case If(condition=condition, then=then, orelse=orelse):
            (yes, read), (no, read_) = block(then), block(orelse)
            code = logic.conditional(condition, yes, no)
            return code, (read | read_ | traversal.variables(condition)) if code else set()
        case While(condition=condition, body=body):
            inner, read = block(body)
            return (While(condition, inner),), read | traversal.variables(condition)
        case For(name=name, begin=begin, end=end, body=body, step=step):
            inner, read = block(body)
            if not inner:
                return (), set()
            return (replace(s, body=inner),), read - {name} | traversal.variables(begin, end, step)
        case Region(pragma=pragma, body=body, when=when):
            inner, read = block(body)
            return (Region(pragma, inner, when),), read | (set() if when is None else {when.name})
        case Kernel(blocks=blocks, body=body):
            inner, read = block(body)
            return (replace(s, body=inner),) if inner else (), read | traversal.variables(blocks) if inner else set()
        case Launch(blocks=blocks, args=args):
            return (s,), {each.name for each in args} | traversal.variables(blocks)
        case Atomic(update=update):
            return (s,), statement(update)[1]
        case Do(expression=expression) | Return(value=expression) if expression is not None:
            return (s,), traversal.variables(expression)
        case _:
            return (s,), set()


def serves(s: Stmt, name: str) -> bool:
    """Whether a statement is an assignment to a variable, or frees what it holds."""
    match s:
        case Assign(target=Name(name=target)):
            return target == name
        case Do(expression=ir.Call(function="free", args=(ir.Spelled(template=freed),))):
            return freed.split(".")[0] == name
        case _:
            return False


def mentions(s: Stmt, name: str) -> bool:
    """Whether a variable is assigned to, or freed, inside a statement."""
    return any(serves(each, name) for each in traversal.statements(traversal.inside(s)))


def without(s: Stmt, name: str) -> Stmt:
    """A statement without what is inside it and serves a variable alone."""

    def prune(code: Code) -> Code:
        return tuple(without(each, name) for each in code if not serves(each, name))

    return traversal.change_blocks(s, prune)


def is_pure(e: Expr) -> bool:
    """Whether an expression only computes: it calls nothing that writes."""
    return not any(map(writes, traversal.subterms(e)))


def writes(e: Expr) -> bool:
    """Whether evaluating an expression, its operands aside, may write something."""
    match e:
        case ir.Call(function=function):
            return function not in ("gn_min_int64", "gn_max_int64", "gn_floordiv_int64", "gn_mod_int64")
        case ir.Spelled(args=args):
            return ir.STATUS_ADDRESS in args
        case ir.Unary(operator="&"):
            return e != ir.STATUS_ADDRESS
        case ir.Shuffle() | ir.Vote():
            return True
        case _:
            return False
