"""Named formats (Chou 2018, Figure 4), and how a text is resolved to a format."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any

from .coordinate_map import whole_number
from .errors import FormatError
from .format import SHORT, Format, check_order

DIAGONALS = "(i,j)->(#(j-i),i,j)"


def dense(order: int = 1, mode_order: Sequence[int] | None = None) -> Format:
    """A dense array; row-major unless a mode order is given."""
    return Format(["dense"] * order, mode_order)


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


def recognised(format: Format) -> Format:
    """The format by its fixed name if it has one.

    >>> str(recognised(Format("ds:1,0")))
    'CSC'
    """
    return next((named for make in FIXED.values() if (named := make()) == format), format)


def format_of(text: str | Format, order: int | None = None) -> Format:
    """The format that a text names, for a tensor of this order.

    A name (`CSR`, `COO`, `BCSR(2,3)`, `CSF(2,0,1)`), a short form (`ds:1,0`), or levels separated by commas, optionally
    followed by `;` and a map. Raises FormatError if there is none, or if its order is another.

    >>> format_of("BCSR(2,3)").order, format_of("COO", 3).order
    (2, 3)
    """
    if not isinstance(text, str | Format):
        raise not_a_format(text)
    if order is not None and not isinstance(order, int):
        raise FormatError(f"expected an order, but found {order!r}", hint="write the number of modes, or leave it out")
    check_order(order or 0)
    format = text if isinstance(text, Format) else parse_format(text.strip(), order)
    if order is not None and format.order != order:
        raise FormatError(f"{format} stores tensors of order {format.order}, but this one has order {order}")
    return format


def not_a_format(given: Any) -> FormatError:
    """The error for something that names no format."""
    if hasattr(given, "format_for"):
        return FormatError(f"expected a format, but found the spec {given}", hint="pass its .format")
    return FormatError(f"expected a format, but found {given!r}", hint="write for example 'CSR', or 'dense,compressed'")


def parse_format(text: str, order: int | None) -> Format:
    """The format that a text names."""
    match = re.fullmatch(r"(\w+)(?:\(\s*([0-9]+(?:\s*,\s*[0-9]+)*)?\s*\))?", text)
    name = "" if match is None else match[1]
    numbers = [] if match is None or not match[2] else [whole_number(n.strip()) for n in match[2].split(",")]
    if name in FIXED and not numbers:
        return FIXED[name]()
    if name in BLOCKED and len(numbers) in (0, 2):
        return BLOCKED[name](*numbers)
    if name in ("CSF", "Dense") and numbers:
        return csf(len(numbers), numbers) if name == "CSF" else dense(len(numbers), numbers)
    if name in ANY_ORDER and not numbers:
        return ANY_ORDER[name](2 if order is None else order)
    if text == "" or (re.fullmatch(r"\w+(:.*)?", text) and set(text.partition(":")[0]) <= set(SHORT)):
        return Format(text)
    levels, _, map = text.partition(";")
    if "," in levels or "(" in levels or levels.islower():
        return Format(re.split(r",(?![^()]*\))", levels), map=map or None)
    known = [*FIXED, *BLOCKED, *ANY_ORDER]
    raise FormatError(
        f"unknown format {text!r}",
        hint=f"known: {', '.join(get_close_matches(text, known, 3) or known)}; or short form such as 'ds:1,0'",
    )
