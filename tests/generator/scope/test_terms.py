"""Terms in C: the windows that loops around leave a variable."""

from collections.abc import Sequence
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.properties.differential.batch import build_library, cases, check_case
from gnomon.properties.programs.problem import Problem
from gnomon.reference.errors import ParseError, ScheduleError
from gnomon.reference.schedule.schedule import as_schedule


def checked(problems: Sequence[Problem], folder: Path) -> None:
    """Kernels of one library give what all of some problems mean."""
    every = list(cases(problems, []))
    assert len(every) == len(problems)
    library = build_library(every, folder, chosen_compiler())
    for case in every:
        check_case(case, library)


def test_loops_over_tiles_of_tiles_keep_to_the_tile_around(tmp_path: Path) -> None:
    matrix = gn.tensor(np.nonzero(np.ones((4, 5))), np.arange(1.0, 21.0), (4, 5), "CSR")
    operands = {"A": matrix, "x": gn.from_numpy(np.ones(4), "Dense")}
    tiles = [f"reorder(j,i),split(j,u,v,{size}),split(u,u0,v0,{size})" for size in (1, 2, 3)]
    fused = ("collapse(v0,v,f)", "collapse(v,i,g),reorder(u0,v0),collapse(v0,g,f)")
    schedules = [as_schedule(f"{cut},{each}") for cut in tiles for each in fused]
    checked([Problem("y(i) = A(j,i) * x(j)", operands, "Dense", schedule=each) for each in schedules], tmp_path)


def test_what_is_met_alongside_a_tile_of_positions_begins_where_the_tile_does() -> None:
    mask = gn.tensor([[3, 4, 4]], [-1.0, -2.0, 5.0], (6,), "compressed(nonunique)")
    tiles = "pos(i,p,a(i)),split(p,p0,p1,2)"
    gn.check("r(i)<!M(i)> = a(i)", a=np.arange(6.0), M=mask, out="HashVector", schedule=tiles)


def test_duplicates_belong_to_the_tile_of_the_first() -> None:
    entries = gn.tensor([[1, 1, 2], [0, 1, 0]], [1.0, 2.0, 3.0], (4, 2), "COO")
    for schedule in ("pos(i,p,A(i,j)),split(p,p0,p1,1)", "pos(i,p,A(i,j)),split(p,p0,p1,4),divide(p1,u,v,4)"):
        gn.check("r(i,j) = A(i,j)", A=entries, out="COO", schedule=schedule)


@pytest.mark.parametrize("tiles", ["divide(u2,u4,v4,4)", "split(u2,u4,v4,3)"])
@pytest.mark.parametrize("rows", [1, 4, 5])
def test_a_part_of_a_variable_collapsed_with_another_in_tiles(rows: int, tiles: str) -> None:
    a = gn.from_numpy(np.arange(1.0, 15 * rows + 1).reshape(3, rows, 5), "dense,compressed,dense")
    schedule = f"divide(j,u0,v0,3),reorder(v0,k,u0),collapse(v0,k,u2),{tiles}"
    report = gn.check("C(i,j,k) = A(i,j,k) * B(j,k)", A=a, B=np.ones((rows, 5)), schedule=schedule)
    assert report.engines == ("reference", "c")


COMPLETED = (
    "split(i,u1,v1,2),split(j,u4,v4,3),reorder(u1,u4,v4,v1),collapse(u1,u4,u6)",
    "split(i,u1,v1,2),reorder(u1,j,v1),split(j,u4,v4,3),collapse(u1,u4,u6)",
    "split(i,u1,v1,2),split(j,u4,v4,3),reorder(u1,u4,v4,v1),collapse(u1,u4,u6),split(u6,u7,u8,2)",
    "divide(i,u1,v1,2),divide(j,u4,v4,3),reorder(v1,v4,u4,u1),collapse(v1,v4,u6)",
    "split(i,u1,v1,3),reorder(v1,u1),collapse(v1,u1,u6)",
    "split(i,u1,v1,3),split(j,u4,v4,2),reorder(u1,v1,v4,u4),collapse(v4,u4,u6)",
)


def test_collapsed_tiles_may_be_completed_in_any_order(tmp_path: Path) -> None:
    matrix = gn.from_numpy(np.arange(1.0, 31.0).reshape(5, 6), "Dense")
    asked = [
        (text, out, as_schedule(each))
        for text, out in (("a = A(i,j)", ""), ("B(i,j) = A(i,j)", "Dense"))
        for each in COMPLETED
    ]
    checked([Problem(text, {"A": matrix}, out, schedule=each) for text, out, each in asked], tmp_path)


SIZES = (2**31 - 1, 2**31, 2**32 + 1, 2**62 - 1, 2**62)
ROWS = (
    *(
        "split(i,u,v,{0})",
        "split(i,u,v,{0}),reorder(v,u)",
        "split(i,u,v,{0}),split(u,b,c,{0})",
        "bound(i,b,{0},max_constraint)",
    ),
    *("split(i,u,v,{0}),split(v,b,c,{0})", "split(i,u,v,{0}),collapse(v,j,f)", "collapse(i,j,f),split(f,u,v,{0})"),
    *("pos(i,p,A(i,j)),split(p,u,v,{0})", "collapse(i,j,f),pos(f,p,A(i,j)),split(p,u,v,{0}),reorder(v,u)"),
    *(
        "collapse(i,j,f),pos(f,p,A(i,j)),split(p,u,v,{0}),coord(v,c)",
        "pos(j,p,A(i,j)),split(p,u,v,{0}),split(u,b,c,{0})",
    ),
)


@pytest.mark.parametrize("index", ["int32", "int64"])
def test_sizes_near_the_limits_of_integers(index: str, tmp_path: Path) -> None:
    matrix = gn.tensor([[0, 0, 2], [1, 3, 0]], [1.0, 2.0, 4.0], (3, 4), "DCSR", index=index)
    result = gn.from_numpy(np.zeros(3), "dense").format
    schedules = [rows.format(size) for size in SIZES for rows in ROWS]
    chosen = schedules if ALL else schedules[2 * (index == "int64") :: 4]
    checked([Problem("y(i) = A(i,j)", {"A": matrix}, result, None, as_schedule(each)) for each in chosen], tmp_path)


@pytest.mark.parametrize(
    ("schedule", "reason"),
    [
        (f"split(i,u,v,{2**62 + 1})", f"size of a split is {2**62 + 1}, but may be at most {2**62}"),
        ("split(i,u,v,0)", "size of a split is 0, but must be a positive integer"),
        (f"bound(i,b,{-(2**63)},min_constraint)", f"limit of a bound is -{2**63}, but may be at most"),
        (f"divide(i,u,v,{2**63})", f"number of parts is {2**63}, but may be at most 1000000"),
        (f"unroll(i,{2**63})", f"unroll factor is {2**63}, but may be at most 64"),
        (f"split(i,u,v,{'9' * 50})", "integer of at most 40 digits, but found"),
    ],
)
def test_sizes_beyond_the_limits_are_refused_for_what_they_are(schedule: str, reason: str) -> None:
    for engine in ("reference", "c"):
        with pytest.raises((ScheduleError, ParseError), match=reason):
            gn.evaluate("y(i) = x(i)", x=np.ones(3), schedule=schedule, engine=engine)


def test_what_a_schedule_cannot_count_to_is_refused_and_positions_are_counted() -> None:
    wide = gn.tensor([[0, 2**39], [1, 2**39]], [1.0, 2.0], (2**40, 2**40), "DCSR", index="int64")
    tiles, positions = "collapse(i,j,f),split(f,u,v,4)", "collapse(i,j,f),pos(f,p,A(i,j)),split(p,u,v,4)"
    for engine in ("reference", "c"):
        with pytest.raises(ScheduleError, match=f"f has {2**80} values, but a schedule counts to {2**62} at most"):
            gn.evaluate("a = A(i,j)", A=wide, schedule=tiles, engine=engine)
    with pytest.warns(gn.ScheduleWarning, match="whatever is stored"):
        kernel = gn.compile("a = A(i,j)", A=gn.spec("DCSR", index="int64"), schedule=tiles)
    with pytest.raises(ScheduleError, match="values, but a schedule counts to"):
        kernel(A=wide)
    vector = gn.tensor([[0, 2**62]], [1.0, 2.0], (2**63 - 1,), "s", index="int64")
    for engine in ("reference", "c"):
        assert gn.evaluate("a = A(i,j)", A=wide, schedule=positions, engine=engine).to_numpy() == 3.0
        counted = gn.evaluate("a = x(i)", x=vector, schedule="pos(i,p,x(i)),divide(p,u,v,1000)", engine=engine)
        assert counted.to_numpy() == 3.0
    with pytest.raises(ScheduleError, match="i has 9223372036854775807 values"):
        gn.evaluate("a = x(i)", x=vector, schedule="divide(i,u,v,1000)")


@pytest.mark.parametrize("size", [2**31 - 1, 2**31])
@pytest.mark.parametrize("format", ["CSR", "dense,accumulator", "DCSR"])
def test_tiles_near_the_limit_of_an_index_hold_all_positions(format: str, size: int) -> None:
    b = gn.tensor([[0, 1, 1], [0, 0, 1]], [-1.0, -2.0, 3.0], (2, 4), format)
    schedule = f"pos(j,p,B(i,j)),split(p,p0,p1,{size})"
    result = gn.evaluate("R(i,j) = B(i,j) * 2", B=b, out="Dense", schedule=schedule, engine="c")
    np.testing.assert_array_equal(result.to_numpy(), b.to_numpy() * 2)
