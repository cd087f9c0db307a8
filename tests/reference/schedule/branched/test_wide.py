"""Workspaces over several modes: how they may find a component, and which way is taken for which sizes."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.reference.schedule.branched.choice import Choice
from gnomon.reference.schedule.branched.merging import Sizes
from gnomon.reference.schedule.branched.unasked import device_options, options
from gnomon.reference.schedule.branched.wide import FLAT, PLACE, product_work, ways_of, wide_workspaces
from gnomon.reference.schedule.schedule import Schedule, as_schedule
from gnomon.reference.schedule.settings import Modes
from gnomon.reference.statement.staging import dissolve
from gnomon.reference.statement.statement import Program
from gnomon.reference.storage.tensor import Tensor
from scattered import spread

BY_ROWS, OUTER = "T(i,j,k) = A(i,l) * B(l,j,k)", "C(i,j) = A(i,k) * B(k,j)"
FORMATS = {"A": "CSR", "B": "CSF"}


def lowered(expression: str, **settings: Any) -> Program:
    """The program of an expression over operands in formats, without a schedule."""
    return make_request(expression, **{"specs": FORMATS, "out": "CSF", **settings}).program


def chosen(kernel: Any, **operands: Tensor) -> str:
    """The schedule that is taken for some operands."""
    return str(kernel.choose(**operands).request.schedule)


def test_there_are_two_ways_unless_one_is_told() -> None:
    program = lowered(BY_ROWS)
    nested, flat = ways_of(program, None)
    assert nested == ((), program) and [str(each) for each in flat.settings] == ["modes=flat"]
    assert dict(wide_workspaces(program)) == {"w": 1} and not wide_workspaces(flat.program)
    assert [list(ways_of(program, told)) for told in Modes] == [[nested], [nested]]
    assert len(list(ways_of(lowered(OUTER, specs={"A": "CSR", "B": "CSR"}, out="CSR"), None))) == 1


def test_what_has_too_many_places_stays_nested() -> None:
    shapes = {"A": spread((4, 4), 3, "CSR"), "B": gn.tensor([[0], [1], [2]], [1.0], (4, 20_000, 20_000), "CSF")}
    request = make_request(BY_ROWS, FORMATS, out="CSF")
    assert len(list(ways_of(request.lower(request.resolve({n: t.shape for n, t in shapes.items()})), None))) == 1
    kernel = gn.compile(BY_ROWS, **FORMATS, out="CSF")
    assert "flat" not in chosen(kernel, **shapes)
    assert gn.to_dict(kernel(**shapes)) == gn.to_dict(gn.evaluate(BY_ROWS, **shapes, out="CSF", engine="reference"))
    asked = gn.compile(BY_ROWS, **FORMATS, out="CSF", schedule="modes=flat")
    with pytest.raises(gn.GnomonError, match="has 400000000 places"):
        asked(**shapes)


def test_work_counts_places_and_what_goes_there() -> None:
    program = lowered(BY_ROWS)
    _, flat = ways_of(program, None)
    (places, met) = product_work(flat.program, Sizes(dissolve(program)))
    assert (places[0], str(places[1])) == (PLACE, "J·K")
    assert (met[0], str(met[1])) == (FLAT, "nnz(A(i,l))·nnz(B(l,j,k))/L")


@pytest.mark.parametrize("map", ["(i,j//2,k//2,j%2,k%2)", "(i,j//2,k,j%2)"])
def test_workspaces_may_be_in_blocks(map: str) -> None:
    levels = ",".join(["dense", *["compressed"] * 2, *["dense"] * map.count("%")])
    operands = {"A": spread((4, 5), 8, "CSR"), "B": spread((5, 4, 6), 30, "CSF")}
    gn.check(BY_ROWS, **operands, out=f"{levels}; (i,j,k)->{map}")
    found = gn.compile(BY_ROWS, **FORMATS, out=f"{levels}; (i,j,k)->{map}")(**operands)
    np.testing.assert_array_equal(found.to_numpy(), gn.evaluate(BY_ROWS, **operands).to_numpy())


def test_sizes_decide() -> None:
    kernel = gn.compile(BY_ROWS, **FORMATS, out="CSF")
    many = {"A": spread((300, 300), 3000, "CSR"), "B": spread((300, 300, 300), 9000, "CSF")}
    few = {"A": spread((300, 300), 30, "CSR"), "B": spread((300, 3000, 3000), 90, "CSF")}
    assert chosen(kernel, **many).startswith("modes=flat") and "flat" not in chosen(kernel, **few)
    for each in (many, few):
        nested = gn.evaluate(BY_ROWS, **each, out="CSF", engine="c", schedule="modes=nested")
        assert np.array_equal(kernel(**each).vals, nested.vals)


def test_operands_in_other_orders_may_go_to_a_flat_workspace() -> None:
    kernel = gn.compile("T(i,j,k) = A(l,i) * B(l,j,k)", **FORMATS, out="CSF")
    operands = {"A": spread((300, 300), 3000, "CSR"), "B": spread((300, 100, 100), 9000, "CSF")}
    assert chosen(kernel, **operands).startswith("modes=flat,convert(A(l,i),{i,l})")
    wanted = np.einsum("li,ljk->ijk", operands["A"].to_numpy(), operands["B"].to_numpy())
    np.testing.assert_array_equal(kernel(**operands).to_numpy(), wanted)


def test_loops_of_the_result_outside_may_leave_a_flat_workspace() -> None:
    found = options(lowered("T(i,j,k) = D(l,i) * B(l,j,k)", specs={"B": "CSF"}), as_schedule("auto"))
    assert isinstance(found, Choice)
    assert "modes=flat,reorder(i,l,j,k)" in ",".join(str(each.schedule) for each in found.finalists)


@pytest.mark.parametrize("asked", ["auto,modes=nested", "workspaces=both", "workspaces=output", ""])
def test_only_what_is_chosen_unasked_is_flat(asked: str) -> None:
    found = options(lowered(BY_ROWS), as_schedule(asked))
    every = [found] if isinstance(found, Schedule) else [each.schedule for each in found.finalists]
    assert not any("flat" in str(schedule) for schedule in every)


def test_what_is_asked_for_stands_in_every_alternative() -> None:
    found = options(lowered(BY_ROWS), as_schedule("modes=flat,auto"))
    assert isinstance(found, Choice) and len(found.finalists) > 1
    assert all(str(each.schedule).startswith("modes=flat") for each in found.finalists)


def test_nothing_is_flat_unasked_on_a_gpu() -> None:
    found = device_options(lowered(BY_ROWS), as_schedule("auto"))
    every = [found] if isinstance(found, Schedule) else [each.schedule for each in found.finalists]
    assert every and not any("flat" in str(schedule) for schedule in every)
