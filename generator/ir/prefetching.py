"""Prefetching: what a loop reads one element after another is asked of memory before it is read.

    if (p_end - p_next >= 16) {
        for (int64_t p = p_next; p < p_end - 3; p += 4) {
            gn_prefetch(A_vals, p + 256);
            gn_prefetch(A2_crd, p + 256);
            …
        }
    } else {
        gn_prefetch(A_vals, p_end + 256);
        gn_prefetch(A2_crd, p_end + 256);
    }

The rows of a matrix follow one another in its arrays: elements behind the end of a row are those of the next rows, if
rows are visited in order, and not those that coordinates lead to. An address beyond the end of the array does no harm.
A loop that begins at 0 reads the same elements each time, and asks for none. Processors find such streams themselves,
but may not look far enough ahead.

A short row asks for one element of each array, however many it reads. To ask for as many as are read takes a branch
that is mispredicted, and costs more than it gains (Xeon with AVX-512, rows of 1 to 15 terms).
"""

from __future__ import annotations

from collections.abc import Iterable

from . import ir, traversal
from .ir import Call, Code, Do, Element, Expr, For, Int, Name

AHEAD = 256
"""How many iterations ahead elements are asked for."""


def ask(arrays: Iterable[Name], place: Expr) -> Code:
    """Ask for the elements of some arrays that lie ahead of a place."""
    return tuple(Do(Call("gn_prefetch", (array, ir.add(place, Int(AHEAD))))) for array in arrays)


def streams(loop: For, read: Iterable[Expr], jumps: frozenset[str]) -> tuple[Name, ...]:
    """The arrays that a loop reads in order: those that some of its expressions are elements of, at its counter."""
    if isinstance(loop.begin, Int) or not is_in_order(loop.begin, jumps):
        return ()
    found: dict[str, Name] = {}
    for e in read:
        match e:
            case Element(array=Name(name=name) as array, index=Name(name=index)) if index == loop.name:
                found[name] = array
            case _:
                pass
    return tuple(found.values())


def is_in_order(begin: Expr, jumps: frozenset[str]) -> bool:
    """Whether loops that begin here one after another go on where the one before has come to, as far as is seen.

    >>> pos, i, j, crd = Name("pos"), Name("i"), Name("j"), Name("crd")
    >>> rows = (i, j, Element(crd, i))
    >>> [is_in_order(Element(pos, row), frozenset({"j"})) for row in rows]
    [True, False, False]
    """
    places = [e.index for e in traversal.subterms(begin) if isinstance(e, Element)]
    read = [each for place in places for each in traversal.subterms(place)]
    return jumps.isdisjoint(traversal.names(begin)) and not any(isinstance(each, Element) for each in read)


def find_coordinates(code: Code) -> frozenset[str]:
    """The constants in some code whose values are read from memory, or computed from such: coordinates."""
    found: set[str] = set()
    for s in traversal.declarations(code):
        if s.type.startswith("const ") and s.value is not None:
            read = traversal.subterms(s.value)
            if any(isinstance(e, Element) or (isinstance(e, Name) and e.name in found) for e in read):
                found.add(s.name)
    return frozenset(found)
