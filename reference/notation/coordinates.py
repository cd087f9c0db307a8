"""Index variables as values: `D(i,j) = A(i,j) * (i - j)`.

Where a value stands, an index variable is its own coordinate: 0, 1, 2, ... in int64. As a term it is `i(i)`, a
component of the vector of its coordinates. Nobody passes that vector, so its operand goes by the name of the variable;
all else treats it as any dense vector. (GraphBLAS has operators for it: `firsti`, `secondj`.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import ExpressionError
from .syntax import Access, Apply, Assignment, Expr, Fill, Literal, Reduce, accesses, is_coordinate, mask_reads

if TYPE_CHECKING:
    from .text import Text


def read_coordinates(a: Assignment) -> Assignment:
    """The assignment in which a bare name that is an index variable reads that variable's coordinate.

    >>> from gnomon.reference.notation.syntax import Access, Apply
    >>> from gnomon.reference.algebra.operators import MUL
    >>> x, i = Access("x", ("i",)), Access("i")
    >>> read_coordinates(Assignment(Access("y", ("i",)), Apply(MUL, (x, i)))).value.args[1]
    Access(tensor='i', indices=('i',), levels=())
    """
    known = frozenset(variables(a))
    mask = a.mask if a.mask is None else replace(a.mask, value=with_coordinates(a.mask.value, known))
    return replace(a, value=with_coordinates(a.value, known), mask=mask)


def variables(a: Assignment) -> Iterator[str]:
    """The index variables of an assignment: those of its accesses, repeats included."""
    yield from a.target.indices
    for access in terms(a):
        yield from access.indices


def terms(a: Assignment) -> tuple[Access, ...]:
    """The accesses of the right side and of the mask."""
    return (*accesses(a.value), *mask_reads(a.mask))


def with_coordinates(e: Expr, known: frozenset[str]) -> Expr:
    """The expression in which bare names of `known` variables read their coordinates."""
    match e:
        case Access(tensor=name, indices=()) if name in known:
            return replace(e, indices=(name,))
        case Access() | Literal() | Fill():
            return e
        case Apply(args=args):
            return replace(e, args=tuple(with_coordinates(a, known) for a in args))
        case Reduce(body=body):
            return replace(e, body=with_coordinates(body, known))


def coordinate_places(text: Text) -> dict[str, tuple[tuple[str, int], ...]]:
    """The variables that a text uses as values, each with the operands and modes from which to take the extent, one for
    each scope.

    Raises ExpressionError for a variable that indexes no operand, or that is a tensor's name, too.

    >>> from gnomon.reference.notation.text import Text
    >>> coordinate_places(Text("y(i) = A(i,j) * j"))
    {'j': (('A', 1),)}
    """
    found = dict[str, tuple[tuple[str, int], ...]]()
    for name in text.coordinates:
        other = next((a for a in terms(text.assignment) if a.tensor == name and not is_coordinate(a)), None)
        if other is not None:
            message = f"{name} is both a tensor and an index variable whose value is used"
            raise ExpressionError(message, hint="rename one of them", source=text.source, span=other.span)
        own = (access for access in text.reads if access.tensor == name)
        found[name] = tuple(place_of(access, text) for access in own)
    return found


def place_of(access: Access, text: Text) -> tuple[str, int]:
    """An operand, and its mode, that has the variable at which a vector of coordinates is read."""
    (variable,) = access.indices
    for other in text.inputs:
        if variable in other.indices:
            return other.tensor, other.indices.index(variable)
    raise ExpressionError(
        f"{access.tensor} is used as a value but indexes no operand, so its extent is not known",
        hint="an index variable stands for its own coordinates; a scalar or tensor needs another name",
        source=text.source,
        span=access.span,
    )


def coordinate_extents(text: Text, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """The extents of the variables that a text uses as values, for operands of some shapes.

    Operands that are missing, or of another order than the text says, are left to those who look for them. Raises
    ExpressionError where a name has different extents in different reductions.
    """
    found = dict[str, int]()
    for name, places in coordinate_places(text).items():
        known = {shapes[tensor][mode] for tensor, mode in places if mode < len(shapes.get(tensor, ()))}
        if len(known) > 1:
            raise ExpressionError(
                f"{name} is used as a value with extents {' and '.join(map(str, sorted(known)))}",
                hint="rename it in one of the reductions",
                source=text.source,
            )
        for extent in known:
            found[name] = extent
    return found
