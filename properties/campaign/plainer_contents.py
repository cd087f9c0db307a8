"""Plainer contents: the same expression on fewer components, shorter extents, plainer numbers and dtypes.

Each step is one change of the operands, the largest first: half of the components or of an extent before one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ...reference.errors import GnomonError
from ...reference.storage.packing import pack
from ...reference.storage.tensor import Tensor
from ..programs.features import Features
from ..programs.problem import Problem, index_of
from ..strategies.instances import leaders
from .plainer_storage import is_valid

FEW = 8
"""The longest extent from which single coordinates are left out."""
PLAINEST = np.dtype("float64")
Step = Callable[[Problem], Iterator[Problem]]


def valid_steps(step: Step, problem: Problem, *, features: Features) -> Iterator[Problem]:
    """The problems after one step that are valid and use no more than the features."""
    for candidate in step(problem):
        if is_valid(candidate) and features.lacks(candidate) is None:
            yield candidate


def without_semiring(problem: Problem) -> Iterator[Problem]:
    """The problem in ordinary arithmetic."""
    if problem.semiring is not None:
        yield from change_operands(problem, lambda name, t: repack(t, *t.components(), fill=0), semiring=None)


def with_fewer_components(problem: Problem) -> Iterator[Problem]:
    """One operand without some of its components: all of them, halves, quarters, and so on."""
    for name, tensor in problem.operands.items():
        coords, values = tensor.components()
        if tensor.order == 0 or tensor.format.is_whole:
            continue
        for kept in parts_kept(len(values)):
            yield from exchange_operand(problem, name, tensor, coords[:, kept], values[kept])


def parts_kept(count: int) -> Iterator[np.ndarray]:
    """What is left of so many things without a part of them, large parts first.

    >>> [kept.tolist() for kept in parts_kept(3)]
    [[], [2], [0, 1], [1, 2], [0, 2], [0, 1]]
    """
    size, every = count, np.arange(count)
    while size:
        for begin in range(0, count, size):
            yield np.concatenate([every[:begin], every[begin + size :]])
        size = (size + 1) // 2 if size > 1 else 0


def with_shorter_extents(problem: Problem) -> Iterator[Problem]:
    """The problem on some coordinates of a variable: those where something is stored, halves, all but one."""
    alike = leaders(problem.text)
    for leader in dict.fromkeys(alike.values()):
        modes = modes_of(problem, {v for v, led in alike.items() if led == leader})
        extent = max((problem.operands[name].shape[k] for name, k in modes), default=0)
        for kept in coordinates_kept(problem, modes, extent):
            yield from change_operands(problem, partial(restrict, modes=modes, kept=kept))


def modes_of(problem: Problem, variables: set[str]) -> list[tuple[str, int]]:
    """The modes of operands that variables index."""
    accesses = [a for a in (*problem.text.inputs, problem.text.target) if a.tensor in problem.operands]
    return [(a.tensor, k) for a in accesses for k, v in enumerate(a.indices) if v in variables]


def coordinates_kept(problem: Problem, modes: Sequence[tuple[str, int]], extent: int) -> Iterator[list[int]]:
    """Coordinates of some modes to which a problem may be restricted."""
    if extent < 2:
        return
    held = set[int]()
    for name, k in modes:
        tensor = problem.operands[name]
        if not tensor.format.is_whole:
            held |= set(tensor.components()[0][k].tolist())
    if 0 < len(held) < extent:
        yield sorted(held)
    every = list(range(extent))
    yield every[: extent // 2]
    yield every[extent // 2 :]
    if extent <= FEW:
        yield from ([*every[:i], *every[i + 1 :]] for i in every)


def restrict(name: str, tensor: Tensor, modes: Sequence[tuple[str, int]], kept: Sequence[int]) -> Tensor:
    """An operand on some coordinates of its modes, which are counted from 0 again."""
    own = {k for other, k in modes if other == name}
    if not own:
        return tensor
    coords, values = tensor.components()
    place = np.full(max(tensor.shape, default=0), -1)
    place[list(kept)] = np.arange(len(kept))
    moved = np.array([place[c] if k in own else c for k, c in enumerate(coords)], np.int64).reshape(coords.shape)
    inside = (moved >= 0).all(axis=0)
    shape = tuple(len(kept) if k in own else n for k, n in enumerate(tensor.shape))
    return repack(tensor, moved[:, inside], values[inside], shape=shape)


def with_plainer_dtypes(problem: Problem) -> Iterator[Problem]:
    """The problem on floats: all of its operands, then one of them. Of complex numbers they are the real parts."""
    odd = [name for name, t in problem.operands.items() if t.dtype != PLAINEST]
    for chosen in (odd, *([name] for name in odd)):
        if chosen:
            yield from change_operands(problem, partial(as_floats, chosen=chosen))


def as_floats(name: str, tensor: Tensor, chosen: Sequence[str]) -> Tensor:
    """An operand of floats, if it is chosen."""
    if name not in chosen:
        return tensor
    coords, values = tensor.components()
    return repack(tensor, coords, values.real.astype(PLAINEST), fill=float(np.asarray(tensor.fill).real))


def with_plainer_values(problem: Problem) -> Iterator[Problem]:
    """The problem with a fill of 0, and with ones: for all values, for those of an operand, for one."""
    for name, tensor in problem.operands.items():
        if problem.semiring is None and tensor.fill != 0:
            yield from exchange_operand(problem, name, tensor, *tensor.components(), fill=0)
    if any((t.components()[1] != 1).any() for t in problem.operands.values()):
        yield from change_operands(problem, lambda name, t: ones(t))
    for name, tensor in problem.operands.items():
        coords, values = tensor.components()
        odd = np.flatnonzero(values != 1)
        for chosen in (odd, *(odd[n : n + 1] for n in range(min(len(odd), FEW)))):
            if len(chosen):
                given = values.copy()
                given[chosen] = 1
                yield from exchange_operand(problem, name, tensor, coords, given)


def ones(tensor: Tensor) -> Tensor:
    """A tensor of ones where it has components."""
    coords, values = tensor.components()
    return repack(tensor, coords, np.ones_like(values))


def exchange_operand(
    problem: Problem, name: str, tensor: Tensor, coords: np.ndarray, values: np.ndarray, fill: Any = None
) -> Iterator[Problem]:
    """The problem with other components of one operand, if its format can store them."""
    try:
        given = repack(tensor, coords, values, fill=fill)
    except GnomonError:
        return
    yield replace(problem, operands={**problem.operands, name: given})


def change_operands(problem: Problem, change: Callable[[str, Tensor], Tensor], **others: Any) -> Iterator[Problem]:
    """The problem with every operand changed, if their formats can store that."""
    try:
        yield replace(problem, operands={name: change(name, t) for name, t in problem.operands.items()}, **others)
    except GnomonError:
        return


def repack(
    tensor: Tensor, coords: np.ndarray, values: np.ndarray, shape: tuple[int, ...] | None = None, fill: Any = None
) -> Tensor:
    """Other components in the format of a tensor."""
    shape, fill = tensor.shape if shape is None else shape, tensor.fill if fill is None else fill
    return pack(coords, values, shape, tensor.format, fill=fill, index=index_of(tensor))


STEPS: tuple[Step, ...] = (
    without_semiring,
    with_fewer_components,
    with_shorter_extents,
    with_plainer_dtypes,
    with_plainer_values,
)
