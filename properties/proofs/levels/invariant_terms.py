"""Invariants as formulas: what a function demands that yields violations, or that returns whether something holds.

Such functions are loops over ranges, branches, assignments, and at the end of some paths a complaint: `yield
Violation(...)` in the storage invariants of a level, `return False` in the invariant of a loop. Nobody complains
exactly if for all turns of the loops, under all conditions around it, no complaint is reached:

    for p in range(parents):                     for all p in [0, parents):
        if self.pos[p + 1] < self.pos[p]:            not pos(p + 1) < pos(p)
            yield Violation("pos", ...)
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ....reference.errors import CompileError
from ....reference.levels.invariants import covers, distinct
from ....reference.levels.restricted import read
from ..solver import Term, z3
from .restricted_terms import Array, Scope, both, expression, formula, implied, negated

Bound = tuple[Term, ...]
"""The variables of the loops around a statement."""


def demanded(function: Callable[..., Any], scope: Scope) -> Iterator[Term]:
    """What must hold so that a function of a level does not complain. `scope` holds its parameters.

    Raises CompileError for what is not restricted Python.
    """
    text = read(function, getattr(function, "__name__", "the function"))
    names = inspect.unwrap(function).__globals__
    yield from block(text.body, scope.changed(names=names, conditions=CONDITIONS), ())


def holds(function: Callable[..., Any], scope: Scope) -> Term:
    """That a function of a level does not complain, or returns true."""
    return formula(both(*demanded(function, scope)))


def block(body: Sequence[ast.stmt], scope: Scope, bound: Bound) -> Iterator[Term]:
    """What must hold so that statements do not complain."""
    for s in body:
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                scope = scope.binding({name: expression(value, scope)})
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name("range"), args=args), body=inner):
                begin, end = [0] * (2 - len(args)) + [expression(a, scope) for a in args]
                x = fresh(name)
                turn = without(inner, scope).binding({name: x}).under(both(begin <= x, x < end))
                yield from block(inner, turn, (*bound, x))
                scope = without([s], scope)
            case ast.If(test=test, body=then, orelse=orelse):
                condition = expression(test, scope)
                yield from branch(then, scope.under(condition), bound)
                yield from branch(orelse, scope.under(negated(condition)), bound)
                scope = without([s], scope)
            case ast.Expr(value=ast.Yield()) | ast.Return(value=ast.Constant(value=False)):
                yield for_all(bound, formula(negated(scope.when)))
            case ast.Expr(value=ast.YieldFrom(value=ast.Call() as call)):
                yield from handed_over(call, scope, bound)
            case ast.Return(value=ast.Call(func=ast.Name("all"), args=[ast.GeneratorExp() as each])):
                yield from block([as_loop(each)], scope, bound)
            case ast.Return(value=ast.expr() as value):
                yield for_all(bound, formula(implied(scope.when, expression(value, scope))))
            case ast.Expr(value=ast.Constant() | ast.YieldFrom(value=ast.Tuple(elts=[]))) | ast.Pass():
                pass
            case _:
                raise CompileError(f"an invariant cannot be read as a formula: {ast.unparse(s)}")


def as_loop(each: ast.GeneratorExp) -> ast.For:
    """The loop that returns False where not all hold. Raises CompileError if it is not a single one over a range."""
    match each:
        case ast.GeneratorExp(elt=said, generators=[ast.comprehension(target=target, iter=iter, ifs=[])]):
            refusal = ast.If(ast.UnaryOp(ast.Not(), said), [ast.Return(ast.Constant(False))], [])
            return ast.For(target, iter, [refusal], [])
        case _:
            raise CompileError(f"an invariant cannot be read as a formula: {ast.unparse(each)}")


def branch(body: Sequence[ast.stmt], scope: Scope, bound: Bound) -> Iterator[Term]:
    """What must hold so that a branch does not complain."""
    if scope.when is not False:
        yield from block(body, scope, bound)


def without(body: Sequence[ast.stmt], scope: Scope) -> Scope:
    """The scope without what some statements assign: before another turn of a loop, after a loop or a branch."""
    assigned = {n.id for s in body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return scope.changed(variables={name: value for name, value in scope.variables.items() if name not in assigned})


def handed_over(call: ast.Call, scope: Scope, bound: Bound) -> Iterator[Term]:
    """What is demanded by a function that an invariant hands over to: of the level, or of the level's module."""
    match call.func:
        case ast.Attribute(value=ast.Name("self"), attr=name):
            function = getattr(type(scope.level), name)
        case ast.Name(id=name) if inspect.isfunction(scope.names.get(name)):
            function = scope.names[name]
        case _:
            raise CompileError(f"an invariant cannot be read as a formula: {ast.unparse(call)}")
    text = read(function, name)
    parameters = [a.arg for a in text.tree.args.args if a.arg != "self"]
    given = [expression(a, scope) for a in call.args]
    variables = dict(zip(parameters, given, strict=True))
    yield from block(text.body, scope.changed(variables=variables, names=function.__globals__), bound)


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


CONDITIONS: Mapping[Callable[..., Any], Callable[..., Term]] = {distinct: all_differ, covers: all_occur}
"""What the conditions on a range of an array mean."""
