"""Parallel loops, run one iteration after another in an order that nothing may depend on.

The iterations of a loop are collected with all that they know, shuffled, and run. Two that write one component of a
tensor which outlives them are a conflict, unless the race strategy combines their contributions. What a loop on a GPU
combines atomically is combined for the loops around it there too. Where a result is appended to, the order stays: what
iterations append is joined in storage order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct, field

from ..errors import ScheduleError
from ..schedule.races import shared_assignments
from ..statement.statement import Forall
from ..statement.tags import Parallel
from .state import State

Run = Callable[[], None]
Key = tuple[str, tuple[int, ...]]


class Iteration(Struct, frozen=True, eq=False):
    """One iteration: the value of the loop's variable, and what is to be restored and to be run."""

    value: int
    restore: Run
    run: Run


class Written(Struct, frozen=True):
    """Who has written a component: the iteration, None if there were several, and whether always atomically."""

    by: Iteration | None
    atomically: bool


class Iterations(Struct, dict=True):
    """The iterations of one run of a parallel loop: what each is to restore and to run.

    Where a loop visits duplicates one by one, several of its iterations have one value.
    """

    state: State
    loop: Forall
    tag: Parallel
    waiting: list[Iteration] = field(default_factory=list)
    written: dict[Key, Written] = field(default_factory=dict)
    current: Iteration | None = None

    def __post_init__(self) -> None:
        self.tensors = frozenset(leaf.target.tensor for leaf in shared_assignments(self.loop.body))
        appended = (leaf.target.levels for leaf in shared_assignments(self.loop.body))
        self.keeps_order = any(appended)

    def collect(self, value: int, run: Run) -> None:
        """Take in an iteration, with the state at its start."""
        self.waiting.append(Iteration(value, self.state.remember(), run))

    def run(self) -> None:
        """Run what was collected, in any order."""
        if not self.keeps_order:
            self.state.random.shuffle(self.waiting)
        for iteration in self.waiting:
            iteration.restore()
            self.current = iteration
            iteration.run()

    def write(self, tensor: str, place: tuple[int, ...], atomically: bool) -> None:
        """Note that the current iteration writes a component. Raises ScheduleError for a conflict."""
        if tensor not in self.tensors or self.tag.races not in ("NoRaces", "IgnoreRaces"):
            return
        before = self.written.get((tensor, place), Written(self.current, True))
        combined = before.atomically and atomically
        if before.by is self.current or combined:
            by = self.current if before.by is self.current else None
            self.written[tensor, place] = Written(by, combined)
            return
        assert self.current is not None
        index, component = self.loop.index, f"{tensor}({','.join(map(str, place))})"
        other = "another one" if before.by is None else f"{index} = {before.by.value}"
        raise ScheduleError(
            f"iterations {other} and {index} = {self.current.value} both write {component}, but {index} is parallel "
            f"with {self.tag.races}",
            hint="use Atomics",
            rule="execute.conflict",
        )


def note_write(parallel: Iterable[Iterations], tensor: str, place: tuple[int, ...], combines: bool) -> None:
    """Note for the parallel loops that run, outermost first, that a component is written, by what `combines` or not.

    Raises ScheduleError for a conflict.
    """
    atomically = False
    for iterations in reversed(tuple(parallel)):
        iterations.write(tensor, place, atomically and iterations.tag.unit.startswith("GPU"))
        atomically |= combines and iterations.tag.is_atomic
