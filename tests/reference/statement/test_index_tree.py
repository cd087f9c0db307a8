"""Index trees: the figures of the paper, and what no tree says."""

from __future__ import annotations

import numpy as np
import pytest
from gnomon.reference.algebra.semirings import semiring
from gnomon.reference.errors import ExpressionError
from gnomon.reference.loops.domains import domains
from gnomon.reference.notation.syntax import Access
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.domain import Dense
from gnomon.reference.statement.index_tree import Clear, Compute, Group, IndexTree, Indices, index_tree, statement_of
from gnomon.reference.statement.statement import Assign, Forall, Sequence, Where
from gnomon.reference.statement.tree_printer import print_tree
from gnomon.reference.storage.packing import tensor
from gnomon.reference.storage.tensor import Tensor

LEAF = Assign(Access("y", ("i",)), Access("x", ("i",), ("i",)))
FILL = Assign(Access("w", ("i",)), Access("x", ("i",), ("i",)))
READ = Assign(Access("y", ("i",)), Access("w", ("i",), ("i",)))
CLEAR = Clear(Access("w", ("i",)), 0.0)


def tree(text: str, out: str, ring: str | None = None, schedule: str | None = None, **formats: str) -> IndexTree:
    """The index tree of an expression over small matrices."""
    operands: dict[str, Tensor | np.ndarray] = {"x": np.ones(4), "z": np.ones(4)}
    operands = {name: x for name, x in operands.items() if f"{name}(" in text}
    operands |= {name: tensor([[0], [1]], [1.0], (4, 4), format) for name, format in formats.items()}
    ready = prepare(text, operands, out=out, semiring=ring, schedule=schedule)
    return index_tree(ready.program, tuple(domains(ready.program)), None if ring is None else semiring(ring))


def test_a_product_into_dense_rows_is_figure_2a() -> None:
    assert print_tree(tree("C(i,j) = A(i,k) * B(k,j)", "dd", A="CSR", B="CSR")).splitlines() == [
        "tree",
        "  indices i in dense",
        "    indices k in sparse(A, 2, compressed)",
        "      indices j in sparse(B, 2, compressed)",
        "        compute C(i,j) += A(i,k) * B(k,j)  {plus_times}",
    ]


def test_a_product_into_compressed_rows_is_figure_2c() -> None:
    assert print_tree(tree("C(i,j) = A(i,k) * B(k,j)", "CSR", A="CSR", B="CSR")).splitlines() == [
        "tree",
        "  indices i in dense",
        "    indices j in workspace(w)",
        "      clear w(j) = 0.0",
        "    indices k in sparse(A, 2, compressed)",
        "      indices j in sparse(B, 2, compressed)",
        "        compute w(j) += A(i,k) * B(k,j)  {plus_times}",
        "    indices j in workspace(w)",
        "      compute C(i,j) = w(j)  {appended}",
    ]


def test_an_elementwise_product_is_figure_3a_and_with_a_workspace_3b() -> None:
    text = "C(i,j) = A(i,j) * B(i,j)"
    plain = print_tree(tree(text, "CSR", A="CSR", B="CSR"))
    assert plain.splitlines() == [
        "tree",
        "  indices i in dense",
        "    indices j in intersection(sparse(A, 2, compressed), sparse(B, 2, compressed))",
        "      compute C(i,j) = A(i,j) * B(i,j)  {noop_times, appended}",
    ]
    copied = print_tree(tree(text, "CSR", schedule="precompute(B(i,j),j,j,W)", A="CSR", B="CSR"))
    assert copied.splitlines() == [
        "tree",
        "  indices i in dense",
        "    indices j in workspace(W)",
        "      clear W(j) = 0.0",
        "    indices j in sparse(B, 2, compressed)",
        "      compute W(j) = B(i,j)",
        "    indices j in intersection(sparse(A, 2, compressed), workspace(W))",
        "      compute C(i,j) = A(i,j) * W(j)  {noop_times, appended}",
    ]


def test_a_semiring_is_named_at_the_root_and_where_it_computes() -> None:
    lines = print_tree(tree("y(i) = A(i,k) * x(k)", "d", "min_plus", A="CSR")).splitlines()
    assert lines[0] == "tree min_plus"
    assert lines[-1].strip() == "compute y(i) ⊕= A(i,k) ⊗ x(k)  {min_plus}"


def test_nodes_tell_what_they_read_and_whether_they_are_parallel() -> None:
    schedule = "parallelize(i,CPUThread,NoRaces)"
    root = tree("y(i) = A(i,k) * x(k) + 2 * z(i)", "d", schedule=schedule, A="CSR")
    (outer,) = root.children
    assert isinstance(outer, Indices) and outer.parallel
    computes = [node for node in outer.children if isinstance(node, Compute)]
    assert [(node.left.tensor, [a.tensor for a in node.right], node.semiring) for node in computes] == [
        ("y", ["w", "z"], None)
    ]


def test_nodes_of_a_workspace_follow_the_one_that_clears_it() -> None:
    nested = IndexTree((CLEAR, Group((Compute(FILL), Compute(FILL))), Compute(READ), Compute(LEAF)))
    assert statement_of(nested) == Sequence((Where(READ, Sequence((FILL, FILL)), "w"), LEAF))
    under = IndexTree((Indices("i", Dense(), (), (CLEAR, Compute(FILL), Group((Compute(READ),)))),))
    assert statement_of(under) == Forall("i", Where(Sequence((READ,)), FILL, "w"))


@pytest.mark.parametrize("children", [(CLEAR,), (CLEAR, Compute(FILL))])
def test_a_workspace_that_nothing_fills_or_reads_is_refused(children: tuple[Clear | Compute, ...]) -> None:
    with pytest.raises(ExpressionError, match="w is cleared, but no node"):
        statement_of(IndexTree(children))


def test_a_node_with_nothing_below_it_is_refused() -> None:
    with pytest.raises(ExpressionError, match="nothing to iterate"):
        statement_of(IndexTree((Indices("i", Dense(), (), ()),)))
