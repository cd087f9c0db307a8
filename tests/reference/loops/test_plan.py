"""Loop plans: what each loop carries, and what is left where accesses are missing."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ScheduleError
from gnomon.reference.loops.plan import (
    AssignPlan,
    LoopPlan,
    Node,
    ParallelPlan,
    Planner,
    SequencePlan,
    WherePlan,
    parallel_tag,
)
from gnomon.reference.loops.terms import Coordinate, Equal, Extent, Range, least
from gnomon.reference.notation.syntax import Access
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.relation import Bound, Pos
from gnomon.reference.statement.statement import reads
from gnomon.reference.storage.packing import tensor
from msgspec.structs import replace

X = np.ones(4)
NOTHING: frozenset[Access] = frozenset()


def matrix(format: str) -> Any:
    return tensor(np.array([[0, 1, 1], [1, 0, 2]]), np.ones(3), (3, 4), format)


def plan(schedule: str | None = None, format: str = "CSR", source: str = "y(i) = A(i,j) * x(j)") -> Node:
    """The plan of a product with a vector, or of something else."""
    operands = {"A": matrix(format), "x": X}
    used = {name: each for name, each in operands.items() if f"{name}(" in source.partition("=")[2]}
    return Planner(prepare(source, used, schedule=schedule).program).root()


def loops(node: Node | None) -> list[LoopPlan]:
    """The loops inside one another, with every operand present."""
    found = []
    while isinstance(node, LoopPlan | ParallelPlan):
        loop = node.loop if isinstance(node, ParallelPlan) else node
        found.append(loop)
        node = loop.case(frozenset(p.active.access for p in (*loop.coiterated, *loop.located)))
    assert isinstance(node, AssignPlan)
    return found


def named(placements: Any) -> list[str]:
    return [p.active.access.tensor for p in placements]


def test_a_loop_carries_what_it_iterates_and_what_it_locates() -> None:
    outer, inner = loops(plan())
    assert (outer.index, named(outer.coiterated), named(outer.located)) == ("i", [], ["A"])
    assert (inner.index, named(inner.coiterated), named(inner.located)) == ("j", ["A"], ["x"])
    assert outer.range.whole and inner.range.whole and not inner.guards and not inner.collects
    level = inner.level_above(inner.coiterated[0].active)
    assert level is not None and level.name == "dense" and inner.level_above(inner.located[0].active) is None


def test_a_loop_over_tiles_is_inside_those_that_it_completes() -> None:
    nest = loops(plan("split(i,i0,i1,2)"))
    assert [loop.index for loop in nest] == ["i0", "i", "i1", "j"]
    assert nest[1].surroundings.expanded == {"i0": (), "i1": ("i",)}
    assert nest[2].range == Range(Coordinate("i") % 2, Coordinate("i") % 2 + 1, single=True)
    assert not any(loop.guards for loop in nest)


def test_what_windows_do_not_tell_is_compared_once() -> None:
    nest = loops(plan("split(i,i0,i1,2),reorder(i1,i0)"))
    assert [loop.index for loop in nest] == ["i1", "i", "i0", "j"]
    assert [loop.guards for loop in nest] == [(), (), (Equal(Coordinate("i") % 2, Coordinate("i1")),), ()]


def test_walks_keep_to_positions() -> None:
    nest = loops(plan("collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)"))
    assert [loop.index for loop in nest] == ["p0", "i", "j", "p1"]
    kept = [[len(p.kept) for p in (*loop.coiterated, *loop.located)] for loop in nest]
    assert kept == [[], [1], [1, 0], []]
    assert all(loop.range.whole for loop in nest[1:3])


def test_what_is_stored_by_collapsed_variables_is_gone_over_by_these_together() -> None:
    schedule = "collapse(i,j,f),precompute(A(i,j),{f},{g},w)"
    where = plan(schedule, source="C(i,j) = A(i,j) * 2")
    assert isinstance(where, WherePlan) and isinstance(where.consumer, LoopPlan)
    reading, filling = loops(where.consumer), loops(where.producer)
    assert [loop.index for loop in reading] == ["f"] and named(reading[0].coiterated) == ["w"]
    assert [loop.index for loop in filling] == ["i", "j", "g"]
    assert [loop.walks_collapsed for loop in (*reading, *filling)] == [True, False, False, False]
    assert reading[0].range.whole and not reading[0].guards
    leaf = reading[0].body
    assert isinstance(leaf, AssignPlan)
    assert leaf.at == (Coordinate("f") // Extent("j"), Coordinate("f") % Extent("j"))
    assert [name for name, _ in leaf.sources] == ["i", "j"]
    assert reading[0].recovered_variables == tuple(zip("ij", leaf.at, strict=True))
    assert not any(loop.recovered_variables for loop in filling)


def test_a_bound_is_checked_by_the_loop_that_counts_through_it() -> None:
    nest = loops(plan("bound(i,n,3,max_exact),split(n,a,b,2)"))
    assert [loop.checks for loop in nest] == [(Bound("i", "n", 3, "max_exact"),), (), (), ()]


def test_blocks_have_shifts_and_levels_that_become_known_later() -> None:
    nest = loops(plan(format="BCSR(2,2)"))
    assert [loop.index for loop in nest] == ["io", "jo", "ii", "ji"]
    (x,) = nest[-1].located[-1:]
    assert x.active.access.tensor == "x" and x.shift == Coordinate("jo") * 2
    assert nest[-1].range.whole and x.window == nest[-1].range
    assert [p.window for p in nest[-1].located if p is not x] == [None] * (len(nest[-1].located) - 1)


def test_positions_of_an_operand_that_a_workspace_has_replaced_are_searched() -> None:
    schedule = "pos(i,p,x(i)),split(p,a,b,2),precompute(x(i),{b},{bw},t)"
    x = tensor(np.array([[0, 2]]), np.ones(2), (4,), "SparseVector")
    outer = Planner(prepare("y(i) = x(i)", {"x": x}, schedule=schedule).program).root()
    assert isinstance(outer, LoopPlan)
    where = outer.case(NOTHING)
    assert isinstance(where, WherePlan) and [a.tensor for a in where.reads] == ["t"]
    assert where.without is None
    searching = where.consumer
    assert isinstance(searching, LoopPlan) and isinstance(searching.searched, Pos)
    assert searching.inside.space.stored == {"i"}
    below = searching.case(frozenset(p.active.access for p in (*searching.coiterated, *searching.located)))
    assert isinstance(below, LoopPlan) and below.index == "i" and below.range.single


def test_a_parallel_loop_collects_its_iterations_inside_those_that_it_needs() -> None:
    node = plan("split(i,i0,i1,2),parallelize(i0,CPUThread,NoRaces)")
    assert isinstance(node, ParallelPlan) and node.loop.collects and node.loop.index == "i0"
    assert parallel_tag(node.statement) == node.tag and not loops(node)[1].collects


def test_where_accesses_are_missing_the_rest_is_left() -> None:
    source = "C(i,j) = A(i,j) + B(i,j)"
    planner = Planner(prepare(source, {"A": matrix("CSR"), "B": matrix("CSR")}, out="CSR").program)
    node = planner.root()
    assert isinstance(node, LoopPlan)
    inner = node.case(frozenset(p.active.access for p in node.located))
    assert isinstance(inner, LoopPlan)
    a, b = (p.active.access for p in inner.coiterated)
    for present in (frozenset({a, b}), frozenset({a}), frozenset({b})):
        case = inner.case(present)
        assert isinstance(case, AssignPlan)
        assert case.at == (Coordinate("i"), Coordinate("j"))
    assert inner.case(NOTHING) is None
    whole = inner.case(frozenset({a, b}))
    assert isinstance(whole, AssignPlan)
    uncertain = AssignPlan(whole.statement, replace(whole.surroundings, optional=frozenset({a, b})))
    left = planner.remainder(uncertain, frozenset({a}))
    assert isinstance(left, AssignPlan) and left.statement.value == b and not left.surroundings.optional
    assert planner.remainder(whole, frozenset({a, b})) is None


def test_what_a_mask_admits_and_what_it_excludes_are_parts_of_a_sequence() -> None:
    m = tensor(np.array([[0, 2]]), np.ones(2), (4,), "SparseVector")
    y = np.ones(4, np.int64)  # of another dtype, so that the result is built anew
    shared = Planner(prepare("y(i)<M(i)> += x(i)", {"M": m, "x": X, "y": y}).program).root()
    assert isinstance(shared, LoopPlan) and isinstance(shared.body, WherePlan)
    assert isinstance(shared.body.producer, SequencePlan)
    assert all(isinstance(part, AssignPlan) for part in shared.body.producer.parts)
    a = tensor(np.array([[0, 1], [1, 3]]), np.ones(2), (3, 4), "CSR")
    apart = Planner(prepare("y(i)<M(i),merge> = A(j,i)", {"M": np.eye(4)[0], "A": a, "y": y}).program).root()
    assert isinstance(apart, WherePlan) and isinstance(apart.producer, SequencePlan)
    assert [loops(part)[0].index for part in apart.producer.parts] == ["j", "i"]


def test_an_assignment_has_the_coordinates_that_loops_give() -> None:
    inner = loops(plan())[-1]
    body = inner.case(frozenset(p.active.access for p in (*inner.coiterated, *inner.located)))
    assert isinstance(body, AssignPlan)
    assert body.at == (Coordinate("i"),) and body.sources == (("i", Coordinate("i")), ("j", Coordinate("j")))


@pytest.mark.parametrize("format", ["COO", "CSR"])
def test_duplicates_are_fused_or_gathered(format: str) -> None:
    outer, inner = loops(plan(format=format))
    fused = {a.tensor for a in outer.inside.fused}
    assert fused == ({"A"} if format == "COO" else set()) and not inner.inside.duplicated
    operands = {"A": matrix(format), "B": matrix("DCSR")}
    merged = Planner(prepare("C(i,j) = A(i,j) + B(i,j)", operands).program).root()
    assert isinstance(merged, LoopPlan)
    assert {a.tensor for a in merged.inside.duplicated} == fused


ROWS = gn.tensor(np.array([[0, 2], [1, 0]]), np.ones(2), (3, 3), "CSR")


def planned(expression: str, *, fits: bool = False, schedule: str | None = None, **operands: Any) -> Planner:
    """What plans an expression."""
    return Planner(prepare(expression, operands, schedule=schedule).program, fits)


def bodies(node: Node | None) -> list[LoopPlan]:
    """The loops of a nest, where nothing is missing."""
    return [node, *bodies(node.body)] if isinstance(node, LoopPlan) else []


def test_a_loop_over_a_derived_variable_begins_with_the_first_that_it_has_become() -> None:
    schedule = "pos(j,p,A(i,j)),bound(p,b,2,max_constraint)"
    nest = bodies(planned("y(i) = A(i,j) * x(j)", schedule=schedule, A=ROWS, x=np.ones(3)).root())
    assert [(loop.index, loop.begins and loop.begins.index) for loop in nest] == [("i", "i"), ("j", "b"), ("b", None)]
    assert [[bound.bounded for bound in loop.checks] for loop in nest] == [[], ["b"], []]
    assert [loop.completed for loop in nest] == [(), (), ("j",)]


@pytest.mark.parametrize("engine", ["reference", "c"])
def test_bounds_are_checked_where_their_loop_begins_whether_or_not_it_visits_anything(engine: str) -> None:
    schedule = "pos(j,p,A(i,j)),bound(p,b,1,max_exact)"
    with pytest.raises(ScheduleError, match=r"bound|max_exact"):
        gn.evaluate("y(i) = A(i,j) * x(j)", A=ROWS, x=np.ones(3), schedule=schedule, engine=engine)


def test_blocks_fit_where_extents_are_multiples_of_them() -> None:
    blocks = ROWS.convert("BCSR(2,2)")
    ranges = [
        {
            loop.index: loop.range
            for loop in bodies(planned("y(i) = A(i,j) * x(j)", fits=fits, A=blocks, x=np.ones(3)).root())
        }
        for fits in (False, True)
    ]
    rest = Extent("i") - Coordinate("io") * 2
    assert [found["ii"] for found in ranges] == [Range(0, least(2, rest), whole=True), Range(0, 2, whole=True)]


def test_the_loop_over_the_last_part_of_a_variable_recovers_it() -> None:
    blocks = ROWS.convert("BCSR(2,2)")
    nest = bodies(planned("y(i) = A(i,j) * x(j)", A=blocks, x=np.ones(3)).root())
    whole = {v: Coordinate(f"{v}o") * 2 + Coordinate(f"{v}i") for v in "ij"}
    assert {loop.index: dict(loop.recovered_variables) for loop in nest if loop.recovered_variables} == {
        "ii": {"i": whole["i"]},
        "ji": {"j": whole["j"]},
    }


def test_what_is_left_of_the_body_of_a_merge_of_many() -> None:
    three = dict.fromkeys("ABC", ROWS)
    outer = planned("D(i,j) = A(i,j) + B(i,j) + C(i,j)", **three).root()
    (_, loop) = bodies(outer)
    assert loop.strategy.flagged
    every = {name: Access(name, ("i", "j"), ("i", "j")) for name in three}
    assert loop.remaining_body(frozenset(), frozenset(every.values())) is None
    left = loop.remaining_body(frozenset({every["A"]}), frozenset({every["B"]}))
    assert left is not None
    assert set(reads(left.statement)) == {every["A"], every["C"]}
    assert left.surroundings.optional == {every["C"]}


def test_a_workspace_may_be_missing_where_its_producer_may_have_nothing_to_do() -> None:
    rows = ROWS.convert("DCSR")

    def missing(expression: str, schedule: str, names: str) -> set[str]:
        """The tensors that may be missing where the consumer runs."""
        operands = dict.fromkeys(names, rows) | ({"x": np.ones(3)} if "x" in expression else {})
        (outer,) = bodies(planned(expression, schedule=schedule, **operands).root())
        assert isinstance(outer.body, WherePlan)
        return {access.tensor for access in outer.body.consumer.surroundings.optional}

    merged = "D(i,j) = (A(i,j) + B(i,j) + C(i,j)) * x(j)"
    assert missing(merged, "precompute(x(j),{j},{jw},w)", "ABC") == {"A", "B", "C"}
    parts = "D(i,j) = (A(i,j) + B(i,j)) + C(i,j) + E(i,j) + F(i,j)"
    assert missing(parts, "precompute(A(i,j)+B(i,j),{j},{jw},w)", "ABCEF") == {"A", "B", "C", "E", "F", "w"}
