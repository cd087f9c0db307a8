"""pydata/sparse: arrays of any order in COO and GCXS, with a fill value that elementwise operations compute.

A level nest is GCXS with the modes of its leading dense levels as compressed axes, NumPy's array if all levels are
dense, and COO if the first is not; a compressed vector is GCXS, too. Arrays are total, as gnomon's tensors are outside
semirings, with one exception: what is absent meets infinities, NaN and zero divisors here, so that programs are refused
where it may.
"""

from __future__ import annotations

import warnings
from importlib.metadata import version
from itertools import takewhile
from typing import Any

import numpy as np

from ...reference.storage.coordinate_map import Mode
from ...reference.storage.format import Format, print_level
from ...reference.storage.tensor import Tensor
from ..programs.features import Features, Storage
from ..programs.problem import Problem
from .backend import Refused, Scripted
from .pydata_terms import FORMS, REDUCTIONS, Writer
from .result import Result, result_of
from .spelling import spelled_array, spelled_number

DENSE = ("would produce a dense result", "would result in a dense array")


class PydataSparse(Scripted):
    """The library `sparse`, by its NumPy interface."""

    name = "sparse"
    version = version("sparse")
    features = Features(
        coordinates=False,
        selections=False,
        orders=(0, 1, 2, 3, 4),
        operands=Storage(
            (
                *("Dense", "SparseVector", "compressed(nonunique)", "compressed(nonunique,unordered)"),
                *("CSR", "CSC", "RowMajor", "ColumnMajor", "DCSR", "COO", "COO_AoS", "dense,compressed(nonunique)"),
                *("compressed(nonunique),singleton(nonunique)", "compressed(nonunique,unordered),singleton(unordered)"),
                "CSF",
            ),
            ("dense", "compressed"),
        ),
        results=Storage(("Dense", "SparseVector", "RowMajor", "CSR", "CSC", "COO", "CSF"), ("dense", "compressed")),
        operators=tuple(FORMS),
        reductions=tuple(REDUCTIONS),
        updates=tuple(REDUCTIONS),
        masks=("", "!"),
        merges=False,
        semirings=(),
        schedules=False,
    )
    promises = ("dtype",)

    def script(self, problem: Problem) -> str:
        """Operands, operations and the result in the format asked for. Raises Refused."""
        operands = {name: build_operand(tensor) for name, tensor in problem.operands.items()}
        return Writer(problem, operands).script(conversion(problem.out))

    def run(self, problem: Problem) -> Any:
        """What the script computes. Raises Refused where the library says that the result would be dense."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return components(super().run(problem))
        except ValueError as error:
            if any(text in str(error) for text in DENSE):
                raise Refused("a dense result") from None
            raise


def components(value: Any) -> Any:
    """What the library computed, as components and a fill."""
    import sparse

    if not isinstance(value, sparse.SparseArray):
        return value
    if value.ndim == 0:
        return result_of(np.asarray(value.todense()))
    held = value.asformat("coo")
    return Result(tuple(held.shape), held.dtype, held.coords.T, held.data, held.fill_value.item())


def build_operand(tensor: Tensor) -> str:
    """An operand in the storage of its format."""
    if not tensor.shape:
        return f"np.{tensor.dtype.name if tensor.dtype.kind != 'b' else 'bool_'}({spelled_number(tensor.vals[0])})"
    if tensor.format.is_whole:
        return spelled_array(tensor.to_numpy())
    fill = f", fill_value={spelled_number(tensor.fill)}" if tensor.fill != 0 else ""
    axes = compressed_axes(tensor.format)
    if tensor.order == len(axes) + 1 <= 2 and print_level(tensor.format.levels[-1]) == "compressed":
        arrays = (tensor.vals, tensor.levels[-1]["crd"], tensor.levels[-1]["pos"])
        text = ", ".join(spelled_array(np.asarray(a)) for a in arrays)
        return f"sparse.GCXS(({text}), shape={tensor.shape}, compressed_axes={axes}{fill})"
    coords, values = tensor.components()
    coo = f"sparse.COO({spelled_array(coords)}, {spelled_array(values)}, shape={tensor.shape}{fill})"
    return f"{coo}.asformat('gcxs', compressed_axes={axes})" if axes else coo


def conversion(format: Format) -> str:
    """The call that gives a result in a format."""
    if format.is_whole:
        return ".todense()"
    axes = compressed_axes(format)
    if format.order == 1:
        return ".asformat('gcxs')"
    return f".asformat('gcxs', compressed_axes={axes})" if axes else ".asformat('coo')"


def compressed_axes(format: Format) -> tuple[int, ...]:
    """The modes of the dense levels that come first."""
    leading = takewhile(lambda pair: pair[0].full, zip(format.levels, format.map.terms, strict=True))
    return tuple(sorted(term.mode for _, term in leading if isinstance(term, Mode)))
