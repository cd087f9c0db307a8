"""Between which accesses of two threads a barrier always stands."""

from __future__ import annotations

import pytest
from gnomon.generator.ir import ir
from gnomon.generator.ir.grid import THREAD
from gnomon.properties.proofs.c.c_products import Products
from gnomon.properties.proofs.devices.intervals import meeting
from gnomon.properties.proofs.devices.lists import Lists
from gnomon.properties.proofs.devices.touches import Thread, Touch
from gnomon.properties.proofs.solver import Term

A, WAIT = ir.Name("a"), ir.Barrier("block")
STORE, LOAD = ir.Assign(ir.Element(A, THREAD), ir.ONE), ir.Declare("int64_t", "x", ir.Element(A, ir.ZERO))


def loop(*body: ir.Stmt) -> ir.For:
    return ir.For("n", ir.ZERO, ir.Name("many"), body)


def when(*then: ir.Stmt) -> ir.If:
    return ir.If(ir.Binary("<", THREAD, ir.ONE), then)


def met(*code: ir.Stmt) -> tuple[tuple[Term, Term], ...] | None:
    """What is the same where one thread stores and another one loads, in some code."""

    def touches(mark: int) -> list[Touch]:
        thread = Thread(mark, 32, frozenset({"a"}), Products(lambda law, undo: None), {}, Lists({}))
        thread.walk(code)
        return thread.touches

    stored = next(t for t in touches(1) if t.kind == "store")
    return meeting(stored.site, next(t for t in touches(2) if t.kind == "read").site)


@pytest.mark.parametrize(
    "code",
    [
        (STORE, WAIT, LOAD),
        (when(STORE), WAIT, loop(LOAD)),
        (LOAD, WAIT, STORE),
        (when(STORE, WAIT), LOAD),
        (loop(STORE, WAIT, LOAD, WAIT),),
        (loop(STORE, WAIT), LOAD),
        (STORE, loop(WAIT, LOAD)),
    ],
)
def test_a_barrier_always_stands_between(code: tuple[ir.Stmt, ...]) -> None:
    assert met(*code) is None


@pytest.mark.parametrize(
    "code",
    [
        (STORE, LOAD),
        (STORE, ir.Barrier("warp"), LOAD),
        (WAIT, STORE, LOAD, WAIT),
        (STORE, loop(WAIT), LOAD),
        (STORE, when(WAIT), LOAD),
        (loop(STORE, WAIT, LOAD),),
        (STORE, WAIT, ir.While(ir.Binary("<", ir.Element(A, ir.ZERO), ir.ONE), (STORE, WAIT))),
    ],
)
def test_threads_may_meet_in_any_iterations(code: tuple[ir.Stmt, ...]) -> None:
    assert met(*code) == ()


def test_threads_may_meet_in_one_iteration_alone() -> None:
    ((first, second),) = met(loop(WAIT, STORE, LOAD, WAIT)) or ()
    assert str(first).startswith("n!1") and str(second).startswith("n!2")
    assert len(met(loop(loop(WAIT, STORE, LOAD), WAIT)) or ()) == 2


def test_branches_are_not_one_after_the_other() -> None:
    assert met(ir.If(ir.Binary("<", THREAD, ir.ONE), (STORE, WAIT), (WAIT, LOAD))) == ()
