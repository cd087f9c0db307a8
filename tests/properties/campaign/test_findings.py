"""Findings: what one explains, and which are left when a simpler one is known."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.backends.outcome import Kind
from gnomon.properties.campaign.examination import Sighting, cluster
from gnomon.properties.campaign.findings import (
    TRIES,
    Finding,
    Rejected,
    attribute_units,
    known_ingredients,
    other_expressions,
    unexplained_sightings,
)
from gnomon.properties.campaign.ingredients import essential, ingredients
from gnomon.properties.programs.problem import Problem


def finding(unit: int, kind: Kind, source: str, dtype: str = "float64", cause: str = "Error: as told") -> Finding:
    operand = gn.tensor([[0]], np.ones(1, dtype), (2,), "Dense", dtype=dtype)
    problem = Problem(source, {"A": operand}, operand.format)
    return Finding(kind, cause, problem, "", True, (unit,), 0)


COMPRESSED = [
    Problem("C(i,j) = A(i,j)", {"A": gn.tensor([[0], [0]], [1.0], (2, 2), "dense,compressed")}, "dd"),
    Problem("y(i) = A(i)", {"A": gn.tensor([[0]], [1.0], (2,), "compressed")}, "d"),
]
PLAIN, SIN = "y(i) = A(i)", "y(i) = sin(A(i))"


@pytest.mark.parametrize(("kind", "left"), [(Kind.RAISED, [(0, 1)]), (Kind.WRONG, [(0,), (1,)])])
def test_exceptions_are_told_apart_by_what_they_say_and_others_by_what_they_need(kind: Kind, left: list) -> None:
    findings = [finding(0, kind, SIN), finding(1, kind, PLAIN, "int8")]
    sightings = [Sighting(f.units[0], 0, f.kind, f.cause, f.ingredients) for f in findings]
    assert [f.units for f in attribute_units(sightings, findings)[0]] == left


def test_exceptions_that_say_nothing_are_told_apart_by_what_they_need() -> None:
    findings = [finding(0, Kind.RAISED, SIN, cause="Error"), finding(1, Kind.RAISED, PLAIN, "int8", cause="Error")]
    sightings = [Sighting(f.units[0], 0, f.kind, f.cause, f.ingredients) for f in findings]
    assert attribute_units(sightings, findings) == (findings, [])


def test_a_few_sightings_of_an_exception_are_minimised_and_every_one_of_a_wrong_result() -> None:
    for kind, enough in ((Kind.RAISED, True), (Kind.WRONG, False)):
        findings = [finding(unit, kind, SIN) for unit in range(TRIES)]
        other = Sighting(9, 0, kind, "Error: as told", frozenset({"dtype int8"}))
        assert unexplained_sightings([other], findings[1:]) == [other]
        assert unexplained_sightings([other], findings) == ([] if enough else [other])


def test_the_simplest_program_explains_those_with_more_in_them() -> None:
    findings = [finding(0, Kind.WRONG, SIN, "int8"), finding(1, Kind.WRONG, PLAIN, "int8")]
    sightings = [Sighting(f.units[0], 0, f.kind, f.cause, f.ingredients) for f in findings]
    (only,), (rejected,) = attribute_units(sightings, findings)
    assert (rejected.finding, rejected.unit) == (findings[0], only.units[0])
    assert (only.problem.source, only.units) == (PLAIN, (0, 1))
    assert not unexplained_sightings([Sighting(7, 0, Kind.WRONG, "Error: as told", findings[0].ingredients)], [only])
    assert unexplained_sightings([Sighting(7, 0, Kind.WRONG, "something else", findings[0].ingredients)], [only])


def test_a_finding_explains_only_what_has_all_that_it_is_made_of() -> None:
    only = finding(3, Kind.WRONG, SIN)
    slid = Sighting(3, 0, Kind.WRONG, only.cause, frozenset({"operator cos"}))
    assert unexplained_sightings([slid], [only]) == [slid]
    assert known_ingredients(slid, [only]) == [only.ingredients]


def test_what_was_minimised_in_plainer_formats_explains_where_it_comes_from() -> None:
    only = finding(3, Kind.WRONG, SIN)
    stored = Finding(Kind.WRONG, only.cause, COMPRESSED[1], "", True, (3,), 0)
    made = stored.ingredients - {"levels compressed"} | {"levels compressed(unordered)", "operator cos"}
    origin, other = (Sighting(unit, 0, Kind.WRONG, only.cause, made) for unit in (3, 4))
    assert unexplained_sightings([origin], [stored]) == []
    assert unexplained_sightings([other], [stored]) == [other]
    assert attribute_units([origin, other], [stored])[0] == [stored]


def test_a_unit_counts_for_one_finding_first_for_that_which_it_was_minimised_to() -> None:
    findings = [finding(0, Kind.WRONG, SIN), finding(1, Kind.WRONG, PLAIN, "int8")]
    both = findings[0].ingredients | findings[1].ingredients
    sightings = [Sighting(unit, 0, Kind.WRONG, "Error: as told", both) for unit in (0, 1, 5)]
    kept, _ = attribute_units(sightings, findings)
    assert sorted(unit for f in kept for unit in f.units) == [0, 1, 5]
    assert [f.problem.source for f in kept if 1 in f.units] == [PLAIN]


def test_the_same_in_another_format_is_one_defect() -> None:
    one, other = (Finding(Kind.WRONG, "values", problem, "", True, (n,), 0) for n, problem in enumerate(COMPRESSED))
    assert not one.ingredients <= other.ingredients
    assert essential(one.ingredients) == essential(other.ingredients)
    (kept,), (rejected,) = attribute_units([], [one, other])
    assert (kept, rejected.finding) == (one, other)


def test_causes_that_differ_in_names_are_put_together_from_the_third() -> None:
    causes = [f"Error: '{name}' undeclared" for name in ("kA", "iB", "jC")]
    sightings = [Sighting(n, 0, Kind.RAISED, cause, frozenset()) for n, cause in enumerate(causes)]
    assert cluster(sightings[:2]) == sightings[:2]
    assert {s.cause for s in cluster(sightings)} == {"Error: … undeclared"}
    only = finding(0, Kind.RAISED, PLAIN, cause="Error: … undeclared")
    (kept,), _ = attribute_units(cluster(sightings), [only])
    assert kept.units == (0, 1, 2)
    assert cluster(sightings)[0].is_shown(Kind.RAISED, "Error: 'lD' undeclared")


MATRIX = gn.tensor([[0], [0]], [1.0], (2, 2), "CSR")
TWICE = gn.tensor([[0, 0], [0, 0]], [1.0, 1.0], (2, 2), "compressed(nonunique),singleton(nonunique)")
SUM, DIFFERENCE = "C(i,j) = A(i,j) + B(i,j)", "C(i,j) = A(i,j) - B(i,j)"


def named(unit: int, source: str, operand: gn.Tensor = MATRIX, out: str = "dd") -> Finding:
    names = [name for name in "ABM" if f"{name}(" in source.partition(") = ")[2] + source.partition("<")[2]]
    problem = Problem(source, dict.fromkeys(names, operand), out)
    return Finding(Kind.WRONG, "values", problem, "", True, (unit,), 0, named=True)


def seen(found: Finding) -> Sighting:
    return Sighting(found.units[0], 0, found.kind, found.cause, found.ingredients)


def count(*findings: Finding) -> int:
    return len(attribute_units([seen(f) for f in findings], findings)[0])


def test_named_expressions_are_what_findings_are_told_apart_by() -> None:
    one, other = named(0, "C(i,j) = A(i,k) * B(k,j)"), named(1, "y(i) = A(i,k) * B(k,i)", out="d")
    assert count(one, other) == 2
    assert count(*(Finding(f.kind, f.cause, f.problem, "", True, f.units, 0) for f in (one, other))) == 1
    assert unexplained_sightings([seen(one), seen(other)], []) == [seen(one), seen(other)]


def test_masks_and_signs_make_no_other_expression() -> None:
    product = named(0, "C(i,j) = A(i,k) * B(k,j)")
    assert count(product, named(1, "C(i,j)<!$M(i,j)> = A(i,k) * B(k,j)")) == 1
    assert count(named(0, SUM), named(1, DIFFERENCE)) == 1
    assert unexplained_sightings([seen(named(2, DIFFERENCE))], [named(0, SUM)]) == []
    assert unexplained_sightings([seen(named(2, SUM))], [named(0, DIFFERENCE)]) != []


def test_a_difference_is_a_sum_and_more() -> None:
    assert ingredients(named(0, DIFFERENCE).problem) - ingredients(named(0, SUM).problem) == {"operator sub"}


def test_one_oddity_of_operands_in_several_expressions_is_one_finding() -> None:
    one, other = named(0, "B(j,i) = A(i,j)", TWICE), named(1, SUM, TWICE)
    kept, rejected = attribute_units([seen(one), seen(other)], [one, other])
    assert [f.units for f in kept] == [(0, 1)]
    assert other_expressions(kept[0], rejected) == [SUM]
    assert other_expressions(kept[0], [Rejected(one, 0)]) == []
    assert count(named(0, "B(j,i) = A(i,j)"), named(1, SUM)) == 2


def test_what_is_shown_in_the_formats_of_another_is_the_same() -> None:
    rows = named(0, SUM)
    columns = named(1, SUM, MATRIX.convert("COO"))
    assert count(rows, columns) == 2
    assert (
        count(rows, Finding(*(getattr(columns, n) for n in columns.__struct_fields__[:7]), rows.ingredients, True)) == 1
    )
