"""Atomics: updates that nothing comes between, as CUDA and the support header spell them.

What they have a word for is one: `atomicAdd(&y_vals[i], ty);`, `gn_atomic_min_float64(&y_vals[i], ty);`. Whatever else
combines, operators of users among it, goes round until nobody has come between:

    double seen = gn_atomic_load_float64(&y_vals[i]);
    while (!gn_atomic_exchange_float64(&y_vals[i], &seen, hypot(seen, ty)))
        ;

Integers that are checked are added first, and then it is seen whether the sum fitted.
"""

from __future__ import annotations

from msgspec.structs import replace

from ..ir import ir, traversal
from ..ir.ir import (
    Assign,
    Atomic,
    Call,
    Code,
    Declare,
    Do,
    Expr,
    Function,
    If,
    Name,
    Region,
    Spelled,
    Stmt,
    Unary,
    While,
)
from ..ir.limits import fresh_name, names_in_use
from ..storage.layout import C_TYPES

SIGNS = {"+=": "add", "*=": "mul"}


def atomically(s: Stmt, operator: str, dtype: str) -> Stmt:
    """A statement whose updates, by an operator in a dtype, nothing comes between."""
    match s:
        case Assign():
            return Atomic(s, operator, dtype)
        case If(then=then):
            return replace(s, then=tuple(atomically(each, operator, dtype) for each in then))
        case _:
            return s


def spell_atomics(f: Function) -> Function:
    """A kernel with its atomic updates in words of CUDA."""
    taken = frozenset(names_in_use(f))
    return replace(f, body=block(f.body, taken))


def block(code: Code, taken: frozenset[str]) -> Code:
    """The statements of a block, where some names are in use."""
    return tuple(each for s in code for each in statement(s, taken))


def statement(s: Stmt, taken: frozenset[str]) -> Code:
    """A statement, with its atomic updates in words of CUDA."""
    match s:
        case Atomic():
            return spell(s, taken)
        case _:
            return (traversal.change_blocks(s, lambda code: block(code, taken)),)


def spell(s: Atomic, taken: frozenset[str]) -> Code:
    """An atomic update in words of CUDA."""
    place, value, dtype = s.update.target, s.update.value, s.dtype
    address = Unary("&", place)
    if s.update.operator in SIGNS:
        return (Do(Call(word(SIGNS[s.update.operator], dtype), (address, value))),)
    match value:
        case Spelled(template=template, args=(first, second)) if first == place:
            if template in (f"gn_{name}_{dtype}({{0}}, {{1}})" for name in ("min", "max")):
                return (Do(Call(word(s.operator, dtype), (address, second))),)
        case Spelled(template=template, args=(first, second, ir.STATUS_ADDRESS)) if first == place:
            if template == f"gn_add_{dtype}({{0}}, {{1}}, {{2}})":
                return add_checked(address, second, template, dtype, taken)
        case _:
            pass
    if place not in traversal.subterms(value):
        return (Do(Call(f"gn_atomic_store_{dtype}", (address, value))),)
    return go_round(place, value, dtype, taken)


def word(operator: str, dtype: str) -> str:
    """The word for an update. CUDA's own sums of float32 lose subnormal numbers."""
    return "atomicAdd" if (operator, dtype) == ("add", "float64") else f"gn_atomic_{operator}_{dtype}"


def add_checked(address: Expr, value: Expr, template: str, dtype: str, taken: frozenset[str]) -> Code:
    """Add an integer, and report a sum that does not fit."""
    added = Name(fresh_name("added", taken))
    before = Call(f"gn_atomic_add_{dtype}", (address, added))
    declared = Declare(f"const {dtype}_t", added.name, value)
    return (Region(None, (declared, Do(Spelled(template, (before, added, ir.STATUS_ADDRESS))))),)


def go_round(place: Expr, value: Expr, dtype: str, taken: frozenset[str]) -> Code:
    """Combine with what is there until nobody has come between."""
    seen = Name(fresh_name("seen", taken))

    def with_seen(e: Expr) -> Expr:
        return seen if e == place else traversal.change_parts(e, with_seen)

    found = Call(f"gn_atomic_load_{dtype}", (Unary("&", place),))
    stored = Call(f"gn_atomic_exchange_{dtype}", (Unary("&", place), Unary("&", seen), with_seen(value)))
    return (Region(None, (Declare(C_TYPES[dtype], seen.name, found), While(Unary("!", stored), ()))),)
