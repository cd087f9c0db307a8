"""Forks: a process that is forked runs kernels in one thread.

OpenMP keeps the team of the thread that forks, but the other threads of the team do not exist in the child: the first
parallel loop there would wait for them for ever.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache, partial

from .foreign import INT, NOTHING, Functions, address_of, function_at


def leave_teams(functions: Functions) -> None:
    """Let processes that are forked from here on run the kernels of a library, and of all with its OpenMP runtime, in
    one thread."""
    with suppress(AttributeError):  # it shares nothing out
        leave_team(address_of(functions.find("omp_set_num_threads", NOTHING, [INT])))


@cache
def leave_team(place: int) -> None:
    """The same for the runtime whose function that sets the number of threads lies at a place."""
    os.register_at_fork(after_in_child=partial(function_at(place, NOTHING, [INT]), 1))
