"""Storage orders that contradict each other: of operands and the result, which no loops visit all as they are stored.

Which operand is to be converted, and what to write where none may be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from ..errors import ScheduleError
from ..notation.printer import pretty
from ..notation.syntax import Access
from ..storage.format import Format
from .iteration_graph import IterationGraph


def victim(
    graph: IterationGraph, formats: Mapping[str, Format], target: str, given: Mapping[str, str], *, convert: bool
) -> Access | None:
    """The access to take out of a cycle of an iteration graph, an operand without which there is none if it can be, or
    None if there is no cycle: one of the operands with maps, else the target if it has one, else any operand. Raises
    ScheduleError if none of these may be converted."""
    involved = list(dict.fromkeys(e.access for e in graph.conflict() if e.access is not None))
    mapped = [a for a in involved if not formats[a.tensor].map.is_permutation]
    maps, own = ([a for a in mapped if (a.tensor == target) is is_own] for is_own in (False, True))
    if maps or own:
        return odd_one(graph, maps) if maps else own[0]
    if involved and not convert:
        raise contradiction(graph, involved, formats, target, given)
    return odd_one(graph, [a for a in involved if a.tensor != target]) if involved else None


def odd_one(graph: IterationGraph, operands: Sequence[Access]) -> Access:
    """The access, of some in a cycle of an iteration graph, without which there is no cycle, or which is in one with
    the result alone; if there is neither, the last."""
    paths = {e.access for e in graph.edges if e.access is not None}
    others = paths.difference(operands)
    alone = (a for a in operands if not graph.along(paths - {a}).conflict())
    against = (a for a in operands if graph.along(others | {a}).conflict())
    return next(chain(alone, against), operands[-1])


def contradiction(
    graph: IterationGraph, involved: list[Access], formats: Mapping[str, Format], target: str, given: Mapping[str, str]
) -> ScheduleError:
    """The error for accesses in a cycle of an iteration graph, whose storage orders cannot all be followed, when a
    tensor is assigned to; `given` are the names of operands that are read by others."""
    first, second = involved[0], involved[-1]
    orders = " and ".join(
        f"{as_written(a, given)} stored as {formats[a.tensor]} needs {' before '.join(a.levels)}"
        for a in (first, second)
    )
    read = odd_one(graph, [a for a in involved if a.tensor != target])
    other = next(a for a in (second, first) if a != read)
    ways = ['pass convert="auto"']
    if read.tensor != other.tensor:
        name, order = given.get(read.tensor, read.tensor), mode_order_after(read, formats[read.tensor], other)
        ways.insert(0, f"convert {name} to mode order {order}")
    if other.tensor == target:
        ways.insert(1, f"ask for {target} in mode order {mode_order_after(other, formats[target], read)}")
    return ScheduleError(
        f"no loop order satisfies every storage order: {orders}",
        hint=", or ".join(ways),
        rule="statement.contradiction",
    )


def as_written(access: Access, given: Mapping[str, str]) -> str:
    """An access as the text writes it. Previous contents of a result, whose tensor has a name that nobody wrote, are
    called the result as it was before."""
    name = given.get(access.tensor)
    if name is None:
        return pretty(Access(access.tensor, access.indices))
    return f"{pretty(Access(name, access.indices))} as it was before,"


def mode_order_after(access: Access, format: Format, other: Access) -> list[int]:
    """The order of modes in which the variables of an access come as they come in another; the opposite of its own if
    they do already."""
    modes = dict(zip(access.levels, format.stored_modes, strict=True))
    shared = iter([v for v in other.levels if v in modes])
    own = list(modes.values())
    found = [modes[next(shared)] if v in other.levels else mode for v, mode in modes.items()]
    return own[::-1] if found == own else found
