"""Transpositions: which there are, in which order they are visited, and how much of them is expected."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.schedule.branched.contraction import contraction_of
from gnomon.reference.schedule.branched.graph import structure
from gnomon.reference.schedule.branched.realisation import realise
from gnomon.reference.schedule.branched.space import branched_schedules
from gnomon.reference.schedule.branched.transposition import Variant, transpositions
from gnomon.reference.schedule.branched.works import Works
from gnomon.reference.schedule.schedule import Schedule

CHAIN = "A(i,l) = B(i,j) * C(j,k) * D(k,l)"


def variants(expression: str, formats: dict[str, str]) -> list[Variant]:
    """The variants of an expression with a converted operand."""
    request = make_request(expression, formats)
    program = request.program
    return list(transpositions(Variant(contraction_of(program), program)))


def test_each_operand_that_stores_coordinates_is_converted_to_each_other_order() -> None:
    assert [str(Schedule(each.commands)) for each in variants(CHAIN, {"B": "CSR", "D": "CSR"})] == [
        "convert(B(i,j),{j,i})",
        "convert(D(k,l),{l,k})",
    ]
    orders = [
        each.contraction.operands[n].levels
        for each in variants("A(l,m) = B(i,j,k) * C(i,l) * D(j,m)", {"B": "CSF"})
        for n in range(3)
        if each.contraction.operands[n].made_of
    ]
    assert len(orders) == len(set(orders)) == 5 and ("i", "j", "k") not in orders


@pytest.mark.parametrize("formats", [{}, {"B": "BCSR(2,2)"}, {"B": "DIA"}])
def test_what_is_dense_or_mapped_stays(formats: dict[str, str]) -> None:
    assert variants(CHAIN, formats) == []


def test_orders_that_contradict_another_operand_are_left_out() -> None:
    both = {"B": "CSR", "C": "CSR"}
    assert variants("A(i) = B(i,j) * C(i,j) * x(j) * z(j)", both) == []
    assert len(variants("A(i,k) = B(i,j) * C(i,k) * x(j)", both)) == 2


@pytest.mark.parametrize(
    ("expression", "formats", "orders"),
    [
        ("y(i) = A(i,k) * A(i,k) * A(i,k)", {"A": "DCSR"}, {("k", "i"): 3}),
        ("y(i) = A(i,k,j) * A(i,k,j) * x(j)", {"A": "CSF(2,0,1)"}, {("i", "k", "j"): 2, ("k", "i", "j"): 2}),
        ("s = x(i) * A(i,k) * A(i,k)", {"A": "COO"}, {("k", "i"): 2}),
        ("y(i) = A(i,k) * A(k,j) * A(i,k)", {"A": "CSR"}, {("k", "i"): 2, ("j", "k"): 1}),
    ],
)
def test_what_is_read_twice_is_converted_once_for_both(
    expression: str, formats: dict[str, str], orders: dict[tuple[str, ...], int]
) -> None:
    found = variants(expression, formats)
    turned = [[each.levels for each in variant.contraction.operands if each.made_of] for variant in found]
    assert all(len(set(each)) == 1 for each in turned)
    assert {each[0]: len(each) for each in turned}.items() >= orders.items()
    for variant in found:
        work = Works(variant.contraction).of(next(branched_schedules(variant.contraction, 1)))
        assert variant.origins == ("A",) and sum(count // 1200 for count, _ in work.terms) == 1
    gn.compile(expression, **formats)


def test_where_an_operand_is_computed_before_all_stay() -> None:
    request = make_request("C(i,j) = A(i,j) * D(i) * max(k, E(j,k))", {"A": "CSR", "E": "CSR"})
    program = request.program
    variant = Variant(contraction_of(program), program)
    assert variant.contraction.path and list(transpositions(variant)) == []


def test_diagonals_stay() -> None:
    assert variants("a(k) = B(i,i) * C(i,k) * D(k)", {"B": "CSR"}) == []


def test_what_is_converted_is_visited_in_its_own_order_only() -> None:
    (variant,) = variants(CHAIN, {"B": "CSR"})
    assert variant.origins == ("B",)
    linear = [
        structure(each.graph) for each in branched_schedules(variant.contraction, 0) if "|" not in structure(each.graph)
    ]
    assert linear and all(each.index("j") < each.index("i") for each in linear)


def test_of_what_is_converted_as_many_fibers_are_expected_as_its_components_reach() -> None:
    (variant,) = variants(CHAIN, {"B": "DCSR", "C": "Dense(1,0)"})
    works = Works(variant.contraction)
    found = {structure(each.graph): str(works.of(each)) for each in branched_schedules(variant.contraction, 1)}
    assert found["j,(k,l | i,l)"] == "8·J·K·L·[1-(1-nnz(B)/(I·J))^I] + 8·L·nnz(B) + 1200·nnz(B)"


@pytest.mark.every(2)
@pytest.mark.parametrize("row", [4, 6])
def test_all_compute_the_same(row: int) -> None:
    kernel, rng = KERNELS[row], np.random.default_rng(row)
    shapes = {4: {"B": (3, 4), "C": (4, 2), "D": (2, 3)}, 6: {"B": (2, 3, 4), "C": (3, 2), "D": (4, 2)}}[row]
    operands = {n: rng.integers(0, 3, shape).astype(float) for n, shape in shapes.items()}
    where = np.nonzero(operands["B"])
    sparse = gn.tensor(np.array(where), operands["B"][where], shapes["B"], kernel.sparse)
    operands = {**operands, "B": sparse}
    for variant in variants(kernel.expression, {"B": kernel.sparse}):
        for found in list(branched_schedules(variant.contraction, 1))[::29]:
            made = realise(variant.program, variant.contraction, found)
            schedule = str(Schedule((*variant.commands, *made.commands)))
            gn.check(kernel.expression, out=kernel.out, schedule=schedule, **operands)
