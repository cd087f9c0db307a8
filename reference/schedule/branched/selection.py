"""Selection: the schedule for given sizes, among those that are left without them (SparseAuto, section 5.3).

Stage 4 takes the least time of those whose temporaries fit into half of the last-level cache, the other half being for
operands and results. Stage 5 takes the loop order among those of that time which walks best through what is stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...storage.enumeration import node_counts
from ...storage.tensor import Tensor
from .contraction import Contraction
from .cost import Sizes, memory, time
from .locality import access_cost, disorder
from .search import Group
from .space import Found

SHARE = 0.5


def sizes_of(contraction: Contraction, operands: Mapping[str, Any]) -> Sizes | None:
    """The extents of loops and what operands store; None without data."""
    extents, prefixes = dict[str, float](), dict[int, tuple[int, ...]]()
    for number, operand in enumerate(contraction.operands):
        tensor = operands.get(operand.tensor)
        if not isinstance(tensor, Tensor):
            return None
        levels = [tensor.storage(k) for k in range(len(tensor.format.levels))]
        counts = tensor.format.map.level_extents(tensor.shape)
        extents |= {v: n or 0 for v, n in zip(operand.levels, counts, strict=True)}
        prefixes[number] = node_counts(tensor.format, levels)
    return Sizes(extents, prefixes) if set(extents) >= set(contraction.loops) else None


def concrete_cost(contraction: Contraction, group: Group, sizes: Sizes, components: float) -> tuple[bool, float, float]:
    """What is compared of schedules of one cost, the least first, with a cache of so many components: the time, then
    the memory; where temporaries do not fit into half of it, which is worse than anything that fits, memory first."""
    held, taken = memory(group.cost, sizes), time(contraction, group.cost, sizes)
    return (True, held, taken) if held >= SHARE * components else (False, taken, held)


def walking_cost(contraction: Contraction, found: Found, sizes: Sizes) -> tuple[float, int]:
    """What is compared of schedules that cost the same: how they walk through memory, then how far their loops are from
    the order in which tensors are stored."""
    return access_cost(contraction, found, sizes), disorder(contraction, found)


def fastest(contraction: Contraction, groups: Sequence[Group], sizes: Sizes, components: float) -> Group:
    """The schedules of the least cost, in numbers (stage 4); the first ones if several cost the same."""
    return min(groups, key=lambda each: concrete_cost(contraction, each, sizes, components))


def best_order(contraction: Contraction, group: Group, sizes: Sizes) -> Found:
    """The schedule of a group that walks best (stage 5); the first one if several walk alike."""
    return min(group.schedules, key=lambda each: walking_cost(contraction, each, sizes))
