"""Parallel loops, run one iteration after another in an order that nothing may depend on.

The iterations of a loop are collected with all that they know, shuffled, and run. Two that write one component of a
tensor which outlives them are a conflict, unless the race strategy combines their contributions. Where a result is
appended to, the order stays: what iterations append is joined in storage order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..errors import ScheduleError
from ..schedule.races import shared_assignments
from ..statement.statement import Forall
from ..statement.tags import Parallel
from .state import State

Run = Callable[[], None]
Key = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Iteration:
    """One iteration: the value of the loop's variable, and what is to be restored and to be run."""

    value: int
    restore: Run
    run: Run


@dataclass
class Iterations:
    """The iterations of one run of a parallel loop: what each is to restore and to run.

    Where a loop visits duplicates one by one, several of its iterations have one value.
    """

    state: State
    loop: Forall
    tag: Parallel
    waiting: list[Iteration] = field(default_factory=list)
    writers: dict[Key, Iteration] = field(default_factory=dict)
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

    def write(self, tensor: str, place: tuple[int, ...]) -> None:
        """Note that the current iteration writes a component. Raises ScheduleError for a conflict."""
        if tensor not in self.tensors or self.tag.races not in ("NoRaces", "IgnoreRaces"):
            return
        assert self.current is not None
        before = self.writers.setdefault((tensor, place), self.current)
        if before is not self.current:
            index = self.loop.index
            component = f"{tensor}({','.join(map(str, place))})"
            raise ScheduleError(
                f"iterations {index} = {before.value} and {index} = {self.current.value} both write {component}, but "
                f"{index} is parallel with {self.tag.races}",
                hint="use Atomics",
            )
