"""When loops make coordinates known: whether every level is reached below its parents, or holds what is looked up.

Nothing here is for a solver: the loops are few, and each comes before another or does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....reference.levels.level import Level, Locate
from ....reference.notation.syntax import Access
from ....reference.statement.relation import Same, Split
from ....reference.statement.statement import Program, reads
from ..verdict import Proved, Refuted, Values, Verdict
from .schedule_visits import Place, places_of


def locates(program: Program) -> Verdict:
    """Whether each level of each access is reached after all levels above, or holds every coordinate and finds it."""
    formats = program.formats
    for place in places_of(program, program.statement):
        for access in (a for a in reads(place.leaf) if a.levels):
            for level, values in late(program, place, access, formats[access.tensor].levels):
                if not (isinstance(level, Locate) and level.full):
                    return Refuted(values)
    return Proved()


def late(program: Program, place: Place, access: Access, levels: tuple[Level, ...]) -> Iterator[tuple[Level, Values]]:
    """The levels whose coordinates are known no later than those of a level above."""
    times = [time(program, place, v) for v in access.levels]
    for k, level in enumerate(levels):
        for above in range(k):
            if times[above] >= times[k]:
                order = f"{access.levels[k]} is not inside {access.levels[above]}"
                yield level, (("operand", access.tensor), ("level", str(k + 1)), ("loops", order))


def time(program: Program, place: Place, variable: str) -> int:
    """The number of loops, outermost first, that have to run before a coordinate is known; one too many if none do."""
    for count in range(len(place.loops) + 1):
        if program.provenance.loops(variable, place.loops[:count]) is not None:
            return count
    return len(place.loops) + 1


def counts_inside(program: Program) -> Verdict:
    """Whether positions are counted inside the loops that give their parents' coordinates."""
    for place in places_of(program, program.statement):
        for count, index in enumerate(place.loops):
            relation = program.provenance.space_of(index)
            if relation is None:
                continue
            for above in relation.access.levels[: relation.first]:
                if time(program, place, above) > count:
                    return Refuted((("positions", index), ("of", relation.access.tensor), ("outside", above)))
    return Proved()


def dependent(program: Program) -> Verdict:
    """Whether variables that formats derive have their loops inside those of what gives their range."""
    for place in places_of(program, program.statement):
        for count, index in enumerate(place.loops):
            match program.provenance.format_relation_of(index):
                case Same(original=needed):
                    pass
                case Split(outer=needed, inner=inner) if inner == index:
                    pass
                case _:
                    continue
            if time(program, place, needed) > count:
                return Refuted((("loop", index), ("outside", needed)))
    return Proved()
