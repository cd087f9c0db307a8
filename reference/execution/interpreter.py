"""The interpreter: walks the loop plan, one case for each construct (Chou 2018, Figure 9; Kjolstad 2018).

At each coordinate that a loop visits, its accesses are placed or located, and what the lattice point of those that are
present leaves to do is run. Computation is in the statement's dtype.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np
from msgspec import field

from ..algebra.scalars import caster
from ..errors import ScheduleError
from ..loops.plan import AssignPlan, LoopPlan, Node, ParallelPlan, Planner, SequencePlan, WherePlan
from ..notation.syntax import Access, Fill
from ..statement.converting import convert_operands
from ..statement.relation import holds as is_as_said
from ..statement.statement import Assign, Flags, Program, reads
from ..storage.spec import Spec
from ..storage.tensor import Tensor
from .iteration import locate, met_accesses, visits
from .numbers import coordinates_at, number
from .parallel import Iterations, note_write
from .recording import record_contribution, record_conversions, record_visit
from .state import Source, State
from .trace import Trace
from .values import accumulator, value

At = tuple[Node, frozenset[Access]]


def interpret(
    program: Program,
    operands: Mapping[str, Tensor],
    *,
    index: Any = np.int32,
    trace: Trace | None = None,
    seed: int = 0,
) -> tuple[Tensor, Trace]:
    """The result of a program on its operands, and the trace of its execution, to which `trace` is added.

    Operands that the program reads in another format are converted first.
    The iterations of parallel loops run in an order that `seed` determines. Raises MeaningError where integers
    overflow or are divided by zero, ScheduleError where iterations of a parallel loop conflict or a bound does not
    hold.
    """
    machine = Interpreter(program, trace=Trace() if trace is None else trace, random=Random(seed))
    arguments = convert_operands(program, operands)
    for name, tensor in arguments.items():
        machine.load(program.previous if name == program.result else name, tensor)
    record_conversions(program, operands, arguments, machine.trace)
    extents = dict(program.extents)
    format = program.formats[program.result]
    shape = tuple(extents[v] for v in machine.result_target.indices)
    begun = machine.open(program.result, format.map.level_extents(shape))
    if program.continues:
        begun.continue_from(operands[program.result])
    with np.errstate(all="ignore"):
        machine.run(machine.planner.root())
    result = machine.targets[program.result].finish(shape, index)
    final = result if program.packed is None else result.convert(Spec(program.packed, index=np.dtype(index)))
    return final, machine.trace


class Interpreter(State):
    """The state of an execution, and what each construct of a plan does to it.

    `cases` has what loops do by the accesses that are present, `remainders` what is left of other nodes where accesses
    are missing, `parallel` the parallel loops that run.
    """

    cases: dict[At, Node | None] = field(default_factory=dict)
    remainders: dict[At, Node | None] = field(default_factory=dict)
    parallel: dict[str, Iterations] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.planner = Planner(self.program)

    def run(self, node: Node) -> None:
        """Run a part of the plan where the loops stand."""
        match node:
            case LoopPlan():
                self.loop(node)
            case ParallelPlan():
                self.parallel_loop(node)
            case WherePlan():
                self.where(node)
            case AssignPlan():
                self.assign(node)
            case SequencePlan(parts=parts):
                for part in parts:
                    self.run_unless_idle(part)

    def run_unless_idle(self, node: Node) -> None:
        """Run a part of the plan, if it has something to do where accesses are missing."""
        if self.remainder(node) is not None:
            self.run(node)

    def remainder(self, node: Node) -> Node | None:
        """What is left of a part of the plan where accesses are missing."""
        missing = self.missing_accesses(node)
        if not missing:
            return node
        if (node, missing) not in self.remainders:
            self.remainders[node, missing] = self.planner.remainder(node, missing)
        return self.remainders[node, missing]

    def missing_accesses(self, node: Node) -> frozenset[Access]:
        """The accesses that loops have found to be missing."""
        surroundings = node.surroundings
        if not surroundings.optional:
            return frozenset()
        read = (a for a in reads(node.statement) if a in surroundings.optional)
        return frozenset(a for a in read if self.is_missing(a, surroundings.known_depth(a)))

    def loop(self, loop: LoopPlan) -> None:
        """Run a loop: one visit after another."""
        self.check_bounds(loop)
        iterations = 0
        for c, met in visits(loop, self):
            iterations += 1
            if loop.searched is None or self.search(loop):
                self.visit(loop, c, met)
        if not loop.is_stood_for:
            self.trace.iterations[loop.index] += iterations

    def check_bounds(self, loop: LoopPlan) -> None:
        """Raise ScheduleError if what a schedule has said of a range is wrong."""
        for bound in loop.checks:
            size = number(loop.space.extent(bound.parent), self)
            if not is_as_said(bound, (0, size)):
                raise ScheduleError(
                    f"{bound.parent} ranges from 0 to {size}, for which {bound.kind} {bound.size} is wrong",
                    hint="give a bound that holds, or leave it out",
                    rule="schedule.bound.positions",
                )

    def search(self, loop: LoopPlan) -> bool:
        """Look up the coordinates at the position where a loop stands; whether there are any."""
        assert loop.searched is not None
        found = coordinates_at(loop.searched, number(loop.inside.space.recover(loop.searched.position), self), self)
        self.coordinates.update(found or {})
        return found is not None

    def visit(self, loop: LoopPlan, c: int, met: frozenset[Access]) -> None:
        """At a coordinate where iterators have met some accesses: locate the rest, run the case of those present."""
        self.coordinates[loop.index] = c
        if loop.strategy.flagged:
            self.lose(loop, met)
        present = met.union([p.active.access for p in loop.located if locate(p, c, self)])
        if loop.strategy.flagged:
            present |= met_accesses(loop, self)
        case = self.case(loop, present)
        if case is None:
            return
        if loop.collects:
            self.parallel[loop.index].collect(c, lambda: self.run(case))
        else:
            self.run(case)

    def lose(self, loop: LoopPlan, met: frozenset[Access]) -> None:
        """Take accesses that iterators have not met as missing: they stand at no position."""
        for placement in loop.coiterated:
            if placement.active.access not in met:
                self.standing(placement.active.access).positions[placement.active.last] = None

    def case(self, loop: LoopPlan, present: frozenset[Access]) -> Node | None:
        """What a loop does where these accesses are present."""
        if (loop, present) not in self.cases:
            self.cases[loop, present] = loop.case(present)
        return self.cases[loop, present]

    def parallel_loop(self, plan: ParallelPlan) -> None:
        """Collect the iterations of a loop, then run them in any order."""
        index = plan.statement.index
        outer = self.parallel.get(index)
        own = self.parallel[index] = Iterations(self, plan.statement, plan.tag)
        self.run(plan.loop)
        own.run()
        if outer is None:
            del self.parallel[index]
        else:
            self.parallel[index] = outer

    def where(self, plan: WherePlan) -> None:
        """Run the producer into a fresh workspace, then the consumer.

        Where all that the producer reads is missing, so is the workspace. If one flag tells of all its components, and
        none got a value, what is left of the consumer is run.
        """
        name = plan.statement.workspace
        produced = self.remainder(plan.producer) is not None
        if self.trace.contributions is not None:
            self.trace.contributions.renew(name)
        for access in plan.reads:
            self.standing(access).positions[0] = 0 if produced else None
        if produced:
            self.produce(plan)
        if not self.workspaces[name].has_one_flag or (produced and any(self.targets[name].leaves.present)):
            self.run(plan.consumer)
        elif plan.without is not None:
            self.run_unless_idle(plan.without)

    def produce(self, plan: WherePlan) -> None:
        """Fill the workspace. An ordered copy has its final form then."""
        name, workspace = plan.statement.workspace, self.workspaces[plan.statement.workspace]
        built = self.targets.get(name)
        if built is None:
            built = self.open(name, workspace.format.map.level_extents(workspace.shape))
        else:
            built.renew()
        self.run(plan.producer)
        if name in self.program.ordered:
            built.finalize()
        present = built.leaves.present
        flagged = workspace.flags is Flags.EACH
        self.sources[name] = Source(built.levels, built.leaves.values, present if flagged else None, present)
        self.trace.workspaces[name] = max(self.trace.workspaces.get(name, 0), sum(present))

    def assign(self, plan: AssignPlan) -> None:
        """Make an assignment, or what is left of it where accesses are missing, if the mask admits it."""
        left = self.remainder(plan)
        if isinstance(left, AssignPlan) and self.admits(left.statement):
            self.store(left)

    def admits(self, s: Assign) -> bool:
        """Whether the mask, which holds a component here, lets the assignment through."""
        if s.mask is None:
            return True
        return (s.mask.structural or bool(value(s.mask.value, self))) != s.mask.complement

    def store(self, plan: AssignPlan) -> None:
        """Store a contribution. A fill is folded into what is there, but makes no component present."""
        s, name = plan.statement, plan.statement.target.tensor
        dtype = self.dtypes[name]
        self.trace.stores[name] += 1
        result = caster(dtype)(value(s.value, self))
        if s.operator is not None and s.operator.left_unit is not None:
            result = s.operator.left_unit.compute(result)
        at = tuple([number(term, self) for term in plan.at])
        place = self.formats[name].map.apply(at)
        note_write(self.parallel.values(), name, place, s.operator is not None)
        record_visit(plan, self)
        record_contribution(plan, at, self)
        combine = None if s.operator is None else accumulator(s.operator, dtype)
        if isinstance(s.value, Fill) and combine is not None:
            self.targets[name].store_missing(place, result, combine)
        else:
            self.targets[name].store(place, result, combine)
