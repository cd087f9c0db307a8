"""Index variables as values: `D(i,j) = A(i,j) * (i - j)`.

Where a value stands, an index variable is its own coordinate: 0, 1, 2, ... in int64. As a term it is `i(i)`, a
component of the vector of its coordinates. Nobody passes that vector, so its operand goes by the name of the variable;
all else treats it as any dense vector. (GraphBLAS has operators for it: `firsti`, `secondj`.)
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from .syntax import Access, Apply, Assignment, Expr, Fill, Literal, Reduce, accesses, mask_reads


def bind_coordinates(a: Assignment) -> Assignment:
    """The assignment in which a bare name that is an index variable reads that variable's coordinate.

    >>> from gnomon.reference.notation.syntax import Access, Apply
    >>> from gnomon.reference.algebra.operators import MUL
    >>> x, i = Access("x", ("i",)), Access("i")
    >>> bind_coordinates(Assignment(Access("y", ("i",)), Apply(MUL, (x, i)))).value.args[1]
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
