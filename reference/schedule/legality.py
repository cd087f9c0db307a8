"""Legality: what the loops of any schedule must keep (Senanayake 2020, section 4, preconditions of reorder and pos).

Every level is reached below its parent, or located; positions are counted where their parents are known, and stand for
all that there is to do; results that are appended to are visited in storage order; parallel loops do not merge, append
out of order or race. These follow from the properties of the levels and the algebra of the operators, not from the
commands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial

from ..errors import ScheduleError
from ..loops.merging import actives, known_depth
from ..notation.printer import pretty
from ..notation.syntax import Access
from ..statement.expansion import order, steps
from ..statement.iteration_graph import is_random_access
from ..statement.provenance import Provenance
from ..statement.relation import Coord, Pos, Same, Split, parents
from ..statement.staging import appended_loops, visits_in_order
from ..statement.statement import Assign, Forall, Program, Sequence, Statement, Where, leaves, reads
from ..statement.tags import Parallel
from .parallelize import check_merging, check_races, check_unit
from .position import refuse_more


def check(program: Program) -> None:
    """Raise ScheduleError for the first rule that the loops break."""
    for _, holds in rules(program):
        holds()


def rules(program: Program) -> Iterator[tuple[str, Callable[[], None]]]:
    """What the loops of a program must keep, by name: functions that raise ScheduleError where a rule is broken."""
    yield from of_loops(program, program.statement, ())
    for leaf, bound in leaves(program.statement, ()):
        yield "appended", partial(check_appended, program, leaf, bound)


def of_loops(program: Program, s: Statement, bound: tuple[str, ...]) -> Iterator[tuple[str, Callable[[], None]]]:
    """What concerns the loops of a statement: what they iterate and locate, and how they run."""
    match s:
        case Assign():
            return
        case Forall(body=body, tags=tags):
            yield "searched", partial(check_searched, program, s, bound)
            for tag in tags:
                if isinstance(tag, Parallel):
                    yield "merging", partial(check_merging, program, s, bound)
                    yield "no_races", partial(check_races, program, s, bound, tag)
                    yield "unit", partial(check_unit, program, s, bound, tag.unit)
            for loop, around in steps(s, bound, program.provenance):
                yield "dependent", partial(check_dependent, program, loop.index, around)
                yield "located", partial(check_located, program, loop, around)
                yield "counted", partial(check_counted, program, loop.index, around)
                yield "needed", partial(check_positions_suffice, program, loop)
                bound = (*around, loop.index)
            yield from of_loops(program, body, bound)
        case Where(consumer=consumer, producer=producer):
            yield from of_loops(program, producer, bound)
            yield from of_loops(program, consumer, bound)
        case Sequence(statements=statements):
            for each in statements:
                yield from of_loops(program, each, bound)


def check_searched(program: Program, loop: Forall, bound: tuple[str, ...]) -> None:
    """Positions whose operand a workspace has replaced are searched from the root of its storage, by loops over them
    alone: what holds them tells nothing else, and no other loop is told by where that operand stands."""
    graph, there = program.provenance, reads(loop.body)
    variables = order(loop, bound, graph)
    known_ = (*bound, *(v for v in variables if v != loop.index))
    if len(variables) == 1 and not graph.is_derivable(loop.index, known_):
        return
    if len(variables) > 1 and variables[0] == loop.index:
        check_rooted(program, loop.index, bound)
        return
    told = [v for v in bound if shares_original(graph, v, loop.index) and graph.follows(v, known_)]
    for relation in (r for v in (*told, loop.index) for r in positions_of(graph, v, known_)):
        if relation.access not in there:
            raise ScheduleError(
                f"the loops {', '.join((*bound, *variables))} are told by where {relation.access.tensor} stands, but "
                f"nothing in the loop over {loop.index} reads {relation.access.tensor}",
                hint="precompute something else, or count the positions of an operand that the loops still read",
                rule="schedule.reach.searched",
            )


def check_rooted(program: Program, index: str, bound: tuple[str, ...]) -> None:
    """Refuse a search below other positions, and one inside loops over what else the coordinates lead to."""
    graph = program.provenance
    relation = graph.space_of(index)
    assert relation is not None
    name = relation.access.tensor
    if relation.first:
        raise ScheduleError(
            f"{index} counts positions of {name} below others, but nothing in its loop reads {name}, so where "
            "those are is not known",
            hint="collapse all dimensions of the operand before pos, or precompute less",
            rule="schedule.reach.searched",
        )
    parts = graph.offspring(relation.position)
    other = next(
        (v for v in bound if graph.derivation_of(v) and shares_original(graph, v, index) and v not in parts), None
    )
    if other is not None:
        raise ScheduleError(
            f"{index} counts positions of {name}, which nothing in its loop reads, inside the loop over {other}, which "
            "keeps to a part of the coordinates there",
            hint=f"split the positions of {name} alone, or precompute before the other command",
            rule="schedule.reach.searched",
        )


def positions_of(graph: Provenance, variable: str, known: Collection[str]) -> Iterator[Pos]:
    """The relations whose positions tell the value of a variable that follows from its parents."""
    relation = graph.derivation_of(variable)
    match relation:
        case None:
            return
        case Coord(of=of):
            above: tuple[str, ...] = (of.coordinate,)
        case Pos():
            yield relation
            above = parents(relation)
        case _:
            above = parents(relation)
    for each in above:
        if each not in known:
            yield from positions_of(graph, each, known)


def check_dependent(program: Program, index: str, bound: tuple[str, ...]) -> None:
    """A variable that a format derives has its range inside the loops that it depends on."""
    match program.provenance.format_relation_of(index):
        case Same(original=original):
            needed = program.provenance.loops(original, bound)
            source = original
        case Split(outer=outer, inner=inner) if inner == index:
            needed = program.provenance.loops(outer, bound)
            source = outer
        case _:
            return
    if needed is None:
        raise ScheduleError(
            f"the loop over {index} depends on {source}, whose value the loops around it do not give",
            hint=f"keep the loop over {index} inside those over {source}",
            rule="schedule.reach.dependent",
        )


def check_located(program: Program, loop: Forall, bound: tuple[str, ...]) -> None:
    """Levels that become known together with one above them must hold every coordinate and find it."""
    for active in actives(program, loop, bound):
        for k in range(active.first + 1, active.last):
            if not is_random_access(program.formats[active.access.tensor].levels[k]):
                raise out_of_order(program, active.access, k)


def out_of_order(program: Program, access: Access, k: int) -> ScheduleError:
    """The error for a level whose coordinates come before those of a level above it."""
    format = program.formats[access.tensor]
    above = " before ".join(access.levels[: k + 1])
    return ScheduleError(
        f"{pretty(Access(access.tensor, access.indices))} is stored as {format}, whose level {k + 1} "
        f"({format.levels[k].name}) can only be reached through the ones above it: {above}",
        hint=f"keep the loops over {access.levels[k]} inside those over {', '.join(access.levels[:k])}, "
        f"or convert {access.tensor}",
        rule="schedule.reach",
    )


def check_counted(program: Program, index: str, bound: tuple[str, ...]) -> None:
    """A loop over positions, or a part of them, needs the parent below which they are counted.

    A position that coordinates determine is told where they lead, so all the parents' coordinates must be known too.
    """
    relation = program.provenance.space_of(index)
    if relation is None:
        return
    if known_depth(relation.access, bound, program.provenance) < relation.first:
        above = ", ".join(relation.access.levels[: relation.first])
        raise ScheduleError(
            f"{index} counts positions of {relation.access.tensor} below {above}, which the loops around do not give",
            hint=f"keep the loop over {index} inside those over {above}",
            rule="schedule.reach",
        )


def check_positions_suffice(program: Program, loop: Forall) -> None:
    """A loop over positions has nothing to do where their operand has no component, for which no position stands."""
    relation = program.provenance.space_of(loop.index)
    if relation is not None and relation.access in reads(loop.body):
        refuse_more(program, loop, relation.access)


def check_appended(program: Program, leaf: Assign, bound: tuple[str, ...]) -> None:
    """A result that is appended to is visited in storage order, by loops that no other loop interrupts."""
    target = leaf.target
    around = tuple(bound)
    wanted = appended_loops(program, target, around)
    if not visits_in_order(program, target, around):
        raise ScheduleError(
            f"{target.tensor} is appended to, so it needs the loops {', '.join(wanted)} outermost, in this order; "
            f"they are {', '.join(bound)}",
            hint=f"keep that order, or store {target.tensor} in a format that is inserted into, such as a dense one",
            rule="schedule.reach.appended",
        )
    for variable in wanted:
        check_sorted(program, variable, target.tensor)


def check_sorted(program: Program, variable: str, target: str) -> None:
    """Positions of unordered levels are not visited in storage order of a result."""
    relation = program.provenance.space_of(variable)
    if relation is None:
        return
    format = program.formats[relation.access.tensor]
    for k in range(relation.first, relation.last):
        if not format.levels[k].ordered:
            raise ScheduleError(
                f"{target} is appended to in the order of its coordinates, but {variable} counts positions of "
                f"{relation.access.tensor}, whose level {k + 1} ({format.levels[k].name}) is not sorted",
                hint=f"leave pos out, or store {target} in a format that is inserted into, such as a dense one",
                rule="schedule.reach.appended",
            )


def shares_original(graph: Provenance, variable: str, other: str) -> bool:
    """Whether two variables derive from a common original one."""
    return not set(graph.originals(variable)).isdisjoint(graph.originals(other))
