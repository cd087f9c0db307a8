"""The windows that loops around leave a variable, in C."""

import gnomon as gn
import numpy as np
import pytest


@pytest.mark.parametrize("size", [1, 2, 3])
def test_loops_over_tiles_of_tiles_keep_to_the_tile_around(size: int) -> None:
    matrix = gn.tensor(np.nonzero(np.ones((4, 5))), np.arange(1.0, 21.0), (4, 5), "CSR")
    tiles = f"reorder(j,i),split(j,u,v,{size}),split(u,u0,v0,{size})"
    for schedule in (f"{tiles},collapse(v0,v,f)", f"{tiles},collapse(v,i,g),reorder(u0,v0),collapse(v0,g,f)"):
        gn.check("y(i) = A(j,i) * x(j)", A=matrix, x=np.ones(4), schedule=schedule)


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


@pytest.mark.parametrize(
    "schedule",
    [
        "split(i,u1,v1,2),split(j,u4,v4,3),reorder(u1,u4,v4,v1),collapse(u1,u4,u6)",
        "split(i,u1,v1,2),reorder(u1,j,v1),split(j,u4,v4,3),collapse(u1,u4,u6)",
        "split(i,u1,v1,2),split(j,u4,v4,3),reorder(u1,u4,v4,v1),collapse(u1,u4,u6),split(u6,u7,u8,2)",
        "divide(i,u1,v1,2),divide(j,u4,v4,3),reorder(v1,v4,u4,u1),collapse(v1,v4,u6)",
        "split(i,u1,v1,3),reorder(v1,u1),collapse(v1,u1,u6)",
        "split(i,u1,v1,3),split(j,u4,v4,2),reorder(u1,v1,v4,u4),collapse(v4,u4,u6)",
    ],
)
def test_collapsed_tiles_may_be_completed_in_any_order(schedule: str) -> None:
    matrix = np.arange(1.0, 31.0).reshape(5, 6)
    gn.check("a = A(i,j)", A=matrix, schedule=schedule)
    gn.check("B(i,j) = A(i,j)", A=matrix, schedule=schedule)
