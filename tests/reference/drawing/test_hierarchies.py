"""Pictures of storage: every position of a coordinate hierarchy as it is stored."""

import gnomon as gn
from gnomon.reference.drawing.diagram import Diagram
from gnomon.reference.drawing.hierarchies import hierarchy

TWICE = gn.tensor([[0, 0, 1], [1, 1, 0]], [1.0, 2.0, 3.0], (2, 2), "compressed(nonunique),singleton(nonunique)")


def row(drawn: Diagram, number: int) -> list[str]:
    """What stands in a row, the hollow boxes in brackets."""
    return [f"[{n.text}]" if n.hollow else n.text for n in drawn.nodes if n.row == number]


def test_duplicates_have_boxes_of_their_own() -> None:
    drawn = hierarchy(TWICE)
    assert [row(drawn, k) for k in range(3)] == [["0", "0", "1"], ["1", "1", "0"], ["1", "2", "3"]]
    assert drawn.rows == ("level 1 (compressed)", "level 2 (singleton)", "values")
    assert sorted(drawn.lines) == [(0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (7, 8)]


def test_padding_is_hollow() -> None:
    ragged = gn.tensor([[0, 0, 1], [0, 1, 1]], [1.0, 2.0, 3.0], (2, 3), "ELL")
    drawn = hierarchy(ragged)
    assert row(drawn, 2) == ["0", "1", "1", "[–]"]
    assert row(drawn, 3) == ["1", "3", "2"]
    blocked = gn.tensor([[0], [2]], [5.0], (1, 3), "BCSR(2,2)")
    assert row(hierarchy(blocked), 4) == ["5", "[0]", "[0]", "[0]"]


def test_empty_parents_and_buckets_are_there() -> None:
    sparse = gn.tensor([[2], [0]], [1.0], (3, 1), "CSR")
    assert row(hierarchy(sparse), 0) == ["0", "1", "2"]
    hashed = gn.tensor([[1]], [1.0], (3,), "hashed(width=4)")
    assert row(hierarchy(hashed), 0) == ["[–]", "1", "[–]", "[–]"]
