"""Races: which iterations of a loop write the same component (Senanayake 2020, section 4, parallelize).

Two iterations of a loop over `v` write one component of a tensor exactly if its coordinates, with the loops around,
leave the value of `v` open. The loop over `j` of `y(i) += A(i,j) * x(j)` races, that over `i` does not, and neither
does one over a tile of `i`; positions of `A` race, since many of them have one row. Where a loop visits duplicates of a
level one by one, it goes over positions, whatever its variable is: over `i`, it races if `A` is a list of coordinates.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct
from msgspec.structs import replace

from ..loops.fusing import strategies
from ..notation.syntax import Access
from ..statement.relation import Pos, parents
from ..statement.statement import Assign, Forall, Program, Sequence, Statement, Where, reads


class Race(Struct, frozen=True):
    """An assignment that several iterations of a loop make to one component.

    `whole`: of a tensor that the loop's coordinates do not index at all. `repeated`: operands whose duplicates the loop
    visits one by one, if the race comes from that.
    """

    leaf: Assign
    whole: bool
    repeated: tuple[Access, ...] = ()


def races(program: Program, loop: Forall, bound: tuple[str, ...]) -> Iterator[Race]:
    """The races of a loop, inside the loops `bound`."""
    graph, repeated = program.provenance, tuple(one_by_one(program, loop, bound))
    for leaf in shared_assignments(loop.body):
        known = {*leaf.target.indices, *bound}
        known |= {v for index in leaf.target.indices for v in program.provenance.parts(index)}
        open_ = tuple(access for access in repeated if not is_found(program, access, known))
        if open_ or not is_determined(program, loop.index, known):
            touched = set(graph.originals(loop.index)) & known
            yield Race(leaf, not touched, open_)


def one_by_one(program: Program, loop: Forall, bound: tuple[str, ...]) -> Iterator[Access]:
    """The operands whose duplicates a loop visits one by one: its iterations are their positions."""
    for strategy in strategies(program, loop, bound):
        if strategy.fused:
            yield from (active.access for active in strategy.coiterated)


def comes_once(program: Program, coordinates: Collection[str], around: Collection[str]) -> bool:
    """Whether loops come to each of some coordinates at most once: these tell where all loops stand, and no operand has
    one of them several times."""
    known = {*coordinates, *(v for index in coordinates for v in program.provenance.parts(index))}
    once = (is_unique(program, access) or is_found(program, access, known) for access in reads(without_copies(program)))
    return all(is_determined(program, v, known) for v in around) and all(once)


def without_copies(program: Program) -> Statement:
    """The statement of a program, but for what makes ordered copies of its operands (`ordering.py`)."""
    match program.statement:
        case Where(consumer=consumer, workspace=workspace) if workspace in program.ordered:
            return without_copies(replace(program, statement=consumer))
        case rest:
            return rest


def is_unique(program: Program, access: Access) -> bool:
    """Whether no level of an operand has a coordinate several times among siblings."""
    return all(level.unique for level in program.formats[access.tensor].levels)


def is_found(program: Program, access: Access, known: Collection[str]) -> bool:
    """Whether known variables leave an operand one position."""
    return program.formats[access.tensor].levels[-1].unique and set(access.levels) <= set(known)


def is_determined(program: Program, variable: str, known: Collection[str]) -> bool:
    """Whether known variables leave another one value: a coordinate does not tell which of equal siblings it is."""
    relation = program.provenance.derivation_of(variable)
    if variable in known or relation is None:
        return variable in known
    if isinstance(relation, Pos):
        level = program.formats[relation.access.tensor].levels[relation.last - 1]
        if not level.unique:
            return False
    return all(is_determined(program, parent, known) for parent in parents(relation))


def shared_assignments(s: Statement, own: frozenset[str] = frozenset()) -> Iterator[Assign]:
    """The assignments to tensors that live longer than one iteration of what encloses the statement."""
    match s:
        case Assign(target=target):
            if target.tensor not in own:
                yield s
        case Forall(body=body):
            yield from shared_assignments(body, own)
        case Where(consumer=consumer, producer=producer, workspace=workspace):
            yield from shared_assignments(producer, own | {workspace})
            yield from shared_assignments(consumer, own | {workspace})
        case Sequence(statements=statements):
            for each in statements:
                yield from shared_assignments(each, own)
