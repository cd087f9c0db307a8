"""Threads: one team of one OpenMP runtime for generated kernels, MKL, GraphBLAS and TACO alike.

Each would bring a runtime of its own, and threads of one, which spin for a while when they have no work, would slow
those of the next. Threads are bound to cores, without which a team that has slept starts on one core.
"""

from __future__ import annotations

import ctypes
import os

from ...generator.runtime.kernel import Kernel
from ...generator.runtime.request import make_request
from .graphblas import graphblas_threads
from .mkl import mkl_threads

STATIC = 1
"""How loops are shared out whose code leaves that to the runtime, as TACO's does: as TACO has it."""


class Team:
    """Whoever can have threads. It is made before MKL and GraphBLAS are loaded, which then find its runtime."""

    def __init__(self) -> None:
        os.environ.setdefault("OMP_PROC_BIND", "true")
        os.environ.setdefault("MKL_THREADING_LAYER", "GNU")
        schedule = "parallelize(i,CPUThread,NoRaces)"
        threaded = Kernel(make_request("y(i) = A(i,j) * x(j)", {"A": "CSR"}, schedule=schedule))
        self.runtime = ctypes.CDLL(str(threaded.built.path), mode=ctypes.RTLD_GLOBAL)
        self.runtime.omp_set_schedule(STATIC, 0)

    def resize(self, threads: int) -> None:
        """Give everybody so many threads, and processes that are started from here on."""
        os.environ["OMP_NUM_THREADS"] = str(threads)
        self.runtime.omp_set_num_threads(threads)
        mkl_threads(threads)
        graphblas_threads(threads)
