"""Pictures of loop nests: loops where they stand, and the stops of every operand."""

import re

import gnomon as gn
import numpy as np
from gnomon.reference.drawing.loops import LoopTree, loop_nest
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import Program, Sequence
from msgspec.structs import replace

A = gn.tensor([[0, 0, 2], [0, 3, 1]], [1.0, 2.0, 3.0], (4, 4), "CSR")


def program(expression: str, out: str | None = None, schedule: str | None = None, **operands: gn.Tensor) -> Program:
    return prepare(expression, operands, out=out, schedule=schedule).program


def drawn(found: Program) -> LoopTree:
    tree = LoopTree(found)
    tree.add(found.statement, ())
    return tree


def stops(tree: LoopTree, leaf: int) -> dict[str, list[tuple[int, str]]]:
    """The rows and texts of the paths of an assignment."""
    return {path.title: [(s.row, s.text) for s in path.stops] for path in tree.leaves[leaf].paths}


def test_loops_of_siblings_stand_beside_one_another() -> None:
    tree = drawn(program("C(i,j) = A(i,k) * B(k,j)", "CSR", A=A, B=A))
    assert [(n.text, n.row) for n in tree.nodes] == [
        ("∀i", 1), ("∀k", 2), ("∀j", 3), ("w(j) += A(i,k) * B(k,j)", 4), ("∀j", 2), ("C(i,j) = w(j)", 3),
    ]  # fmt: skip
    assert tree.parents == [(None, ""), (0, "fill w"), (1, ""), (2, ""), (0, "read w"), (4, "")]
    assert tree.columns == [0, 0, 0, 0, 1, 1]
    assert stops(tree, 0) == {
        "w(j)": [(3, "accumulator")],
        "A(i,k) CSR": [(1, "dense"), (2, "compressed")],
        "B(k,j) CSR": [(2, "dense"), (3, "compressed")],
    }
    assert stops(tree, 1)["C(i,j) CSR"] == [(1, "dense"), (2, "compressed")]


def test_no_arrow_crosses_the_path_of_an_operand() -> None:
    """Arrows between boxes stay left of all paths, and each assignment's paths stand below its text."""
    text = loop_nest(program("C(i,j) = A(i,k) * B(k,j)", "CSR", A=A, B=A))
    lines = re.findall(r'<polyline points="([^"]*)" fill="none" stroke="(#\w+)"', text)
    ends = {grey: [float(p.split(",")[0]) for points, colour in lines if (colour == "#777") == grey
                   for p in points.split()] for grey in (True, False)}  # fmt: skip
    assert max(ends[True]) < min(ends[False])
    assert re.findall(r'y="16" [^>]*>([^<]*)<', text) == ["w(j) += A(i,k) * B(k,j)", "C(i,j) = w(j)"]


def test_levels_stop_at_the_last_loop_that_gives_their_coordinate() -> None:
    x = gn.tensor(np.arange(4)[None], np.ones(4), (4,), "Dense")
    blocked = drawn(program("y(i) = A(i,j) * x(j)", A=A.convert("BCSR(2,2)"), x=x))
    assert [n.text for n in blocked.nodes[:4]] == ["∀io", "∀jo", "∀ii", "∀ji"]
    found = stops(blocked, 0)
    assert (found["y(i)"], found["x(j)"]) == ([(3, "dense")], [(4, "dense")])
    assert [row for row, _ in found["A(i,j) BCSR(2,2)"]] == [1, 2, 3, 4]
    positions = drawn(
        program("y(i) = A(i,j) * x(j)", schedule="collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)", A=A, x=x)
    )
    assert stops(positions, 0)["A(i,j) CSR"] == [(2, "dense, compressed")]


def test_workspaces_in_blocks_stop_at_the_loops_of_their_modes() -> None:
    blocked = drawn(program("C(i,j) = A(i,j)", "BCSR(2,2)", A=A))
    assert [n.text for n in blocked.nodes] == [
        "∀io", "∀ii", "∀j", "w(ii,j) = A(i,j)", "∀jo", "∀ii", "∀ji", "C(i,j) = w(ii,j)",
    ]  # fmt: skip
    assert stops(blocked, 0)["w(ii,j)"] == [(3, "accumulator"), (2, "dense"), (3, "bitmap")]
    assert stops(blocked, 1)["w(ii,j)"] == [(2, "accumulator"), (3, "dense"), (4, "bitmap")]
    assert "accumulator" in loop_nest(program("C(i,j) = A(i,k) * A(k,j)", "CSB(2,2)", A=A))


def test_statements_in_a_sequence_are_numbered() -> None:
    once = program("C(i,j) = A(i,j)", "RowMajor", A=A)
    found = replace(once, statement=Sequence((once.statement, once.statement)))
    tree = drawn(found)
    assert [tree.nodes[n].text for n, (parent, _) in enumerate(tree.parents) if parent is None] == ["∀i", "∀i"]
    assert [role for _, role in tree.parents if role] == ["1.", "2."]
    assert ">2.</text>" in loop_nest(found)


def test_the_picture_is_as_wide_as_its_paths() -> None:
    text = loop_nest(program("y = A(i,j)", A=A))
    width = float(re.search(r'width="([0-9.]+)"', text)[1])  # type: ignore[index]
    assert all(float(x) < width for x in re.findall(r'<text x="([0-9.]+)"', text))
    assert text.count("<circle") == 2
    assert loop_nest(program("y = 2 * x", x=gn.tensor([], [3.0], (), ""))).count("∀") == 0
