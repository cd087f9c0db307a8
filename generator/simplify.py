"""Simplification of finished code: declarations that nothing reads, loops and branches that do nothing.

Before: `const int64_t iA = A1_crd[pA1]; double t = 0; for (…) {}`. After: nothing. The expressions that go have no effects;
calls that take an address do and stay. Loops are only removed if their bodies are empty and their bounds terminate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from . import ir
from .ir import Assign, Code, Declare, Do, Expr, For, If, Name, Return, Scope, Stmt, While


def simplified(code: Code) -> Code:
    """The code without what has no effect.

    >>> simplified((Declare("int64_t", "p", ir.ZERO), For("q", ir.ZERO, Name("n"), ())))
    ()
    """
    while True:
        used = Counter(uses(code))
        shorter = tuple(pruned(code, used))
        if shorter == code:
            return code
        code = shorter


def uses(code: Code) -> Iterator[str]:
    """Every variable that is read, except in assignments to itself."""
    for s in code:
        match s:
            case Declare(value=value):
                if value is not None:
                    yield from ir.names(value)
            case Assign(target=Name(name=name), value=value):
                yield from (n for n in ir.names(value) if n != name)
                if not is_pure(value):
                    yield name
            case Assign(target=target, value=value):
                yield from ir.names(target)
                yield from ir.names(value)
            case If(condition=condition, then=then, orelse=orelse):
                yield from ir.names(condition)
                yield from uses(then)
                yield from uses(orelse)
            case While(condition=condition, body=body):
                yield from ir.names(condition)
                yield from uses(body)
            case For(begin=begin, end=end, body=body):
                yield from ir.names(begin)
                yield from ir.names(end)
                yield from uses(body)
            case Scope(body=body):
                yield from uses(body)
            case Do(expression=expression) | Return(value=expression):
                yield from ir.names(expression)
            case _:
                pass


def pruned(code: Code, used: Counter[str]) -> Iterator[Stmt]:
    """The statements that matter, given how often each variable is read."""
    for s in code:
        match s:
            case Declare(name=name, value=value) if not used[name] and (value is None or is_pure(value)):
                continue
            case Assign(target=Name(name=name), value=value) if not used[name] and name != "status" and is_pure(value):
                continue
            case If(condition=condition, then=then, orelse=orelse):
                yield from ir.conditional(condition, pruned(then, used), pruned(orelse, used))
            case While(condition=condition, body=body):
                inner = tuple(pruned(body, used))
                yield While(condition, inner)
            case For(name=name, begin=begin, end=end, body=body, pragma=pragma):
                inner = tuple(pruned(body, used))
                if inner and not all(isinstance(each, ir.Comment) for each in inner):
                    yield For(name, begin, end, inner, pragma)
            case Scope(body=body):
                inner = tuple(pruned(body, used))
                if inner:
                    yield Scope(inner)
            case _:
                yield s


def is_pure(e: Expr) -> bool:
    """Whether an expression may be dropped: it computes, and calls nothing that writes."""
    match e:
        case ir.Call(function=function):
            if not function.startswith(("gn_min", "gn_max", "gn_floordiv_int64", "gn_mod_int64")):
                return False
        case ir.Spelled(template=template):
            if "&status" in template:
                return False
        case ir.Unary(operator="&"):
            return False
        case _:
            pass
    return all(is_pure(part) for part in ir.parts(e))

