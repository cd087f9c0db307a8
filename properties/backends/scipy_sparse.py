"""SciPy's sparse arrays: every format that it has, its operators, and dense operands as NumPy arrays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import scipy

from ...reference.notation.resolution import infer_assignment
from ...reference.notation.syntax import Access, Apply, Assignment, Expr, Fill, Literal, Reduce, accesses
from ...reference.notation.types import apply_typed, dtype_of
from ...reference.storage.coordinate_map import Remainder
from ...reference.storage.format import Format
from ...reference.storage.named_formats import format_of
from ...reference.storage.tensor import Tensor
from ..programs.features import Features, Storage
from ..programs.problem import Problem
from .backend import Refused, Scripted
from .scipy_arrays import Arrays
from .scipy_operations import Operations
from .scipy_terms import Writer
from .scipy_values import PADDED, Value
from .spelling import HEADER, spelled_array, spelled_number
from .ssa import Lines

ROWS = ("CSR", "dense,compressed(nonunique)", "dense,compressed(unordered)", "dense,compressed(nonunique,unordered)")
COLUMNS = ("CSC", "du:1,0")
COORDINATES = (
    "COO",
    "compressed(nonunique),singleton(nonunique)",
    "compressed(nonunique,unordered),singleton(unordered)",
    "compressed",
    "compressed(nonunique)",
    "compressed(nonunique,unordered)",
)
BLOCKS = ("BCSR(2,2)", "BCSR(1,2)", "BCSR(2,1)", "BCSR(1,1)")
DENSE = ("Dense", "ColumnMajor")
KINDS = {
    "csr": (*ROWS, "compressed(unordered)"),
    "csc": COLUMNS,
    "coo": COORDINATES,
    "dia": ("DIA",),
    "bsr": BLOCKS,
    "lil": ("HashRows",),
    "dok": ("HashMap", "HashVector"),
    "": DENSE,
}
OPERANDS = Storage(tuple(name for names in KINDS.values() for name in names))
RESULTS = Storage(
    ("Dense", "ColumnMajor", "CSR", "CSC", "COO", "compressed", "BCSR(1,2)", "HashRows", "HashMap", "HashVector")
)
OPERATORS = (
    *("add", "sub", "mul", "div", "neg", "min", "max", "pow", "abs", "real", "imag", "conj", "square", "floor", "ceil"),
    *("sign", "eq", "ne", "lt", "le", "gt", "ge", "sqrt", "sin", "tan", "tanh"),
)
SINGULAR = ("div", "pow", "sqrt", "tan")
CONSTRUCTORS = tuple(f"{kind}_array" for kind in KINDS if kind)


class SciPy(Scripted):
    """Sparse arrays of one dimension to three (`coo_array`), and dense ones beside them.

    SciPy promises no dtypes, and drops or keeps stored zeros as it likes.
    """

    name = "scipy"
    version = scipy.__version__
    features = Features(
        coordinates=False,
        selections=False,
        operands=OPERANDS,
        results=RESULTS,
        operators=OPERATORS,
        reductions=("add", "min", "max"),
        updates=("add", "min", "max"),
        masks=(),
        semirings=("plus_times", "or_and"),
        fills=False,
        schedules=False,
    )

    def script(self, problem: Problem) -> str:
        """Operands in SciPy's formats, one operation a line, and the result in the format asked for."""
        logical = problem.semiring == "or_and" and computes(problem)
        lines = Lines("", problem.operands, CONSTRUCTORS)
        leaves = {name: leaf(lines.names[name], t) for name, t in problem.operands.items()}
        if not any(leaves[name].format for name in operands_read(problem)):
            raise Refused("no sparse operand")
        check_duplicates(problem)
        for name, tensor in problem.operands.items():
            lines.bind(name, build_operand(tensor))
        shapes = {name: t.shape for name, t in problem.operands.items()}
        arrays = Arrays(lines)
        writer = Writer(leaves, shapes, arrays, Operations(arrays, risky(problem), logical))
        value = assign(writer, infer_assignment(problem.terms, writer.dtypes), problem)
        text = lines.finish(convert(value, problem.out, problem))
        used = ", ".join(name for name in CONSTRUCTORS if f"{name}(" in text)
        return f"{HEADER}from scipy.sparse import {used}\n\n{text}"

    def run(self, problem: Problem) -> Any:
        """What the script computes. Raises Refused where SciPy says that it does not support an operation."""
        try:
            return super().run(problem)
        except NotImplementedError as error:
            if "is not supported" in str(error):
                raise Refused(str(error)) from None
            raise


def operands_read(problem: Problem) -> set[str]:
    """The operands that an assignment reads: those in its expression, and what it updates."""
    a = problem.terms
    updated = {a.target.tensor} & set(problem.operands) if a.operator is not None else set()
    return updated | {access.tensor for access in accesses(a.value)}


def computes(problem: Problem) -> bool:
    """Whether a problem is more than a copy, which keeps what is not a truth value."""
    a = problem.terms
    return not isinstance(a.value, Access) or a.target.tensor in problem.operands


@cache
def kind_of(format: Format) -> str:
    """SciPy's name of a format, "" of dense ones."""
    return next(kind for kind, names in KINDS.items() if Storage(names).holds(format))


def leaf(name: str, tensor: Tensor) -> Value:
    """An operand as the script has it: numbers and dense arrays as NumPy's, all others as SciPy's."""
    kind = kind_of(tensor.format) if tensor.order else ""
    return Value(name, ("",) * tensor.order, tensor.dtype, kind, faithful=kind not in PADDED)


def risky(problem: Problem) -> bool:
    """Whether infinities or NaN may occur."""
    return not finite(problem) or any(o in SINGULAR for o in operators(problem.terms.value))


def finite(problem: Problem) -> bool:
    """Whether no operand holds an infinity or NaN."""
    return all(np.isfinite(t.vals).all() for t in problem.operands.values())


def operators(e: Expr) -> Iterator[str]:
    """The operators of an expression by name."""
    match e:
        case Apply(operator=operator, args=args):
            yield operator.name
            for argument in args:
                yield from operators(argument)
        case Reduce(body=body):
            yield from operators(body)
        case Access() | Literal() | Fill():
            return


def assign(writer: Writer, a: Assignment, problem: Problem) -> Value:
    """The value of a typed assignment, with previous contents if there are any; truth values stay booleans."""
    value, indices = writer.term(a.value), a.target.indices
    own = dtype_of(a.value)
    if a.operator is not None and a.target.tensor in problem.operands:
        own = dtype_of(apply_typed(a.operator, (a.target, a.value)))
        value = writer.operations.binary(a.operator, writer.access(a.target), value, own)
    if own != problem.dtype and value.number is None and not writer.operations.logical:
        value = writer.arrays.cast(value, problem.dtype)
    return writer.arrays.transpose(value, indices)


def build_operand(tensor: Tensor) -> str:
    """An operand in SciPy's storage, with the components that it has."""
    if tensor.order == 0:
        return f"np.{tensor.dtype.name}({spelled_number(tensor.vals[0])})"
    kind, shape = kind_of(tensor.format), tensor.shape
    match kind:
        case "":
            dense = tensor.to_numpy()
            turned = tensor.format == format_of("ColumnMajor") if tensor.order == 2 else False
            return f"np.asfortranarray({spelled_array(dense)})" if turned else spelled_array(dense)
        case "csr" | "csc" | "bsr":
            return compressed_arrays(tensor, kind)
        case "dia":
            return f"dia_array(({spelled_array(diagonals(tensor))}, {offsets(tensor)}), shape={shape})"
        case _:
            coords, values = tensor.components()
            axes = ", ".join(spelled_array(axis) for axis in coords.astype(np.int32))
            array = f"coo_array(({spelled_array(values)}, ({axes},)), shape={shape})"
            return array if kind == "coo" else f"{array}.to{kind}()"


def check_duplicates(problem: Problem) -> None:
    """Refuse duplicates where it matters whether they are added up before or after: SciPy leaves that open.

    A sum counts those of booleans, in the dtype in which it accumulates. A zero beside a number, or numbers of either
    sign, have products with an infinity that do not add up to that of their sum.
    """
    bare = finite(problem) or "mul" not in operators(problem.terms.value)
    for tensor in problem.operands.values():
        for values in duplicates(tensor):
            if tensor.dtype.kind == "b":
                raise Refused("duplicates of booleans")
            if not bare and not (np.isrealobj(values) and ((values > 0).all() or (values < 0).all())):
                raise Refused("a product with an infinity or NaN of duplicates that are zero or differ in sign")


def duplicates(tensor: Tensor) -> Iterator[np.ndarray]:
    """The values at every coordinate that is stored more than once."""
    coords, values = tensor.components()
    places: dict[tuple[int, ...], list[int]] = {}
    for n, i in enumerate(coords.T.tolist()):
        places.setdefault(tuple(i), []).append(n)
    return (values[held] for held in places.values() if len(held) > 1)


def compressed_arrays(tensor: Tensor, kind: str) -> str:
    """Rows or columns, of components or of blocks, by the arrays that the tensor has."""
    inner = next(level for level in tensor.levels if "crd" in level)
    data = tensor.vals
    if kind == "bsr":
        blocks = block_sizes(tensor.format)
        check_blocks(tensor.shape, blocks)
        data = data.reshape(-1, *blocks)
    parts = ", ".join(spelled_array(np.asarray(a)) for a in (data, inner["crd"], inner["pos"]))
    return f"{kind}_array(({parts}), shape={tensor.shape})"


def check_blocks(shape: tuple[int, ...], blocks: tuple[int, ...]) -> None:
    """Refuse blocks that reach beyond a shape."""
    if any(n % b for n, b in zip(shape, blocks, strict=True)):
        raise Refused("blocks that do not divide the shape")


def block_sizes(format: Format) -> tuple[int, ...]:
    """The extents of a format's blocks."""
    return tuple(t.factor for t in format.map.terms if isinstance(t, Remainder))


def diagonals(tensor: Tensor) -> np.ndarray:
    """The diagonals, one a row, each component at its column."""
    rows, columns = tensor.shape
    offset = tensor.shared["offset"]
    data = np.zeros((len(offset), columns), tensor.dtype)
    for rank, held in enumerate(tensor.vals.reshape(len(offset), rows)):
        inside = [i for i in range(rows) if 0 <= i + offset[rank] < columns]
        data[rank, [i + offset[rank] for i in inside]] = held[inside]
    return data


def offsets(tensor: Tensor) -> str:
    """The offsets of the diagonals."""
    return spelled_array(tensor.shared["offset"])


def convert(v: Value, out: Format, problem: Problem) -> str:
    """The result in a format; what SciPy gives as an array or a number becomes one."""
    if out.order == 0:
        return str(v)
    kind = kind_of(out)
    if kind == "":
        return f"{v}.toarray()" if v.format else str(v)
    if kind == "bsr":
        blocks = block_sizes(out)
        check_blocks(problem.shape, blocks)
        return f"{v}.tobsr(blocksize={blocks})" if v.format else f"bsr_array({v}, blocksize={blocks})"
    return f"{v}.asformat({kind!r})" if v.format else f"{kind}_array({v})"
