"""Units: loops whose iterations blocks, warps or threads of a GPU run (Senanayake 2020, section 4, parallelize).

What the iterations of a loop write that outlives them is settled as `ownership.py` says: accumulators around the loop
are folded over all that have run iterations, and updates are atomic where several iterations meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from msgspec.structs import replace

from ...reference.errors import Unsupported
from ...reference.loops.plan import LoopPlan
from ...reference.statement.expansion import order
from ...reference.statement.statement import Assign, Forall, Program, Sequence, Statement, Where, assignments
from ...reference.statement.tags import Parallel
from ...reference.storage.assemblable import flags_alone
from ..assembly.output import Output
from ..assembly.outputs import Outputs
from ..ir import ir
from ..ir.ir import BOOL
from ..ir.writer import Writer
from ..loops.course import Course
from ..scope.env import Env
from ..scope.target import Cell
from ..scope.team import Group, Team, team
from ..threads.ownership import ownership
from ..threads.region import Emitter
from ..values.combining import start
from . import temporaries
from .memory import Slices
from .sizes import BLOCKS, UNITS


class Unit:
    """A loop on a unit of a GPU being written."""

    def __init__(self, emitter: Emitter, loop: LoopPlan, team: Team, env: Env) -> None:
        self.emitter, self.loop, self.team, self.env = emitter, loop, team, env
        self.frame = emitter.outputs.frame
        self.owned = ownership(loop, team, env)
        self.refuse()

    def refuse(self) -> None:
        """Refuse what iterations cannot compute, or not write side by side."""
        for name in self.owned.temporaries:
            if not self.can_own(name):
                raise Unsupported(
                    f"{self.team.tag.unit} has no memory for values of {name} that each iteration of "
                    f"{self.loop.index} keeps to itself, as {self.team.tag.races} asks for",
                    hint="use Atomics",
                )
        for name in self.owned.targets:
            if name in self.env.target.marks:
                raise Unsupported(
                    f"{self.loop.index} on {self.team.tag.unit} may find nothing for the workspace {name}",
                    hint=f"parallelize a loop inside the one over {self.loop.index}, or leave the workspace out",
                )
            if name not in self.env.target.cells and not self.can_fill(name):
                refuse_unfilled(self.team.tag.unit, self.emitter.outputs[name])

    def can_fill(self, name: str) -> bool:
        """Whether threads can store components of a tensor side by side: values alone, or with a flag for each where
        no two of them come to one component, or all that do combine what they have."""
        outputs = self.emitter.outputs
        settled = name not in self.team.racing or name in self.env.teams.combined
        return outputs[name].has_places or (can_fill(outputs, name) and settled)

    def can_own(self, name: str) -> bool:
        """Whether those that run iterations have room for a tensor of their own: for one that has values alone."""
        return self.emitter.outputs[name].held.is_plain

    @property
    def counts(self) -> bool:
        """Whether the loop will count iterations that can be shared out."""
        return Course(self.frame, self.loop, self.env).counts

    def inside(self, group: Group | None, out: Writer) -> Env:
        """The environment of an iteration, with accumulators of its own."""
        env, cells = self.env, dict(self.env.target.cells)
        for name in self.owned.cells:
            cells[name] = self.own_cell(name, self.env.target.cells[name].present is not None, out)
        racing = self.team.racing.difference(self.owned.cells, self.owned.temporaries)
        units = {index: team for index, team in env.teams.units.items() if index != self.loop.index}
        atomic = env.teams.atomic.difference(self.owned.temporaries) | (racing & env.teams.combined)
        teams = replace(env.teams, units=units, group=group, atomic=atomic, shared=(*env.teams.shared, self.team))
        env = env.partly() if self.team.racing else env
        return replace(env, target=replace(env.target, cells=cells), teams=teams)

    def own_temporaries(
        self, outputs: Outputs, group: Group | None, slices: Slices, setup: Writer, end: Writer
    ) -> Outputs:
        """The outputs with values of its own for a group, or a thread, that are set before the loop and combined with
        those of all after it."""
        for name in self.owned.temporaries:
            common, leaf = outputs[name], self.owned.targets[name]
            own = temporaries.own_values(common, group, slices)
            temporaries.begin(own, leaf, group, setup)
            temporaries.end(own, common, leaf, group, end)
            outputs = outputs.replace_outputs(own)
        return outputs

    def own_cell(self, name: str, flagged: bool, out: Writer) -> Cell:
        """The accumulator of those that run iterations, each its own, with a flag if it matters whether it is empty."""
        value = out.declare(self.frame.facts.types[name], f"t{name}_own", start(self.owned.targets[name], self.frame))
        return Cell(value, out.declare(BOOL, f"t{name}_own_present", ir.FALSE) if flagged else None)

    def dtype(self, name: str) -> str:
        """The dtype of a tensor."""
        return self.frame.facts.dtypes[name].name


def can_fill(outputs: Outputs, name: str) -> bool:
    """Whether kernels can store components of a tensor: values alone, or with a flag for each."""
    return outputs[name].has_places or flags_alone(outputs[name].form.levels)


def meeting_targets(program: Program) -> frozenset[str]:
    """The tensors of which several iterations of a loop on a GPU may bring one component."""
    return frozenset(name for found in teams_of(program, program.statement) for name in found.racing)


def teams_of(program: Program, s: Statement, bound: tuple[str, ...] = ()) -> Iterator[Team]:
    """The teams of the loops on a GPU in a statement, inside loops, with those that loops stand for."""
    match s:
        case Assign():
            return
        case Forall(body=body):
            found = team(program, s, bound, *UNITS)
            if found is not None:
                yield found
            yield from teams_of(program, body, (*bound, *order(s, bound, program.provenance)))
        case Where(consumer=consumer, producer=producer):
            yield from teams_of(program, producer, bound)
            yield from teams_of(program, consumer, bound)
        case Sequence(statements=statements):
            for each in statements:
                yield from teams_of(program, each, bound)


def refuse_unfilled(unit: str, output: Output) -> NoReturn:
    """Refuse a tensor that a unit cannot fill."""
    name, is_result = output.name, output.name == output.frame.facts.result
    if output.form.heads:
        raise Unsupported(
            f"{unit} cannot fill {name}, to which loops append: iterations on {BLOCKS} would have to bring parts of it "
            "that follow one another",
            hint=f"run the outermost loop, over rows of {name} or tiles, on {BLOCKS}, or ask for a dense result",
        )
    raise Unsupported(
        f"{unit} cannot fill {name}, which keeps more than a value for each component",
        hint="ask for a dense result" if is_result else "name a dense workspace",
    )


def combined_targets(s: Statement, *, inside: bool = False) -> Iterator[str]:
    """The tensors that a loop on a GPU combines by atomic updates, or a loop around it or inside it."""
    match s:
        case Forall(body=body, tags=tags):
            atomically = inside or any(isinstance(tag, Parallel) and tag.is_atomic for tag in tags)
            yield from combined_targets(body, inside=atomically)
        case Where(consumer=consumer, producer=producer):
            yield from combined_targets(producer, inside=inside)
            yield from combined_targets(consumer, inside=inside)
        case Sequence(statements=statements):
            for each in statements:
                yield from combined_targets(each, inside=inside)
        case Assign():
            yield from (a.target.tensor for a in assignments(s) if inside and a.operator is not None)
