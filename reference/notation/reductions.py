"""Implicit reductions made explicit: where the sums over the variables that the result does not have belong.

Before: `y(i) = b(i) + A(i,j) * x(j) + c(i)`. After: `y(i) = b(i) + sum(j, A(i,j) * x(j)) + c(i)`.

For each such variable v: in a sum the addends that use v are gathered under one `sum(v, .)`; in a product with one
factor that uses v the sum goes into it; with several it covers their product. `op=` other than `+=` folds the whole
right side instead. Where two readings differ, the statement is refused with both. Variables nest by first appearance,
the first outermost. The law used: `*` distributes over `+`, and linear functions commute with it. This pass does not
move sums that the text writes. (Kjolstad 2017, section 3; docs/spec/notation/sums.md)
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ..algebra.functions import CONJ, IMAG, REAL
from ..algebra.operator import Operator
from ..algebra.operators import ADD, DIV, NEG, SUB
from ..errors import ExpressionError, InternalError
from .printer import pretty
from .syntax import Access, Apply, Assignment, Expr, Fill, Literal, Reduce, accesses, free_variables

LINEAR = (NEG, CONJ, REAL, IMAG)
"""Functions f with f(a + b) = f(a) + f(b)."""


def explicit(assignment: Assignment, source: str | None = None, *, distributive: bool = True) -> Assignment:
    """The assignment with a reduction for every variable that its target lacks.

    `distributive` says whether the product distributes over the sum; in a semiring where it does not, a sum that could
    stand inside or outside a product is refused. Raises ExpressionError, with a caret if `source` is the text.

    >>> from gnomon.reference.notation.parser import parse
    >>> pretty(explicit(parse("a = A(i,j) * x(j) - b(i)")))
    'a = sum(i, sum(j, A(i,j) * x(j)) - b(i))'
    >>> pretty(explicit(parse("y(i) max= A(i,j) + x(j)")))
    'y(i) max= max(j, A(i,j) + x(j))'
    """
    try:
        return replace(assignment, value=insert_reductions(assignment, distributive))
    except ExpressionError as error:
        raise error.at(source) from None


def insert_reductions(assignment: Assignment, distributive: bool) -> Expr:
    """The right side with a reduction for every variable that the target lacks."""
    kept, value = assignment.target.indices, assignment.value
    check_scopes(value, kept)
    for variable in reversed([v for v in free_variables(value) if v not in kept]):
        if assignment.operator is None or assignment.operator is ADD:
            check_linear(value, variable)
            value = insert_sum(value, variable, distributive)
        else:
            value = Reduce(assignment.operator, variable, value, span=value.span)
    check_scopes(value, kept)
    return value


def check_scopes(e: Expr, enclosing: tuple[str, ...]) -> None:
    """Refuse a reduction whose variable is in use around it, or that its body does not use."""
    match e:
        case Access() | Literal() | Fill():
            return
        case Apply(args=args):
            for argument in args:
                check_scopes(argument, enclosing)
        case Reduce(index=index, body=body):
            if index in enclosing:
                raise ExpressionError(
                    f"{pretty(e)} reduces over {index}, which already has a meaning around it",
                    hint=f"rename {index} inside the reduction",
                    span=e.span,
                    rule="notation.scopes",
                )
            if not any(index in a.indices for a in accesses(body)):
                raise ExpressionError(
                    f"{pretty(e)} reduces over {index}, which is no index in {pretty(body)}",
                    hint="the extent of a reduction variable comes from the tensors that it indexes",
                    span=e.span,
                    rule="notation.scopes",
                )
            check_scopes(body, (*enclosing, index))


def uses(e: Expr, variable: str) -> bool:
    """Whether a variable occurs free in an expression."""
    return variable in free_variables(e)


def is_product(operator: Operator) -> bool:
    """Whether a sum over one operand may be taken outside: declared, not named."""
    return operator.arity == 2 and operator.commutative and ADD.name in operator.distributes_over


def check_linear(e: Expr, variable: str) -> None:
    """Refuse a variable to be summed over inside a non-linear function, a divisor or another reduction."""
    if not uses(e, variable):
        return
    match e:
        case Access() | Literal() | Fill():
            return
        case Apply(operator=operator, args=(numerator, divisor)) if operator is DIV:
            if uses(divisor, variable):
                refuse(e, variable, f"{variable} is summed over, but occurs in the divisor of {pretty(e)}")
            check_linear(numerator, variable)
        case Apply(operator=operator, args=args) if operator in (ADD, SUB, *LINEAR) or is_product(operator):
            for argument in args:
                check_linear(argument, variable)
        case Reduce(operator=operator, body=body) if operator is ADD:
            check_linear(body, variable)
        case Reduce():
            refuse(e, variable, f"{variable} is summed over, but occurs inside {pretty(e)}")
        case Apply(operator=operator):
            reason = f"inside {operator.name}, which is not linear" if operator.arity == 1 else f"inside {pretty(e)}"
            refuse(e, variable, f"{variable} is summed over, but occurs {reason}")


def refuse(e: Expr, variable: str, message: str) -> None:
    """Refuse an expression whose sum could stand around it or in its arguments, showing both."""
    match e:
        case Apply(operator=operator, args=args):
            inside: Expr = Apply(operator, tuple(total(a, variable) if uses(a, variable) else a for a in args))
        case Reduce(operator=operator, index=index, body=body):
            inside = Reduce(operator, index, total(body, variable))
        case Access() | Literal() | Fill():
            raise InternalError(f"{pretty(e)} cannot be ambiguous")
    hint = f"write {pretty(total(e, variable))} or {pretty(inside)}"
    raise ExpressionError(message, hint=hint, span=e.span, rule="notation.sums.ambiguous")


def total(e: Expr, variable: str) -> Reduce:
    """The sum of an expression over a variable."""
    return Reduce(ADD, variable, e, span=e.span)


def insert_sum(e: Expr, variable: str, distributive: bool) -> Expr:
    """An expression that is linear in a variable, with the sums over the variable inserted."""
    match e:
        case Access():
            return total(e, variable)
        case Apply(operator=operator) if operator in (ADD, SUB):
            return insert_sum_in_addends(e, variable, distributive)
        case Apply(operator=operator, args=(numerator, divisor)) if operator is DIV:
            return replace(e, args=(insert_sum(numerator, variable, distributive), divisor))
        case Apply(operator=operator, args=(operand,)):
            return replace(e, args=(insert_sum(operand, variable, distributive),))
        case Apply(operator=operator):
            return insert_sum_in_factors(e, operator, variable, distributive)
        case Reduce(operator=operator, index=index, body=body):
            if lacks(body, variable):
                return Reduce(operator, index, insert_sum(body, variable, distributive), span=e.span)
            return total(e, variable)
        case Literal() | Fill():
            raise InternalError(f"{pretty(e)} does not use {variable}")


def lacks(e: Expr, variable: str) -> bool:
    """Whether, multiplied out, an expression has an addend without the variable."""
    match e:
        case Apply(operator=operator, args=(left, right)) if operator in (ADD, SUB):
            return lacks(left, variable) or lacks(right, variable)
        case Apply(operator=operator, args=(numerator, _)) if operator is DIV:
            return lacks(numerator, variable)
        case Apply(operator=operator, args=args) if operator in LINEAR or is_product(operator):
            return all(lacks(a, variable) for a in args)
        case Reduce(operator=operator, index=index, body=body) if operator is ADD:
            return index == variable or lacks(body, variable)
        case _:
            return not uses(e, variable)


Addend = tuple[bool, Expr]
"""An addend, and whether it is subtracted."""


def insert_sum_in_addends(e: Expr, variable: str, distributive: bool) -> Expr:
    """Insert a sum over the variable into a sum: addends that all use the variable share one, the others keep their
    own."""
    if not lacks(e, variable):
        return total(e, variable)
    terms = addends(e)
    gathered = [n for n, (_, a) in enumerate(terms) if not lacks(a, variable)]
    result: list[Addend] = []
    for n, (negative, addend) in enumerate(terms):
        if n in gathered[:1]:
            result.append(gather([terms[g] for g in gathered], variable))
        elif n not in gathered:
            mixed = uses(addend, variable)
            result.append((negative, insert_sum(addend, variable, distributive) if mixed else addend))
    return signed_sum(result)


def gather(terms: Sequence[Addend], variable: str) -> Addend:
    """One sum of several addends: subtracted if they all are, otherwise beginning with those that are not."""
    subtracted = all(negative for negative, _ in terms)
    signs = sorted(((negative and not subtracted, a) for negative, a in terms), key=lambda term: term[0])
    return subtracted, total(signed_sum(signs), variable)


def addends(e: Expr) -> list[Addend]:
    """The addends of nested sums and differences, left to right."""
    match e:
        case Apply(operator=operator, args=(left, right)) if operator is ADD:
            return addends(left) + addends(right)
        case Apply(operator=operator, args=(left, right)) if operator is SUB:
            return addends(left) + [(not negative, a) for negative, a in addends(right)]
        case _:
            return [(False, e)]


def signed_sum(terms: Sequence[Addend]) -> Expr:
    """The sum of addends, of which the first is not subtracted."""
    (_, value), *others = terms
    for negative, addend in others:
        value = Apply(SUB if negative else ADD, (value, addend), span=value.span)
    return value


def insert_sum_in_factors(e: Apply, operator: Operator, variable: str, distributive: bool) -> Expr:
    """Insert a sum over the variable into a product: inside the one factor that uses the variable, or around
    several."""
    all_factors = factors(e, operator)
    using = [f for f in all_factors if uses(f, variable)]
    if len(using) > 1 and all(lacks(f, variable) for f in using):
        refuse(e, variable, f"{variable} is summed over, but every factor of {pretty(e)} has an addend without it")
    if len(using) == len(all_factors):
        return total(e, variable)
    if not distributive:
        refuse(e, variable, f"{variable} is summed over, but * does not distribute over + here, in {pretty(e)}")
    inner = (
        insert_sum(using[0], variable, distributive) if len(using) == 1 else total(product(operator, using), variable)
    )
    place = next(n for n, f in enumerate(all_factors) if uses(f, variable))
    others = [f for f in all_factors if not uses(f, variable)]
    return product(operator, [*others[:place], inner, *others[place:]])


def factors(e: Expr, operator: Operator) -> list[Expr]:
    """The factors of nested products, left to right."""
    match e:
        case Apply(operator=inner, args=(left, right)) if inner is operator:
            return factors(left, operator) + factors(right, operator)
        case _:
            return [e]


def product(operator: Operator, terms: Sequence[Expr]) -> Expr:
    """The product of some factors."""
    value, *others = terms
    for factor in others:
        value = Apply(operator, (value, factor), span=value.span)
    return value
