"""Diagrams: boxes do not overlap and keep their order, and no arrow runs behind one."""

import re
from itertools import pairwise

from gnomon.reference.drawing.diagram import HEIGHT, Diagram, Node, arrow, layout
from hypothesis import given
from hypothesis import strategies as st


@st.composite
def diagrams(draw: st.DrawFn) -> Diagram:
    """Boxes of any width in up to five rows, arrows between any rows."""
    rows = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    nodes = [Node("n" * draw(st.integers(1, 12)), row) for row, count in enumerate(rows) for _ in range(count)]
    pairs = [(a, b) for a, n in enumerate(nodes) for b, m in enumerate(nodes) if n.row < m.row]
    lines = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=8)) if pairs else []
    return Diagram(tuple(nodes), tuple(lines))


@given(diagrams())
def test_boxes_stand_beside_one_another_in_their_order(drawn: Diagram) -> None:
    places = layout(drawn).nodes
    for a, b in pairwise(range(len(drawn.nodes))):
        one, other = drawn.nodes[a], drawn.nodes[b]
        if one.row == other.row:
            assert places[a][1] == places[b][1]
            assert places[a][0] + one.width / 2 < places[b][0] - other.width / 2
        else:
            assert places[a][1] + HEIGHT < places[b][1]


@given(diagrams())
def test_arrows_run_between_boxes_from_the_first_to_the_last(drawn: Diagram) -> None:
    places = layout(drawn)
    for (a, b), path in zip(drawn.lines, places.lines, strict=True):
        assert path[0] == (places.nodes[a][0], places.nodes[a][1] + HEIGHT / 2)
        assert path[-1] == (places.nodes[b][0], places.nodes[b][1] - HEIGHT / 2)
        for (x0, y0), (x1, y1) in pairwise(path):
            for n, (x, y) in zip(drawn.nodes, places.nodes, strict=True):
                apart = max(y0, y1) <= y - HEIGHT / 2 or min(y0, y1) >= y + HEIGHT / 2
                beside = max(x0, x1) < x - n.width / 2 or min(x0, x1) > x + n.width / 2
                assert apart or beside


def test_arrows_end_in_a_head() -> None:
    drawn = arrow([(0, 0), (0, 20)])
    tip = re.search(r'polygon points="([^"]+)"', drawn)
    assert tip is not None
    assert tip[1].split()[0] == "0,20"
    assert all(float(point.split(",")[1]) < 20 for point in tip[1].split()[1:])


def test_labels_stand_left_of_everything() -> None:
    drawn = Diagram((Node("a<b", 0), Node("c", 1)), ((0, 1),), ("a long label", "")).svg()
    left = [float(x) for x in re.findall(r'<rect x="([0-9.]+)"', drawn)]
    assert min(left) > 8 * len("a long label")
    assert "a&lt;b" in drawn
