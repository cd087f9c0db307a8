"""Grids: where in its block and grid a thread of a kernel stands, and how large these are (CUDA's words)."""

from __future__ import annotations

from .ir import Name

THREAD, BLOCK = Name("threadIdx.x", True), Name("blockIdx.x", True)
THREADS, BLOCKS = Name("blockDim.x", True), Name("gridDim.x", True)
BUILT_IN = frozenset({THREAD.name, BLOCK.name, THREADS.name, BLOCKS.name})
