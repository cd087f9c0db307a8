"""Cost: how long a template is likely to take beside others of the same program, told without data.

Loops run as often as `visits.py` estimates, and a visit costs by what the loop goes over, on lanes or not; what threads
share takes a part of that. Costs and factors are fitted to times of templates on two cores with AVX-512, and stand for
machines of that kind: `properties/benchmark/templates.py` measures templates, tells how well the order by cost agrees
with that by time, and fits anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from math import prod

from ...loops.plan import parallel_tag
from ...statement.relation import Split
from ...statement.statement import Forall, Program, assignments, foralls, reads
from ...statement.tags import Parallel
from ..application import apply_schedule_unchecked
from ..visits import Estimate, visits
from .arrangement import LANES, THREADS
from .partition import is_compressed, is_dense_tensor
from .template import Template
from .unasked import last_variable


class Work(Enum):
    """What is counted: visits of loops. Those of loops that contain others cost nothing to speak of, but over
    positions."""

    AROUND_POSITIONS = "a loop over positions that contains others"
    COUNTED = "an innermost loop over coordinates"
    COUNTED_ON_LANES = "an innermost loop over coordinates, on lanes"
    TILE_ON_LANES = "an innermost loop over a tile that the loop around it reduces into, on lanes"
    STORED = "an innermost loop over what is stored"
    STORED_ON_LANES = "an innermost loop over what is stored, on lanes"
    POSITIONS = "an innermost loop over positions"
    POSITIONS_ON_LANES = "an innermost loop over positions, on lanes"
    ATOMIC_LANES = "an innermost loop whose lanes add by turns"
    STRIDED = "an innermost loop that jumps in a dense tensor"
    FAR = "an innermost loop that comes to parts of the result again after they have left the cache"
    ATOMIC = "an innermost loop of threads that meet at components"
    ATOMIC_DUPLICATE = "an innermost loop of threads that meet, where an operand stores duplicates"


class Share(Enum):
    """What makes loops faster or slower as a whole."""

    THREADS = "threads"
    PARTS = "threads that share parts of a loop"
    APPENDED_ONE_BY_ONE = "threads that append an iteration at a time"


COSTS: Mapping[Work, float] = {
    Work.AROUND_POSITIONS: 0.5, Work.COUNTED: 1.5, Work.COUNTED_ON_LANES: 1.2, Work.TILE_ON_LANES: 1.0,
    Work.STORED: 1.9, Work.STORED_ON_LANES: 2.1, Work.POSITIONS: 1.7, Work.POSITIONS_ON_LANES: 2.8,
    Work.ATOMIC_LANES: 5.3, Work.STRIDED: 1.2, Work.FAR: 0.8, Work.ATOMIC: 2.2, Work.ATOMIC_DUPLICATE: 11.0,
}  # fmt: skip
"""What each costs beside a visit of a tile on lanes."""

CACHE = 2**17
"""How many components a second-level cache holds."""

FACTORS: Mapping[Share, float] = {Share.THREADS: 0.6, Share.PARTS: 1.1, Share.APPENDED_ONE_BY_ONE: 1.2}
"""What each multiplies the time by."""


def cost(program: Program, template: Template) -> float:
    """What the loops of a template cost, sizes being those to begin with: in no unit, to be compared."""
    after = apply_schedule_unchecked(program, template.schedule())
    total = sum(COSTS[work] * times for work, times in count(after).items())
    return total * prod(FACTORS[share] for share in shares(after))


def count(program: Program) -> dict[Work, float]:
    """How much of each work the loops of a scheduled program do; where two have one variable, all their visits are what
    those of the first are."""
    found, runs = dict.fromkeys(Work, 0.0), visits(program)
    for loop in foralls(program.statement):
        times = runs.pop(loop.index, 0.0)
        for work in work_of(program, loop):
            found[work] += times
    return {work: times for work, times in found.items() if times}


def work_of(program: Program, loop: Forall) -> Iterator[Work]:
    """What a visit of a loop is, and does besides."""
    if any(True for _ in foralls(loop.body)):
        if program.provenance.is_position(loop.index):
            yield Work.AROUND_POSITIONS
        return
    lanes, threads = tag_of(loop, LANES), on_threads(program)
    yield work_inside(program, loop)
    if lanes is not None and lanes.races == "Atomics":
        yield Work.ATOMIC_LANES
    if jumps(program, loop.index):
        yield Work.STRIDED
    if revisits(program) > CACHE:
        yield Work.FAR
    if threads is not None and threads.races == "Atomics":
        unique = all(level.unique for a in reads(program.statement) for level in program.formats[a.tensor].levels)
        yield Work.ATOMIC if unique else Work.ATOMIC_DUPLICATE


def work_inside(program: Program, loop: Forall) -> Work:
    """What a visit of an innermost loop is."""
    lanes = tag_of(loop, LANES) is not None
    if program.provenance.is_position(loop.index):
        return Work.POSITIONS_ON_LANES if lanes else Work.POSITIONS
    if is_stored(program, loop.index):
        return Work.STORED_ON_LANES if lanes else Work.STORED
    around = next((outer for outer in foralls(program.statement) if outer.body is loop), None)
    if lanes and around is not None and reduces_into_tile(program, around.index, loop.index):
        return Work.TILE_ON_LANES
    return Work.COUNTED_ON_LANES if lanes else Work.COUNTED


def shares(program: Program) -> Iterator[Share]:
    """What makes the loops of a scheduled program faster or slower as a whole."""
    if on_threads(program) is None:
        return
    yield Share.THREADS
    outermost = next(foralls(program.statement))
    if isinstance(program.provenance.derivation_of(outermost.index), Split):
        yield Share.PARTS
    elif not is_dense_tensor(program, program.result):
        yield Share.APPENDED_ONE_BY_ONE


def on_threads(program: Program) -> Parallel | None:
    """How the outermost loop runs on threads, if it does."""
    outermost = next(foralls(program.statement), None)
    return None if outermost is None else tag_of(outermost, THREADS)


def tag_of(loop: Forall, unit: str) -> Parallel | None:
    """How a loop runs on a unit, if it does."""
    tag = parallel_tag(loop)
    return None if tag is None or tag.unit != unit else tag


def is_stored(program: Program, index: str) -> bool:
    """Whether some operand stores the coordinates of a loop sparsely."""
    return any(is_compressed(program, v) for v in program.provenance.originals(index))


def reduces_into_tile(program: Program, around: str, index: str) -> bool:
    """Whether a loop over a tile of the result stands in one that does not tell components of the result apart."""
    graph, results = program.provenance, set(result_variables(program))
    return (
        isinstance(graph.derivation_of(index), Split)
        and bool(results.intersection(graph.originals(index)))
        and not results.intersection(graph.originals(around))
    )


def result_variables(program: Program) -> tuple[str, ...]:
    """The variables of the result."""
    targets = (leaf.target for leaf in assignments(program.statement))
    return next((target.indices for target in targets if target.tensor == program.result), ())


def revisits(program: Program) -> float:
    """How many components of a dense result the outermost reduction comes to again, each time that it goes on."""
    if not is_dense_tensor(program, program.result):
        return 0.0
    results, estimate, found = set(result_variables(program)), Estimate(program), 0.0
    for loop in foralls(program.statement):
        tells_apart = bool(results.intersection(program.provenance.originals(loop.index)))
        found = found * estimate.extent(loop.index) if tells_apart else found or 1.0
    return found


def jumps(program: Program, index: str) -> bool:
    """Whether neighbours in a loop do not lie side by side in a dense tensor."""
    (*_, variable) = program.provenance.originals(index)
    leaf = next(assignments(program.statement))
    last = last_variable(program, leaf)
    if last is not None and variable in leaf.target.indices and variable != last:
        return True
    dense = (a for a in reads(program.statement) if is_dense_tensor(program, a.tensor))
    return any(variable in a.levels[:-1] for a in dense)
