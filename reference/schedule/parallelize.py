"""Parallelize: the iterations of a loop run at once (Senanayake 2020, section 4)."""

from __future__ import annotations

from msgspec.structs import replace

from ..errors import ScheduleError
from ..loops.fusing import strategies
from ..notation.printer import pretty
from ..notation.syntax import Access
from ..statement.relation import Bound, Collapse, Coord, Divide, Pos, Split
from ..statement.statement import Forall, Program, Statement, indices
from ..statement.tags import STRATEGIES, UNITS, Parallel
from .nests import change_loops, loops
from .path import Path
from .races import Race, races

INSIDE = {"GPUWarp": ("GPUBlock",), "GPUThread": ("GPUBlock", "GPUWarp")}


def parallelize(program: Program, path: Path, variable: str, unit: str, strategy: str) -> Program:
    """Run the iterations of a loop on a parallel unit, racing contributions combined by a strategy.

    Before: `∀i s`. After: `∀i s`, tagged. Preconditions:

    - no command follows on the same loop;
    - the loop does not merge several operands step by step: split it, and the outer loop may be parallel;
    - what it writes is inserted into, or appended to in storage order, each iteration's part after the one before;
    - `NoRaces`: no two iterations write one component; `IgnoreRaces`: none do on the data at hand (the interpreter
      reports it if they do), or a loop on a GPU inside another one there combines what they write by `Atomics`;
      `Atomics`: contributions are combined by a reduction; `Temporary`, `ParallelReduction`: the same, and the racing
      reduction is over this very loop;
    - warps: as many iterations as a constant says; warps and GPU threads lie in blocks. GPU threads of another number
      are strided over their block.

    All but the first are checked after every later command too (`legality.py`). Reductions are associative and
    commutative by declaration. The paper asks of `NoRaces` that there be no reductions; those inside one iteration do
    no harm.
    """
    for value, known, what in ((unit, UNITS, "unit"), (strategy, STRATEGIES, "race strategy")):
        if value not in known:
            raise ScheduleError(f"{value!r} is not a {what}", hint=f"use {', '.join(known)}")
    tag = Parallel(unit, strategy)
    return change_loops(program, path, variable, lambda s: replace(s, tags=(*s.tags, tag)))


def check_races(program: Program, loop: Forall, bound: tuple[str, ...], tag: Parallel) -> None:
    """Refuse a loop with a race that its strategy does not settle."""
    for race in races(program, loop, bound):
        check_race(loop, race, tag.races)


def check_merging(program: Program, loop: Forall, bound: tuple[str, ...]) -> None:
    """Refuse a loop that merges operands: it is a while loop."""
    for found in strategies(program, loop, bound):
        if found.merges or (found.coiterated and found.whole_extent):
            merged = ", ".join(a.access.tensor for a in found.coiterated)
            raise ScheduleError(
                f"{loop.index} cannot be parallel: its loop merges {merged} step by step",
                hint=f"split({loop.index},...) first and parallelize the outer loop",
            )


def check_race(loop: Forall, race: Race, strategy: str) -> None:
    """Refuse a race that a strategy does not settle."""
    target = pretty(Access(race.leaf.target.tensor, race.leaf.target.indices))
    match strategy:
        case "IgnoreRaces":
            return
        case "NoRaces" if race.repeated:
            visited = pretty(Access(race.repeated[0].tensor, race.repeated[0].indices))
            raise ScheduleError(
                f"{loop.index} cannot be parallel with NoRaces: several of its iterations write one component "
                f"{target}, since duplicates in {visited} are visited one by one",
                hint=f"split({loop.index},...) first and parallelize the outer loop, or use Atomics",
                rule="schedule.race.strategy",
            )
        case "NoRaces":
            raise ScheduleError(
                f"{loop.index} cannot be parallel with NoRaces: several of its iterations write one component {target}",
                hint="use Atomics, or parallelize a loop whose value the result's coordinates determine",
                rule="schedule.race.strategy",
            )
        case _:
            pass
    if race.leaf.operator is None:
        raise ScheduleError(
            f"{loop.index} cannot be parallel: several of its iterations store one component {target}, and no "
            "reduction combines them",
            hint="parallelize a loop whose value the result's coordinates determine",
            rule="schedule.race.strategy",
        )
    if strategy != "Atomics" and not race.whole:
        raise ScheduleError(
            f"{strategy} needs the racing reduction to be over {loop.index} itself, but {target} is indexed by what "
            f"{loop.index} derives from",
            hint="use Atomics",
            rule="schedule.race.strategy",
        )


def check_unit(program: Program, loop: Forall, bound: tuple[str, ...], unit: str) -> None:
    """Refuse a loop that its unit cannot run."""
    if unit == "GPUWarp" and iterations(program, loop.index) is None:
        raise ScheduleError(
            f"{loop.index} cannot run on {unit}: the number of its iterations is not a constant",
            hint=f"split({loop.index},...) and take the inner loop, or bound({loop.index},...,max_exact)",
            rule="schedule.unit",
        )
    around = units(program.statement, bound, loop.index)
    if unit in around or unit in tagged_units(loop.body):
        raise ScheduleError(
            f"{loop.index} cannot run on {unit}: a loop around it or inside it does already",
            hint="take another unit, or one loop only",
            rule="schedule.unit",
        )
    if unit in INSIDE and not set(INSIDE[unit]) & set(around):
        raise ScheduleError(
            f"{loop.index} cannot run on {unit}: no loop around it runs on {' or '.join(INSIDE[unit])}",
            hint=f"parallelize a loop around it over {INSIDE[unit][0]} first",
            rule="schedule.unit",
        )


def iterations(program: Program, variable: str) -> int | None:
    """The number of iterations of a loop, if a schedule or a format fixes it.

    A part of a part has a constant number too: in `split(f,b,f1,128),split(f1,w,f2,64)` the loop over `w` has 2.
    """
    match program.provenance.derivation_of(variable):
        case Split(inner=inner, factor=factor) if variable == inner:
            return factor
        case Split(parent=parent, factor=factor):
            return quotient(iterations(program, parent), factor)
        case Divide(outer=outer, parts=parts) if variable == outer:
            return parts
        case Divide(parent=parent, parts=parts):
            return quotient(iterations(program, parent), parts)
        case Collapse(outer=outer, inner=inner):
            first, second = iterations(program, outer), iterations(program, inner)
            return None if first is None or second is None else first * second
        case Bound(kind="max_exact", size=size):
            return size
        case Bound(parent=parent):
            return iterations(program, parent)
        case Pos() | Coord():
            return None
        case None:
            split = program.provenance.format_relation_of(variable)
            return split.factor if isinstance(split, Split) and split.inner == variable else None


def quotient(size: int | None, factor: int) -> int | None:
    """How many tiles of a size there are in a constant number of values."""
    return None if size is None or factor <= 0 else -(-size // factor)


def tagged_units(s: Statement) -> list[str]:
    """The units of the loops inside a statement."""
    return [tag.unit for v in indices(s) for loop, _ in loops(s, v) for tag in loop.tags if isinstance(tag, Parallel)]


def units(s: Statement, bound: tuple[str, ...], variable: str) -> list[str]:
    """The units of the loops around a loop."""
    found: list[str] = []
    for index in bound:
        for loop, _ in loops(s, index):
            if any(True for _ in loops(loop.body, variable)):
                found += [tag.unit for tag in loop.tags if isinstance(tag, Parallel)]
    return found
