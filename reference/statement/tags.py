"""Tags: what a schedule says about how a loop runs."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Target = Literal["c", "cuda"]
"""What the loops of a statement run on: a CPU, or a GPU."""
CPU = ("CPUThread", "CPUVector")
GPU = ("GPUBlock", "GPUWarp", "GPUThread")
UNITS = (*CPU, *GPU)
STRATEGIES = ("NoRaces", "IgnoreRaces", "Atomics", "Temporary", "ParallelReduction")


class Unroll(Struct, frozen=True):
    """The loop's body is repeated `factor` times a round."""

    factor: int

    @property
    def is_shared_out(self) -> bool:
        """Whether threads share out the iterations: one thread runs all of them."""
        return False

    def __str__(self) -> str:
        return f"unroll {self.factor}"


class Parallel(Struct, frozen=True):
    """The iterations run at once on a unit; `races` says how conflicting contributions are combined."""

    unit: str
    races: str

    @property
    def is_shared_out(self) -> bool:
        """Whether threads of any kind share out the iterations: all units but the lanes of one thread."""
        return self.unit != "CPUVector"

    @property
    def is_atomic(self) -> bool:
        """Whether contributions are combined by single operations that no iteration on the same device interrupts."""
        return self.races == "Atomics" and self.unit.startswith("GPU")

    def __str__(self) -> str:
        return f"{self.unit} {self.races}"


Tag = Unroll | Parallel
