"""Division: the result of which each iteration of a loop appends a part of its own, on threads or on a GPU.

A part is a run of components that follow one another in the result. Where a part ends in the middle of a fiber, as a
tile of positions may, another iteration goes on with that fiber (`assembly/pieces.py`).
"""

from __future__ import annotations

from ...reference.levels.level import Append, Insert
from ...reference.loops.plan import AssignPlan, LoopPlan, Node, ParallelPlan, SequencePlan, WherePlan
from ...reference.schedule.races import comes_once
from ...reference.statement.exactness import partitions
from ...reference.statement.statement import assignments, foralls
from ..assembly.output import Output
from ..assembly.pieces import adds
from ..loops.course import Course
from ..scope.env import Env
from ..storage.relative import tells_differences
from .region import Region


def divisible_output(region: Region) -> Output | None:
    """The result of which every iteration of a loop appends a part of its own; None if there is none.

    Nothing else may be written. The parts follow one another if the loop is over the next coordinate of the result, or
    over tiles or blocks of it that end where fibers do, or over tiles of positions.
    """
    env, frame = region.env, region.frame
    name, *others = region.owned.targets
    output = region.emitter.outputs.find(name)
    if others or output is None or not output.form.heads or name in env.target.cells:
        return None
    if frame.routine.is_parallel or region.team.racing or env.target.pieces or finds(output) or shares(env, output):
        return None
    if not all(tells_differences(bound) for bound in output.held.bounds if isinstance(bound.level, Append)):
        return None
    depth = env.site.surroundings.known_depth(output.form.target)
    if depth > output.form.last_append:
        return None
    variable = output.form.target.levels[depth]
    whole = takes_tiles(region, variable) and not breaks(region.loop, name)
    if not whole and not shares_positions(region, output, depth):
        return None
    return output if Course(frame, region.loop, env).counts else None


def takes_tiles(region: Region, variable: str) -> bool:
    """Whether the iterations of a loop have tiles of the coordinates of a variable, each to itself: one coordinate, a
    tile that the schedule makes, or a block in which an operand is stored."""
    graph, index = region.frame.facts.provenance, region.loop.index
    around = (*region.env.site.around, index)
    if index == variable or (variable in graph.originals(index) and partitions(graph, variable, around)):
        return True
    return any(takes_tiles(region, split.outer) for split in graph.splits(variable))


def shares_positions(region: Region, output: Output, depth: int) -> bool:
    """Whether the iterations of a loop are tiles of positions, whose components follow one another in a result: none of
    these, and nothing of which they are children, is appended by two of them."""
    form, around = output.form, (*region.env.site.around, region.loop.index)
    graph, levels = region.frame.facts.provenance, form.target.levels
    if not all(adds(output.held.bounds[head]) for head in form.heads) or form.last_append + 1 < len(levels):
        return False
    for relation in graph.positions():
        counted = relation.access.levels[relation.first : relation.last]
        in_order = counted == levels[depth : depth + len(counted)]
        tiles = relation.position in graph.lineage(region.loop.index) and partitions(graph, relation.position, around)
        if in_order and tiles:
            return appended_once(region, output, around)
    return False


def appended_once(region: Region, output: Output, around: tuple[str, ...]) -> bool:
    """Whether loops append each position of a result once. Innermost loops may reduce into a component."""
    program, s, levels = region.frame.facts.program, region.loop.statement, output.form.target.levels
    (leaf,) = (a for a in assignments(s) if a.target.tensor == output.name)
    inside = [each.index for each in foralls(s) if leaf in assignments(each)]
    told = [comes_once(program, levels, (v,)) for v in inside]
    ends = (output.form.chain(head)[-1] + 1 for head in output.form.heads)
    return all(comes_once(program, levels[:end], around) for end in ends) and told == sorted(told, reverse=True)


def finds(output: Output) -> bool:
    """Whether a coordinate is looked for in some level of a result, which other iterations insert into."""
    return any(isinstance(level, Insert) and output.held.keeps(k) for k, level in enumerate(output.levels))


def shares(env: Env, output: Output) -> bool:
    """Whether a block of a result around the loop is still to be opened: by whichever iteration stores in it first."""
    keys = (f"{output.name}{h}" for h in output.form.heads)
    return any(key in env.target.blocks and key not in env.target.open for key in keys)


def breaks(node: Node, name: str) -> bool:
    """Whether a plan appends fibers of a result in pieces: in a loop that gives coordinates of the result, over parts
    of tiles that overlap others."""
    match node:
        case LoopPlan(index=index, space=space, statement=statement):
            given = set(space.provenance.originals(index))
            targets = [a.target for a in assignments(statement) if a.target.tensor == name]
            if space.overlaps(index) and any(given.intersection(target.indices) for target in targets):
                return True
            return breaks(node.body, name)
        case ParallelPlan(loop=loop):
            return breaks(loop, name)
        case WherePlan(consumer=consumer, producer=producer):
            return breaks(producer, name) or breaks(consumer, name)
        case SequencePlan(parts=parts):
            return any(breaks(each, name) for each in parts)
        case AssignPlan():
            return False
