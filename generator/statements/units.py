"""Units of a GPU: statements of which some loops run on blocks, warps and threads."""

from __future__ import annotations

from ...reference.loops.plan import LoopPlan
from ..assembly.outputs import Outputs
from ..cuda.counting import DevicePhases
from ..cuda.grid import Grid
from ..cuda.insertion import write_kernels
from ..cuda.nonzeros import Nonzeros, shares_nonzeros
from ..cuda.sizes import BLOCKS
from ..cuda.spread import Spread
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.team import Team
from ..threads.division import divisible_output
from ..threads.region import Region
from .statements import Statements


class UnitStatements(Statements, frozen=True):
    """The statements of a function whose loops on units a GPU runs."""

    def run_on_unit(self, unit: Team, loop: LoopPlan, env: Env, out: Writer) -> None:
        """Have a unit of a GPU run a loop."""
        if unit.tag.unit != BLOCKS:
            (Nonzeros if shares_nonzeros(loop, env) else Spread)(self, loop, unit, env).write(out)
            return
        region = Region(self, loop, unit, env)
        output = divisible_output(region)
        if output is not None:
            DevicePhases(region, output).write(out)
            return

        def write(outputs: Outputs, word: str, inner: Writer) -> None:
            Grid(self.with_outputs(outputs), loop, unit, env, word).write(inner)

        names = [name for name in region.owned.targets if name not in env.target.cells]
        write_kernels(self.outputs, names, write, out)
