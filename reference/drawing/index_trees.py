"""Pictures of index trees: index nodes round, compute nodes square, children in order (COMET, Figures 2, 3)."""

from __future__ import annotations

from typing import Any

from ..algebra.semirings import Semiring
from ..notation.printer import pretty
from ..statement.index_tree import Clear, Compute, Group, IndexTree, Indices, Node
from ..statement.tree_printer import assignment, head
from .diagram import Diagram
from .diagram import Node as Box


def tree_picture(tree: IndexTree) -> Diagram:
    """The picture of an index tree: what a node iterates or computes stands in it, and below it what it encloses."""
    boxes: list[Box] = [Box("tree" if tree.semiring is None else f"tree {tree.semiring.name}", 0, rounded=True)]
    lines: list[tuple[int, int]] = []

    def add(node: Node, above: int) -> None:
        """A node and what is below it."""
        number = len(boxes)
        lines.append((above, number))
        boxes.append(Box(label(node, tree.semiring), boxes[above].row + 1, rounded=isinstance(node, Indices | Group)))
        if isinstance(node, Indices | Group):
            for child in node.children:
                add(child, number)

    for node in tree.children:
        add(node, 0)
    return Diagram(tuple(boxes), tuple(lines))


def label(node: Node, ring: Semiring | None) -> str:
    """What a box says of its node."""
    match node:
        case Indices(index=index, domain=domain, tags=tags):
            return f"{index}: {domain}" + (f" [{', '.join(map(str, tags))}]" if tags else "")
        case Compute(leaf=leaf):
            return assignment(leaf, ring)
        case Clear():
            return head(node, ring).removeprefix("clear ")
        case Group():
            return head(node, ring)


def tree_as_json(tree: IndexTree) -> dict[str, Any]:
    """An index tree as dictionaries and lists."""
    name = None if tree.semiring is None else tree.semiring.name
    return {"node": "tree", "semiring": name, "children": [node_as_json(n, tree.semiring) for n in tree.children]}


def node_as_json(node: Node, ring: Semiring | None) -> dict[str, Any]:
    """A node, and what is below it, as dictionaries and lists."""
    match node:
        case Indices(index=index, domain=domain, tags=tags, parallel=parallel, children=children):
            below = [node_as_json(child, ring) for child in children]
            told = {"index": index, "domain": str(domain), "parallel": parallel, "tags": [str(tag) for tag in tags]}
            return {"node": "indices", **told, "children": below}
        case Compute(leaf=leaf, left=left, right=right, semiring=semiring):
            operands = {"left": left.tensor, "right": [access.tensor for access in right]}
            mask = None if leaf.mask is None else pretty(leaf.mask.value)
            return {"node": "compute", "text": assignment(leaf, ring), **operands, "mask": mask, "semiring": semiring}
        case Clear(workspace=workspace):
            return {"node": "clear", "text": label(node, ring), "left": workspace.tensor}
        case Group(children=children):
            return {"node": "in order", "children": [node_as_json(child, ring) for child in children]}
