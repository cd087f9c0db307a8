"""Strategies: which levels a loop iterates, locates, deduplicates or fuses (Chou 2018, section 4.4)."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.reference.drawing.hierarchies import loops
from gnomon.reference.loops.strategy import Active, Strategy
from gnomon.reference.schedule.application import apply_schedule

TWICE = "compressed(nonunique),singleton(nonunique)"
TWICES = f"{TWICE},singleton(nonunique)"
FULL = "dense,compressed(nonunique,full),singleton"
LOOSE = "dense,compressed(nonunique,unordered),singleton"
LOOSE_LIST = "compressed(unordered)"
LOOSE_PAIRS = "compressed(nonunique,unordered),singleton"
COOS, ONCE = {"A": "COO", "B": "COO"}, "deduplicate A; deduplicate B"


def strategies(
    expression: str, formats: dict[str, str], out: str | None = None, semiring: str | None = None
) -> dict[str, Strategy]:
    """The strategies of an expression's loops, for any extents."""
    request = make_request(expression, formats, out=out, semiring=semiring)
    return {plan.loop: plan.strategy for plan in loops(request.program)}


@pytest.mark.parametrize(
    ("expression", "formats", "out", "semiring", "loop", "name"),
    [
        ("y(i) = A(i,j) * x(j)", {"A": "COO"}, None, None, "i", "iterate A; fused"),
        ("y(i) = A(i,j) * x(j)", {"A": TWICE}, None, None, "j", "iterate A; locate x; fused"),
        ("C(i,j) = A(i,j) * 2", {"A": "COO"}, "COO", None, "i", "iterate A; fused"),
        ("C(i,j,k) = A(i,j,k) * 2", {"A": "COO"}, "COO", None, "i", "iterate A; fused"),
        ("C(i,j) = A(i,j) * B(i,k) * D(j,k)", {"A": "COO"}, "COO", None, "i", "iterate A; locate B; fused"),
        ("C(i,j,k) = A(i,j) * x(k)", {"A": "COO"}, "COO", None, "i", "iterate A; fused"),
        ("C(i,k,j) = A(i,j) * x(k)", {"A": "COO"}, "COO", None, "i", "iterate A; deduplicate A"),
        ("C(i,j) = A(i,j) * 2", {"A": "COO"}, "CSR", None, "i", "iterate A; deduplicate A"),
        ("C(i,j) = A(i,j) * 2", {"A": "COO"}, "DCSR", None, "i", "iterate A; deduplicate A"),
        ("C(i,j) = A(i,j) * 2", {"A": "COO"}, "compressed,dense", None, "i", "iterate A; deduplicate A"),
        ("C(i) = A(i,j)", {"A": "COO"}, "s", None, "i", "iterate A; deduplicate A"),
        ("C(i,j) = A(i,j) * 2", {"A": TWICE}, "COO", None, "i", "iterate A; deduplicate A"),
        ("C(i,j) = A(i,j) * 2", {"A": LOOSE_PAIRS}, "COO", None, "i", "iterate A; reorder and deduplicate A"),
        ("y(i) = A(i,j) * B(i,j)", {"A": "COO", "B": "CSR"}, None, None, "i", "iterate A; deduplicate A; locate B"),
        ("y(i)<M(i)> = A(i,j) * x(j)", {"A": "COO", "M": "d"}, None, None, "i", "iterate A; deduplicate A; locate M"),
        ("y(i) = A(i,j)", {"A": TWICE}, None, "min_plus", "i", "iterate A; deduplicate A"),
        ("y(i) = A(i,j) * A(i,j)", {"A": TWICE}, None, None, "i", "iterate A; deduplicate A"),
        ("y(i) = sum(j, sqrt(A(i,j)))", {"A": TWICE}, None, None, "i", "iterate A; deduplicate A"),
        ("y(i) = a(i) * b(i)", {"a": "hashed", "b": "hashed"}, None, None, "i", "iterate a; locate b"),
        ("y(i) = A(i,j) * a(j)", {"A": "HashRows", "a": "s"}, None, None, "j", "co-iterate A, a; reorder A"),
        ("y(i) = a(j) * A(i,j)", {"A": "HashRows", "a": "s"}, None, None, "j", "co-iterate a, A; reorder A"),
        ("y(i) = A(i,j) * a(j)", {"A": "HashRows", "a": "hashed"}, None, None, "j", "iterate A; locate a"),
        ("y(i) = a(j) * A(i,j)", {"A": "HashRows", "a": "hashed"}, None, None, "j", "iterate A; locate a"),
        ("y(i) = A(i,j) * B(i,j)", {"A": "HashRows", "B": "CSR"}, None, None, "j", "iterate B; locate A"),
        ("y(i) = A(i,j) * a(j)", {"A": "BCSR(2,2)", "a": "hashed"}, None, None, "ji", "iterate every ji; locate A, a"),
        ("y(i) = A(i,j) * a(j)", {"A": "BCSR(2,2)", "a": "s"}, None, None, "ji", "iterate a; locate A"),
        ("y(i) = A(i,j) * a(j)", {"A": "BCSR(2,2)", "a": "bitmap"}, None, None, "ji", "iterate a; locate A"),
        (
            "y(i) = A(i,j) * (a(j) + b(j))", {"A": "BCSR(2,2)", "a": "s", "b": "hashed"}, None, None, "ji",
            "iterate every ji with a alongside; locate A, b",
        ),
        ("y(i) = A(i,j) * a(j)", {"A": "dense,bitmap", "a": "s"}, None, None, "j", "iterate a; locate A"),
        ("y(i) = A(i,j) * a(j)", {"A": "HashRows", "a": LOOSE_LIST}, None, None, "j", "iterate a; locate A"),
        ("C(i,j,k) = A(i,j,k) + B(i,j,k)", COOS, "COO", None, "j", "co-iterate A, B; fused"),
        ("C(i,j,k) = A(i,j,k) + B(i,j,k)", COOS, "COO", None, "i", f"co-iterate A, B; {ONCE}"),
        ("C(i,j,k) = A(i,j,k) + B(i,j,k)", COOS, "Dense", None, "i", f"co-iterate A, B; {ONCE}"),
        ("C(i,j,k) = A(i,j,k) * x(k) + B(i,j,k)", COOS, "Dense", None, "j", "co-iterate A, B; fused"),
        ("C(i,j,k) = A(i,j,k) * B(i,j,k)", COOS, "COO", None, "j", f"co-iterate A, B; {ONCE}"),
        ("C(i,j,k) = A(i,j,k) + B(i,j,k)", COOS, "CSF", None, "j", f"co-iterate A, B; {ONCE}"),
        ("C(i,j) = sum(k, A(i,j,k) + B(i,j,k))", COOS, "COO", None, "j", f"co-iterate A, B; {ONCE}"),
        ("C(i,j,k)<M(i,j,k)> = A(i,j,k) + B(i,j,k)", COOS, "COO", None, "j", f"co-iterate A, B; {ONCE}; locate M"),
        (
            "C(i,j,k) = A(i,j,k) + B(i,j,k)", {"A": "COO", "B": "CSF"}, "COO", None, "j",
            "co-iterate A, B; deduplicate A",
        ),
        (
            "C(i,j,k) = A(i,j,k) + B(i,j,k)", {"A": "COO", "B": FULL}, "COO", None, "j",
            f"co-iterate A, B; {ONCE}",
        ),
        (
            "C(i,j,k) = A(i,j,k) + B(i,j,k)", {"A": "COO", "B": LOOSE}, "COO", None, "j",
            "co-iterate A, B; deduplicate A; reorder and deduplicate B",
        ),
        ("C(i,j,k) = A(i,j,k) + B(i,j,k)", {"A": "COO", "B": TWICES}, "COO", None, "j", f"co-iterate A, B; {ONCE}"),
        (
            "C(i,j,k) = A(i,j,k) + B(i,j,k) + x(j)", COOS, "Dense", None, "j",
            f"iterate every j with A, B alongside; {ONCE}; locate x",
        ),
        ("y(i) = h(i) + 1", {"h": "hashed"}, None, None, "i", "iterate every i; locate h"),
        ("y(i) = a(i)", {"a": "bitmap"}, "bitmap", None, "i", "iterate a"),
        ("y(i) = a(i) + b(i)", {"a": "bitmap", "b": "bitmap"}, "bitmap", None, "i", "iterate every i; locate a, b"),
        (
            "y(i) = a(i) + b(i)", {"a": "bitmap", "b": "SparseVector"}, "bitmap", None, "i",
            "iterate every i with b alongside; locate a",
        ),
    ],
)  # fmt: skip
def test_what_a_loop_does(
    expression: str, formats: dict[str, str], out: str | None, semiring: str | None, loop: str, name: str
) -> None:
    assert strategies(expression, formats, out, semiring)[loop].name() == name


def test_an_unordered_level_beside_the_whole_extent_is_sorted() -> None:
    strategy = strategies("y(i) = h(i) + 1", {"h": "compressed(unordered)"})["i"]
    assert strategy.whole_extent and strategy.ordered


def test_the_first_of_several_levels_that_one_loop_makes_known_is_iterated() -> None:
    found = strategies("C(i,j) = A(i,j) + B(i,j)", {"A": "bitmap,dense; (i,j)->(j,i)", "B": "CSR"}, "Dense")
    (active,) = (each for each in found["j"].active if each.access.tensor == "A")
    assert (active.first, active.last, active.level.name, active.is_sparse) == (0, 2, "bitmap", True)


def alive(strategy: Strategy, *names: str) -> tuple[Active, ...]:
    """The iterators over some operands."""
    return tuple(a for a in strategy.coiterated if a.access.tensor in names)


def test_a_merge_ends_with_a_level_that_holds_every_coordinate() -> None:
    whole = strategies("y(i) = x(i) + b(i)", {"x": "compressed(full)", "b": "SparseVector"})["i"]
    assert {a.access.tensor for a in whole.coiterated} == {"x", "b"}
    assert whole.merged_iterators(alive(whole, "b")) == ()
    assert whole.merged_iterators(alive(whole, "x")) == alive(whole, "x")
    assert whole.merged_iterators(alive(whole, "x", "b")) == whole.coiterated


def test_what_is_located_may_be_there_when_iterators_are_chosen() -> None:
    found = strategies("y(i) = a(i) * h(i) + b(i)", {"a": "SparseVector", "h": "hashed", "b": "SparseVector"})["i"]
    assert [a.access.tensor for a in found.located] == ["h"]
    assert found.merged_iterators(alive(found, "a")) == alive(found, "a")


def test_a_block_has_a_window_of_its_own() -> None:
    """A vector that stores whole coordinates is read block by block where the result is stored so."""
    a = gn.tensor([[0, 1, 3, 4]], [1.0, 2.0, 3.0, 4.0], (5,), "SparseVector")
    b = gn.tensor([range(5)], np.arange(5.0), (5,), "dense,dense; (i)->(i//2,i%2)")
    report = gn.check("y(i) = a(i) * b(i)", a=a, b=b, out="dense,dense; (i)->(i//2,i%2)")
    assert report.execution.result.to_numpy().tolist() == [0.0, 2.0, 0.0, 9.0, 16.0]


@pytest.mark.parametrize("schedule", ["unroll(j,2)", "unroll(k,2)", "split(k,k0,k1,8)", "split(j,j0,j1,8)"])
def test_loops_of_a_schedule_are_merged_level_by_level(schedule: str) -> None:
    request = make_request("C(i,j,k) = A(i,j,k) + B(i,j,k)", COOS, out="COO", schedule=schedule)
    plain = request.program
    assert [plan.strategy.fused for plan in loops(plain)] == [False, True, False]
    scheduled = apply_schedule(plain, request.schedule)
    assert not any(plan.strategy.fused for plan in loops(scheduled))
