"""Peers of the benchmark with one thread, beside SciPy: hand-written loops, numba, pydata/sparse, tensora.

All but the loops in C are left out where they are not installed.
"""

from __future__ import annotations

import ctypes
import importlib.util
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from ...generator.runtime.request import chosen_compiler
from . import numba_loops
from .case import Action, Peers


class Hand:
    """The loops of `hand.c`, built as kernels are, as functions on arrays and integers."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp()
        path = Path(folder) / "hand.so"
        chosen_compiler().build(Path(__file__).with_name("hand.c"), path)
        self.library = ctypes.CDLL(str(path))
        self.free = ctypes.CDLL(None).free
        self.free.argtypes = [ctypes.c_void_p]

    def number(self, name: str, *args: Any) -> Action:
        """A call of one loop that returns a number."""
        function = getattr(self.library, name)
        function.restype = ctypes.c_double
        given = self.c_arguments(args)

        def action(keep: Any = args) -> float:
            number: float = function(*given)
            return number

        return action

    def into(self, name: str, shape: tuple[int, ...], *args: Any) -> Action:
        """A call of one loop whose last argument is allocated for each call, and returned."""

        def action() -> np.ndarray:
            result = np.empty(shape)
            self(name, *args, result)()
            return result

        return action

    def __call__(self, name: str, *args: Any, outputs: int = 0) -> Action:
        """A call of one loop, which says how many components it made; `outputs` arrays that it allocates are freed."""
        function = getattr(self.library, name)
        function.restype = ctypes.c_int64
        given = self.c_arguments(args)

        def action(keep: Any = args) -> int:
            made = [ctypes.c_void_p() for _ in range(outputs)]
            count: int = function(*given, *[ctypes.byref(m) for m in made])
            self.release(count, made)
            return count

        return action

    def c_arguments(self, args: Sequence[Any]) -> list[Any]:
        """Arguments as C takes them."""
        return [ctypes.c_int64(a) if isinstance(a, int) else ctypes.c_void_p(a.ctypes.data) for a in args]

    def release(self, count: int, made: Sequence[ctypes.c_void_p]) -> None:
        """Free the arrays of a result that has so many components."""
        for array in made:
            self.free(array)


def numba_peers(name: str, *args: Any) -> Peers:
    """A loop compiled by numba."""
    if importlib.util.find_spec("numba") is None:
        return {}
    function = compile_loop(name)
    return {"numba": lambda: function(*args)}


@cache
def compile_loop(name: str) -> Callable[..., Any]:
    """One of the loops, compiled when it is first called."""
    import numba

    made: Callable[..., Any] = numba.njit(getattr(numba_loops, name))
    return made


def tensora_kernel(expression: str, formats: dict[str, str], **operands: Any) -> Peers:
    """A kernel of tensora, on SciPy matrices, dense arrays, and components of tensors (coordinates, values, shape)."""
    if importlib.util.find_spec("tensora") is None:
        return {}
    import tensora

    function = tensora.tensor_method(expression, formats)
    given = {name: as_tensora(formats[name], value) for name, value in operands.items()}
    return {"tensora": lambda: function(**given)}


def as_tensora(format: str, value: Any) -> Any:
    """An operand as a tensor of tensora."""
    from tensora import Tensor as Theirs

    if isinstance(value, tuple):
        coords, vals, shape = value
        return Theirs.from_soa(tuple(c.tolist() for c in coords), vals.tolist(), dimensions=shape, format=format)
    if sp.issparse(value):
        return Theirs.from_scipy_sparse(value, format=format)
    return Theirs.from_numpy(value, format=format)


def as_sparse(components: Any) -> Any:
    """A tensor of pydata/sparse, or None."""
    if importlib.util.find_spec("sparse") is None:
        return None
    import sparse

    coords, vals, shape = components
    return sparse.COO(coords, vals, shape)
