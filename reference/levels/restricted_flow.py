"""Flow: where the statements of a level function lead, and which variables have a value there.

Python reports a variable without a value only when a call reads the variable; C computes with whatever memory holds.
"""

from __future__ import annotations

from itertools import chain

from .restricted_parser import Restricted
from .restricted_syntax import (
    Assign,
    Block,
    Constant,
    Expression,
    For,
    If,
    Pass,
    Return,
    Statement,
    Store,
    Unpack,
    Variable,
    While,
    inside,
)


def always_returns(body: Block) -> bool:
    """Whether statements never go on to what stands after them."""
    return any(map(leaves, body))


def leaves(s: Statement) -> bool:
    """Whether a statement never goes on to the next one."""
    match s:
        case Return():
            return True
        case If(then=then, otherwise=otherwise):
            return always_returns(then) and always_returns(otherwise)
        case While(test=Constant(value=value)):
            return bool(value)
        case While() | For() | Assign() | Unpack() | Store() | Pass():
            return False


def check_assigned(body: Block, known: frozenset[str], f: Restricted) -> frozenset[str]:
    """Refuse what reads a variable that may not have been assigned. The variables that are assigned, wherever the
    statements go on to what stands after them."""
    for s in body:
        known = check_statement(s, known, f)
    return known


def check_statement(s: Statement, known: frozenset[str], f: Restricted) -> frozenset[str]:
    """As `check_assigned`, of one statement."""
    match s:
        case Assign(name=name, value=value):
            check_reads((value,), known, f)
            return known | {name}
        case Unpack(names=names, call=call):
            check_reads((call,), known, f)
            return known.union(names)
        case Store(index=index, value=value):
            check_reads((index, value), known, f)
        case If(test=test, then=then, otherwise=otherwise):
            check_reads((test,), known, f)
            ends = [(check_assigned(each, known, f), always_returns(each)) for each in (then, otherwise)]
            left = [assigned for assigned, returned in ends if not returned]
            return frozenset.intersection(*left) if left else known
        case While(test=test, body=body):
            check_reads((test,), known, f)
            check_assigned(body, known, f)
        case For(variable=variable, begin=begin, end=end, body=body):
            check_reads((begin, end), known, f)
            check_assigned(body, known | {variable}, f)
        case Return(values=values):
            check_reads(values, known, f)
        case Pass():
            pass
    return known


def check_reads(every: tuple[Expression, ...], known: frozenset[str], f: Restricted) -> None:
    """Refuse expressions that read a variable which may not have been assigned."""
    for e in chain.from_iterable(map(inside, every)):
        match e:
            case Variable(name=name) if name not in known:
                why = f"{name} may be read before it is assigned"
                raise f.text.error(e.place, why, f"assign to {name} on every way that leads here")
            case _:
                continue
