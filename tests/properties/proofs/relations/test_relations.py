"""Relations are proved to map one to one, and wrong definitions are refuted with numbers on which they go wrong."""

from __future__ import annotations

from typing import Any

import pytest
from gnomon.properties.proofs.relations.relation_cases import (
    Case,
    Kind,
    bound_case,
    collapse_case,
    coord_case,
    divide_case,
    pair_ends,
    part_ends,
    pos_case,
    split_case,
    stored_ends,
    tile_ends,
    whole_ends,
)
from gnomon.properties.proofs.relations.relation_claims import Claims, Functions
from gnomon.properties.proofs.relations.relations import is_empty
from gnomon.properties.proofs.relations.stored import COUNT, CRD, EXTENT, Storage, facts
from gnomon.properties.proofs.relations.symbolic import Execution
from gnomon.properties.proofs.relations.term_values import extent_of
from gnomon.properties.proofs.solver import exhibit, z3
from gnomon.properties.proofs.verdict import Proved, Refuted
from gnomon.reference.statement.relation import (
    Collapse,
    Derivation,
    Divide,
    Split,
    factor,
    recover_derived,
    recover_original,
)
from msgspec.structs import replace

KINDS = {
    "split": split_case,
    "divide": divide_case,
    "collapse": collapse_case,
    "bound": bound_case,
    **{f"pos {storage}": pos_case(storage) for storage in Storage},
    **{f"coord {storage}": coord_case(storage) for storage in Storage},
}


def small(kind: Kind, coordinates: tuple[int, ...]) -> Kind:
    """A case over storage that holds these coordinates."""
    held = [CRD(z3.IntVal(p)) == c for p, c in enumerate(coordinates)]

    def case(run: Execution) -> Case:
        whole = kind(run)
        stores = "n" in whole.parameters
        return replace(whole, given=(*whole.given, *held, COUNT == 3, EXTENT == 6)) if stores else whole

    return case


@pytest.mark.parametrize("name", KINDS)
def test_what_is_assumed_can_be_met(name: str) -> None:
    claims = Claims(small(KINDS[name], (0, 1, 1) if "nonunique" in name else (0, 1, 5)))
    for claim in (claims.downward, claims.upward, claims.keeps_bounds):
        assert isinstance(claims.witness(claim), Proved), claim.__name__


def test_the_ends_of_ranges_can_be_met() -> None:
    ends = (
        (split_case, "a", whole_ends),
        (split_case, "b", tile_ends),
        (divide_case, "b", part_ends),
        (collapse_case, "f", pair_ends),
        (bound_case, "b", whole_ends),
        (pos_case(Storage.ORDERED), "p", stored_ends),
    )
    for kind, variable, each in ends:
        claims = Claims(kind)
        assert isinstance(claims.witness(claims.attains_bounds(variable, each)), Proved)


@pytest.mark.parametrize("storage", Storage)
def test_there_is_storage_of_every_kind(storage: Storage) -> None:
    three = [CRD(z3.IntVal(p)) == c for p, c in enumerate((0, 2, 2) if storage is Storage.NONUNIQUE else (0, 2, 5))]
    assert isinstance(exhibit([*facts(storage), COUNT == 3, *three], {}), Proved)


def test_duplicates_do_not_map_one_to_one() -> None:
    claims = Claims(small(pos_case(Storage.NONUNIQUE), (0, 2, 2)))
    assert isinstance(claims.prove(claims.distinct), Refuted)
    assert isinstance(claims.prove(claims.upward), Refuted)


def test_a_division_with_empty_parts_is_one() -> None:
    assert extent_of(Divide("i", "a", "b", 3), "a", {"i": 2}.get) == 3
    assert isinstance(Claims(divide_case).witness(is_empty), Proved)


class Sizes:
    """A space of plain extents."""

    def __init__(self, extents: dict[str, int]) -> None:
        self.extents = extents

    def extent(self, variable: str) -> int:
        return self.extents[variable]


def numbers(verdict: Any) -> dict[str, int]:
    """The counterexample."""
    assert isinstance(verdict, Refuted), verdict
    return {name: int(value) for name, value in verdict.counterexample if name != "error"}


def swapped(relation: Derivation, variable: str, values: Any, space: Any) -> Any:
    if isinstance(relation, Split):
        return values[relation.outer] + values[relation.inner] * relation.factor
    return recover_original(relation, variable, values, space)


def test_a_split_that_scales_the_inner_value_is_refuted() -> None:
    claims = Claims(split_case, Functions(recover_original=swapped))
    found = numbers(claims.prove(claims.downward))
    relation, values = Split("i", "a", "b", found["size"]), {"i": found["i"]}
    below = {v: recover_derived(relation, v, values, Sizes({})) for v in ("a", "b")}
    assert swapped(relation, "i", below, Sizes({})) != found["i"]
    assert recover_original(relation, "i", below, Sizes({})) == found["i"]


def floored(relation: Derivation, variable: str, count: Any) -> Any:
    if isinstance(relation, Split) and variable == relation.outer:
        return count(relation.parent) // relation.factor
    return extent_of(relation, variable, count)


def test_as_many_tiles_as_are_whole_is_refuted() -> None:
    claims = Claims(split_case, Functions(extent_of=floored))
    found = numbers(claims.prove(claims.keeps_bounds))
    assert 0 <= found["i"] < found["extent"]
    assert found["i"] // found["size"] >= found["extent"] // found["size"]


def test_a_tile_that_is_always_full_is_refuted() -> None:
    def full(relation: Derivation, variable: str, count: Any) -> Any:
        assert isinstance(relation, Split)
        return relation.factor if variable == relation.inner else extent_of(relation, variable, count)

    claims = Claims(split_case, Functions(extent_of=full))
    found = numbers(claims.prove(claims.attains_bounds("b", tile_ends)))
    assert found["extent"] < found["size"]


@pytest.mark.parametrize("more", [-1, 1])
def test_extents_that_are_off_by_one_are_refuted(more: int) -> None:
    def shifted(relation: Derivation, variable: str, count: Any) -> Any:
        return extent_of(relation, variable, count) + more

    for kind, variable, ends in (
        (split_case, "a", whole_ends),
        (bound_case, "b", whole_ends),
        (collapse_case, "f", pair_ends),
        (pos_case(Storage.ORDERED), "p", stored_ends),
    ):
        claims = Claims(kind, Functions(extent_of=shifted))
        contained, attained = claims.prove(claims.keeps_bounds), claims.prove(claims.attains_bounds(variable, ends))
        assert isinstance(contained, Refuted) == (more < 0)
        assert isinstance(attained, Refuted)


def test_a_width_that_is_rounded_down_is_refuted() -> None:
    def narrow(relation: Divide, space: Any) -> Any:
        return space.extent(relation.parent) // relation.parts

    def narrowed(relation: Derivation, variable: str, values: Any, space: Any) -> Any:
        assert isinstance(relation, Divide)
        width = narrow(relation, space)
        return values["i"] // width if variable == relation.outer else values["i"] % width

    claims = Claims(divide_case, Functions(recover_derived=narrowed))
    found = claims.prove(claims.keeps_bounds)
    assert isinstance(found, Refuted)
    values = dict(found.counterexample)
    extent, parts, i = (int(values[name]) for name in ("extent", "parts", "i"))
    width = extent // parts
    assert 0 <= i < extent and (width == 0 or i // width >= parts)
    assert factor(Divide("i", "a", "b", parts), Sizes({"i": extent})) * parts >= extent


def test_a_collapse_by_the_outer_extent_is_refuted() -> None:
    def outer(relation: Derivation, variable: str, values: Any, space: Any) -> Any:
        return values["i"] * space.extent("i") + values["j"]

    claims = Claims(collapse_case, Functions(recover_derived=outer))
    found = numbers(claims.prove(claims.downward))
    sizes = Sizes({"i": found["rows"], "j": found["columns"]})
    fused = outer(Collapse("i", "j", "f"), "f", found, sizes)
    back = [recover_original(Collapse("i", "j", "f"), v, {"f": fused}, sizes) for v in "ij"]
    assert back != [found["i"], found["j"]]
