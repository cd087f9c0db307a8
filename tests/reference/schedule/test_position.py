"""Pos and coord: tiles of stored components, unions, storage order."""

import re
from collections.abc import Callable
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ScheduleError
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.notation.syntax import Access
from gnomon.reference.schedule.nests import change_loops, derive
from gnomon.reference.schedule.position import is_part
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.schedule.schedule import as_schedule
from gnomon.reference.schedule.split import split
from gnomon.reference.statement.provenance import Provenance
from gnomon.reference.statement.relation import Bound, Collapse, Coord, Derivation, Divide, Pos, Split
from gnomon.reference.statement.statement import Forall, reads

Spmv = Callable[..., Any]
WORKSPACE = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,q,r,2),precompute(A(i,j),{r},{rw},w)"


@pytest.mark.parametrize("format", ["CSR", "DCSR", "COO", "Dense"])
def test_tiles_of_nonzeros_are_equally_full(spmv: Spmv, format: str) -> None:
    ran = spmv("collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)", format)
    stored = 20 if format == "Dense" else 7
    assert ran.loops == ["p0", "p1"]
    assert ran.counts == {"p0": -(-stored // 2), "p1": stored}
    assert ran.order("i", "j") == sorted(ran.order("i", "j"))


def test_the_name_of_an_operand_is_enough_where_one_access_stores_the_variable(spmv: Spmv, run: Any) -> None:
    tiles = "collapse(i,j,f),pos(f,p,{}),split(p,p0,p1,2)"
    named, written = spmv(tiles.format("A"), "CSR"), spmv(tiles.format("A(i,j)"), "CSR")
    assert named.program == written.program
    assert str(as_schedule(tiles.format("A"))) == tiles.format("A")
    A = gn.tensor([[0, 1, 1], [1, 0, 1]], [1.0, 2.0, 3.0], (2, 2), "DCSR")
    assert run("C(i,j) = A(i,k) * A(k,j)", "pos(i,p,A)", A=A).program.provenance.of_schedule[0].access.indices == (
        "i",
        "k",
    )


@pytest.mark.parametrize(
    ("schedule", "message", "hint"),
    [
        ("pos(k,p,A)", "A is read in several ways", r"write pos\(k,p,A\(i,k\)\) or pos\(k,p,A\(k,j\)\)"),
        ("pos(k,p,B)", "does not read B", r"A\(i,k\), A\(k,j\)"),
    ],
)
def test_a_name_that_could_mean_several_accesses_is_refused(schedule: str, message: str, hint: str) -> None:
    A = gn.tensor([[0, 1, 1], [1, 0, 1]], [1.0, 2.0, 3.0], (2, 2), "DCSR")
    with pytest.raises(ScheduleError, match=message) as caught:
        gn.evaluate("C(i,j) = A(i,k) * A(k,j)", A=A, schedule=schedule)
    assert caught.value.hint is not None and re.search(hint, caught.value.hint)
    assert caught.value.span is not None


FORMATS = [
    "CSR", "DCSR", "COO", "COO_AoS", "Dense", "HashRows", "HashMap", "Banded", "dense,bitmap", "compressed,dense",
    "dense,compressed(unordered)", "compressed(nonunique),singleton(nonunique)", "BCSR(2,2)", "CSB(2,2)",
]  # fmt: skip


@pytest.mark.every(3)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "schedule",
    [
        "collapse({0},{1},f),pos(f,p,A(i,j)),split(p,p0,p1,3),parallelize(p0,CPUThread,Atomics)",
        "collapse({0},{1},f),pos(f,p,A(i,j)),split(p,p0,p1,3),reorder(p1,p0)",
        "collapse({0},{1},f),pos(f,p,A(i,j)),divide(p,p0,p1,4),coord(p1,c)",
        "pos({1},p,A(i,j)),split(p,p0,p1,2)",
        "pos({0},p,A(i,j)),split(p,p0,p1,2)",
    ],
)
def test_positions_of_every_format(spmv: Spmv, format: str, schedule: str) -> None:
    blocked = format.startswith(("BCSR", "CSB"))
    assert sum(spmv(schedule.format(*(("io", "jo") if blocked else ("i", "j"))), format).counts.values()) > 0


def test_tiles_of_the_rows_that_are_there(spmv: Spmv) -> None:
    assert spmv("pos(i,p,A(i,j)),split(p,p0,p1,3)", "DCSR").counts == {"p0": 2, "p1": 4, "j": 7}


def test_tiles_of_each_row(spmv: Spmv) -> None:
    ran = spmv("pos(j,p,A(i,j)),split(p,p0,p1,2)")
    assert ran.counts == {"i": 5, "p0": 1 + 1 + 0 + 2 + 1, "p1": 7}


@pytest.mark.parametrize("format", ["CSR", "DCSR", "COO", "BCSR(2,2)"])
@pytest.mark.parametrize(
    "schedule",
    [
        "split({1},j0,j1,3),pos(j1,p,A(i,j))",
        "split({1},j0,j1,3),pos(j1,p,A(i,j)),split(p,p0,p1,2)",
        "split({1},j0,j1,4),split(j1,j2,j3,2),pos(j3,p,A(i,j))",
        "divide({1},j0,j1,2),pos(j1,p,A(i,j)),coord(p,c)",
        "split({0},i0,i1,2),pos(i1,p,A(i,j))",
        "collapse({0},{1},f),split(f,f0,f1,5),pos(f1,p,A(i,j)),split(p,p0,p1,2)",
    ],
)
def test_positions_in_a_tile_of_coordinates(spmv: Spmv, format: str, schedule: str) -> None:
    spmv(schedule.format(*(("io", "jo") if "BCSR" in format else ("i", "j"))), format)


@pytest.mark.parametrize("engine", ["reference", "c"])
def test_collapsed_tiles_are_those_of_the_row_that_a_position_tells(engine: str) -> None:
    """The number of a row's tile is a part of f, which goes over all tiles inside the loop over positions."""
    A = gn.tensor([[1, 1, 2, 3], [0, 4, 1, 4]], [2.0, 1.0, 3.0, 4.0], (4, 5), "DCSR")
    tiles = "divide(j,j0,j1,4),divide(i,i0,i1,2),reorder(j1,i0,j0,i1),collapse(i0,j0,f),pos(j1,p,A(j,i))"
    found = gn.evaluate("y(i) = A(j,i)", A=A, schedule=tiles, engine=engine)
    assert found.to_numpy().tolist() == [2.0, 3.0, 0.0, 0.0, 5.0]


def test_tiles_of_coordinates_are_searched_for(spmv: Spmv) -> None:
    """Each component is visited in one tile, and nothing else is."""
    assert spmv("split(j,j0,j1,2),pos(j1,p,A(i,j))", "CSR").counts == {"i": 5, "j0": 10, "p": 7}


def test_coordinates_of_a_tile_of_positions(spmv: Spmv) -> None:
    ran = spmv("collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,3),coord(p1,c)")
    assert ran.loops == ["p0", "c"]
    assert ran.counts == {"p0": 3, "c": 7}


@pytest.mark.parametrize("engine", ["reference", "c"])
def test_tiles_of_a_workspace_are_of_what_it_holds_now(engine: str) -> None:
    a = gn.tensor([[0, 1, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1]], [1.0, 2.0, 3.0, 4.0], (2, 2, 2), "COO")
    held = a.convert("dense,dense,compressed; (i,j,k)->(i,k,j)")
    expression, schedule = "y(i) = sum(k, square(sum(l, A(i,k,l))))", "pos(k,p,w(k)),split(p,p0,p1,1)"
    assert gn.evaluate(expression, A=held, schedule=schedule, engine=engine).to_numpy().tolist() == [1.0, 45.0]


def test_back_to_coordinates_and_tiled_there(spmv: Spmv) -> None:
    ran = spmv("pos(j,p,A(i,j)),coord(p,c),split(c,c0,c1,3)")
    assert ran.counts == {"i": 5, "c0": 10, "c1": 7}


def test_positions_of_one_factor_of_an_intersection(run: Any, matrix: Any) -> None:
    b = gn.tensor([[0, 1, 3, 4], [0, 0, 1, 3]], [1.0, 2.0, 3.0, 4.0], (5, 4), "CSR")
    ran = run("C(i,j) = A(i,j) * B(i,j)", "pos(j,p,B(i,j)),split(p,p0,p1,2)", A=matrix("CSR"), B=b)
    np.testing.assert_array_equal(ran.result.to_numpy(), matrix("CSR").to_numpy() * b.to_numpy())
    assert ran.counts["p1"] == 3


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        ("pos(j,p,B(i,j))", "does not read B"),
        ("pos(q,p,A(i,j))", "no loop runs over q"),
        ("pos(i,p,x(j))", "x does not store i|x\\(j\\) does not store i"),
        ("collapse(i,j,f),pos(f,p,x(j))", "does not store i, j one after the other"),
        ("split(j,j0,j1,2),pos(j0,p,A(i,j))", "counts the parts of a split"),
        (
            "split(j,j0,j1,2),precompute(A(i,j),{j1},{j1w},w),pos(j1w,p,A(i,jw))",
            "j1w cannot be transformed any more: the workspace w is indexed by it",
        ),
        ("pos(j,p,A(i,j)),pos(p,q,A(i,j))", "counts positions already"),
        ("coord(j,c)", "j counts coordinates"),
        (f"{WORKSPACE},coord(r,c)", "r is an index of the workspace w"),
        (f"{WORKSPACE},coord(rw,c)", "rw is an index of the workspace w"),
        ("pos(j,p,A(i,j)),split(p,p0,p1,2),reorder(p0,i)", "counts positions of A below i"),
    ],
)
def test_refusals(spmv: Spmv, schedule: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        spmv(schedule)


def test_positions_of_a_union_are_refused_and_would_lose_what_only_the_other_holds(matrix: Any) -> None:
    a, b = matrix("CSR"), gn.tensor([[0, 2], [1, 2]], [10.0, 20.0], (5, 4), "CSR")
    operands, source = {"A": a, "B": b}, "C(i,j) = A(i,j) + B(i,j)"
    with pytest.raises(ScheduleError, match="pos on a union"):
        prepare(source, operands, schedule="pos(j,p,A(i,j))")
    ready = prepare(source, operands)
    read = next(r for r in reads(ready.program.statement) if r.tensor == "A")
    forced = derive(change_loops(ready.program, (), "j", lambda s: Forall("p", s.body)), Pos("j", "p", read, 1, 2))
    result, _ = interpret(split(forced, (), "p", "p0", "p1", 1), ready.operands)
    assert result.to_numpy()[2, 2] == 0 and a.to_numpy()[2, 2] + b.to_numpy()[2, 2] == 20


def test_what_a_mask_leaves_where_an_operand_is_absent_has_no_positions() -> None:
    """Once a workspace holds what is kept of a result, something is kept wherever the mask does not hold."""
    d = gn.tensor([[0, 1, 2, 2], [0, 1, 2, 3]], [1.0, 2.0, 3.0, 4.0], (3, 4), "CSR")
    operands = {"R": gn.tensor([[1, 2]], [-3.0, 4.0], (4,), "SparseVector"), "D": d}
    source, tiles = "R(i)<lt(R(i), 0),merge> = D(j,i)", "pos(i,q,R_old(i)),split(q,q0,q1,2)"
    for schedule in ("", tiles):
        found = gn.evaluate(source, schedule=schedule, engine="reference", **operands)
        assert found.to_numpy().tolist() == [0, 2, 4, 0]
    with pytest.raises(ScheduleError, match="the loop over q1 has something to compute where R_old has no component"):
        gn.evaluate(source, schedule=f"{tiles},precompute(R_old(i),{{q1}},{{q1w}},t)", **operands)


def test_positions_below_a_parent_that_comes_later_are_refused(run: Any, matrix: Any) -> None:
    with pytest.raises(ScheduleError, match="positions of A at level 2 are counted below i, which the loops around"):
        run("y(i) = A(i,j) * x(j)", "reorder(j,i),pos(j,p,A(i,j))", A=matrix("Dense"), x=np.ones(4))


def test_coordinate_tiles_of_a_union_are_right(run: Any, matrix: Any) -> None:
    b = gn.tensor([[0, 2], [1, 2]], [10.0, 20.0], (5, 4), "CSR")
    for out in ("CSR", "Dense"):
        ran = run("C(i,j) = A(i,j) + B(i,j)", "split(j,j0,j1,3),split(i,i0,i1,2)", out=out, A=matrix("CSR"), B=b)
        np.testing.assert_array_equal(ran.result.to_numpy(), matrix("CSR").to_numpy() + b.to_numpy())


SPLIT, FUSED = Split("i", "a", "b", 4), Collapse("i", "j", "f")
POS = Pos("i", "p", Access("A", ("i",), ("i",)), 0, 1)


@pytest.mark.parametrize(
    ("relations", "variable", "part"),
    [
        ((SPLIT,), "i", False),
        ((SPLIT,), "a", True),
        ((Divide("i", "a", "b", 4),), "b", True),
        ((SPLIT, Bound("b", "c", 4, "max_exact")), "c", True),
        ((SPLIT, Collapse("b", "j", "f")), "f", True),
        ((FUSED,), "f", False),
        ((POS, Coord("p", "c", POS)), "c", False),
    ],
)
def test_parts_of_splits_stay_parts(relations: tuple[Derivation, ...], variable: str, part: bool) -> None:
    assert is_part(Provenance(of_schedule=relations), variable) is part
