"""Pictures of schedules: which variables derive from which, and which points lie in which tile."""

import re

import gnomon as gn
import numpy as np
from gnomon.reference.drawing.schedules import iteration_space, provenance_graph
from gnomon.reference.schedule.preparation import prepare

A = gn.tensor([[0, 0, 2, 2], [0, 3, 1, 2]], [1.0, 2.0, 3.0, 4.0], (3, 4), "CSR")
NONZEROS = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)"


def test_the_provenance_graph_goes_from_original_variables_to_loops() -> None:
    ready = prepare("y(i) = A(i,j) * x(j)", {"A": A, "x": np.ones(4)}, schedule=NONZEROS)
    drawn = provenance_graph(ready.program)
    assert [n.text for n in drawn.nodes] == ["i", "j", "f collapse", "p pos A(i,j)", "∀p0 split 2", "∀p1 split 2"]
    assert [n.row for n in drawn.nodes] == [0, 0, 1, 2, 3, 3]
    assert drawn.lines == ((0, 2), (1, 2), (2, 3), (3, 4), (3, 5))


def test_every_relation_has_a_caption() -> None:
    schedule = f"{NONZEROS},coord(p1,c),bound(p0,b,2,max_exact),divide(b,b0,b1,2)"
    ready = prepare("y(i) = A(i,j) * x(j)", {"A": A, "x": np.ones(4)}, schedule=schedule)
    texts = [n.text for n in provenance_graph(ready.program).nodes]
    assert {"∀c coord", "b max_exact 2", "∀b0 divide 2"} <= set(texts)


def test_the_iteration_space_has_a_colour_for_each_tile() -> None:
    ready = prepare("y(i) = A(i,j) * x(j)", {"A": A, "x": np.ones(4)}, schedule=NONZEROS)
    drawn = iteration_space(ready.program, ready.operands)
    assert drawn is not None
    cells = re.findall(r"hsl\((\d+)[^/]*/><text[^>]*>(\d+)</text>", drawn)
    assert [number for _, number in cells] == ["0", "1", "2", "3"]
    colours = [colour for colour, _ in cells]
    assert colours[0] == colours[1] != colours[2] == colours[3]
    assert re.findall(r">(\d: p0 = \d)</text>", drawn) == ["0: p0 = 0", "1: p0 = 1"]


def test_tiles_of_parallel_loops_are_numbered_in_the_order_of_their_coordinates() -> None:
    operands = {"A": gn.tensor([range(12), [0] * 12], np.ones(12), (12, 4), "CSR"), "x": np.ones(4)}
    serial = f"{NONZEROS},bound(p0,q0,6,max_exact)"
    drawn = []
    for schedule in (serial, f"{serial},parallelize(q0,CPUThread,Atomics)"):
        ready = prepare("y(i) = A(i,j) * x(j)", operands, schedule=schedule)
        drawn.append(iteration_space(ready.program, ready.operands))
    assert drawn[0] == drawn[1] and "5: q0 = 5" in str(drawn[0])


def test_what_is_too_large_or_has_more_dimensions_is_not_drawn() -> None:
    large = gn.tensor([[0], [0]], [1.0], (50, 4), "CSR")
    ready = prepare("y(i) = A(i,j) * x(j)", {"A": large, "x": np.ones(4)})
    assert iteration_space(ready.program, ready.operands) is None
    ready = prepare("C(i,j) = A(i,k) * B(k,j)", {"A": A, "B": np.ones((4, 2))})
    assert iteration_space(ready.program, ready.operands) is None
