"""Coordinate maps: from the coordinates of a component to those of its storage levels.

`(i,j)->(j,i)` permutes, `(i,j)->(i//2,j//3,i%2,j%3)` blocks, `(i,j)->(#(j-i),i,j)` numbers the stored diagonals, and
`(i,j)->(#,i,j)` numbers the slots of each row. A `#` is a *rank*: storage assigns it.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from ..algebra.scalars import abbreviate
from ..errors import FormatError
from ..span import Span

LARGEST = 2**31 - 1
DIGITS = len(str(LARGEST))


def whole_number(digits: str) -> int:
    """The number that decimal digits of a format's text denote. Raises FormatError for one that is too large.

    >>> whole_number("0012")
    12
    """
    short = digits.lstrip("0") or "0"
    if len(short) > DIGITS or int(short) > LARGEST:
        written = short if len(short) < 30 else f"{short[:20]}..."
        raise FormatError(
            f"{written} is larger than {LARGEST}, the largest number in a format",
            hint="write a smaller one",
            rule="format.text.numbers",
        )
    return int(short)


class Mode(Struct, frozen=True):
    """The coordinate of a mode."""

    mode: int


class Quotient(Struct, frozen=True):
    """The block that the coordinate of a mode lies in."""

    mode: int
    factor: int


class Remainder(Struct, frozen=True):
    """The place of a mode's coordinate in its block."""

    mode: int
    factor: int


class Rank(Struct, frozen=True):
    """A number that storage assigns: of the value `plus - minus` of two modes among those stored, or of the slot."""

    plus: int | None = None
    minus: int | None = None


Term = Mode | Quotient | Remainder | Rank
Coordinates = tuple[int, ...]


class CoordinateMap(Struct, frozen=True, dict=True):
    """A map over `order` modes, one term per storage level."""

    order: int
    terms: tuple[Term, ...]

    @cached_property
    def is_permutation(self) -> bool:
        """Whether every level holds a whole mode."""
        return all(isinstance(t, Mode) for t in self.terms)

    @cached_property
    def has_rank(self) -> bool:
        """Whether storage assigns some level coordinate."""
        return any(isinstance(t, Rank) for t in self.terms)

    @property
    def modes(self) -> tuple[int, ...]:
        """The modes, in the order in which levels come to them first.

        >>> parse_map("(i,j)->(#(j-i),j,i)").modes
        (1, 0)
        """
        return tuple(dict.fromkeys(t.mode for t in self.terms if not isinstance(t, Rank)))

    def apply(self, i: Sequence[int]) -> Coordinates:
        """The level coordinates of a component; the map must have no rank."""
        return tuple(level_coordinate(t, i) for t in self.terms)

    def compile(self) -> Callable[[Coordinates], Coordinates]:
        """`apply` as a function, the identity where the map is one."""
        if self.terms == tuple(Mode(m) for m in range(self.order)):
            return lambda i: i
        if self.is_permutation:
            modes = [t.mode for t in self.terms if isinstance(t, Mode)]
            return lambda i: tuple([i[m] for m in modes])
        return self.apply

    def invert(self, c: Sequence[Any]) -> tuple[Any, ...]:
        """The coordinates of the component at these level coordinates; of many components, where they are arrays.

        >>> blocked = parse_map("(i,j)->(i//2,j//3,i%2,j%3)")
        >>> blocked.apply((5, 7)), blocked.invert((2, 2, 1, 1))
        ((2, 2, 1, 1), (5, 7))
        """
        if self.is_permutation:
            held = {t.mode: each for t, each in zip(self.terms, c, strict=True) if isinstance(t, Mode)}
            return tuple([held[mode] for mode in range(self.order)])
        i: list[Any] = [0] * self.order
        for t, each in zip(self.terms, c, strict=True):
            match t:
                case Mode(mode=mode) | Remainder(mode=mode):
                    i[mode] += each
                case Quotient(mode=mode, factor=factor):
                    i[mode] += each * factor
                case Rank():
                    pass
        return tuple(i)

    def level_extents(self, shape: Sequence[int]) -> list[int | None]:
        """The extent of every level's coordinate; None for a rank."""
        extents: list[int | None] = []
        for t in self.terms:
            match t:
                case Mode(mode=mode):
                    extents.append(shape[mode])
                case Quotient(mode=mode, factor=factor):
                    extents.append(-(-shape[mode] // factor))
                case Remainder(factor=factor):
                    extents.append(factor)
                case Rank():
                    extents.append(None)
        return extents

    def __str__(self) -> str:
        names = [chr(ord("i") + m) if self.order <= 10 else f"i{m}" for m in range(self.order)]
        return f"({','.join(names)})->({','.join(print_term(t, names) for t in self.terms)})"


def level_coordinate(t: Term, i: Sequence[int]) -> int:
    """One level coordinate of a component."""
    match t:
        case Mode(mode=mode):
            return i[mode]
        case Quotient(mode=mode, factor=factor):
            return i[mode] // factor
        case Remainder(mode=mode, factor=factor):
            return i[mode] % factor
        case Rank():
            raise FormatError(
                "a rank is assigned by storage and cannot be computed from coordinates", rule="format.rank"
            )


def print_term(t: Term, names: Sequence[str]) -> str:
    """A term as written."""
    match t:
        case Mode(mode=mode):
            return names[mode]
        case Quotient(mode=mode, factor=factor):
            return f"{names[mode]}//{factor}"
        case Remainder(mode=mode, factor=factor):
            return f"{names[mode]}%{factor}"
        case Rank(plus=None):
            return "#"
        case Rank(plus=plus, minus=minus):
            assert plus is not None and minus is not None
            return f"#({names[plus]}-{names[minus]})"


def permutation_map(mode_order: Sequence[int]) -> CoordinateMap:
    """The map that stores the modes in this order. Raises FormatError if it is no permutation."""
    try:
        modes = [operator.index(m) for m in mode_order]
    except TypeError:
        raise FormatError(
            f"mode order {abbreviate(mode_order)} is not a sequence of integers",
            hint="for example [1, 0]",
            rule="format.map",
        ) from None
    if sorted(modes) != list(range(len(modes))):
        raise FormatError(
            f"mode order {abbreviate(modes)} is not a permutation of 0..{len(modes) - 1}",
            hint="name each mode once, outermost level first",
            rule="format.map",
        )
    return CoordinateMap(len(modes), tuple(Mode(m) for m in modes))


TERM = re.compile(
    r"(?P<mode>\w+)(?:\s*(?P<op>//|%)\s*(?P<factor>[0-9]+))?"
    r"|#(?:\s*\(\s*(?P<plus>\w+)\s*-\s*(?P<minus>\w+)\s*\))?"
)


def parse_map(text: str) -> CoordinateMap:
    """The map that a text denotes. Raises FormatError with a caret under the term that is wrong."""
    left, arrow, right = text.partition("->")
    head = re.fullmatch(r"\s*\(([\w\s,]*)\)\s*", left)
    tail = re.fullmatch(r"\s*\((.*)\)\s*", right, re.DOTALL)
    if not arrow or head is None or tail is None:
        raise FormatError(
            "expected a map such as (i,j)->(j,i)", source=text, span=Span(0, len(text)), rule="format.map"
        )
    names = [name.strip() for name in head[1].split(",")]
    base = len(left) + len(arrow) + tail.start(1)
    terms = []
    for part in re.finditer(r"(?:^|(?<=,))[^,]*", tail[1]):
        span = Span(base + part.start(), base + max(part.end(), part.start() + 1))
        terms.append(parse_term(part[0].strip(), names, text, span))
    found = CoordinateMap(len(names), tuple(terms))
    check_modes(found, names, text)
    return found


def parse_term(term: str, names: list[str], text: str, span: Span) -> Term:
    """One term of a map."""
    match = TERM.fullmatch(term)
    used = [] if match is None else [match[g] for g in ("mode", "plus", "minus") if match[g]]
    if match is None or any(name not in names for name in used):
        raise FormatError(
            f"{abbreviate(term)} is not a level coordinate",
            hint=f"write a mode of {','.join(names)}, mode//size, mode%size, # or #(mode-mode)",
            source=text,
            span=span,
            rule="format.map",
        )
    if term.startswith("#"):
        return Rank() if match["plus"] is None else Rank(names.index(match["plus"]), names.index(match["minus"]))
    mode = names.index(match["mode"])
    if match["op"] is None:
        return Mode(mode)
    try:
        factor = whole_number(match["factor"])
    except FormatError as error:
        raise error.at(text, span) from None
    if factor <= 0:
        raise FormatError(f"block size {factor} is not positive", source=text, span=span, rule="format.map")
    return Quotient(mode, factor) if match["op"] == "//" else Remainder(mode, factor)


def check_modes(found: CoordinateMap, names: list[str], text: str) -> None:
    """Every mode is stored once: whole, or as quotient and then remainder by one factor."""
    for mode, name in enumerate(names):
        parts = [t for t in found.terms if not isinstance(t, Rank) and t.mode == mode]
        match parts:
            case [Mode()]:
                continue
            case [Quotient(factor=a), Remainder(factor=b)] if a == b:
                continue
        raise FormatError(
            f"mode {name} must occur once, or once as {name}//b and after it as {name}%b",
            source=text,
            span=Span(0, len(text)),
            rule="format.map",
        )
