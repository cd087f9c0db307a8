"""Parts: where a part of an expression stands, or can be made to stand by the declared algebra.

The factors of a product are told apart from how it is bracketed: `B * D` is a part of `B * C * D`, since `*` is
associative and commutative. (Senanayake 2020, section 4; SparseAuto, section 4.2.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from msgspec.structs import replace

from ..algebra.dtypes import DTYPES
from ..algebra.operator import Operator
from ..notation.constants import constant_value
from ..notation.extent import Count
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce, accesses, is_coordinate

Alike = Callable[[Expr, Expr], bool]


def stand_alone(e: Expr, part: Expr) -> tuple[Expr, Expr] | None:
    """An expression in which a part that somebody wrote stands as one operand, and the part as it stands there.

    None if the part does not occur. Conversions that nobody wrote are overlooked where nothing else is meant.
    """
    e, part = with_complex_numbers(e), with_complex_numbers(part)
    for alike in (same, same_but_for_conversions):
        for found in subexpressions(e):
            if alike(found, part):
                return e, found
        regrouped = stand_together(e, part, alike)
        if regrouped is not None:
            return regrouped
    return None


def subexpressions(e: Expr) -> Iterator[Expr]:
    """An expression and its operands, outer ones first; reductions count as one."""
    yield e
    if isinstance(e, Apply):
        for argument in e.args:
            yield from subexpressions(argument)


def same(e: Expr, part: Expr) -> bool:
    """Whether an expression of a statement is one that somebody wrote."""
    return same_nodes(e, part, same)


def same_but_for_conversions(e: Expr, part: Expr) -> bool:
    """The same, where conversions may stand around what somebody wrote."""
    if isinstance(e, Apply) and e.operator.name in CONVERSIONS and same_but_for_conversions(e.args[0], part):
        return True
    return same_nodes(e, part, same_but_for_conversions)


CONVERSIONS = frozenset(dtype.name for dtype in DTYPES)


def same_nodes(e: Expr, part: Expr, alike: Alike) -> bool:
    """Whether the outermost nodes are the same, and what is inside them is alike; a bare name may stand for a
    coordinate, and what is read as a tensor with the name of a dtype for a conversion of a scalar or a coordinate."""
    match e, part:
        case Access(), Access():
            bare = not part.indices and is_coordinate(e)
            return e.tensor == part.tensor and (bare or e.indices == part.indices)
        case Apply(operator=a, args=(Access() as read,)), Access(tensor=name, indices=(v,)) if a.name in CONVERSIONS:
            return a.name == name and read.tensor == v and (not read.indices or is_coordinate(read))
        case Literal(value=a), Literal(value=b):
            return a == b and not isinstance(a, Count)
        case Apply(operator=a, args=left), Apply(operator=b, args=right):
            return a.name == b.name and len(left) == len(right) and all(map(alike, left, right))
        case Reduce(operator=a, index=i, body=left), Reduce(operator=b, index=j, body=right):
            return a.name == b.name and i == j and alike(left, right)
        case _:
            return False


def with_complex_numbers(e: Expr) -> Expr:
    """An expression with one number for each sum of a real and an imaginary one, as complex numbers are written."""
    match e:
        case Apply(args=(Literal(value=a), Literal(value=b))) if np.iscomplexobj(b) and a.imag == 0 == b.real:
            return Literal(constant_value(e), dtype=e.dtype)
        case Apply(args=args):
            return replace(e, args=tuple(map(with_complex_numbers, args)))
        case Access() | Literal() | Fill() | Reduce():
            return e


def stand_together(e: Expr, part: Expr, alike: Alike) -> tuple[Expr, Expr] | None:
    """An expression with the operands of a part beside one another, and these; None if no operator has them all.

    Before: `B * C * D`. After, for `B * D`: `(B * D) * C`. The law: the operator is associative, and commutative unless
    the operands stand beside one another already. Operands of one dtype only: a conversion ends a chain. What stood
    first still does: where all operands are missing, an operator that chooses has the value of its first one.
    """
    if not (isinstance(e, Apply) and isinstance(part, Apply)):
        return None
    there = chain(e, e)
    if e.operator.name == part.operator.name and may_regroup(e.operator, there):
        wanted = written_operands(part, e.operator, there, alike)
        places = find_operands(there, wanted, alike, commutative=e.operator.commutative)
        if places is not None:
            together = fold_operands(e, [there[n] for n in places])
            first = min(places)
            rest = [together if n == first else each for n, each in enumerate(there) if n == first or n not in places]
            return fold_operands(e, rest), together
    for n, argument in enumerate(e.args):
        found = stand_together(argument, part, alike)
        if found is not None:
            return replace(e, args=(*e.args[:n], found[0], *e.args[n + 1 :])), found[1]
    return None


def may_regroup(operator: Operator, operands: list[Expr]) -> bool:
    """Whether operands may be bracketed otherwise: an operator that chooses would choose a number where operands that
    stood before it are missing."""
    return operator.associative and not (operator.selects and any(not any(accesses(each)) for each in operands))


def chain(e: Expr, outer: Apply) -> list[Expr]:
    """The operands of nested applications of one operator in one dtype, left to right."""
    if isinstance(e, Apply) and e.operator is outer.operator and e.dtype == outer.dtype and len(e.args) == 2:
        return [operand for argument in e.args for operand in chain(argument, outer)]
    return [e]


def written_operands(part: Expr, operator: Operator, there: list[Expr], alike: Alike) -> list[Expr]:
    """The operands, of those of an operator, that somebody wrote, left to right. What is written as one of them is one:
    a product may look like the sums of its semiring, `A + (B + C)`."""
    one = any(alike(each, part) for each in there)
    if one or not (isinstance(part, Apply) and part.operator.name == operator.name and len(part.args) == 2):
        return [part]
    return [each for argument in part.args for each in written_operands(argument, operator, there, alike)]


def find_operands(there: list[Expr], wanted: list[Expr], alike: Alike, *, commutative: bool) -> list[int] | None:
    """The places of the wanted operands, left to right; None if some are missing, or may not change places."""
    if not commutative:
        runs = (list(range(n, n + len(wanted))) for n in range(len(there) - len(wanted) + 1))
        return next((run for run in runs if all(alike(there[n], w) for n, w in zip(run, wanted, strict=True))), None)
    found: list[int] = []
    for w in wanted:
        place = next((n for n, each in enumerate(there) if n not in found and alike(each, w)), None)
        if place is None:
            return None
        found.append(place)
    return sorted(found)


def fold_operands(e: Apply, operands: list[Expr]) -> Expr:
    """Operands of the operator of an expression, bracketed from the left."""
    first, *rest = operands
    for operand in rest:
        first = replace(e, args=(first, operand))
    return first


def through(e: Expr, part: Expr, read: Expr) -> Expr:
    """The expression with something else, such as the access to a workspace, where the part was."""
    if e == part:
        return read
    match e:
        case Apply(args=args):
            return replace(e, args=tuple(through(a, part, read) for a in args))
        case Access() | Literal() | Fill() | Reduce():
            return e
