"""The printer of index trees: a line a node, below the node that it belongs to.

An access says which variable each of its levels binds where that is not its index variables in order: `B(j,k)[k,j]`.
A result is inserted into unless it is `appended` to, level by level. Complex numbers have both their parts,
`complex(1.0, 0.0)`. In a semiring ⊕ and ⊗ are its operators, and `⊕float32(x())` is a conversion under which absent
stays absent. A scalar that is converted has parentheses, since a tensor may have the name of a dtype: `float32(x)`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..algebra.dtypes import NAMES, Number
from ..algebra.operator import Operator
from ..algebra.operators import ADD, MUL
from ..algebra.semirings import Semiring
from ..notation.printer import ExpressionPrinter, assigns
from ..notation.syntax import Access, Expr
from .index_tree import Clear, Compute, Group, IndexTree, Indices, Node
from .statement import Assign

INDENT = "  "


def print_tree(tree: IndexTree) -> str:
    """The text of an index tree; parsing it gives the tree back."""
    root = "tree" if tree.semiring is None else f"tree {tree.semiring.name}"
    return "\n".join([root, *(line for node in tree.children for line in lines(node, 1, tree.semiring))])


def lines(node: Node, depth: int, ring: Semiring | None) -> Iterator[str]:
    """The lines of a node and of what stands below it."""
    yield INDENT * depth + head(node, ring)
    if isinstance(node, Indices | Group):
        for child in node.children:
            yield from lines(child, depth + 1, ring)


def head(node: Node, ring: Semiring | None) -> str:
    """The text of a node alone, in the semiring of its tree."""
    match node:
        case Indices(index=index, domain=domain, tags=tags):
            said = f" [{', '.join(map(str, tags))}]" if tags else ""
            return f"indices {index} in {domain}{said}"
        case Compute(leaf=leaf):
            told = [*([] if node.semiring is None else [node.semiring]), *(["appended"] if leaf.target.levels else [])]
            return f"compute {assignment(leaf, ring)}" + (f"  {{{', '.join(told)}}}" if told else "")
        case Clear(workspace=workspace, missing=missing):
            return f"clear {TreePrinter().target(workspace)} = {TreePrinter().number(missing)}"
        case Group():
            return "in order"


def assignment(leaf: Assign, ring: Semiring | None) -> str:
    """The text of an assignment, in the semiring of its tree."""
    printer = TreePrinter(ring)
    mask = "" if leaf.mask is None else printer.mask(leaf.mask)
    sign = "⊕=" if ring is not None and leaf.operator is ring.add else assigns(leaf.operator)
    return f"{printer.target(leaf.target)}{mask} {sign} {printer.expression(leaf.value)}"


class TreePrinter(ExpressionPrinter, frozen=True):
    """Prints expressions with the levels of their accesses and with the operators of a semiring."""

    ring: Semiring | None = None

    def number(self, value: Number) -> str:
        if isinstance(value, complex | np.complexfloating):
            return f"complex({float(value.real)!r}, {float(value.imag)!r})"
        return ExpressionPrinter.number(self, value)

    def target(self, access: Access) -> str:
        """The text of an access that is written."""
        return self.access(access) if access.levels else ExpressionPrinter.with_indices(self, access)

    def access(self, access: Access) -> str:
        own = ExpressionPrinter.with_indices(self, access)
        return own if access.levels == access.indices else f"{own}[{','.join(access.levels)}]"

    def sign(self, operator: Operator) -> tuple[str | None, int]:
        if self.ring is None or operator not in (self.ring.add, self.ring.multiply):
            return ExpressionPrinter.sign(self, operator)
        return ("⊕", ADD.precedence) if operator is self.ring.add else ("⊗", MUL.precedence)

    def call(self, operator: Operator, args: tuple[Expr, ...]) -> str:
        match args:
            case (Access(tensor=scalar, indices=()),) if operator.name in NAMES:
                text = f"{operator.name}({scalar}())"
            case _:
                text = ExpressionPrinter.call(self, operator, args)
        return f"⊕{text}" if operator.structural or operator.absent is not None else text
