"""Matrix Market files: every field, every symmetry, coordinate and array (NIST, Matrix Market exchange formats).

SciPy writes them, and reads their plain tables (`plain`), but nothing else: its `mmread` takes a value only as far as
it looks like a number (`1.5D1` as 1.5, an integer 1.5 as 1) and ignores the rest of the line.
"""

from __future__ import annotations

from io import BytesIO

import numpy as np
from msgspec import Struct

from ..errors import FileError
from ..storage.tensor import Tensor
from ..storage.vectorised import first_occurrences
from .components import Components
from .text import INTEGER, Text

COMMENT = b"%"
MARK = b"%%matrixmarket"
INT, UINT, REAL, COMPLEX = map(np.dtype, ("int64", "uint64", "float64", "complex128"))
FIELDS = {
    "real": (REAL,),
    "double": (REAL,),
    "integer": (INT,),
    "unsigned-integer": (UINT,),
    "complex": (REAL, REAL),
    "pattern": (),
}
SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")
LARGEST = 2**63 - 1


class Header(Struct, frozen=True):
    """Banner and size line: layout (coordinate or array), field, symmetry, sizes, and the line that ends them."""

    layout: str
    field: str
    symmetry: str
    shape: tuple[int, int]
    count: int
    line: int


def read_matrix_market(text: Text, shape: tuple[int, ...] | None = None) -> Components:
    """The components of a Matrix Market file, counted from 0. Raises FileError with the line that is wrong.

    Integers are int64, or uint64 if one of them needs it. Half of a symmetric matrix stands for the whole. A pattern
    holds `True`. The shape is the file's; another is refused.
    """
    header = read_header(text)
    if shape is not None and shape != header.shape:
        raise text.line_error(
            header.line,
            f"the matrix has shape {header.shape}, not {shape}",
            "leave out shape=",
            rule="file.matrix-market",
        )
    stored = coordinate(text, header) if header.layout == "coordinate" else array(text, header)
    if header.symmetry == "general":
        return stored
    check_half(text, header, stored)
    return complete_symmetry(stored, header.symmetry)


def read_header(text: Text) -> Header:
    """The banner and the size line, checked."""
    layout, field, symmetry = read_banner(text)
    number, words = next(text.lines(1), (text.data.count(b"\n") + 1, []))
    wanted = ("rows", "columns", "entries") if layout == "coordinate" else ("rows", "columns")
    if len(words) != len(wanted) or not all(INTEGER.fullmatch(w) and len(w) < 25 for w in words):
        raise text.line_error(
            number, f"expected {', '.join(wanted)}, but found {' '.join(words)[:60]!r}", rule="file.matrix-market"
        )
    sizes = [int(w) for w in words]
    for word, size in zip(wanted, sizes, strict=True):
        if not 0 <= size <= LARGEST:
            raise text.line_error(
                number, f"expected a number of {word} from 0 to {LARGEST}, but found {size}", rule="file.matrix-market"
            )
    rows, columns = sizes[:2]
    if symmetry != "general" and rows != columns:
        raise text.line_error(
            number, f"a {symmetry} matrix is square, but this one is {rows} by {columns}", rule="file.matrix-market"
        )
    count = sizes[2] if layout == "coordinate" else cells(rows, columns, symmetry)
    return Header(layout, field, symmetry, (rows, columns), count, number)


def read_banner(text: Text) -> tuple[str, str, str]:
    """Layout, field and symmetry from the first line."""
    words = [word.decode("latin-1").lower() for word in text.data.partition(b"\n")[0].split()]
    if not words or words[0].encode("latin-1") != MARK:
        found = " ".join(words)[:40]
        raise text.line_error(
            1,
            f"expected %%MatrixMarket, but found {found!r}",
            "is this a Matrix Market file?",
            rule="file.matrix-market",
        )
    if len(words) != 5:
        raise text.line_error(
            1,
            f"expected %%MatrixMarket matrix LAYOUT FIELD SYMMETRY, but found {len(words)} words",
            rule="file.matrix-market",
        )
    known = (("matrix",), ("coordinate", "array"), tuple(FIELDS), SYMMETRIES)
    for word, choices in zip(words[1:], known, strict=True):
        if word not in choices:
            raise text.line_error(1, f"expected {' or '.join(choices)}, but found {word!r}", rule="file.matrix-market")
    layout, field, symmetry = words[2:]
    if field == "unsigned-integer" and symmetry == "skew-symmetric":
        raise text.line_error(
            1,
            "an unsigned-integer matrix cannot be skew-symmetric: half of its values are negative",
            rule="file.matrix-market",
        )
    if field == "pattern" and (layout == "array" or symmetry == "skew-symmetric"):
        raise text.line_error(
            1, f"a {symmetry} {layout} file cannot be a pattern: it needs values", rule="file.matrix-market"
        )
    if symmetry == "hermitian" and field != "complex":
        raise text.line_error(
            1, f"a hermitian matrix is complex, but this one is {field}", "write symmetric", rule="file.matrix-market"
        )
    return layout, field, symmetry


def cells(rows: int, columns: int, symmetry: str) -> int:
    """How many values an array file holds."""
    if symmetry == "general":
        return rows * columns
    return rows * (rows - 1) // 2 if symmetry == "skew-symmetric" else rows * (rows + 1) // 2


def coordinate(text: Text, header: Header) -> Components:
    """What a coordinate file stores."""
    values = FIELDS[header.field]
    what = "two coordinates" + ("", " and a value", " and two numbers")[len(values)]
    columns = table(text, header, (INT, INT), what)
    check_count(text, header, len(columns[0]))
    coords = text.indices(header.line, columns[:2], header.shape)
    return Components(coords, join_columns(columns[2:], header.count), header.shape)


def array(text: Text, header: Header) -> Components:
    """What an array file stores: every cell by columns; of a symmetric matrix, those on or below the diagonal."""
    values = FIELDS[header.field]
    columns = table(text, header, (), ("", "one value", "two numbers")[len(values)])
    check_count(text, header, len(columns[0]))
    if header.symmetry == "general":
        j, i = np.divmod(np.arange(header.count), max(header.shape[0], 1))
    else:
        j, i = np.triu_indices(header.shape[0], 1 if header.symmetry == "skew-symmetric" else 0)
    return Components(np.stack([i, j]), join_columns(columns, header.count), header.shape)


def table(text: Text, header: Header, places: tuple[np.dtype, ...], what: str) -> list[np.ndarray]:
    """The columns of a file: coordinates, then values. Integers that are too large for int64 are read as uint64.

    Where values are negated, int64 has to hold them. Raises FileError with the line that is wrong, where reading them
    as one or the other came further.
    """
    values = FIELDS[header.field]
    try:
        return text.table(header.line, (*places, *values), what)
    except FileError as signed:
        if values != (INT,) or header.symmetry == "skew-symmetric":
            raise
        try:
            return text.table(header.line, (*places, UINT), what)
        except FileError as unsigned:
            raise (unsigned if unsigned.line >= signed.line else signed) from None


def join_columns(columns: list[np.ndarray], count: int) -> np.ndarray:
    """One value per row: a pattern's is `True`, two numbers are the parts of a complex one."""
    match columns:
        case [real, imag]:
            whole = real.astype(np.complex128)
            whole.imag = imag
            return whole
        case [value]:
            return value
        case _:
            return np.ones(count, bool)


def check_count(text: Text, header: Header, found: int) -> None:
    """Refuse a file with fewer or more rows than its size line says."""
    if found != header.count:
        line = text.line_of(header.count, header.line) if found > header.count else text.data.count(b"\n") + 1
        where = "there are more" if found > header.count else f"the file ends after {found}"
        raise text.line_error(
            line, f"expected {header.count} entries, as line {header.line} says, but {where}", rule="file.matrix-market"
        )


def check_half(text: Text, header: Header, stored: Components) -> None:
    """Refuse entries that contradict the symmetry: an entry beside its mirror image, a diagonal that must vanish."""
    i, j = stored.coords
    if header.symmetry == "skew-symmetric":
        wrong, why = (i == j) & (stored.values != 0), "the diagonal of a skew-symmetric matrix is zero"
        if not wrong.any() and stored.values.dtype == INT:
            wrong, why = stored.values == np.iinfo(INT).min, "its negative does not fit in 64 bits"
    elif header.symmetry == "hermitian":
        wrong, why = (i == j) & (stored.values.imag != 0), "the diagonal of a hermitian matrix is real"
    else:
        wrong, why = np.zeros(len(i), bool), ""
    if not wrong.any() and (i < j).any():
        wrong = beside_mirror_images(stored.coords)
        why = "its mirror image is stored too, and one stands for both"
    if wrong.any():
        row = int(wrong.argmax())
        where = f"({i[row] + 1}, {j[row] + 1})"
        raise text.line_error(
            text.line_of(row, header.line),
            f"entry {where} contradicts the symmetry: {why}",
            rule="file.matrix-market.symmetry",
        )


def beside_mirror_images(coords: np.ndarray) -> np.ndarray:
    """Which entries above the diagonal have their mirror image below it.

    >>> beside_mirror_images(np.array([[0, 1, 0, 1], [1, 0, 2, 1]])).tolist()
    [True, False, False, False]
    """
    i, j = coords
    first = first_occurrences((np.minimum(i, j), np.maximum(i, j)), len(i))
    below = np.zeros(len(i), bool)
    below[first[i > j]] = True
    return np.asarray((i < j) & below[first])


def complete_symmetry(stored: Components, symmetry: str) -> Components:
    """The stored components, and those that a symmetry implies on the other side of the diagonal."""
    off = stored.coords[0] != stored.coords[1]
    mirrored = stored.values[off]
    if symmetry == "skew-symmetric":
        mirrored = -mirrored
    elif symmetry == "hermitian":
        mirrored = np.conj(mirrored)
    coords = np.concatenate([stored.coords, stored.coords[::-1, off]], axis=1)
    return Components(coords, np.concatenate([stored.values, mirrored]), stored.shape)


def matrix_market(name: str, tensor: Tensor) -> str:
    """The text of a matrix as a general coordinate file. Raises FileError for other orders or fills."""
    if tensor.order != 2 or tensor.fill != 0:
        raise FileError(
            f"{name}: Matrix Market files hold matrices with fill 0, but this is {tensor!r}",
            hint="write other orders to a .tns file"
            if tensor.order != 2
            else "evaluate B(i,j) = A(i,j) with a dense result, which has fill 0, and write that",
            rule="file.matrix-market.written",
        )
    coords, values = tensor.components()
    field, dtype = written_as(tensor.dtype)
    from scipy.io import mmwrite
    from scipy.sparse import coo_array

    written = BytesIO()
    matrix = coo_array((values.astype(dtype), tuple(coords)), shape=tensor.shape)
    mmwrite(written, matrix, field=field, symmetry="general")
    return written.getvalue().decode()


def written_as(dtype: np.dtype) -> tuple[str, np.dtype]:
    """The field of a file for values of a dtype, and the dtype in which that has them."""
    if dtype == UINT:
        return "unsigned-integer", UINT
    return {"c": ("complex", COMPLEX), "f": ("real", REAL)}.get(dtype.kind, ("integer", INT))
