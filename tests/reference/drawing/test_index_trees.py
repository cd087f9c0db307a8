"""Pictures of index trees, and the trees as dictionaries."""

from __future__ import annotations

from gnomon.reference.drawing.index_trees import tree_as_json, tree_picture
from gnomon.reference.loops.domains import domains
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.index_tree import IndexTree, index_tree
from gnomon.reference.storage.packing import tensor

A = tensor([[0], [1]], [1.0], (4, 4), "CSR")


def product() -> IndexTree:
    """The tree of a product into compressed rows."""
    program = prepare("C(i,j) = A(i,k) * B(k,j)", {"A": A, "B": A}, out="CSR").program
    return index_tree(program, tuple(domains(program)))


def test_children_stand_below_their_node_in_order() -> None:
    drawn = tree_picture(product())
    assert [(n.text, n.row, n.rounded) for n in drawn.nodes] == [
        ("tree", 0, True),
        ("i: dense", 1, True),
        ("j: workspace(w)", 2, True),
        ("w(j) = 0.0", 3, False),
        ("k: sparse(A, 2, compressed)", 2, True),
        ("j: sparse(B, 2, compressed)", 3, True),
        ("w(j) += A(i,k) * B(k,j)", 4, False),
        ("j: workspace(w)", 2, True),
        ("C(i,j) = w(j)", 3, False),
    ]
    assert drawn.lines == ((0, 1), (1, 2), (2, 3), (1, 4), (4, 5), (5, 6), (1, 7), (7, 8))
    assert 'rx="14"' in drawn.svg()


def test_a_tree_as_dictionaries() -> None:
    (outer,) = tree_as_json(product())["children"]
    clear, fill, read = outer["children"]
    assert outer["parallel"] is False
    assert clear["children"] == [{"node": "clear", "text": "w(j) = 0.0", "left": "w"}]
    assert fill["domain"] == "sparse(A, 2, compressed)"
    assert read["children"] == [
        {"node": "compute", "text": "C(i,j) = w(j)", "left": "C", "right": ["w"], "mask": None, "semiring": None}
    ]
