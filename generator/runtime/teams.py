"""Teams: how many threads share out the loops of a library's kernels.

A process that is forked runs kernels in one thread: OpenMP keeps the team of the thread that forks, but the other
threads of the team do not exist in the child, and the first parallel loop there would wait for them for ever.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from .foreign import INT, NOTHING, Functions, address_of, function_at


def set_team(functions: Functions, count: int) -> None:
    """Set how many threads run the kernels of a library, and of all with its OpenMP runtime, that this one calls."""
    set_threads = setter(functions)
    if set_threads is not None:
        set_threads(count)


def leave_teams(functions: Functions) -> None:
    """Let processes that are forked from here on run the kernels of a library, and of all with its OpenMP runtime, in
    one thread."""
    set_threads = setter(functions)
    if set_threads is not None:
        leave_team(address_of(set_threads))


def setter(functions: Functions) -> Callable[..., Any] | None:
    """The function that sets the number of threads; None where nothing is shared out."""
    try:
        return functions.find("omp_set_num_threads", NOTHING, [INT])
    except AttributeError:
        return None


@cache
def leave_team(place: int) -> None:
    """The same for the runtime whose function that sets the number of threads lies at a place."""
    os.register_at_fork(after_in_child=partial(function_at(place, NOTHING, [INT]), 1))
