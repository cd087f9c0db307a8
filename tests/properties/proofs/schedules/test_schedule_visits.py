"""Visits: what is assumed of storage holds of tensors, can be met, and leaves open what storage leaves open."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import product

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.programs.features import Features
from gnomon.properties.proofs.relations.symbolic import Execution
from gnomon.properties.proofs.schedules.schedule_visits import (
    Place,
    Visit,
    name,
    places_of,
    precedes,
    storage_facts,
    two_visits,
)
from gnomon.properties.proofs.solver import Found, Nothing, Term, z3
from gnomon.properties.strategies.formats import formats
from gnomon.properties.strategies.tensors import tensors
from gnomon.reference.levels.iterators import children
from gnomon.reference.notation.syntax import Access
from gnomon.reference.schedule.application import apply_schedule_unchecked
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.relation import Pos
from gnomon.reference.statement.statement import Program, reads
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

Stored = tuple[tuple[int, ...], tuple[int, ...]]


def reading(tensor: Tensor) -> Program:
    """A program that counts the positions of the first level of an operand."""
    indices = ",".join("ijk"[: tensor.order])
    ready = prepare(f"R({indices}) = A({indices})", {"A": tensor}, convert="auto")
    (access,) = (a for a in reads(ready.program.statement) if a.tensor == "A")
    counted = ready.program.provenance.extend(Pos(access.levels[0], "p", access, 0, 1))
    return replace(ready.program, provenance=counted)


def places(tensor: Tensor) -> Iterator[Stored]:
    """The coordinates and positions of every component, level by level."""
    levels = tensor.bound_levels()
    found: list[Stored] = [((), (0,))]
    for level in levels:
        found = [((*c, i), (*q, p)) for c, q in found for i, p in children(level, q[-1], c)]
    yield from found


@given(st.data())
@settings(max_examples=settings().max_examples // 2)
def test_what_is_assumed_holds_of_every_tensor(data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=3)))
    check_assumptions(
        data.draw(tensors(shape, format=data.draw(formats(len(shape))), features=Features(empties=False)))
    )


def check_assumptions(tensor: Tensor) -> None:
    """Evaluate what is assumed at every two places of a tensor, duplicates apart and together."""
    program = reading(tensor)
    (access,) = (r.access for r in program.provenance.positions())
    each = list(places(tensor))
    check_places(program, each, frozenset({access}))
    check_places(program, gathered(each), frozenset())


def gathered(each: list[Stored]) -> list[Stored]:
    """Places with the first position of each coordinate path, level by level."""
    first: dict[tuple[int, ...], int] = {}
    for coordinates, positions in each:
        for k in range(len(coordinates) + 1):
            first.setdefault(coordinates[:k], positions[k])
    return [(c, tuple(first[c[:k]] for k in range(len(c) + 1))) for c in dict.fromkeys(c for c, _ in each)]


def check_places(program: Program, found: list[Stored], apart: frozenset[Access]) -> None:
    """Evaluate what is assumed at every two of some places."""
    (access,) = (r.access for r in program.provenance.positions())
    place = Place(next(iter(places_of(program, program.statement))).leaf, (), apart)
    run = Execution()
    a, b = Visit(program, place, "", run), Visit(program, place, "'", run)
    said = z3.And(*storage_facts(program, a, b))
    for first, second in product(found[:9], repeat=2):
        values = []
        for (coordinates, positions), mark in ((first, ""), (second, "'")):
            values += [(z3.Int(f"{v}{mark}"), z3.IntVal(c)) for v, c in zip(access.levels, coordinates, strict=True)]
            values += [(z3.Int(f"{name(access)} {k}{mark}"), z3.IntVal(q)) for k, q in enumerate(positions) if k]
        assert z3.is_true(z3.simplify(z3.substitute(said, *values))), (first, second)


@pytest.mark.parametrize(
    "format", ["compressed(nonunique),dense", "compressed(nonunique),hashed", "COO", "CSB(2,2)", "DIA", "ELL", "CSC"]
)
def test_it_holds_where_siblings_repeat(format: str) -> None:
    check_assumptions(gn.tensor([[0, 0, 1, 2, 2], [0, 1, 1, 0, 2]], np.arange(5.0), (3, 3), format))


def test_rows_stored_twice_are_two_places() -> None:
    """What no packing makes, but a format allows: one row twice, each time with all its columns."""
    row = gn.tensor([[0, 0], [0, 1]], [1.0, 2.0], (1, 2), "compressed(nonunique),dense(nonunique,unordered)")
    arrays = ({"pos": np.array([0, 2], np.int32), "crd": np.array([0, 0], np.int32)}, {})
    twice = dataclasses.replace(row, levels=arrays, vals=np.arange(4.0))
    twice.validate()
    check_assumptions(twice)


def spmv(schedule: str, format: str = "CSR", out: str | None = None) -> Program:
    """A product of a matrix and a vector by a schedule that nothing has checked."""
    operands = {"A": gn.tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2), format), "x": np.ones(2)}
    source = "y(i) = A(i,j) * x(j)"
    return prepare(source, operands, out=out, schedule=schedule, applied=apply_schedule_unchecked).program


def only(program: Program) -> Place:
    """The one assignment of a program."""
    (place,) = places_of(program, program.statement)
    return place


@pytest.mark.parametrize("format", ["CSR", "DCSR", "COO", "HashRows", "BCSR(2,2)", "CSB(2,2)"])
def test_two_different_visits_are_possible(format: str) -> None:
    """What is assumed does not contradict itself: everything would follow."""
    program = spmv("pos(j,p,A(i,j)),split(p,p0,p1,2)" if not format.endswith(")") else "", format)
    place = only(program)
    assert isinstance(
        two_visits(program, place, lambda a, b: [precedes(a.terms(place.loops), b.terms(place.loops))]), Found
    )


@pytest.mark.parametrize(
    ("schedule", "format", "open_"),
    [
        ("pos(i,p,A(i,j))", "DCSR", False),
        ("pos(i,p,A(i,j))", "COO", True),
        ("collapse(i,j,f),pos(f,p,A(i,j))", "COO", True),
        ("collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)", "CSR", True),
        ("split(i,p,q,2)", "CSR", False),
        ("divide(i,p,q,3)", "CSR", False),
        ("bound(i,p,2,max_exact)", "CSR", False),
        ("pos(j,q,A(i,j)),coord(q,p)", "CSR", True),
    ],
)
def test_a_row_determines_a_loop_or_does_not(schedule: str, format: str, open_: bool) -> None:
    program = spmv(schedule, format)
    place = only(program)
    found = two_visits(program, place, lambda a, b: [a.term("i") == b.term("i"), a.term("p") != b.term("p")])
    assert isinstance(found, Found) if open_ else isinstance(found, Nothing)


def test_two_coordinates_determine_a_position_of_both() -> None:
    """A row of COO alone does not tell which of its places is meant; with the column it does."""
    program = spmv("pos(i,p,A(i,j))", "COO")
    place = only(program)

    def same(a: Visit, b: Visit) -> list[Term]:
        return [a.term("i") == b.term("i"), a.term("j") == b.term("j"), a.term("p") != b.term("p")]

    assert isinstance(two_visits(program, place, same), Nothing)


@pytest.mark.parametrize(("format", "sorted_"), [("SparseVector", True), ("compressed(unordered)", False)])
def test_tiles_of_positions_are_in_the_order_of_sorted_coordinates(format: str, sorted_: bool) -> None:
    v = gn.tensor([[0, 1]], [1.0, 2.0], (2,), format)
    program = prepare("y(i) = v(i)", {"v": v}, schedule="pos(i,p,v(i)),split(p,p0,p1,1)").program
    found = two_visits(program, only(program), lambda a, b: [a.term("p0") < b.term("p0"), a.term("i") > b.term("i")])
    assert isinstance(found, Nothing) is sorted_


def test_a_loop_whose_value_does_not_follow_is_compared_with_nothing_but_keeps_to_its_range() -> None:
    """`f` counts rows of one value and columns; where no loop over rows is around, columns come with every `f`."""
    schedule = "split(i,a,b,1),split(j,c,d,2),reorder(a,b,d,c),collapse(b,d,f),loopfuse({},1,right,T)"
    program = spmv(schedule, "RowMajor")
    (filling,) = (each for each in places_of(program, program.statement) if each.leaf.target.tensor == "T")
    assert filling.loops == ("f", "j", "c")
    other = two_visits(program, filling, lambda a, b: [a.term("j") == 1, a.term("f") == 0, b.term("f") == 1])
    assert isinstance(other, Found)
    for outside in (-1, 2):
        assert isinstance(two_visits(program, filling, lambda a, _, f=outside: [a.term("f") == f]), Nothing)


def test_the_values_that_are_shown_are_derived_as_they_should_be() -> None:
    program = spmv("split(i,i0,i1,3),reorder(i1,i0)")
    found = two_visits(program, only(program), lambda a, b: [a.term("i1") == 2, a.term("i0") > 0, b.term("i") == 4])
    assert isinstance(found, Found)
    assert found.integer("i") == 3 * found.integer("i0") + 2
    assert (found.integer("i0'"), found.integer("i1'")) == (1, 1)
