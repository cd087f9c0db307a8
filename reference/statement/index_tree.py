"""The index tree: a statement as nodes that iterate and nodes that compute (COMET, section III-A).

Before:

    ∀i
      ∀j
        C(i,j) = w(j)
      where w:
        ∀k
          ∀j
            w(j) += A(i,k) * B(k,j)

After:

    tree
      indices i in dense
        indices j in workspace(w)
          clear w(j) = 0.0
        indices k in sparse(A, 2, compressed)
          indices j in sparse(B, 2, compressed)
            compute w(j) += A(i,k) * B(k,j)  {plus_times}
        indices j in workspace(w)
          compute C(i,j) = w(j)

Children of a node run in order. A tree has no *where*: what clears a workspace stands first, then the node that fills
it, then the node that reads it, so that a tree says of which workspace each node is the producer or the consumer, as
an operator in prefix notation says of its operands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ..algebra.dtypes import Number
from ..algebra.semirings import Semiring, field_name
from ..errors import ExpressionError
from ..notation.syntax import Access, accesses, applied_operators
from .domain import Domain, Temporary
from .statement import Assign, Forall, Program, Statement, Where, assignments
from .statement import Sequence as InOrder
from .tags import Parallel, Tag


class Indices(Struct, frozen=True):
    """A loop over the coordinates of one index variable that belong to a domain."""

    index: str
    domain: Domain
    tags: tuple[Tag, ...]
    children: tuple[Node, ...]

    @property
    def parallel(self) -> bool:
        """Whether the iterations may run at once."""
        return any(isinstance(tag, Parallel) for tag in self.tags)


class Compute(Struct, frozen=True):
    """An assignment: what is written on the left, what is read on the right, under a mask, with a semiring."""

    leaf: Assign

    @property
    def left(self) -> Access:
        """The operand that is written."""
        return self.leaf.target

    @property
    def right(self) -> tuple[Access, ...]:
        """The operands that are read, from left to right, each once."""
        return tuple(dict.fromkeys(accesses(self.leaf.value)))

    @property
    def semiring(self) -> str | None:
        """The operators that reduce and that join the operands, `noop` for none; None where several join them."""
        return semiring_of(self.leaf)


class Clear(Struct, frozen=True):
    """A workspace made empty: a component that nothing is stored for afterwards has the value `missing`."""

    workspace: Access
    missing: Number


class Group(Struct, frozen=True):
    """Nodes in order, where one node is wanted: what fills a workspace, or reads it."""

    children: tuple[Node, ...]


Node = Indices | Compute | Clear | Group


class IndexTree(Struct, frozen=True):
    """The root, with the semiring of the expression if it has one."""

    children: tuple[Node, ...]
    semiring: Semiring | None = None


def semiring_of(leaf: Assign) -> str | None:
    """The name of an assignment's semiring, as `plus_times`; None for a copy, and where several operators join."""
    joining = tuple(dict.fromkeys(o for o in applied_operators(leaf.value) if o.arity > 1))
    if len(joining) > 1 or (not joining and leaf.operator is None):
        return None
    names = (leaf.operator, *(joining or (None,)))
    return "_".join("noop" if operator is None else field_name(operator) for operator in names)


def index_tree(program: Program, domains: Sequence[Domain], semiring: Semiring | None = None) -> IndexTree:
    """The index tree of a program, whose loops have these domains, producers before the consumers that read them.

    `semiring` is that of the expression: its operators are printed as ⊕ and ⊗.
    """
    return IndexTree(TreeBuilder(program, iter(domains)).children(program.statement), semiring)


class TreeBuilder(Struct, frozen=True):
    """Builds the nodes of a program; takes the domain of each loop as it comes to it."""

    program: Program
    domains: Iterator[Domain]

    def children(self, s: Statement) -> tuple[Node, ...]:
        """The nodes of a statement that stand below an index node, or below the root."""
        match s:
            case InOrder(statements=statements) if len(statements) > 1:
                return tuple(node for each in statements for node in self.item(each))
            case _:
                return self.item(s)

    def item(self, s: Statement) -> tuple[Node, ...]:
        """The nodes that stand for one statement among others: three kinds in order for a workspace, else one."""
        match s:
            case Forall(index=index, body=body, tags=tags):
                domain = next(self.domains)
                return (Indices(index, domain, tags, self.children(body)),)
            case Assign():
                return (Compute(s),)
            case Where(consumer=consumer, producer=producer, workspace=workspace):
                return (self.clear(workspace, producer), *self.item(producer), *self.item(consumer))
            case InOrder(statements=statements):
                return (Group(tuple(node for each in statements for node in self.item(each))),)

    def clear(self, name: str, producer: Statement) -> Node:
        """The node that clears a workspace, inside the loops over its modes."""
        target = next(leaf.target for leaf in assignments(producer) if leaf.target.tensor == name)
        node: Node = Clear(target, self.program.workspace[name].missing)
        for index in reversed(target.indices):
            node = Indices(index, Temporary(name), (), (node,))
        return node


def statement_of(tree: IndexTree) -> Statement:
    """The statement that an index tree says, domains aside. Raises ExpressionError for a tree that says none."""
    return in_order(tree.children)


def in_order(children: tuple[Node, ...]) -> Statement:
    """The statement that the children of a node say."""
    found = statements_of(children)
    if not found:
        raise ExpressionError(
            "an index node has nothing to iterate", hint="write a compute node below it", rule="statement.tree"
        )
    return found[0] if len(found) == 1 else InOrder(found)


def statements_of(children: tuple[Node, ...]) -> tuple[Statement, ...]:
    """The statements that the children of a node say."""
    found = []
    while children:
        statement, children = one_statement(children)
        found.append(statement)
    return tuple(found)


def one_statement(nodes: tuple[Node, ...]) -> tuple[Statement, tuple[Node, ...]]:
    """The statement that the first of some nodes begins, and the nodes after it."""
    node, rest = nodes[0], nodes[1:]
    workspace = cleared_workspace(node)
    if workspace is not None:
        producer, rest = one_of_workspace(rest, workspace, "fills")
        consumer, rest = one_of_workspace(rest, workspace, "reads")
        return Where(consumer, producer, workspace), rest
    match node:
        case Indices(index=index, tags=tags, children=children):
            return Forall(index, in_order(children), tags), rest
        case Compute(leaf=leaf):
            return leaf, rest
        case Group(children=children):
            return InOrder(statements_of(children)), rest
        case Clear():
            raise AssertionError


def one_of_workspace(nodes: tuple[Node, ...], workspace: str, does: str) -> tuple[Statement, tuple[Node, ...]]:
    """The next statement, which fills a workspace or reads it."""
    if not nodes:
        hint = f"after a clear node come one node that fills {workspace} and one that reads it"
        raise ExpressionError(f"{workspace} is cleared, but no node {does} it", hint=hint, rule="statement.tree")
    return one_statement(nodes)


def cleared_workspace(node: Node) -> str | None:
    """The workspace that a node clears, inside loops or not; None if it does something else."""
    match node:
        case Clear(workspace=workspace):
            return workspace.tensor
        case Indices(children=(child,)):
            return cleared_workspace(child)
        case _:
            return None
