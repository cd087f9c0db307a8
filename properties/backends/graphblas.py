"""SuiteSparse:GraphBLAS by python-graphblas: matrices, vectors and scalars with semirings, masks and accumulators.

Every operation has the structure that gnomon gives it, since absent entries are missing in both. Outside semirings
that holds as long as what is missing stands for zero.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import numpy as np
from msgspec.structs import replace

from ...reference.storage.format import print_level
from ...reference.storage.tensor import Tensor
from ..programs.features import REDUCTIONS, Features, Storage
from ..programs.problem import Problem
from .backend import Refused, Scripted
from .graphblas_objects import type_name
from .graphblas_terms import BINARY, UNARY, Writer
from .result import Result
from .spelling import spelled_array, spelled_number


class GraphBLAS(Scripted):
    """SuiteSparse:GraphBLAS, as python-graphblas has it."""

    name = "graphblas"
    version = f"{version('python-graphblas')} with SuiteSparse:GraphBLAS {version('suitesparse-graphblas')}"
    features = Features(
        coordinates=False,
        selections=False,
        orders=(0, 1, 2),
        operands=Storage(
            (
                *("SparseVector", "Dense", "HashVector", "bitmap", "compressed(nonunique)", "compressed(unordered)"),
                *("CSR", "CSC", "RowMajor", "ColumnMajor", "DCSR", "DCSC", "COO", "COO_AoS", "HashMap", "HashRows"),
                *("dense,compressed(unordered)", "dense,compressed(nonunique)", "dense,bitmap", "compressed,dense"),
                "compressed(nonunique,unordered),singleton(unordered)",
            ),
        ),
        results=Storage(("SparseVector", "Dense", "CSR", "CSC", "RowMajor", "ColumnMajor", "DCSR", "COO")),
        operators=(*BINARY, *UNARY),
        reductions=("add", "or", "xor"),
        updates=REDUCTIONS,
        broadcasts=False,
        fills=False,
        schedules=False,
    )
    promises = ("structure", "dtype")

    def supports(self, problem: Problem) -> bool:
        """Raises Refused. In a semiring all monoids reduce, and what is absent is the identity, not a fill.

        Which operands may have different variables is known when the script is written.
        """
        found = replace(self.features, broadcasts=True)
        if problem.semiring is not None:
            found = replace(found, fills=True, reductions=REDUCTIONS)
        lacking = found.lacks(problem)
        if lacking is not None:
            raise Refused(lacking)
        return True

    def script(self, problem: Problem) -> str:
        """Operands, one operation a line, and the result with its mask and accumulator. Raises Refused."""
        return Writer(problem, {name: build_operand(tensor) for name, tensor in problem.operands.items()}).script()

    def run(self, problem: Problem) -> Any:
        """The entries that the script computes."""
        return entries(super().run(problem), problem)


def entries(value: Any, problem: Problem) -> Result:
    """The entries of a matrix, vector or scalar; what is absent is the problem's fill."""
    if value.ndim == 0:
        held = [] if value.is_empty else [value.value]
        values = np.array(held, value.dtype.np_type)
        coords = np.empty((len(held), 0), np.int64)
    else:
        *indices, values = value.to_coo()
        coords = np.stack(indices, axis=1).astype(np.int64)
    return Result(tuple(value.shape), values.dtype, coords, values, problem.fill)


def build_operand(tensor: Tensor) -> str:
    """An operand in the storage of its format, as far as the library has that, otherwise from its components."""
    match tensor.order:
        case 0:
            return f'Scalar.from_value({spelled_number(tensor.vals[0])}, dtype="{type_name(tensor.dtype)}")'
        case 1:
            return vector(tensor)
        case _:
            return matrix(tensor)


def vector(tensor: Tensor) -> str:
    """A vector from a dense array, a bitmap, or coordinates."""
    size = tensor.shape[0]
    match [print_level(level) for level in tensor.format.levels]:
        case ["dense"]:
            return f"Vector.from_dense({spelled_array(tensor.vals)})"
        case ["bitmap"]:
            flags = spelled_array(tensor.levels[0]["flag"].astype(bool))  # type: ignore[union-attr]
            return f"Vector.ss.import_bitmap(bitmap={flags}, values={spelled_array(tensor.vals)}, size={size})"
        case _:
            coords, values = tensor.components()
            entries = f"{spelled_array(coords[0])}, {spelled_array(values)}"
            return f"Vector.from_coo({entries}, size={size}{duplicates(tensor)})"


def matrix(tensor: Tensor) -> str:
    """A matrix from a dense array, a bitmap, compressed rows or columns, or coordinates."""
    rows, columns = tensor.shape
    turned = not str(tensor.format.map).endswith("(i,j)")
    shape = f"nrows={rows}, ncols={columns}"
    match [print_level(level) for level in tensor.format.levels]:
        case ["dense", "dense"]:
            return f"Matrix.from_dense({spelled_array(tensor.to_numpy())})"
        case ["dense", "bitmap"] if not turned:
            flags = spelled_array(tensor.levels[1]["flag"].astype(bool).reshape(rows, columns))  # type: ignore[union-attr]
            values = spelled_array(tensor.vals.reshape(rows, columns))
            return f"Matrix.ss.import_bitmapr(bitmap={flags}, values={values}, {shape})"
        case ["dense", "compressed" | "compressed(unordered)"]:
            call, size = ("from_csc", f"nrows={rows}") if turned else ("from_csr", f"ncols={columns}")
            return f"Matrix.{call}({arrays(tensor)}, {size})"
        case ["compressed", "compressed"]:
            outer = spelled_array(np.asarray(tensor.levels[0]["crd"]))
            return f"Matrix.{'from_dcsc' if turned else 'from_dcsr'}({outer}, {arrays(tensor)}, {shape})"
        case _:
            coords, held = tensor.components()
            given = ", ".join(spelled_array(a) for a in (*coords, held))
            return f"Matrix.from_coo({given}, {shape}{duplicates(tensor)})"


def arrays(tensor: Tensor) -> str:
    """Pointers, coordinates and values of a compressed matrix."""
    inner = tensor.levels[1]
    return ", ".join(spelled_array(np.asarray(a)) for a in (inner["pos"], inner["crd"], tensor.vals))


def duplicates(tensor: Tensor) -> str:
    """What entries at one coordinate stand for, where a format may hold several."""
    return "" if all(level.unique for level in tensor.format.levels) else ", dup_op=binary.plus"
