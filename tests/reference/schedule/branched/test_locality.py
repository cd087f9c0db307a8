"""Locality: how far apart neighbours of a loop are stored."""

from __future__ import annotations

import pytest
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.schedule.branched.cost import Sizes
from gnomon.reference.schedule.branched.graph import Linear, branch, structure
from gnomon.reference.schedule.branched.locality import access_cost, disorder, loops_to, walks
from gnomon.reference.schedule.branched.space import Found

from .kernels import schedules_of


def found(row: int, name: str) -> Found:
    """The schedule of a structure."""
    return next(each for each in schedules_of(row) if structure(each.graph) == name)


def test_assignments_with_their_loops_and_tensors() -> None:
    contraction = KERNELS[5].contraction
    chosen = found(5, "i,n,(j,(k | m) | l,m)")
    assert [walk.loops for walk in walks(contraction, chosen)] == [tuple("injk"), tuple("injm"), tuple("inlm")]
    tensors = [sorted("".join(each) for each in walk.tensors) for walk in walks(contraction, chosen)]
    assert tensors == [["", "ijk", "kn"], ["", "jm", "m"], ["il", "lmn", "m"]]


@pytest.mark.parametrize(
    ("row", "name", "cost", "turned"),
    [
        (1, "i,j,(k | l)", 0, 0),
        (1, "i,j,k,l", 0, 0),
        (1, "i,j,l,k", 0, 0),
        (1, "i,l,j,k", 0, 1),
        (4, "i,k,(j | l)", 64, 1),
        (5, "i,n,(j,(k | m) | m,l)", 16 + 256, 3),
    ],
)
def test_strides_and_turned_indices(row: int, name: str, cost: float, turned: int) -> None:
    contraction, sizes = KERNELS[row].contraction, KERNELS[row].sizes
    assert access_cost(contraction, found(row, name), sizes) == cost
    assert disorder(contraction, found(row, name)) == turned


def test_operands_are_found_where_branches_take_them() -> None:
    """Of A, B | C, D: the consumer has T, C, D; of T, C | D its producer has T and C."""
    one, two = Linear(("k",), frozenset()), Linear(("l",), frozenset())
    inner = branch(("j",), frozenset(), 2, "left", frozenset(), one, two)
    outer = branch(("i",), frozenset(), 2, "left", frozenset(), Linear(("a",), frozenset()), inner)
    assert [loops_to(outer, place) for place in range(4)] == [("i", "a"), ("i", "a"), ("i", "j", "k"), ("i", "j", "l")]
    other = branch(("i",), frozenset(), 1, "right", frozenset(), inner, Linear(("a",), frozenset()))
    assert [loops_to(other, place) for place in range(3)] == [("i", "a"), ("i", "j", "k"), ("i", "j", "k")]


def test_temporaries_are_stored_as_they_are_read() -> None:
    contraction = KERNELS[5].contraction
    chosen = next(
        each
        for each in schedules_of(5)
        if structure(each.graph) == "l,(i,j,k | k,j,m,n)" and each.order == (0, 1, 2, 3)
    )
    filling, reading = walks(contraction, chosen)
    assert filling.tensors[-1] == tuple("kj") and tuple("kj") in reading.tensors
    sizes = Sizes({**KERNELS[5].extents, "j": 7}, {0: KERNELS[5].stored})
    assert access_cost(contraction, chosen, sizes) == 7
