"""Prefetching: what a loop reads one element after another is asked of memory before it is read.

    if (p_end - p_next >= 8) {
        if (p_end - p_next >= 32) {
            for (int64_t p = p_next; p < p_end - 3; p += 4) {
                gn_prefetch(A_vals, p + 256);
                gn_prefetch(A2_crd, p + 256);
                …
            }
        } else {
            gn_prefetch(A_vals, p_end + 248);
            gn_prefetch(A_vals, p_end + 256);
            gn_prefetch(A2_crd, p_end + 256);
        }
    }

The rows of a matrix follow one another in its arrays: elements behind the end of a row are those of the next rows. An
address beyond the end of the array does no harm. A loop that begins at 0 reads the same elements each time, and asks
for none. Processors find such streams themselves, but may not look far enough ahead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from . import ir, logic
from .ir import Call, Code, Do, Expr, Int, Name

AHEAD, LINE, USUAL = 256, 64, 16
"""How many iterations ahead elements are asked for, how many bytes come together, and how many elements short rows have
that are not very short."""
SIZES = {
    **{f"{sign}int{bits}_t": bits // 8 for sign in ("", "u") for bits in (8, 16, 32, 64)},
    **{"bool": 1, "float": 4, "double": 8, "float complex": 8, "double complex": 16},
}
"""How many bytes an element of a type has."""


@dataclass(frozen=True)
class Stream:
    """An array of which a loop reads the element at its counter, and how many elements come together from memory."""

    array: Name
    together: int

    def ask(self, place: Expr) -> Do:
        """Ask for an element."""
        return Do(Call("gn_prefetch", (self.array, place)))

    def ask_for_row(self, end: Expr) -> Code:
        """Ask for as much as a short row reads, ahead of where such a row ends."""
        places = range(AHEAD - USUAL + self.together, AHEAD + 1, self.together) or (AHEAD,)
        return tuple(self.ask(ir.add(end, Int(place))) for place in places)


def ask_behind(found: Iterable[Stream], end: Expr) -> Code:
    """Before a loop over a short row: ask for what the rows behind it have."""
    return tuple(s for stream in found for s in stream.ask_for_row(end))


def unless_short(code: Code, begin: Expr, end: Expr) -> Code:
    """Code for a row that is not so short that asking takes as long as reading."""
    return logic.conditional(logic.compare(">=", ir.sub(end, begin), Int(USUAL // 2)), code)


def streams(read: Iterable[Expr], counter: str, types: Mapping[str, str]) -> tuple[Stream, ...]:
    """The arrays of which some expressions are elements at a counter, where variables have these types."""
    found: dict[str, Stream] = {}
    for e in read:
        match e:
            case ir.Element(array=Name(name=name) as array, index=Name(name=index)) if index == counter:
                element = types.get(name, "").partition("*")[0].removeprefix("const ").strip()
                if element in SIZES:
                    found[name] = Stream(array, LINE // SIZES[element])
            case _:
                pass
    return tuple(found.values())
