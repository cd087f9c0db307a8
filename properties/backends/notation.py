"""Index notation as other systems write it: without explicit sums, which each system puts back by a rule of its own.

Before: `y(i) = sum(k, A(i,k)) + sum(k, B(i,k))`. Without sums: `A(i,k) + B(i,l)`. An expression may be handed over if
the rule gives back what it meant; both are compared with their sums as far inside as they go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from ...reference.algebra.operators import ADD, DIV, MUL, NEG, SUB
from ...reference.notation.elaboration import rename
from ...reference.notation.reductions import uses
from ...reference.notation.syntax import (
    Access,
    Apply,
    Assignment,
    Expr,
    Fill,
    Literal,
    Reduce,
    accesses,
    free_variables,
)
from ...reference.storage.format import Format
from .backend import Refused

NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
LETTERS = "ijklmnopqrstuvwxyz"
Rule = Callable[[Expr, str], Expr]


def without_sums(a: Assignment, rules: Iterable[Rule]) -> Assignment:
    """The assignment with none of its sums, each over a variable of its own.

    Raises Refused if one of the rules puts them back elsewhere, or for names that are not made of letters and digits.
    """
    taken = {name for e in (a.target, *accesses(a.value)) for name in (e.tensor, *e.indices)}
    value = apart(a.value, set(a.target.indices), taken)
    bare = strip_reductions(value)
    check_names((a.target, *accesses(bare)))
    for rule in rules:
        if push_sums(implicit(bare, a.target.indices, rule)) != push_sums(value):
            raise Refused("sums that implicit ones do not express")
    return Assignment(a.target, bare, a.operator)


def check_names(read: Iterable[Access]) -> None:
    """Refuse names that mean both a tensor and an index, or that have other characters than letters and digits."""
    tensors: set[str] = set()
    indices: set[str] = set()
    for access in read:
        tensors.add(access.tensor)
        indices.update(access.indices)
    if tensors & indices:
        raise Refused("a name of a tensor and of an index")
    if not all(NAME.fullmatch(name) for name in tensors | indices):
        raise Refused("a name with other characters than letters and digits")


def is_cyclic(a: Assignment, stored: Mapping[str, Format]) -> bool:
    """Whether levels ask for loops in a cycle, by the formats of all tensors. Two dense levels ask for nothing."""
    before: TopologicalSorter[str] = TopologicalSorter()
    for access in (a.target, *accesses(a.value)):
        for first, second in order_edges(access, stored[access.tensor]):
            before.add(second, first)
    try:
        before.prepare()
    except CycleError:
        return True
    return False


def order_edges(access: Access, format: Format) -> Iterator[tuple[str, str]]:
    """Variables of which one has to come first: of two levels that are not both dense."""
    variables = [access.indices[mode] for mode in format.stored_modes]
    for k, level in enumerate(format.levels):
        for above in range(k):
            if not (level.full and format.levels[above].full):
                yield variables[above], variables[k]


def apart(e: Expr, seen: set[str], taken: set[str]) -> Expr:
    """An expression in which no two sums are over the same variable; `seen` and `taken` grow."""
    match e:
        case Reduce(operator=operator, index=index, body=body):
            if index in seen:
                new = next(v for v in LETTERS if v not in taken)
                body = rename(body, index, new)
                index = new
            seen.add(index)
            taken.add(index)
            return Reduce(operator, index, apart(body, seen, taken))
        case Apply(operator=operator, args=args):
            return Apply(operator, tuple(apart(argument, seen, taken) for argument in args))
        case _:
            return e


def strip_reductions(e: Expr) -> Expr:
    """An expression without its reductions."""
    match e:
        case Reduce(body=body):
            return strip_reductions(body)
        case Apply(operator=operator, args=args):
            return Apply(operator, tuple(map(strip_reductions, args)))
        case _:
            return e


def implicit(e: Expr, kept: tuple[str, ...], rule: Rule) -> Expr:
    """An expression with the sums where a rule puts them."""
    for variable in free_variables(e):
        if variable not in kept:
            e = rule(e, variable)
    return e


def narrowest(e: Expr, variable: str) -> Expr:
    """The sum over the smallest part that has all uses of a variable."""
    match e:
        case Apply(operator=operator, args=args) if sum(uses(a, variable) for a in args) == 1:
            return Apply(operator, tuple(narrowest(a, variable) if uses(a, variable) else a for a in args))
        case Reduce(operator=operator, index=index, body=body):
            return Reduce(operator, index, narrowest(body, variable))
        case _:
            return Reduce(ADD, variable, e)


def termwise(e: Expr, variable: str) -> Expr:
    """A sum for every addend that uses a variable."""
    match e:
        case Apply(operator=operator, args=args) if operator in (ADD, SUB, NEG):
            return Apply(operator, tuple(termwise(a, variable) if uses(a, variable) else a for a in args))
        case _:
            return Reduce(ADD, variable, e)


def push_sums(e: Expr) -> Expr:
    """An expression with every sum as far inside as it goes: what two expressions with equal sums have in common."""
    match e:
        case Reduce(index=index, body=body):
            return push_sum(index, push_sums(body))
        case Apply(operator=operator, args=args):
            return Apply(operator, tuple(map(push_sums, args)))
        case _:
            return e


def push_sum(variable: str, e: Expr) -> Expr:
    """The sum of an expression over a variable, as far inside as it goes; sums at one place are in order of names."""
    match e:
        case Apply(operator=operator, args=args) if operator in (ADD, SUB, NEG):
            return Apply(operator, tuple(push_sum(variable, a) for a in args))
        case Apply(operator=operator, args=(left, right)) if operator is MUL and uses(left, variable) != uses(
            right, variable
        ):
            return Apply(operator, tuple(push_sum(variable, a) if uses(a, variable) else a for a in (left, right)))
        case Apply(operator=operator, args=(left, right)) if operator is DIV and not uses(right, variable):
            return Apply(operator, (push_sum(variable, left), right))
        case Reduce(index=index, body=body):
            core, found = push_sum(variable, body), [index]
            while isinstance(core, Reduce):
                found.append(core.index)
                core = core.body
            for each in sorted(found, reverse=True):
                core = Reduce(ADD, each, core)
            return core
        case _:
            return Reduce(ADD, variable, e)


def is_sum_of_products(e: Expr) -> bool:
    """Whether no sum is under a product, and nothing is divided."""
    match e:
        case Apply(operator=operator, args=args) if operator in (ADD, SUB, NEG):
            return all(map(is_sum_of_products, args))
        case _:
            return is_product(e)


def is_product(e: Expr) -> bool:
    """Whether an expression is made of factors and signs alone."""
    match e:
        case Apply(operator=operator, args=args):
            return operator in (MUL, NEG) and all(map(is_product, args))
        case _:
            return not isinstance(e, Reduce)


def print_expression(e: Expr, leaf: Callable[[Access | Literal | Fill], str]) -> str:
    """The text of an expression with operators that have symbols, its accesses and numbers spelled by `leaf`."""
    match e:
        case Apply(operator=operator, args=(left, right)):
            own = operator.precedence
            return f"{inside(left, own, leaf)} {operator.symbol} {inside(right, own + 1, leaf)}"
        case Apply(operator=operator, args=(argument,)):
            return f"{operator.symbol}{inside(argument, operator.precedence, leaf)}"
        case Access() | Literal() | Fill():
            return leaf(e)
        case _:
            raise Refused("a function")


def inside(e: Expr, precedence: int, leaf: Callable[[Access | Literal | Fill], str]) -> str:
    """The text of an argument, in parentheses if it binds less tightly."""
    text = print_expression(e, leaf)
    return f"({text})" if isinstance(e, Apply) and e.operator.precedence < precedence else text
