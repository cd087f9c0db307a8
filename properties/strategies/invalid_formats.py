"""Formats that do not exist, cannot be composed, do not fit their tensor, or that nothing can be packed into."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec.structs import replace

from ...reference.errors import FormatError, ScheduleError
from ...reference.storage.named_formats import format_of
from ..programs.features import Features
from .invalid_program import Mistake, Written, plain_program, unpack, write_program
from .tensors import tensors

REFUSED = {
    "an unknown format": (
        "unknown (level )?format '[^']+'",
        ("CRS", "COOO", "BSR(2,2)", "sparse matrix", "compresed", "DS", "dsx", "Dense2"),
    ),
    "numbers that a name does not take": (
        "takes (two block sizes, but .* has|no numbers, but found)|expected a number, but found|does not count from 0",
        ("BCSR(2)", "bcsr(2,2,2)", "CSB(1,b)", "CSR(2,2)", "coo(2)", "CSF(-1,0)", "Dense(i,j)"),
    ),
    "a parenthesis without its partner in a format": ("lacks a '[()]'", ("BCSR(2,2", "CSF 1,0)", "dense,dense(")),
    "an unknown level": (
        "unknown level format '[^']*'",
        ("dense,compresed", "dense,sparse", "dense,", ",", "dense,Compressed", "dq,s"),
    ),
    "a property that its level lacks": (
        r"a \w+ level has no property '.+'",
        (
            "dense(width=4),dense",
            "dense,compressed(sorted)",
            "dense,hashed(ordered)",
            "dense(padded),compressed",
            "dense,bitmap(unique)",
        ),
    ),
    "a comma without a property": (
        "expected a property, but found ''",
        ("dense,compressed(nonunique,)", "dense,hashed(,width=4)", "dense,hashed(,)"),
    ),
    "a size that is not positive": (
        "'width=.*' does not give a positive integer",
        ("dense,hashed(width=0)", "dense,hashed(width=-4)", "dense,hashed(width=wide)"),
    ),
    "a mode order that is no permutation": (
        r"mode order \[[\d, ]*\] is not a permutation of",
        ("ds:0,0", "ds:1,2", "ss:1", "CSF(0,2)", "Dense(1,1)"),
    ),
    "a colon without a mode order": ("expected a mode order after ':'", ("ds:", "dd:", "ss: ")),
    "a map that is none": (
        "expected a map such as",
        ("dense,dense; j,i", "dense,dense; (i,j)", "dense,dense; (i,j)->", "dense,dense; i->j", "dense,compressed;"),
    ),
    "a map with an unknown term": (
        "'.+' is not a level coordinate",
        (
            "dense,dense; (i,j)->(i,k)",
            "dense,dense; (i,j)->(i+1,j)",
            "dense,dense; (i,j)->(i,#j)",
            "dense,dense; (i,j)->(i//x,j)",
        ),
    ),
    "a block size that is not positive": (
        r"block size -?\d+ is not positive",
        (
            "dense,dense,dense; (i,j)->(i//0,j,i%0)",
            "BCSR(0,2)",
            "BCSR(-1,2)",
            "CSB(2,0)",
            "dense,dense,dense,dense; (i,j)->(i//2,j//0,i%2,j%0)",
        ),
    ),
    "a map that does not store each mode once": (
        "mode [ij] must occur once, or once as",
        (
            "dense,dense; (i,j)->(i,i)",
            "dense,dense,dense; (i,j)->(i,j,j)",
            "dense,dense,dense; (i,j)->(i//2,j,i%3)",
            "dense,dense,dense; (i,j)->(i%2,j,i//2)",
            "dense,dense; (i,j)->(i//2,j)",
        ),
    ),
    "another number of levels than level coordinates": (
        r"\d levels cannot store the \d level coordinates of",
        (
            "dense; (i,j)->(i,j)",
            "dense,dense,dense; (i,j)->(j,i)",
            "dense,compressed; (i,j)->(#(j-i),i,j)",
        ),
    ),
    "a level without the parent that it needs": (
        r"level 1 \(\w+\) of .*: it (stores one coordinate per parent|finds its parent|reads the offset)",
        (
            "singleton,dense",
            "range,dense",
            "range,offset",
            "offset,dense",
            "banded,dense",
            "skyline,compressed",
            "singleton_aos,dense",
            "singleton,singleton",
        ),
    ),
    "a singleton below a level that is unique": (
        r"level 2 \(singleton\w*\) of .*: below a unique \w+ level there can be several coordinates",
        (
            "compressed,singleton",
            "compressed,singleton(nonunique)",
            "compressed_aos,singleton_aos",
        ),
    ),
    "a singleton below parents that may hold nothing": (
        r"level 2 \(singleton\) of .*: below a \w+ level some parents hold nothing",
        (
            "dense,singleton",
            "hashed,singleton",
            "bitmap,singleton",
            "dense,singleton(nonunique)",
        ),
    ),
    "a level appended to below one filled in no order": (
        r"level 2 \(\w+\) of .*: it is appended to in order, but the hashed level above is filled in no order",
        (
            "hashed,compressed",
            "hashed,compressed(unordered)",
            "hashed,compressed_aos",
            "hashed,compressed(nonunique)",
        ),
    ),
    "a level that needs one parent per coordinate below duplicates": (
        r"level 2 \(\w+\) of .*: the compressed level above is not unique",
        (
            "compressed(nonunique),compressed",
            "compressed(nonunique),compressed_aos",
            "compressed(nonunique,unordered),compressed(unordered)",
        ),
    ),
    "columns of diagonals out of place": (
        r"level 2 \(offset\) of .*: it reads the offset of the diagonal .* two levels up",
        ("dense,offset", "compressed,offset", "hashed,offset", "bitmap,offset"),
    ),
    "a band elsewhere than below one dense level": (
        r"level 2 \((banded|skyline)\) of .*: .* exactly one dense level must stand above it",
        (
            "compressed,banded",
            "compressed,skyline",
            "hashed,banded",
            "hashed(full),banded",
            "hashed(full),skyline",
        ),
    ),
    "a level of a block that may leave the shape": (
        r"level 2 \((banded|skyline|range)\) of .*: within a block it may hold places beyond the shape",
        (
            "dense,skyline,dense; (i,j)->(i//2,i%2,j)",
            "dense,banded,dense; (i,j)->(j//2,j%2,i)",
            "dense,range,offset; (i,j)->(i//2,i%2,j)",
        ),
    ),
    "interleaved coordinates of different positions": (
        r"level 2 \(compressed_aos\) of .*: it shares the coordinate array of the compressed_aos level above",
        (
            "compressed_aos,compressed_aos",
            "compressed_aos(unordered),compressed_aos",
        ),
    ),
}
"""For each mistake, what the message says, and formats of matrices."""

FIXED = {
    1: ("SparseVector", "HashVector", "d", "s", "bitmap", "CSF(0)"),
    2: ("CSR", "CSC", "ds", "DIA", "BCSR(2,2)", "HashMap", "dense,compressed", "CSF(1,0)"),
    3: ("DIA3", "ELL3", "dss", "dense,dense,compressed", "sss:2,0,1"),
}


def somewhere(draw: st.DrawFn, features: Features, format: str, order: int) -> Written:
    """A program on tensors of an order, its result or one of its operands in a format."""
    drawn = plain_program(draw, features, orders=(order,))
    place = draw(st.sampled_from(["", *sorted(drawn.operands)]))
    if not place:
        return write_program(drawn, out=format)
    operand = replace(unpack(drawn.operands[place]), format=format)
    return write_program(drawn, operands={**drawn.operands, place: operand})


def one_of(says: str, texts: tuple[str, ...]) -> Mistake:
    """A matrix in one of some formats."""
    return Mistake(FormatError, says, lambda draw, features: somewhere(draw, features, draw(st.sampled_from(texts)), 2))


def other_order(draw: st.DrawFn, features: Features) -> Written:
    order, other = draw(st.permutations((1, 2, 3)))[:2]
    return somewhere(draw, features, draw(st.sampled_from(FIXED[other])), order)


def contradiction(draw: st.DrawFn, features: Features) -> Written:
    extent, other = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    rows, columns = draw(st.permutations([("CSR", "DCSR", "COO"), ("CSC", "DCSC", "ss:1,0")]))
    operator = draw(st.sampled_from("+-*"))
    first, second = (draw(st.sampled_from(names)) for names in (rows, columns))
    indices, shape = "i,j", (extent, other)
    if draw(st.booleans()):
        indices, shape, second = "j,i", (other, extent), draw(st.sampled_from(rows))
    operands = {
        name: draw(tensors(size, format=format_of(text, 2), features=features))
        for name, size, text in (("A", (extent, other), first), ("B", shape, second))
    }
    out = draw(st.sampled_from(["RowMajor", "ColumnMajor", "HashMap"]))
    return Written(f"R(i,j) = A(i,j) {operator} B({indices})", operands, out)


FORMATS = {
    **{mistake: one_of(says, texts) for mistake, (says, texts) in REFUSED.items()},
    "a format of another order": Mistake(
        FormatError, r"stores tensors of order \d, but this one has order \d", other_order
    ),
    "storage orders that contradict each other": Mistake(
        ScheduleError, "no loop order satisfies every storage order", contradiction
    ),
}
