"""Accesses of kernels for GPUs: on the host, and in any thread of any block, each is within its array.

Both texts are executed symbolically as kernels of the CPU are (`c_safety`), kernels where they are launched
(`c_launches`). Assumed is what is there, that iterations fill what they have counted (`fills`), and of other threads
that they store anything whenever they may: nothing depends on barriers.
"""

from __future__ import annotations

from ....generator.device_source import generate_for_device
from ....generator.runtime.request import Request
from ....generator.runtime.sources import request_source
from ..c.c_launches import parse_both
from ..c.c_safety import Safety, safety_of
from ..c.c_tree import Kernel

SECONDS = 200.0


def accesses(request: Request, seconds: float = SECONDS) -> Safety:
    """How many accesses the kernel that is asked for has in both texts, and which are proved."""
    source = request_source(request, request.resolve_without_shapes())
    return safety_of(functions_of(request), source, seconds)


def functions_of(request: Request) -> Kernel:
    """The functions of both texts of the kernel that is asked for."""
    made = generate_for_device(request_source(request, request.resolve_without_shapes()))
    return parse_both(made.host, made.device)
