"""Loops over derived variables are proved to reach every point once, and wrong windows are refuted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gnomon.properties.proofs.relations.relation_chains import (
    BEGINS,
    Chain,
    Question,
    begins,
    chains,
    choose_chains,
    constant,
    for_all_sizes,
    is_joined,
    name_chain,
    prove_chains,
)
from gnomon.properties.proofs.relations.symbolic import Raised, explore
from gnomon.properties.proofs.relations.walked import Walk, is_reached, is_reached_once
from gnomon.properties.proofs.solver import exhibit
from gnomon.properties.proofs.verdict import Bounded, Proved, Refuted, Unknown
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.execution.trace import Trace
from gnomon.reference.loops import iteration_space
from gnomon.reference.loops.iteration_space import IterationSpace, tile
from gnomon.reference.loops.terms import Extent, Range
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.storage.packing import tensor
from msgspec.structs import replace


def chain(*commands: str) -> Chain:
    """The chain of these commands."""
    return next(c for c in chains(len(commands)) if tuple(map(str, c.commands)) == commands)


@pytest.mark.parametrize(
    "commands",
    [
        ("split(i,i0,i1,3)", "split(i0,i00,i01,2)"),
        ("pos(i,ip,a(i))", "split(ip,ip0,ip1,2)"),
        ("pos(i,ip,a(i))", "coord(ip,ipc)"),
        ("divide(i,i0,i1,3)", "collapse(i0,i1,i0i1)"),
    ],
)
def test_chains_of_two_are_proved(commands: tuple[str, ...]) -> None:
    assert for_all_sizes(chain(*commands).nest) == Proved()


@pytest.mark.parametrize(
    "commands",
    [
        ("split(i,i0,i1,3)", "bound(i1,i1b,1,divisible)", "split(i1b,i1b0,i1b1,4)"),
        ("pos(i,ip,a(i))", "split(ip,ip0,ip1,2)", "coord(ip1,ip1c)"),
        ("collapse(i,j,ij)", "pos(ij,ijp,m(i,j))"),
    ],
)
def test_what_is_assumed_of_chains_can_be_met(commands: tuple[str, ...]) -> None:
    nest = chain(*commands).nest
    for question in (is_reached, is_reached_once):
        paths = [p for p in explore(lambda run, q=question: q(Walk(nest, run))) if not isinstance(p.result, Raised)]
        assert any(isinstance(exhibit([*p.condition, p.result], {}), Proved) for p in paths)


def test_how_chains_begin_is_all_ways() -> None:
    for length, known in BEGINS.items():
        size = len(known[0])
        joined = [c for c in chains(length) if is_joined(c.nest)]
        kept = joined if length < 3 else [c for c in joined if "divide" not in begins(c, length)]
        assert {begins(c, size) for c in kept} == set(known)
        assert sum(len(choose_chains(length, begin)) for begin in known) == len(kept)
    assert isinstance(prove_chains(1, ("coord",), for_all_sizes), Unknown)


def refuted(
    monkeypatch: pytest.MonkeyPatch, of: Any, name: str, wrong: Callable[..., Any], question: Question, *commands: str
) -> dict[str, int]:
    """The counterexample to a question about a chain, by iteration spaces with one wrong function."""
    nest = chain(*commands).nest
    assert isinstance(constant(nest, question), Bounded)
    monkeypatch.setattr(of, name, wrong)
    verdict = constant(nest, question)
    assert isinstance(verdict, Refuted)
    return {key: int(value) for key, value in verdict.counterexample}


def visits(size: int, schedule: str) -> dict[int, int]:
    """How often the interpreter visits each coordinate of a vector that stores all of them, one by one."""
    a = tensor([[*range(size)]], np.ones(size), (size,), "SparseVector")
    ready = prepare("y(i) = a(i) * x(i)", {"a": a, "x": np.ones(size)}, schedule=schedule)
    trace = Trace(visits=Counter())
    interpret(ready.program, ready.operands, trace=trace)
    assert trace.visits is not None
    found: Counter[int] = Counter()
    for (_, coordinates, _), count in trace.visits.items():
        found[dict(coordinates)["i"]] += count
    return dict(found)


def test_a_check_that_is_left_out_visits_points_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = ("split(i,i0,i1,3)", "split(i1,i10,i11,2)", "reorder(i11,i10)")
    whole = visits(12, ",".join(commands))
    assert whole == dict.fromkeys(range(12), 1)
    found = refuted(
        monkeypatch,
        IterationSpace,
        "guards",
        lambda self, completed, narrowed=(), stepped=(): (),
        is_reached_once,
        *commands,
    )
    counts = visits(found["N_i"], ",".join(commands))
    assert counts[found["i"]] > 1


def test_a_window_that_ends_early_misses_points(monkeypatch: pytest.MonkeyPatch) -> None:
    def early(size: Any, outer: Range, inner: Range, extent: Any) -> Range:
        window = tile(size, outer, inner, extent)
        return Range(window.begin, window.end - 1)

    found = refuted(monkeypatch, iteration_space, "tile", early, is_reached, "split(i,i0,i1,3)")
    assert visits(found["N_i"], "split(i,i0,i1,3)").get(found["i"], 0) == 0


def test_tiles_that_are_counted_rounded_down_miss_points(monkeypatch: pytest.MonkeyPatch) -> None:
    before = IterationSpace.extent

    def floored(self: IterationSpace, variable: str) -> Any:
        return Extent("i") // 3 if variable == "i0" else before(self, variable)

    found = refuted(monkeypatch, IterationSpace, "extent", floored, is_reached, "split(i,i0,i1,3)")
    assert visits(found["N_i"], "split(i,i0,i1,3)").get(found["i"], 0) == 0


def test_a_walk_that_keeps_to_the_next_tile_of_positions_misses_points(monkeypatch: pytest.MonkeyPatch) -> None:
    before = IterationSpace.kept_positions

    def shifted(self: IterationSpace, access: Any, level: int) -> Any:
        kept = before(self, access, level)
        return tuple(replace(k, window=Range(k.window.begin + 1, k.window.end + 1)) for k in kept)

    commands = ("pos(i,ip,a(i))", "split(ip,ip0,ip1,2)")
    found = refuted(monkeypatch, IterationSpace, "kept_positions", shifted, is_reached, *commands)
    assert visits(found["N_i"], ",".join(commands)).get(0, 0) == 0


def test_counterexamples_name_the_schedule() -> None:
    one = chain("split(i,i0,i1,3)")
    assert name_chain(one, Refuted(())) == Refuted((("schedule", "split(i,i0,i1,3)"),))
    assert name_chain(one, Unknown("time")) == Unknown("split(i,i0,i1,3): time")
