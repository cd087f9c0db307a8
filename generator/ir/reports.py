"""Reports: lanes do not share the status of a kernel, which has another width than what they compute.

Before:

    for (p …) {
        #pragma omp simd reduction(max : status)
        for (k = 0; k < 16; k++)
            t[k] = gn_lane_add_int64(t[k], x[k], &status);
    }

After: `int64_t k_status[16]` before the loop around the lanes, `&k_status[k]` in their loop, and behind the loop around
it one that folds all of them into `status`. Where nothing goes on around lanes, where their number is not constant, or
where something inside may jump past the end of the loop around them, they reduce into one `int64_t k_status`.
"""

from __future__ import annotations

from msgspec.structs import replace

from . import ir, logic, traversal
from .ir import (
    Assign,
    Cast,
    Code,
    Declare,
    Element,
    Expr,
    For,
    Function,
    If,
    Int,
    Jump,
    Name,
    Region,
    Stmt,
    Unary,
    While,
)
from .limits import fresh_name, names_in_use

CLAUSE = " reduction(max : status)"


def keep_reports_apart(f: Function) -> Function:
    """The function whose lanes have a status each, wherever a loop goes on around them."""
    taken = names_in_use(f)
    return replace(f, body=block(f.body, taken))


def block(code: Code, taken: set[str]) -> Code:
    """The statements of a block, where the names `taken` are in use."""
    return tuple(each for s in code for each in statement(s, taken))


def statement(s: Stmt, taken: set[str]) -> Code:
    """A statement, with what is declared before it and folded after it."""
    match s:
        case For(pragma=None) | While():
            own: list[tuple[str, For]] = []
            body = s.body if any(jumps(s.body)) else keep_apart(s.body, taken, own)
            before = [each for name, lanes in own for each in clear(name, lanes)]
            return (*before, replace(s, body=block(body, taken)), *(fold(name, lanes) for name, lanes in own))
        case For() if is_reporting(s):
            return in_one(s, taken)
        case _:
            return (traversal.change_blocks(s, lambda code: block(code, taken)),)


def in_one(lanes: For, taken: set[str]) -> Code:
    """A loop whose lanes reduce into one variable, which is folded into the status."""
    assert lanes.pragma is not None
    name = new_name(lanes, taken)
    body = tuple(report_to(each, Name(name)) for each in lanes.body)
    pragma = lanes.pragma.replace(CLAUSE, CLAUSE.replace("status", name))
    return (Declare("int64_t", name, ir.OK), replace(lanes, body=body, pragma=pragma), fold_in(Name(name)))


def new_name(lanes: For, taken: set[str]) -> str:
    """A name for what lanes report, which is taken from now on."""
    name = fresh_name(f"{lanes.name}_status", frozenset(taken))
    taken.add(name)
    return name


def jumps(code: Code) -> list[Jump]:
    """The jumps to labels in some code."""
    return [s for s in traversal.statements(code) if isinstance(s, Jump) and s.label]


def keep_apart(code: Code, taken: set[str], found: list[tuple[str, For]]) -> Code:
    """Code, outside of other loops in it, whose lanes report into arrays; these, with their lanes, are added."""
    return tuple(keep_apart_in(s, taken, found) for s in code)


def keep_apart_in(s: Stmt, taken: set[str], found: list[tuple[str, For]]) -> Stmt:
    """The same for a statement."""
    match s:
        case If() | Region(pragma=None):
            return traversal.change_blocks(s, lambda code: keep_apart(code, taken, found))
        case For(name=name, body=body, pragma=str(pragma)) if is_reporting(s) and is_constant(s):
            array = new_name(s, taken)
            found.append((array, s))
            own = Element(Name(array), Name(name))
            return replace(s, body=tuple(report_to(each, own) for each in body), pragma=pragma.removesuffix(CLAUSE))
        case _:
            return s


def is_reporting(s: For) -> bool:
    """Whether a loop is one of lanes that report."""
    return s.pragma is not None and s.pragma.endswith(CLAUSE)


def is_constant(s: For) -> bool:
    """Whether a loop counts from zero to a constant."""
    return s.begin == ir.ZERO and isinstance(s.end, Int)


def report_to(s: Stmt, place: Expr) -> Stmt:
    """A statement that reports into a place of its own."""
    match s:
        case Declare(value=value) if value is not None:
            return replace(s, value=report_into(value, place))
        case Assign(value=value):
            return replace(s, value=report_into(value, place))
        case _:
            return s


def report_into(e: Expr, place: Expr) -> Expr:
    """An expression that reports into a place of its own."""
    if e == ir.STATUS_ADDRESS:
        return Unary("&", place)
    return traversal.change_parts(e, lambda part: report_into(part, place))


def clear(array: str, lanes: For) -> Code:
    """Declare what each of some lanes reports: nothing is wrong yet."""
    assert isinstance(lanes.end, Int)
    own = Element(Name(array), Name(lanes.name))
    return (
        Declare(f"int64_t[{lanes.end.value}]", array),
        For(lanes.name, ir.ZERO, lanes.end, (Assign(own, ir.OK),)),
    )


def fold(array: str, lanes: For) -> Stmt:
    """Report what some lanes have found."""
    return For(lanes.name, ir.ZERO, lanes.end, (fold_in(Element(Name(array), Name(lanes.name))),))


def fold_in(found: Expr) -> Stmt:
    """Report what has been found, if anything has."""
    return Assign(ir.STATUS, logic.choice(logic.compare("!=", found, ir.OK), Cast("int", found), ir.STATUS))
