"""Jamming: the inner loops of several rounds of an unrolled loop become one, for the iterations that they share.

Before, with `#pragma GCC unroll 4` on the loop over r:

    for (int64_t r = 0; r < R; r++)
        for (int64_t i = low(r); i < high(r); i++)
            y_vals[i] += A_vals[r * N + i] * x_vals[i + A_offset[r]];

After, with the loop over r as it was for the rounds that are left over:

    for (int64_t r_next = 0; r_next < R - 3; r_next += 4) {
        int64_t i_first = INT64_MIN, i_last = INT64_MAX;
        for (int64_t r = r_next; r < r_next + 4; r++) { … larger low(r), smaller high(r) … }
        for (int64_t i = i_first; i < i_last; i++)
            for (int64_t r = r_next; r < r_next + 4; r++)  // unrolled
                …
        for (int64_t r = r_next; r < r_next + 4; r++) {
            const int64_t i_stop = gn_min_int64(i_first, high(r));
            for (int64_t i = low(r); i < i_stop; i++) …
            for (int64_t i = gn_max_int64(i_last, i_stop); i < high(r); i++) …
        }
    }

What is stored at an i is read and written once for four rounds. Each i is stored to by its own iterations alone, which
come in the order they had, so that nothing is computed otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from . import ir, traversal
from .extremes import larger, smaller
from .ir import (
    Assign,
    Code,
    Comment,
    Declare,
    Element,
    Expr,
    For,
    Function,
    Int,
    Name,
    Spelled,
    Stmt,
)
from .limits import fresh, hold_end, names_in_use
from .simplify import is_pure, simplify, writes

LEAST, MOST = Spelled("INT64_MIN"), Spelled("INT64_MAX")


class Rounds(Struct, frozen=True):
    """The rounds of a loop: what each declares, and the loop inside, under what is said of it."""

    said: Code
    declared: Code
    inner: For


def jam(f: Function) -> Function:
    """The function with loops inside unrolled ones jammed.

    >>> place = Element(Name("y"), Name("i"))
    >>> inner = For("i", Name("low"), Name("high"), (Assign(place, Element(Name("x"), Name("r")), "+="),))
    >>> loop = For("r", ir.ZERO, Name("n"), (inner,), unroll=2)
    >>> [rounds, rest] = jam(Function("void", "f", (), (loop,))).body
    >>> rounds.name, [type(s).__name__ for s in rounds.body], rest.unroll
    ('r_next', ['Declare', 'Declare', 'For', 'For', 'For'], 1)
    """
    return replace(f, body=block(f.body, names_in_use(f)))


def block(code: Code, taken: set[str]) -> Code:
    """The statements of a block, where the names `taken` are in use."""
    return tuple(each for s in code for each in statement(s, taken))


def statement(s: Stmt, taken: set[str]) -> Code:
    """A statement with the loops in it jammed."""
    if isinstance(s, For) and (found := rounds(s)) is not None:
        return go_together(s, found, taken)
    return (traversal.change_blocks(s, lambda code: block(code, taken)),)


def rounds(loop: For) -> Rounds | None:
    """The rounds of an unrolled loop around a loop that stores, each of whose iterations has elements of its own,
    whatever the round; None of others."""
    if loop.unroll == 1 or loop.step != ir.ONE or loop.pragma is not None:
        return None
    said = tuple(s for s in loop.body if isinstance(s, Comment))
    match tuple(s for s in loop.body if not isinstance(s, Comment)):
        case (*before, For(pragma=None | "omp simd", step=ir.ONE, unroll=1) as inner) if all(map(is_value, before)):
            declared = tuple(before)
            return Rounds(said, declared, inner) if keeps_apart(loop.name, declared, inner) else None
        case _:
            return None


def is_value(s: Stmt) -> bool:
    """Whether a statement declares a variable with a value and does nothing else."""
    return isinstance(s, Declare) and s.value is not None and is_pure(s.value)


def keeps_apart(round: str, declared: Code, loop: For) -> bool:
    """Whether iterations of a loop store into elements of their own, in all rounds the same, and nothing else that is
    read or stored, there or for a round, is in the arrays that they store into."""
    code = [s for s in loop.body if not isinstance(s, Comment)]
    own = {s.name for s in code if isinstance(s, Declare)}
    changing = {round, *own, *(s.name for s in declared if isinstance(s, Declare))}
    stores: dict[Expr, Expr] = {}
    for s in code:
        match s:
            case Assign(target=Element(array=array, index=index)):
                if stores.setdefault(array, index) != index or not is_counted(index, loop.name, changing):
                    return False
            case Assign(target=Name(name=name)) if name in own:
                pass
            case Declare():
                pass
            case _:
                return False
    inside = [each for s in code for each in parts_of_value(s)]
    before = [e for s in declared for e in parts_of_value(s)]
    before += [*traversal.subterms(loop.begin), *traversal.subterms(loop.end)]
    read = [e for e in inside if isinstance(e, Element)]
    apart = all(stores.get(e.array, e.index) == e.index for e in read)
    return bool(stores) and apart and stores.keys().isdisjoint(before) and not any(map(writes, (*before, *inside)))


def parts_of_value(s: Stmt) -> Sequence[Expr]:
    """The value that a statement declares or assigns, and all that it is made of."""
    return traversal.subterms(s.value) if isinstance(s, Declare | Assign) and s.value is not None else ()


def is_counted(index: Expr, counter: str, others: set[str]) -> bool:
    """Whether an index is a loop's counter, perhaps with something added that is the same all the time."""
    match index:
        case Name(name=name) if name == counter:
            return True
        case ir.Binary(operator="+", left=left, right=Name(name=name)) if name == counter:
            inside = traversal.subterms(left)
            return not any(isinstance(each, Element) for each in inside) and others.isdisjoint(traversal.names(left))
        case _:
            return False


def go_together(loop: For, found: Rounds, taken: set[str]) -> Code:
    """A loop by several rounds at a time, and the rounds that are left over."""
    inner, count = found.inner, Int(loop.unroll)
    next_ = Name(fresh(f"{loop.name}_next", taken), True)
    first, last, stop = (Name(fresh(f"{inner.name}_{word}", taken)) for word in ("first", "last", "stop"))
    before, end = hold_end(loop, taken)

    def each(code: Code, unroll: int = 1) -> For:
        body = simplify((*found.declared, *code))
        return replace(loop, begin=next_, end=ir.add(next_, count), body=body, unroll=unroll)

    limits = (Assign(first, larger(first, inner.begin)), Assign(last, smaller(last, inner.end)))
    together = replace(inner, begin=first, end=last, body=(each(inner.body, loop.unroll),))
    apart = (
        Declare(f"const {ir.INT}", stop.name, smaller(first, inner.end)),
        replace(inner, end=stop),
        replace(inner, begin=larger(last, stop)),
    )
    starts = (Declare(ir.INT, first.name, LEAST), Declare(ir.INT, last.name, MOST))
    several = For(
        next_.name,
        loop.begin,
        ir.sub(end, Int(loop.unroll - 1)),
        (*starts, each(limits), *found.said, together, each(apart)),
        step=count,
    )
    passed = ir.mul(ir.Binary("/", ir.sub(end, loop.begin), count), count)
    rest = replace(loop, begin=ir.add(loop.begin, passed), end=end, unroll=1)
    return (*before, several, rest)
