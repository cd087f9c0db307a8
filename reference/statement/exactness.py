"""Exactness: which windows hold nothing but what belongs there, so that nothing need be checked inside (Senanayake
2020, section 5.3).

The loops around a variable are given outermost first: a window is made of what they had made known when it was opened.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .provenance import Provenance
from .relation import Bound, Collapse, Coord, Derivation, Divide, Pos, Split, derived_variables, parents


def variables_to_compare(
    graph: Provenance,
    bound: Sequence[str],
    added: Collection[str],
    narrowed: Collection[Pos] = (),
    stepped: Collection[str] = (),
) -> tuple[str, ...]:
    """The derived variables to be compared with what follows from their parents, where loops complete original ones.

    `bound` are all loops around, `added` those that complete something here; what follows without these has been
    compared before. A variable that follows from loops with exact windows alone has the value that follows, if these
    loops stand inside its own: its range leaves out nothing that only some of its parents exclude.
    `narrowed` are the relations to whose positions walks keep, `stepped` the variables whose loops, or walks over
    positions, go by the step of their range (`Range`), and so over nothing but what belongs there.

    >>> tiles = (Split("i", "i0", "i1", 2), Split("j", "j0", "j1", 3), Collapse("i0", "j0", "f"))
    >>> variables_to_compare(Provenance(of_schedule=tiles), ("f", "i", "i1", "j"), ("j",))
    ()
    >>> variables_to_compare(Provenance(of_schedule=tiles), ("f", "j", "j1", "i"), ("i",))
    ('f',)
    """
    before = [v for v in bound if v not in added]
    now = [v for v in bound if graph.follows(v, bound) and not (v in before and graph.follows(v, before))]
    return tuple(
        v
        for v in now
        if was_narrowed(graph, v, bound)
        or not all(was_exact(graph, each, bound, narrowed, stepped) for each in sources(graph, v, bound))
    )


def was_narrowed(graph: Provenance, variable: str, bound: Sequence[str]) -> bool:
    """Whether the loops around that of a derived variable exclude some of its values, and do not give it its value."""
    around = bound[: bound.index(variable)]
    given = any(each in around for each in sources(graph, variable, bound))
    return given and not graph.is_derivable(variable, around)


def sources(graph: Provenance, variable: str, known: Collection[str]) -> tuple[str, ...]:
    """The known variables from which a derived one follows, through others that are not known."""
    relation = graph.derivation_of(variable)
    above = () if relation is None else parents(relation)
    return tuple(each for v in above for each in ((v,) if v in known else sources(graph, v, known)))


def was_exact(
    graph: Provenance, loop: str, bound: Sequence[str], narrowed: Collection[Pos], stepped: Collection[str]
) -> bool:
    """Whether the window over which one of the loops around ran was exact."""
    return loop in stepped or is_exact(graph, loop, bound[: bound.index(loop)], narrowed, stepped)


def is_exact(
    graph: Provenance,
    variable: str,
    around: Collection[str],
    narrowed: Collection[Pos] = (),
    stepped: Collection[str] = (),
) -> bool:
    """Whether the window of a variable, inside the loops `around`, holds nothing but what belongs there."""
    if variable in around:
        return True
    uses = graph.uses_towards(variable, around)
    return all(narrows_exactly(graph, use, variable, around, narrowed, stepped) for use in uses)


def narrows_exactly(
    graph: Provenance,
    use: Derivation,
    variable: str,
    around: Collection[str],
    narrowed: Collection[Pos],
    stepped: Collection[str],
) -> bool:
    """Whether the window that one relation leaves a parent holds nothing but what belongs there.

    Of collapsed variables, the outer one has each value that the range of the collapsed one touches; the window of the
    inner one is exact only where the outer one is known.
    """
    match use:
        case Split(outer=outer, inner=inner) | Divide(outer=outer, inner=inner):
            if outer in around:
                return is_exact(graph, inner, around, narrowed, stepped)
            open_ = inner not in around and not graph.uses_towards(inner, around)
            return open_ and is_exact(graph, outer, around, narrowed, stepped)
        case Collapse(outer=outer, fused=fused):
            known = variable == outer or graph.is_derivable(outer, around)
            return known and is_exact(graph, fused, around, narrowed, stepped)
        case Bound(bounded=bounded):
            return is_exact(graph, bounded, around, narrowed, stepped)
        case Pos(position=position):
            exact = position in stepped or is_exact(graph, position, around, narrowed, stepped)
            return use in narrowed and exact
        case Coord():
            return False


def partitions(graph: Provenance, variable: str, around: Collection[str], stepped: Collection[str] = ()) -> bool:
    """Whether the windows of a variable, one for every value of the loops around, do not overlap.

    They do not where they are exact, and a value alone says what the loops around have that lead to it.
    """
    exact = variable in stepped or is_exact(graph, variable, around)
    return exact and tells(graph, variable, around)


def tells(graph: Provenance, variable: str, around: Collection[str]) -> bool:
    """Whether the values of loops around that lead to a variable follow from its own."""
    uses = [] if variable in around else graph.uses_towards(variable, around)
    return all(
        isinstance(use, Split | Divide | Bound) and all(tells(graph, v, around) for v in derived_variables(use))
        for use in uses
    )
