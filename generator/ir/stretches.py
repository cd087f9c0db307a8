"""Stretches: loops that scatter ask memory for the components of later iterations, eight iterations at a time.

Before: `for (int64_t p = A1_pos[0]; p < A1_pos[1]; p++) y_vals[A1_crd[p]] += A_vals[p] * x_vals[A2_crd[p]];`. After:

    const int64_t p_end = A1_pos[1];
    for (int64_t p_next = A1_pos[0]; p_next < p_end; p_next += 8) {
        gn_prefetch(A1_crd, p_next + 256);
        gn_prefetch(A_vals, p_next + 256);
        gn_prefetch(A2_crd, p_next + 256);
        const int64_t p_last = gn_min_int64(p_next + 8, p_end);
        for (int64_t p = p_next; p < p_last; p++)
            y_vals[A1_crd[p]] += A_vals[p] * x_vals[A2_crd[p]];
    }

Iterations come in the order they had. Loops that reduce into a variable ask on their own (`accumulators.py`). Those
that append gain nothing, and loops around others have more to do than to wait for what they read.
"""

from __future__ import annotations

from msgspec.structs import replace

from . import ir, traversal
from .extremes import smaller
from .ir import Assign, Code, Comment, Declare, Element, Expr, For, Function, Int, Name, Stmt
from .limits import fresh, hold_end, names_in_use
from .prefetching import ask, find_coordinates, streams
from .simplify import writes

STRETCH = 8
"""How many iterations go together: those whose components of eight bytes come together from memory."""


def ask_by_stretches(f: Function) -> Function:
    """The function with loops that scatter in stretches.

    >>> x, crd = Element(Name("x"), Name("p")), Element(Name("crd"), Name("p"))
    >>> add = (Declare("const int64_t", "i", crd), Assign(Element(Name("y"), Name("i")), x, "+="))
    >>> loop = For("p", Element(Name("pos"), ir.ZERO), Name("n"), add)
    >>> [stretch] = ask_by_stretches(Function("void", "f", (), (loop,))).body
    >>> stretch.name, [type(s).__name__ for s in stretch.body]
    ('p_next', ['Do', 'Do', 'Declare', 'For'])
    """
    taken = names_in_use(f)
    return replace(f, body=block(f.body, taken, find_coordinates(f.body)))


def block(code: Code, taken: set[str], jumps: frozenset[str]) -> Code:
    """The statements of a block, where the names `taken` are in use, and those of `jumps` are coordinates."""
    return tuple(each for s in code for each in statement(s, taken, jumps))


def statement(s: Stmt, taken: set[str], jumps: frozenset[str]) -> Code:
    """A statement with what comes before it."""
    if isinstance(s, For) and (arrays := streams(s, reads_of_scatter(s), jumps)):
        return in_stretches(s, arrays, taken)
    return (traversal.change_blocks(s, lambda code: block(code, taken, jumps)),)


def reads_of_scatter(loop: For) -> list[Expr]:
    """What a loop that scatters reads; nothing of other loops. A loop scatters if it counts by one, and all that it
    does is to store into elements at coordinates that it reads."""
    own: set[str] = set()
    found: list[Expr] = []
    stores = False
    for s in loop.body:
        match s:
            case Comment():
                pass
            case Declare(name=name, value=value) if value is not None:
                own.add(name)
                found += traversal.subterms(value)
            case Assign(target=Element(index=index), value=value) if not own.isdisjoint(traversal.names(index)):
                stores = True
                found += traversal.subterms(value)
            case _:
                return []
    plain = loop.step == ir.ONE and loop.pragma is None and loop.unroll == 1
    return found if plain and stores and not any(map(writes, found)) else []


def in_stretches(loop: For, arrays: tuple[Name, ...], taken: set[str]) -> Code:
    """A loop in stretches, each of which asks for elements of some arrays."""
    next_, last = (Name(fresh(f"{loop.name}_{word}", taken), True) for word in ("next", "last"))
    before, end = hold_end(loop, taken)
    until = Declare(f"const {ir.INT}", last.name, smaller(ir.add(next_, Int(STRETCH)), end))
    body = (*ask(arrays, next_), until, replace(loop, begin=next_, end=last))
    return (*before, For(next_.name, loop.begin, end, body, step=Int(STRETCH)))
