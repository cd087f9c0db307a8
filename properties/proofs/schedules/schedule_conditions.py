"""Conditions of commands: what each has to keep, decided from what it does and not by the rules that refuse it.

(Senanayake 2020, section 4; docs/spec/schedules.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from ....reference.errors import ScheduleError
from ....reference.schedule.command import Argument, Command
from ....reference.schedule.flags import fillings
from ....reference.schedule.inline import inline_workspace
from ....reference.schedule.nests import loops
from ....reference.schedule.reorder import holds as encloses
from ....reference.statement.relation import Bound, Derivation, Pos, Split
from ....reference.statement.statement import Assign, Forall, Program, Sequence, Statement, Where, assignments, reads
from ..verdict import Bounded, Proved, Refuted, Unknown, Verdict, of_each, together
from . import schedule_arithmetic, schedule_branches, schedule_laws, schedule_order
from .schedule_loops import (
    ParallelLoop,
    appended_variables,
    disorder,
    is_combined_inside,
    never,
    outliving_assignments,
    parallel_loops,
    race,
    two_components,
)
from .schedule_visits import Place, places_of


class Step(Struct, frozen=True):
    """A command, with the program that it is given to and the one that it leaves."""

    command: Command
    before: Program
    after: Program

    @property
    def relations(self) -> tuple[Derivation, ...]:
        """The relations that the command adds."""
        return self.after.provenance.of_schedule[len(self.before.provenance.of_schedule) :]


class Condition(Struct, frozen=True):
    """Something that has to hold: its name, what it says, and the rule of docs/spec that refuses where it fails."""

    name: str
    statement: str
    rule: str
    decide: Callable[[], Verdict]


def conditions(step: Step) -> tuple[Condition, ...]:
    """What a command has to keep, its own conditions before those of every command."""
    return (*own(step), *of_loops(step))


def own(step: Step) -> Iterator[Condition]:
    """The conditions of a command itself."""
    command = step.command
    match command.name, step.relations:
        case "split" | "divide" | "collapse", (relation, *_):
            yield maps_one_to_one(
                step,
                relation,
                "schedule.collapse.requires" if command.name == "collapse" else "schedule.split.requires",
            )
        case "bound", (Bound() as relation, *_):
            yield Condition(
                "holds", f"the range of {relation.parent} is as {relation.kind} {relation.size} says",
                "schedule.bound.requires", partial(schedule_arithmetic.within, step.before, relation),
            )  # fmt: skip
        case "pos", (Pos(access=access) as relation, *_):
            yield Condition(
                "needed", f"where {access.tensor} has no component there is nothing to do, whatever other operands "
                "hold", "schedule.pos.requires", partial(skips_missing, step, relation),
            )  # fmt: skip
        case "unroll", _:
            variable, factor = command.args
            assert isinstance(variable, str) and isinstance(factor, int)
            yield maps_one_to_one(step, Split(variable, "round", "turn", factor), "schedule.bound.requires")
        case "reorder", _:
            yield from of_moved_loops(step, tuple(v for v in command.args if isinstance(v, str)))
        case "convert", _:
            variables = tuple(dict.fromkeys(v for order in command.args if isinstance(order, tuple) for v in order))
            wide = list(reshaped_workspaces(step))
            yield from map(partial(fills_alike, step), wide)
            yield from [reduces_in_any_order(step, variables)] if wide else of_moved_loops(step, variables)
        case "precompute", _:
            yield from of_workspace(step, step.command.args[3])
        case "loopfuse", _:
            yield from of_workspace(step, step.command.args[2])
        case "hoist", _:
            yield from of_workspace(step, step.command.args[0])
        case _:
            pass


def reshaped_workspaces(step: Step) -> Iterator[str]:
    """The workspaces that a command has given further modes, or fewer."""
    for workspace in step.after.workspaces:
        known = step.before.workspace.get(workspace.name)
        if known is not None and known.shape != workspace.shape:
            yield workspace.name


def fills_alike(step: Step, name: str) -> Condition:
    """That each component of a workspace with other modes than before is filled and read by the same iterations."""
    said = f"each component of {name} is what {name} was where the loops that fill it and read it agree"
    decide = partial(schedule_branches.fills_alike, step.before, step.after, name)
    return Condition("alike", said, "schedule.convert.requires", decide)


def of_moved_loops(step: Step, variables: tuple[str, ...]) -> Iterator[Condition]:
    """The conditions that loops over some variables have to keep that come in another order."""
    yield Condition(
        "distributes", "what is computed with a reduction that ends between the loops distributes over it",
        "schedule.reorder.requires", partial(moves_reductions, step, variables),
    )  # fmt: skip
    yield reduces_in_any_order(step, variables)


def reduces_in_any_order(step: Step, variables: tuple[str, ...]) -> Condition:
    """That reductions under loops which come in another order are commutative and associative."""
    said, decide = "contributions may be combined in any order", partial(any_order, step, variables)
    return Condition("any_order", said, "schedule.reorder.requires", decide)


def of_loops(step: Step) -> Iterator[Condition]:
    """The conditions that the loops have to keep whatever the command."""
    after = step.after
    parallel = list(parallel_loops(after, after.statement))
    if parallel:
        said = "; ".join(map(describe_races, parallel))
        yield Condition("no_races", said, "schedule.race", partial(settle_all_races, after, parallel))
    yield Condition(
        "located", "every level is reached below its parents, or holds every coordinate and finds it", "schedule.reach",
        partial(schedule_order.locates, after),
    )  # fmt: skip
    if after.provenance.positions():
        yield Condition(
            "counted", "positions are counted inside the loops that reach their parents", "schedule.reach",
            partial(schedule_order.counts_inside, after),
        )  # fmt: skip
    if after.provenance.of_formats:
        yield Condition(
            "dependent", "loops inside blocks and over diagonals stand inside those that give their range",
            "schedule.reach", partial(schedule_order.dependent, after),
        )  # fmt: skip
    if any(appended_variables(after, place) for place in places_of(after, after.statement)):
        yield Condition(
            "appended", f"{after.result} is appended to in storage order", "schedule.reach", partial(in_order, after)
        )


def maps_one_to_one(step: Step, relation: Derivation, rule: str) -> Condition:
    """That a relation maps one to one."""
    said = "it takes every combination of values of the old loops to one of the new, and back"
    return Condition("one_to_one", said, rule, partial(schedule_arithmetic.one_to_one, step.before, relation))


def skips_missing(step: Step, relation: Pos) -> Verdict:
    """Whether a loop does nothing where the operand whose positions it counts has no component, if there is such a
    place."""
    levels = step.before.formats[relation.access.tensor].levels[relation.first : relation.last]
    if all(level.full and not level.padded for level in levels):
        return Proved()
    variable = step.command.args[0]
    assert isinstance(variable, str)
    found = [loop for loop, _ in loops(step.before.statement, variable, step.command.path or ())]
    bodies = [loop.body for loop in found if relation.access in reads(loop.body)]
    return of_each(schedule_laws.idle(step.before, body, frozenset({relation.access})) for body in bodies)


def between(s: Statement, variables: tuple[str, ...]) -> Iterator[Where]:
    """The workspaces between loops over some variables, each without those outside it."""
    match s:
        case Forall(index=index) if index in variables and encloses(s, variables):
            left = set(variables)
            while left:
                match s:
                    case Forall(index=index, body=body):
                        left.discard(index)
                        s = body
                    case Where():
                        yield s
                        s = inline_workspace(s)
                    case _:
                        return
        case Forall(body=body):
            yield from between(body, variables)
        case Where(consumer=consumer, producer=producer):
            yield from between(producer, variables)
            yield from between(consumer, variables)
        case Sequence(statements=statements):
            for each in statements:
                yield from between(each, variables)
        case Assign():
            return


def moves_reductions(step: Step, variables: tuple[str, ...]) -> Verdict:
    """Whether the reductions that a reorder moves outward may move: in one section none does."""
    if step.command.path is not None:
        return Proved()
    try:
        found = list(between(step.before.statement, variables))
    except ScheduleError as error:
        return Unknown(error.message)
    return of_each(schedule_laws.distributes(step.before, s) for s in found)


def any_order(step: Step, variables: tuple[str, ...]) -> Verdict:
    """Whether all reductions under the reordered loops are commutative and associative."""
    inside = [
        leaf
        for variable in variables
        for loop, _ in loops(step.after.statement, variable, step.command.path or ())
        for leaf in assignments(loop.body)
    ]
    return of_each(schedule_laws.in_any_order(step.after, leaf) for leaf in dict.fromkeys(inside))


def of_workspace(step: Step, name: Argument) -> Iterator[Condition]:
    """That a workspace stands for what is computed into it."""
    for s, _ in fillings(step.after.statement):
        if s.workspace == name:
            yield Condition(
                "once", f"every contribution is computed once, through {name}", "schedule.precompute.requires",
                partial(schedule_branches.computes_once, step.before, step.after, s.workspace),
            )  # fmt: skip
            yield Condition(
                "distributes", f"what is computed with {name} distributes over the reductions that fill it",
                "schedule.precompute.requires", partial(schedule_laws.distributes, step.after, s),
            )  # fmt: skip
            if list(assignments(s.producer))[-1].operator is None:
                yield Condition(
                    "absent", f"{name} reads as its part does where nothing has been computed",
                    "schedule.precompute.requires", partial(schedule_laws.absent, step.after, s),
                )  # fmt: skip


def describe_races(parallel: ParallelLoop) -> str:
    """What has to hold of a parallel loop, in words."""
    index, strategy = parallel.loop.index, parallel.tag.races
    match strategy:
        case "IgnoreRaces" if parallel.tag.unit.startswith("GPU"):
            return f"no two iterations of {index} write one component, unless loops inside combine it atomically"
        case "NoRaces" | "IgnoreRaces":
            return f"no two iterations of {index} write one component"
        case "Atomics":
            return f"what several iterations of {index} write to one component is combined by a reduction, in any order"
        case _:
            return f"iterations of {index} write one and the same component, combined by a reduction, in any order"


def settle_all_races(program: Program, parallel: list[ParallelLoop]) -> Verdict:
    """Whether the race strategies of all parallel loops settle their races."""
    return together(settles_races(program, each) for each in parallel)


def settles_races(program: Program, parallel: ParallelLoop) -> Verdict:
    """Whether the race strategy of a loop settles its races."""
    places = outliving_assignments(program, parallel)
    match parallel.tag.races:
        case "NoRaces":
            return never(race(program, parallel, place) for place in places)
        case "IgnoreRaces":
            atomic = [place for place in places if is_combined_inside(parallel, place.leaf)]
            found = never(race(program, parallel, place) for place in places if place not in atomic)
            assumed = "data on which no two iterations write one component, as execution checks"
            apart = Bounded(assumed) if isinstance(found, Refuted) else found
            return of_each([apart, *(combines(program, parallel, place, "Atomics") for place in atomic)])
        case strategy:
            return of_each(combines(program, parallel, place, strategy) for place in places)


def combines(program: Program, parallel: ParallelLoop, place: Place, strategy: str) -> Verdict:
    """Whether what iterations write to one component is combined by a reduction, as a strategy does it."""
    meeting = never([race(program, parallel, place)])
    if not isinstance(meeting, Refuted):
        return meeting
    if place.leaf.operator is None:
        return meeting
    apart = [] if strategy == "Atomics" else [never([two_components(program, parallel, place)])]
    return together([schedule_laws.in_any_order(program, place.leaf), *apart])


def in_order(program: Program) -> Verdict:
    """Whether every result that is appended to is visited in storage order."""
    places = [place for place in places_of(program, program.statement) if appended_variables(program, place)]
    return never(disorder(program, place) for place in places)
