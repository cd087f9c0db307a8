"""TACO as a peer of the benchmark, where the command `taco` is found: kernels without a schedule, as TACO writes and
compiles kernels.

A dense result is computed in an array of the caller. A sparse result is assembled and computed at once by TACO's
`evaluate`, or, where the last levels are dense, by `assemble` and then `compute`, since `evaluate` clears dense levels
too often; then the result is freed.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from ctypes import POINTER, byref, c_int32, c_void_p, cast
from functools import partial
from typing import Any

import numpy as np

from ...generator.runtime.request import chosen_compiler
from ..backends.taco import Taco, absence, formats, is_there, tool
from ..programs.problem import Problem
from .case import Peers, Work

FLAGS = ("-w", "-O3", "-ffast-math", "-std=c99", "-fopenmp", "-fPIC")
free = ctypes.CDLL(None).free


class TacoTensor(ctypes.Structure):
    """A tensor as TACO's kernels take it: the extents of its modes, and for each level its positions and coordinates.

    They look at nothing else.
    """

    _fields_ = [
        ("order", c_int32),
        ("dimensions", POINTER(c_int32)),
        ("csize", c_int32),
        ("mode_ordering", POINTER(c_int32)),
        ("mode_types", POINTER(c_int32)),
        ("indices", POINTER(POINTER(c_void_p))),
        ("vals", c_void_p),
        ("fill_value", c_void_p),
        ("vals_size", c_int32),
    ]


def taco_peer(work: Work) -> Peers:
    """The kernel that TACO writes for a work; none where TACO is not there, or does not take that.

    Raises BackendError if TACO_BIN names what is not there.
    """
    if not is_there():
        if "TACO_BIN" in os.environ:
            raise absence()
        return {}
    problem = Problem(work.expression, work.in_formats(None), work.out or "Dense", work.semiring)
    if Taco.features.lacks(problem) is not None:
        return {}
    library = build(problem)
    read = [problem.operands[name] for name in dict.fromkeys(access.tensor for access in problem.text.reads)]
    operands = [as_taco(t.shape, t.levels, t.vals) for t in read]
    if not problem.out.is_array:
        steps = (library.assemble, library.compute) if problem.out.dense_leaves else (library.evaluate,)
        return {"taco": partial(assemble, steps, without_arrays(problem.shape), operands)}
    memory = np.empty(problem.shape) if work.memory is None else work.memory
    return {"taco": partial(compute, library.compute, memory, without_arrays(problem.shape, memory), operands)}


def build(problem: Problem) -> Any:
    """The library of the kernels of a problem.

    It is linked without `-ffast-math`: else it would have the whole process take subnormal numbers for zero.
    """
    folder, compiler = tempfile.mkdtemp(), chosen_compiler().command
    source, compiled, library = (f"{folder}/taco.{suffix}" for suffix in ("c", "o", "so"))
    stored = {name: t.format for name, t in problem.operands.items()} | {problem.text.target.tensor: problem.out}
    command = [tool(), problem.source, *formats(stored), f"-write-source={source}"]
    subprocess.run(command, check=True, capture_output=True)
    subprocess.run([*compiler, *FLAGS, "-c", source, "-o", compiled], check=True)
    subprocess.run([*compiler, "-shared", "-fopenmp", compiled, "-o", library, "-lm"], check=True)
    return ctypes.CDLL(library)


def as_taco(shape: Sequence[int], levels: Sequence[Mapping[str, Any]], vals: np.ndarray | None) -> TacoTensor:
    """A tensor of some arrays, which it keeps."""
    n = len(shape)
    arrays = [(c_void_p * 2)(address(level.get("pos")), address(level.get("crd"))) for level in levels]
    made = TacoTensor(order=n, dimensions=(c_int32 * n)(*shape))
    made.indices = (POINTER(c_void_p) * n)(*[cast(a, POINTER(c_void_p)) for a in arrays])
    made.vals, made.keep = address(vals), (arrays, levels, vals)
    return made


def without_arrays(shape: Sequence[int], vals: np.ndarray | None = None) -> TacoTensor:
    """A result whose levels have no arrays, or none yet."""
    return as_taco(shape, [{}] * len(shape), vals)


def address(array: np.ndarray | None) -> int | None:
    """Where an array begins."""
    return None if array is None else array.ctypes.data


def compute(kernel: Any, memory: np.ndarray, result: TacoTensor, operands: Iterable[TacoTensor]) -> np.ndarray:
    """What a kernel computes into an array."""
    kernel(byref(result), *map(byref, operands))
    return memory


def assemble(kernels: Iterable[Any], result: TacoTensor, operands: Iterable[TacoTensor]) -> None:
    """Have kernels make a result, one after the other, and free that."""
    for kernel in kernels:
        kernel(byref(result), *map(byref, operands))
    release(result)


def release(made: TacoTensor) -> None:
    """Free the arrays of a result."""
    for array in (made.vals, *(made.indices[k][n] for k in range(made.order) for n in range(2))):
        free(c_void_p(array))
