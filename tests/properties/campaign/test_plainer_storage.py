"""Plainer storage: formats become plainer one level at a time, and stay what features and semirings allow."""

import gnomon as gn
import pytest
from gnomon.properties.campaign.ingredients import essential, ingredients
from gnomon.properties.campaign.plainer_storage import plainer, plainer_formats
from gnomon.properties.programs.features import EVERYTHING, Storage
from gnomon.properties.programs.problem import Problem
from gnomon.reference.storage.format import Format
from msgspec.structs import replace


def problem(format: str, out: str = "dense,dense", semiring: str | None = None) -> Problem:
    a = gn.tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2), format)
    return Problem("R(i,j) = A(i,j)", {"A": a}, out, semiring)


def stored(found: Problem) -> tuple[str, str]:
    return ",".join(level.name for level in found.operands["A"].format.levels), str(found.out)


def test_the_plainest_comes_first_and_all_are_made_of_less() -> None:
    given = problem("compressed(unordered),bitmap", "DCSR")
    found = list(plainer(given, EVERYTHING))
    assert str(found[0].out) == "dense,dense"
    assert ("dense,dense", "DCSR") in map(stored, found) and ("compressed,bitmap", "DCSR") in map(stored, found)
    assert all(essential(ingredients(each)) <= essential(ingredients(given)) for each in found)
    assert not list(plainer(problem("dense,dense"), EVERYTHING))


def test_a_hidden_level_is_all_that_is_left() -> None:
    found = problem("hashed,bitmap")
    while (left := [e for e in plainer(found, EVERYTHING) if "level hashed" in ingredients(e)]) != []:
        found = left[0]
    assert stored(found)[0] == "hashed,dense"


def test_what_a_backend_does_not_take_is_left_out() -> None:
    narrow = replace(EVERYTHING, operands=Storage(levels=("compressed", "bitmap")))
    found = list(plainer(problem("compressed(unordered),bitmap"), narrow))
    assert [stored(each)[0] for each in found] == ["compressed,bitmap"]


def test_what_a_semiring_refuses_is_left_out() -> None:
    found = list(plainer(problem("compressed,bitmap", semiring="min_plus"), EVERYTHING))
    assert [stored(each)[0] for each in found] == ["dense,compressed", "dense,bitmap"]


def test_what_needs_components_that_are_absent_ends_in_rows() -> None:
    """Otherwise one defect of sparse kernels would have a minimal program in every sparse format."""
    given = problem("compressed(nonunique),singleton(nonunique)", "COO")
    found = {stored(each) for each in plainer(given, EVERYTHING)}
    assert {("dense,compressed", "COO"), ("compressed,singleton", "dense,compressed")} <= found


@pytest.mark.parametrize("format", ["BCSR(2,2)", "ELL", "DIA", "CSC"])
def test_maps_become_plain(format: str) -> None:
    assert Format(["dense", "dense"]) in plainer_formats(problem(format).operands["A"].format)


def test_operands_in_one_format_become_plainer_one_after_the_other() -> None:
    a = gn.tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2), "DCSR")
    found = Problem("R(i,j) = A(i,j) + B(i,j)", {"A": a, "B": a}, "dd")
    pairs = {tuple(str(t.format) for t in p.operands.values()) for p in plainer(found, EVERYTHING)}
    assert {("dense,dense", "DCSR"), ("DCSR", "dense,dense")} <= pairs


def test_duplicates_that_matter_come_in_order() -> None:
    given = problem("compressed(nonunique,unordered),singleton(nonunique,unordered)")
    formats = {str(each.operands["A"].format) for each in plainer(given, EVERYTHING)}
    assert "compressed(nonunique),singleton(nonunique)" in formats
