"""Sizes: how many threads the blocks of a grid have (Senanayake 2020, section 4: warps have a fixed number)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...reference.errors import ScheduleError
from ...reference.schedule.parallelize import iterations
from ...reference.statement.statement import Assign, Forall, Program, Sequence, Statement, Where, foralls
from ...reference.statement.tags import Parallel
from ..ir.ir import LANES
from ..scope.team import Group

MOST, USUAL = 1024, 256
BLOCKS, WARPS, LANES_OF_WARP = "GPUBlock", "GPUWarp", "GPUThread"
UNITS = (BLOCKS, WARPS, LANES_OF_WARP)


def unit_of(s: Forall) -> str | None:
    """The unit of a GPU that a loop runs on, if it runs on one."""
    return next((tag.unit for tag in s.tags if isinstance(tag, Parallel) and tag.unit in UNITS), None)


def block(program: Program, s: Statement, depth: int) -> Group:
    """The threads of a block that runs a statement inside `depth` loops: enough for all iterations of loops on warps
    and threads.

    Loops on threads whose number of iterations is no constant share out as many threads as are usual. Raises
    ScheduleError for more than a block can have.
    """
    lanes = lanes_for(threads_in_warps(program, s))
    wanted = list(threads_of(program, s, lanes))
    known = [n for n in wanted if n is not None]
    most = max(known) if known else USUAL if wanted else 1
    return Group("block", -(-most // LANES) * LANES, depth, lanes)


def lanes_for(counts: Iterable[int | None]) -> int:
    """The lanes of warps whose threads run loops with so many iterations, None being any number: a power of two that
    suffices, if one below 32 does. Several warps of fewer lanes lie in one of CUDA's.

    >>> lanes_for([8]), lanes_for([3, 5]), lanes_for([20]), lanes_for([8, None]), lanes_for([])
    (8, 8, 32, 32, 32)
    """
    known = [LANES if n is None else n for n in counts]
    return min(LANES, max(2, 1 << (max(known) - 1).bit_length())) if known else LANES


def threads_in_warps(program: Program, s: Statement) -> Iterator[int | None]:
    """How many iterations loops on threads have inside of loops on warps; None for any number."""
    for loop in foralls(s):
        if unit_of(loop) == WARPS:
            for each in foralls(loop.body):
                if unit_of(each) == LANES_OF_WARP:
                    yield iterations(program, each.index)


def threads_of(program: Program, s: Statement, lanes: int = LANES) -> Iterator[int | None]:
    """The threads that loops on warps of so many lanes, and on threads outside of warps, want in a statement; None for
    any number."""
    match s:
        case Forall(index=index, body=body):
            unit = unit_of(s)
            count = None if unit is None else iterations(program, index)
            if unit == WARPS:
                assert count is not None
                yield within_block(index, count, count * lanes, f"warps of {lanes} threads")
            elif unit == LANES_OF_WARP:
                yield None if count is None else within_block(index, count, count, "threads")
            else:
                yield from threads_of(program, body, lanes)
        case Where(consumer=consumer, producer=producer):
            yield from threads_of(program, producer, lanes)
            yield from threads_of(program, consumer, lanes)
        case Sequence(statements=statements):
            for each in statements:
                yield from threads_of(program, each, lanes)
        case Assign():
            return


def within_block(index: str, count: int, threads: int, what: str) -> int:
    """The threads of a loop. Raises ScheduleError if no block has as many."""
    if threads > MOST:
        raise ScheduleError(
            f"{index} has {count} iterations on {what}, but a block has {MOST} threads at most",
            hint=f"split({index},...) into smaller parts, and take the inner loop",
            rule="code.cuda.units",
        )
    return threads
