"""Relations: their functions map one to one, and extents are exact.

The functions of `relation.py` run unchanged, and the extents of the loop plan are translated, with symbolic extents,
factors and parts: what is proved holds for tails of every length. (Senanayake 2020, sections 3.3, 5.1 and 5.2, Figures
17 to 19.)
"""

from __future__ import annotations

from ..obligation import Obligation
from ..solver import Term, z3
from ..verdict import together
from .relation_cases import (
    Case,
    bound_case,
    collapse_case,
    coord_case,
    divide_case,
    last_part,
    pair_ends,
    part_ends,
    pos_case,
    split_case,
    stored_ends,
    tile_ends,
    whole_ends,
)
from .relation_claims import Claim, Claims, same, unknown
from .stored import Storage
from .symbolic import Execution, term_of

RECOVERY = "schedule.relation"


def obligations() -> tuple[Obligation, ...]:
    """What holds of each relation."""
    return (
        *of_split(),
        *of_divide(),
        *of_collapse(),
        *of_bound(),
        *(each for storage in Storage for each in of_pos(storage)),
        *(each for storage in Storage for each in of_coord(storage)),
    )


def obligation(claims: Claims, id: str, statement: str, *wanted: Claim, rule: str) -> Obligation:
    """The obligation to prove some claims."""
    return Obligation(f"relations.{id}", statement, lambda: together(map(claims.prove, wanted)), (rule, RECOVERY))


def common(claims: Claims, id: str, what: str, rule: str) -> tuple[Obligation, ...]:
    """What holds of every relation that maps one to one."""
    undone = f"{what}: recover_original undoes recover_derived, and the other way round."
    paired = f"{what}: the values of the domain and the admitted derived values map one to one."
    return (
        obligation(claims, f"{id}.inverse", undone, claims.downward, claims.upward, rule=rule),
        obligation(claims, f"{id}.bijective", paired, claims.keeps_bounds, claims.distinct, rule=rule),
    )


def of_split() -> tuple[Obligation, ...]:
    """A split of any extent by any factor."""
    claims, rule = Claims(split_case), "schedule.split.recover"
    return (
        *common(claims, "split", "A split by any factor", rule),
        obligation(
            claims,
            "split.bounds",
            "There are as many tiles as values lie in, and the first one is full, or all that there is.",
            claims.keeps_bounds,
            claims.attains_bounds("a", whole_ends),
            claims.attains_bounds("b", tile_ends),
            rule=rule,
        ),
    )


def of_divide() -> tuple[Obligation, ...]:
    """A division of any extent into any number of parts."""
    claims, rule = Claims(divide_case), "schedule.split.recover"
    return (
        *common(claims, "divide", "A division into any number of parts", rule),
        obligation(
            claims,
            "divide.bounds",
            "The first part of a division is whole; the outer bound is reached unless the last part is empty.",
            claims.keeps_bounds,
            claims.attains_bounds("b", part_ends),
            claims.attains_bounds("a", last_part),
            rule=rule,
        ),
        Obligation(
            "relations.divide.empty",
            "The last part of a division may be empty.",
            lambda: claims.witness(is_empty),
            (rule,),
        ),
    )


def is_empty(case: Case, run: Execution) -> Term:
    """Whether the last part of a division begins beyond the extent."""
    _, start = last_part(case)
    return z3.And(term_of(case.space.extent("i")) > 0, term_of(start["i"]) >= term_of(case.space.extent("i")))


def of_collapse() -> tuple[Obligation, ...]:
    """A collapse of any two extents."""
    claims, rule = Claims(collapse_case), "schedule.collapse.recover"
    return (
        *common(claims, "collapse", "A collapse of any two extents", rule),
        obligation(
            claims,
            "collapse.bounds",
            "What is collapsed reaches from the first pair of values to the last.",
            claims.keeps_bounds,
            claims.attains_bounds("f", pair_ends),
            rule=rule,
        ),
    )


def of_bound() -> tuple[Obligation, ...]:
    """A bound on any extent."""
    claims, rule = Claims(bound_case), "schedule.bound.recover"
    said = "A bounded variable has the extent of its parent."
    return (
        *common(claims, "bound", "A bound", rule),
        obligation(
            claims, "bound.bounds", said, claims.keeps_bounds, claims.attains_bounds("b", whole_ends), rule=rule
        ),
    )


def of_pos(storage: Storage) -> tuple[Obligation, ...]:
    """The positions of stored coordinates."""
    claims, rule, id, what = (
        Claims(pos_case(storage)),
        "schedule.pos.recover",
        f"pos.{storage}",
        f"Positions: {storage.words}",
    )
    ends = f"{what}: positions reach from the first to the last."
    match storage:
        case Storage.NONUNIQUE:
            first = f"{what}: the first of equal siblings is given, and each of them gives the coordinate back."
            wanted = (claims.downward, claims.keeps_bounds, gives_the_first)
            return (obligation(claims, f"{id}.first", first, *wanted, rule=rule),)
        case Storage.PADDED:
            return common(claims, id, what, rule)
        case Storage.ORDERED | Storage.UNORDERED:
            bounds = obligation(claims, f"{id}.bounds", ends, claims.attains_bounds("p", stored_ends), rule=rule)
            return (*common(claims, id, what, rule), bounds)


def gives_the_first(case: Case, run: Execution) -> Term:
    """Whether a position's coordinate leads to one that is not behind it and holds the same."""
    claims, values = Claims(pos_case(Storage.NONUNIQUE)), unknown(run, ("p",))
    above = claims.admit(case, run, values)
    below = claims.down(case, above)
    return z3.And(term_of(below["p"]) <= term_of(values["p"]), same(above, claims.up(case, below)))


def of_coord(storage: Storage) -> tuple[Obligation, ...]:
    """The coordinates that positions hold."""
    claims, rule, id, what = (
        Claims(coord_case(storage)),
        "schedule.coord.recover",
        f"coord.{storage}",
        f"Coords: {storage.words}",
    )
    if storage is not Storage.NONUNIQUE:
        return common(claims, id, what, rule)
    back = f"{what}: a stored coordinate gives back itself by the first of its positions."
    return (obligation(claims, f"{id}.first", back, claims.upward, claims.keeps_bounds, claims.distinct, rule=rule),)
