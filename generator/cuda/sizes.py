"""Sizes: how many threads the blocks of a grid have (Senanayake 2020, section 4: warps have a fixed number)."""

from __future__ import annotations

from collections.abc import Iterator

from ...reference.errors import ScheduleError
from ...reference.schedule.parallelize import iterations
from ...reference.statement.statement import Assign, Forall, Program, Sequence, Statement, Where
from ...reference.statement.tags import Parallel
from ..ir.grid import LANES

MOST, USUAL = 1024, 256
BLOCKS, WARPS, LANES_OF_WARP = "GPUBlock", "GPUWarp", "GPUThread"
UNITS = (BLOCKS, WARPS, LANES_OF_WARP)


def unit_of(s: Forall) -> str | None:
    """The unit of a GPU that a loop runs on, if it runs on one."""
    return next((tag.unit for tag in s.tags if isinstance(tag, Parallel) and tag.unit in UNITS), None)


def block_threads(program: Program, s: Statement) -> int:
    """The threads of a block that runs a statement: whole warps, for all iterations of loops on warps and threads.

    Loops on threads whose number of iterations is no constant share out as many threads as are usual. Raises
    ScheduleError for more than a block can have.
    """
    wanted = list(threads_of(program, s))
    known = [n for n in wanted if n is not None]
    most = max(known) if known else USUAL if wanted else 1
    return -(-most // LANES) * LANES


def threads_of(program: Program, s: Statement) -> Iterator[int | None]:
    """The threads that loops on warps, and on threads outside of warps, want in a statement; None for any number."""
    match s:
        case Forall(index=index, body=body):
            unit = unit_of(s)
            count = None if unit is None else iterations(program, index)
            if unit == WARPS:
                assert count is not None
                yield within_block(index, count, count * LANES, "warps of 32 threads")
            elif unit == LANES_OF_WARP:
                yield None if count is None else within_block(index, count, count, "threads")
            else:
                yield from threads_of(program, body)
        case Where(consumer=consumer, producer=producer):
            yield from threads_of(program, producer)
            yield from threads_of(program, consumer)
        case Sequence(statements=statements):
            for each in statements:
                yield from threads_of(program, each)
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
