"""Invariants as formulas: what a claim demands (`claims.py`).

Such functions are loops over ranges, branches, assignments, and at the end of some paths a complaint: `yield
Violation(...)` in the storage invariants of a level, `return False` in the invariant of a loop. Nobody complains
exactly if for all turns of the loops, under all conditions around it, no complaint is reached:

    for p in range(parents):                     for all p in [0, parents):
        if self.pos[p + 1] < self.pos[p]:            not pos(p + 1) < pos(p)
            yield Violation("pos", ...)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ....reference.errors import CompileError
from ....reference.levels.restricted_syntax import (
    Assign,
    Block,
    Call,
    Constant,
    For,
    If,
    Pass,
    Return,
    Store,
    Unpack,
    While,
    assigned_variables,
)
from ..solver import Term, z3
from .claims import COLUMN, COMPLAINTS, COVERS, DISTINCT, Claim, before, claim, length
from .restricted_terms import Array, Calls, Scope, Value, both, expression, formula, implies, negate

Bound = tuple[Term, ...]
"""The variables of the loops around a statement."""


def demands(function: Callable[..., Any], scope: Scope) -> Iterator[Term]:
    """What must hold so that a claim does not complain. `scope` holds its parameters.

    Raises CompileError for what is not restricted Python.
    """
    said = claim(function)
    yield from block(said, said.body, readable(scope, scope.variables, also(scope.call)), ())


def readable(scope: Scope, variables: Mapping[str, Value], call: Calls) -> Scope:
    """The scope in which a claim is read: its parameters, arrays as they were, lengths, and what it may call."""
    arrays = {before(name): held for name, held in scope.before.items()}
    numbers = {length(name): held for name, held in scope.lengths.items()}
    return scope.replace(variables={**variables, **arrays, **numbers}, call=call)


def also(own: Calls) -> Calls:
    """What claims call: conditions, columns, and the functions of the level."""

    def call(name: str, arguments: Sequence[Value], scope: Scope) -> tuple[Value, ...]:
        meant = MEANT.get(name)
        return own(name, arguments, scope) if meant is None else (meant(*arguments),)

    return call


def holds(function: Callable[..., Any], scope: Scope) -> Term:
    """That a claim does not complain, or returns true."""
    return formula(both(*demands(function, scope)))


def value_of_call(function: Callable[..., Any], scope: Scope) -> Term:
    """The number that a function of one line returns."""
    last = claim(function).body[-1]
    assert isinstance(last, Return)
    return expression(last.values[0], readable(scope, scope.variables, also(scope.call)))


def block(said: Claim, body: Block, scope: Scope, bound: Bound) -> Iterator[Term]:
    """What must hold so that statements do not complain."""
    for s in body:
        match s:
            case Assign(name=name, value=value):
                scope = scope.bind({name: expression(value, scope)})
            case For(variable=name, body=inner):
                begin, end = expression(s.begin, scope), expression(s.end, scope)
                x = fresh(name)
                turn = without(inner, scope).bind({name: x}).under(both(begin <= x, x < end))
                yield from block(said, inner, turn, (*bound, x))
                scope = without((s,), scope)
            case If(test=test, then=then, otherwise=otherwise):
                condition = expression(test, scope)
                yield from branch(said, then, scope.under(condition), bound)
                yield from branch(said, otherwise, scope.under(negate(condition)), bound)
                scope = without((s,), scope)
            case Return(values=(Constant(value=False),)):
                yield for_all(bound, formula(negate(scope.when)))
            case Return(values=(Call() as call,), names=names) if names == COMPLAINTS:
                yield from called_claim(said, call, scope, bound)
            case Return(values=(value,)):
                yield for_all(bound, formula(implies(scope.when, expression(value, scope))))
            case Pass():
                pass
            case Return() | Unpack() | Store() | While():
                raise CompileError(f"an invariant cannot be read as a formula: {s}")


def branch(said: Claim, body: Block, scope: Scope, bound: Bound) -> Iterator[Term]:
    """What must hold so that a branch does not complain."""
    if scope.when is not False:
        yield from block(said, body, scope, bound)


def without(body: Block, scope: Scope) -> Scope:
    """The scope without what some statements assign: before another turn of a loop, after a loop or a branch."""
    gone = assigned_variables(body)
    return scope.replace(variables={name: value for name, value in scope.variables.items() if name not in gone})


def called_claim(said: Claim, call: Call, scope: Scope, bound: Bound) -> Iterator[Term]:
    """What is demanded by a claim that another one hands over to: of the level, or of the claim's module."""
    other = said.others.get(call.function)
    inner = claim(getattr(type(scope.level), call.function) if other is None else other)
    given = [expression(each, scope) for each in call.arguments]
    variables = dict(zip(inner.parameters, given, strict=True))
    yield from block(inner, inner.body, readable(scope, variables, scope.call), bound)


def for_all(bound: Bound, body: Term) -> Term:
    """A formula for all values of the variables, with triggers where its arrays offer any."""
    used = [x for x in bound if occurs(x, body)]
    return z3.ForAll(used, body, patterns=triggers(used, body)) if used else body


def occurs(x: Term, body: Term) -> bool:
    """Whether a constant occurs in a term."""
    return any(x.eq(t) for t in subterms(body))


def subterms(term: Term) -> Iterator[Term]:
    """A term and everything in it, once."""
    seen: set[int] = set()
    open = [term]
    while open:
        t = open.pop()
        if t.get_id() not in seen:
            seen.add(t.get_id())
            yield t
            open += [t.body()] if z3.is_quantifier(t) else t.children()


def triggers(bound: Sequence[Term], body: Term) -> list[Term]:
    """The elements of arrays that mention the variables themselves: one for each variable."""
    found: dict[int, Term] = {}
    for t in subterms(body):
        if is_element(t):
            for n, x in enumerate(bound):
                if any(x.eq(a) for a in t.children()):
                    found.setdefault(n, t)
    if len(found) < len(bound):
        return []
    held = list({t.get_id(): t for t in found.values()}.values())
    return held if len(held) == 1 else [z3.MultiPattern(*held)]


def is_element(t: Term) -> bool:
    """Whether a term is an element of an array."""
    return bool(z3.is_app(t)) and t.num_args() > 0 and (t.decl().kind() == z3.Z3_OP_UNINTERPRETED or z3.is_select(t))


def all_differ(crd: Array, begin: Term, end: Term) -> Term:
    """Any two elements in `[begin, end)` differ."""
    r, s = fresh("r"), fresh("s")
    return for_all((r, s), z3.Implies(z3.And(begin <= r, r < s, s < end), crd(r) != crd(s)))


def all_occur(crd: Array, begin: Term, end: Term, N: Term) -> Term:
    """Every coordinate of `[0, N)` is an element in `[begin, end)`."""
    c, r = fresh("c"), fresh("r")
    there = z3.Exists([r], z3.And(begin <= r, r < end, crd(r) == c))
    return for_all((c,), z3.Implies(z3.And(c >= 0, c < N), there))


def fresh(name: str) -> Term:
    """An integer of its own."""
    return z3.FreshConst(z3.IntSort(), name)


def column(array: Array, first: Value, step: Value) -> Array:
    """Every `step`-th element of an array."""
    return lambda n: array(first + n * step)


MEANT: Mapping[str, Callable[..., Value]] = {DISTINCT: all_differ, COVERS: all_occur, COLUMN: column}
"""What that means which claims call and level functions do not."""
