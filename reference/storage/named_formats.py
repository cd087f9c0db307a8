"""Named formats (Chou 2018, Figure 4), and how a text is resolved to a format."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ..algebra.scalars import abbreviate
from ..errors import FormatError
from ..levels import LEVELS
from ..nearest import nearest
from .coordinate_map import whole_number
from .format import DIAGONALS, SHORT, Format, check_order


def dense(order: int = 1, mode_order: Sequence[int] | None = None) -> Format:
    """A dense array; row-major unless a mode order is given."""
    return row_major(order) if mode_order is None else Format(["dense"] * order, mode_order)


@cache
def row_major(order: int) -> Format:
    """A dense array by rows, one format for each order."""
    return Format(["dense"] * order)


def coo(order: int = 2) -> Format:
    """Coordinates: one row of coordinates per component, in arrays of their own."""
    if order == 1:
        return Format(["compressed"], name="COO")
    return Format(["compressed(nonunique)", *["singleton(nonunique)"] * (order - 2), "singleton"], name="COO")


def coo_aos(order: int = 2) -> Format:
    """Coordinates in one interleaved array."""
    inner = ["singleton_aos(nonunique)"] * (order - 2) + ["singleton_aos"] * (order > 1)
    return Format(["compressed_aos(nonunique)" if order > 1 else "compressed_aos", *inner])


def csf(order: int = 3, mode_order: Sequence[int] | None = None) -> Format:
    """Compressed sparse fiber."""
    return Format(["compressed"] * order, mode_order)


def bcsr(b: int = 2, c: int = 2) -> Format:
    """Blocked CSR: dense blocks of b by c in compressed block rows."""
    map = f"(i,j)->(i//{b},j//{c},i%{b},j%{c})"
    return Format(["dense", "compressed", "dense", "dense"], map=map, name=f"BCSR({b},{c})")


def csb(b: int = 2, c: int = 2) -> Format:
    """Compressed sparse blocks: a dense grid of blocks of b by c, each in COO."""
    map = f"(i,j)->(i//{b},j//{c},i%{b},j%{c})"
    return Format(["dense", "dense", "compressed(nonunique)", "singleton"], map=map, name=f"CSB({b},{c})")


def mode_generic(order: int = 3) -> Format:
    """A COO of blocks that are dense in the last mode."""
    outer = ["compressed(nonunique)", *["singleton(nonunique)"] * (order - 3), "singleton"]
    return Format([*outer[: max(order - 1, 1)], "dense"] if order > 2 else ["compressed", "dense"])


FIXED: dict[str, Callable[[], Format]] = {
    "CSR": lambda: Format(["dense", "compressed"], name="CSR"),
    "CSC": lambda: Format(["dense", "compressed"], [1, 0], name="CSC"),
    "DCSR": lambda: Format(["compressed", "compressed"], name="DCSR"),
    "DCSC": lambda: Format(["compressed", "compressed"], [1, 0], name="DCSC"),
    "DIA": lambda: Format(["dense", "range", "offset"], map=DIAGONALS, name="DIA"),
    "SparseDIA": lambda: Format(["dense", "compressed", "offset"], map=DIAGONALS, name="SparseDIA"),
    "ELL": lambda: Format(["dense", "dense", "singleton(padded)"], map="(i,j)->(#,i,j)", name="ELL"),
    "HashRows": lambda: Format(["dense", "hashed"], name="HashRows"),
    "HashMap": lambda: Format(["hashed", "hashed"], name="HashMap"),
    "RowMajor": lambda: Format(["dense", "dense"], name="RowMajor"),
    "ColumnMajor": lambda: Format(["dense", "dense"], [1, 0], name="ColumnMajor"),
    "Banded": lambda: Format(["dense", "banded"], name="Banded"),
    "Skyline": lambda: Format(["dense", "skyline"], name="Skyline"),
    "SparseVector": lambda: Format(["compressed"], name="SparseVector"),
    "HashVector": lambda: Format(["hashed"], name="HashVector"),
    "DIA3": lambda: Format(["dense", "range", "offset"], name="DIA3"),
    "ELL3": lambda: Format(["dense", "dense", "singleton(padded)"], name="ELL3"),
    "BCSR4": lambda: Format(["dense", "compressed", "dense", "dense"], name="BCSR4"),
    "CSB4": lambda: Format(["dense", "dense", "compressed(nonunique)", "singleton"], name="CSB4"),
}
BLOCKED: dict[str, Callable[[int, int], Format]] = {"BCSR": bcsr, "CSB": csb}
ANY_ORDER: dict[str, Callable[[int], Format]] = {
    "Dense": dense,
    "COO": coo,
    "COO_AoS": coo_aos,
    "CSF": csf,
    "ModeGeneric": mode_generic,
}

ORDERED: dict[str, Callable[[int, Sequence[int]], Format]] = {"CSF": csf, "Dense": dense}
KNOWN = (*FIXED, *BLOCKED, *ANY_ORDER)
NAMED = re.compile(r"(\w+)\s*(?:\(([^()]*)\))?")
EXAMPLES = {**{name: f"{name}(2,3)" for name in BLOCKED}, **{name: f"{name}(1,0)" for name in ORDERED}}

DESCRIPTIONS = {
    "CSR": "compressed sparse rows",
    "CSC": "compressed sparse columns",
    "DCSR": "doubly compressed rows, for hypersparse matrices",
    "DCSC": "doubly compressed columns",
    "DIA": "diagonals, densely filled",
    "SparseDIA": "diagonals, sparsely filled",
    "ELL": "the same number of slots in every row",
    "HashRows": "a hash table per row",
    "HashMap": "a hash table of hash tables",
    "RowMajor": "a dense matrix by rows",
    "ColumnMajor": "a dense matrix by columns",
    "Banded": "one run of columns per row",
    "Skyline": "each row up to the diagonal",
    "SparseVector": "coordinates and values",
    "HashVector": "a hash table",
    "DIA3": "diagonals as a tensor of order 3",
    "ELL3": "slots as a tensor of order 3",
    "BCSR4": "blocks as a tensor of order 4",
    "CSB4": "sparse blocks as a tensor of order 4",
    "BCSR": "compressed rows of dense blocks: BCSR(b,c)",
    "CSB": "a dense grid of COO blocks: CSB(b,c)",
    "Dense": "a dense array of any order",
    "COO": "coordinates, of any order",
    "COO_AoS": "coordinates in one interleaved array, of any order",
    "CSF": "compressed sparse fiber, of any order: CSF(2,0,1)",
    "ModeGeneric": "coordinates of blocks that are dense in the last mode",
}


def recognise(format: Format) -> Format:
    """The format of the same levels and map that has a fixed name; the format itself if none has.

    >>> str(recognise(Format("ds:1,0")))
    'CSC'
    """
    return next((named for make in FIXED.values() if (named := make()) == format), format)


def format_of(text: str | Format, order: int | None = None) -> Format:
    """The format that a text names, for a tensor of this order.

    A name (`CSR`, `COO`, `BCSR(2,3)`, `CSF(2,0,1)`), a short form (`ds:1,0`), or levels separated by commas, optionally
    followed by `;` and a map. Names may be written in upper or lower case, unless the text is legal as letters or
    levels. Raises FormatError if there is none, or if its order is another.

    >>> format_of("BCSR(2,3)").order, format_of("COO", 3).order
    (2, 3)
    """
    if not isinstance(text, str | Format):
        raise not_a_format(text)
    if order is not None and not isinstance(order, int):
        raise FormatError(
            f"expected an order, but found {abbreviate(order)}",
            hint="write the number of modes, or leave it out",
            rule="error.python",
        )
    check_order(order or 0)
    if isinstance(text, Format):
        check_fits(text, order)
        return text
    return read_format(text, order)


@cache
def read_format(text: str, order: int | None) -> Format:
    """The format that a text names, read once for each order. Raises FormatError."""
    try:
        format = parse_format(text.strip(), order)
        check_fits(format, order)
    except FormatError as error:
        error.hint = ask_for_name(text.strip(), order, error.hint)
        raise
    return format


def check_fits(format: Format, order: int | None) -> None:
    """Refuse tensors of an order that a format does not store."""
    if order in (None, format.order):
        return
    if not format.levels:
        raise FormatError(
            f"expected a format for a tensor of order {order}, but found none",
            hint="write for example 'CSR' or 'COO'",
            rule="error.python",
        )
    raise FormatError(
        f"{format} stores tensors of order {format.order}, but this one has order {order}", rule="format.text"
    )


def ask_for_name(text: str, order: int | None, hint: str | None) -> str | None:
    """The hint for a text that is refused; for one that was read as letters, with names of that order like it."""
    fitting = (name for name in KNOWN if name in ANY_ORDER or order in (None, format_of_name(name, None, None).order))
    near = nearest(text, fitting, 2) if is_letters(text) else []
    if not near:
        return hint
    said = f"{text!r} is read as letters, one a level; did you mean {' or '.join(near)}?"
    return said if hint is None else f"{said} Or {hint}"


def is_letters(text: str) -> bool:
    """Whether a text is a short form, a letter a level, without the order of modes, and no name in any case."""
    return text not in ("", *map(str.lower, KNOWN)) and set(text) <= set(SHORT)


def not_a_format(given: Any) -> FormatError:
    """The error for something that names no format."""
    if hasattr(given, "format_for"):
        return FormatError(
            f"expected a format, but found the spec {given}", hint="pass its .format", rule="error.python"
        )
    return FormatError(
        f"expected a format, but found {abbreviate(given)}",
        hint="write for example 'CSR', or 'dense,compressed'",
        rule="error.python",
    )


def parse_format(text: str, order: int | None) -> Format:
    """The format that a text names.

    First a name as it is written; then what is legal as letters or levels, of that order if one is given; then a name
    in upper or lower case. So `ds` stays letters, `csr` is CSR, and `dense` is a level for a vector, else any order.
    """
    match = NAMED.fullmatch(text)
    name, numbers = ("", None) if match is None else (match[1], match[2])
    if name in KNOWN:
        return format_of_name(name, numbers, order)
    like = next((known for known in KNOWN if known.lower() == name.lower()), None)
    if like is None:
        return compose_format(text)
    try:
        found = compose_format(text)
    except FormatError:
        return format_of_name(like, numbers, order)
    return found if order in (None, found.order) else format_of_name(like, numbers, order)


def format_of_name(name: str, given: str | None, order: int | None) -> Format:
    """The format of a name and its parameters, as `BCSR` and `2,3`. Raises FormatError for parameters it does not
    take."""
    text = name if given is None else f"{name}({given})"
    words = [word.strip() for word in given.split(",")] if given and given.strip() else []
    for word in words:
        if not re.fullmatch("-?[0-9]+", word):
            raise FormatError(
                f"expected a number, but found {word!r} in {text}",
                hint=f"write {EXAMPLES.get(name, name)}",
                rule="format.text.names",
            )
    if name in BLOCKED:
        if len(words) not in (0, 2):
            raise FormatError(
                f"{name} takes two block sizes, but {text} has {len(words)}",
                hint=f"write {EXAMPLES[name]}",
                rule="format.text.names",
            )
        wrong = next((word for word in words if int(word[:25]) < 1), None)
        if wrong is not None:
            raise FormatError(
                f"block size {wrong} is not positive in {text}",
                hint=f"write {EXAMPLES[name]}",
                rule="format.text.names",
            )
        return BLOCKED[name](*map(whole_number, words))
    if words and name not in ORDERED:
        raise FormatError(f"{name} takes no numbers, but found {text}", hint=f"write {name}", rule="format.text.names")
    if words:
        negative = next((word for word in words if word.startswith("-")), None)
        if negative is not None:
            raise FormatError(
                f"mode {negative} does not count from 0 in {text}",
                hint=f"write {EXAMPLES[name]}",
                rule="format.text.names",
            )
        modes = [whole_number(word) for word in words]
        return ORDERED[name](len(modes), modes)
    return FIXED[name]() if name in FIXED else format_of_order(name, 2 if order is None else order)


def format_of_order(name: str, order: int) -> Format:
    """The format of a name for tensors of any order. Raises FormatError for an order less than it takes."""
    make = ANY_ORDER[name]
    found = make(order)
    if found.order != order:
        raise FormatError(
            f"{name} stores tensors of order {make(max(order, 1)).order} or more, but this one has order {order}",
            hint="Dense stores tensors of every order, scalars too",
            rule="format.text.names",
        )
    return found


def compose_format(text: str) -> Format:
    """The format that letters, or levels and a map, denote."""
    if set(text.partition(":")[0]) <= set(SHORT):
        return Format(text)
    if text.count("(") != text.count(")"):
        missing = ")" if text.count("(") > text.count(")") else "("
        raise FormatError(
            f"{text!r} lacks a {missing!r}", hint="write for example BCSR(2,3) or hashed(width=64)", rule="format.text"
        )
    levels, semicolon, map = text.partition(";")
    parts = re.split(r",(?![^()]*\))", levels)
    name = parts[0].partition("(")[0].strip()
    if len(parts) > 1 or name in {level.name for level in LEVELS}:
        return Format(parts, map=map if semicolon else None)
    near = nearest(name, [*KNOWN, *(level.name for level in LEVELS)], 3)
    hint = f"did you mean {', '.join(near)}? Or" if near else f"known: {', '.join(KNOWN)}; or"
    raise FormatError(
        f"unknown format {abbreviate(text)}",
        hint=f"{hint} a short form, a letter a level, such as 'ds:1,0'",
        rule="format.text",
    )
