"""The parser of index trees, as they are printed.

tree    ::= 'tree' NAME? node+
node    ::= 'indices' NAME 'in' domain tags? node+
          | 'compute' access mask? operator? '=' sum ('{' NAME (',' NAME)? '}')?
          | 'clear' access '=' sum
          | 'in order' node+
tags    ::= '[' tag (',' tag)* ']'
tag     ::= 'unroll' NUMBER | NAME NAME
domain  ::= 'dense' | 'sparse' '(' NAME ',' NUMBER ',' NAME ')' | 'workspace' '(' NAME ')'
          | 'masked' '(' '!'? domain ',' domain ')'
          | ('union' | 'intersection' | 'nested') '(' (domain (',' domain)*)? ')'
access  ::= that of index notation, and ('[' (NAME (',' NAME)*)? ']')?

A node is a line; nodes below it are indented by two spaces more. Expressions are those of index notation, `sum`, with
the operators of the semiring as ⊕ and ⊗.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import accumulate

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..algebra.copies import PRINTED
from ..algebra.dtypes import NAMES
from ..algebra.operator import Operator
from ..algebra.operators import PAIR, SECOND, absent_conversion, structural
from ..algebra.scalars import abbreviate
from ..algebra.semirings import Semiring, semiring
from ..errors import GnomonError, ParseError
from ..notation.parser import DEPTH
from ..notation.syntax import Access, Apply, Expr, Literal
from ..notation.tokens import SIGNS, Token, Tokens, split_text
from .domain import Dense, Domain, Intersection, Masked, Nested, Sparse, Temporary, Union
from .index_tree import Clear, Compute, Group, IndexTree, Indices, Node, semiring_of
from .printed import PrintedParser
from .statement import Assign
from .tags import STRATEGIES, UNITS, Parallel, Tag, Unroll
from .tree_printer import INDENT

TREE_SIGNS = SIGNS + "[]{}⊕⊗"
PARTS = {operator.name: operator for operator in (PAIR, SECOND)}
KINDS: Mapping[str, Callable[[tuple[Domain, ...]], Domain]] = {
    "union": Union,
    "intersection": Intersection,
    "nested": Nested,
}


def parse_tree(text: str) -> IndexTree:
    """The index tree that a text says. Raises ParseError with a caret under the line.

    >>> from .index_tree import statement_of
    >>> from .statement import show
    >>> print(show(statement_of(parse_tree("tree\\n  indices i in dense\\n    compute y(i) += A(i,k) * x(k)"))))
    ∀i
      y(i) += A(i,k) * x(k)
    """
    if not isinstance(text, str):
        raise ParseError(
            f"expected an index tree as text, but found {abbreviate(text)}",
            hint="write tree, and nodes below it",
            rule="error.python",
        )
    return TreeParser(text, list(line_tokens(text))).tree()


def line_tokens(text: str) -> Iterator[tuple[int, Tokens]]:
    """The tokens of every line that has some, with the depth to which it is indented."""
    start = 0
    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        if stripped:
            width = len(line) - len(line.lstrip())
            every = split_text(text, TREE_SIGNS, start, start + len(line.rstrip()))
            tokens = Tokens(text, every, "statement.tree.text")
            refuse_deep(width // len(INDENT), tokens)
            yield width // len(INDENT), tokens
        start += len(line)


def refuse_deep(depth: int, line: Tokens) -> None:
    """Refuse lines or parentheses so far inside others that recursion over them would not end well."""
    opened = accumulate((token.text == "(") - (token.text == ")") for token in line.every)
    if depth > DEPTH or max(opened) > DEPTH:
        raise line.error(f"the tree is nested more than {DEPTH} deep", line.next.span)


class TreeParser(Struct):
    """A recursive descent over the lines of a tree."""

    text: str
    lines: list[tuple[int, Tokens]]
    at: int = 0
    ring: Semiring | None = None

    def tree(self) -> IndexTree:
        """The whole tree."""
        if not self.lines or self.lines[0][1].next.text != "tree":
            raise ParseError(
                "an index tree begins with tree", hint="write tree, and nodes below it", rule="statement.tree.text"
            )
        depth, root = self.lines[0]
        root.advance()
        if root.next.kind == "name":
            self.ring = self.semiring(root)
        end(root)
        self.at = 1
        children = self.children(depth, root)
        if self.at < len(self.lines):
            raise self.lines[self.at][1].fail("a node below the root")
        return IndexTree(children, self.ring)

    def semiring(self, line: Tokens) -> Semiring:
        """The semiring that the root names."""
        token = line.advance()
        try:
            return semiring(token.text)
        except GnomonError as error:
            raise line.error(error.message, token.span, error.hint, error.rule) from None

    def children(self, depth: int, above: Tokens) -> tuple[Node, ...]:
        """The nodes that are indented more than their parent."""
        found = []
        while self.at < len(self.lines) and self.lines[self.at][0] > depth:
            own, line = self.lines[self.at]
            if own != depth + 1:
                message = f"the node is indented by {own - depth} steps more than the node that it belongs to"
                raise line.error(message, line.next.span, "indent it by two spaces more")
            self.at += 1
            found.append(self.node(own, line))
        if not found:
            raise above.error("the node has nothing below it", above.every[0].span, "write a compute node below it")
        return tuple(found)

    def node(self, depth: int, line: Tokens) -> Node:
        """A node, with all that stands below it."""
        kind = line.name("indices, compute, clear or in order")
        match kind.text:
            case "indices":
                index = line.name("an index variable").text
                word(line, "in")
                over, tags = domain(line), tuple(tags_of(line))
                end(line)
                return Indices(index, over, tags, self.children(depth, line))
            case "in":
                word(line, "order")
                end(line)
                return Group(self.children(depth, line))
            case "compute":
                return self.compute(line)
            case "clear":
                return self.clear(line)
            case _:
                raise line.error(f"{kind.text} is no kind of node", kind.span, "indices, compute, clear or in order")

    def compute(self, line: Tokens) -> Compute:
        """A compute node; the semiring that it names is the one that follows from its operators."""
        parser = LeafParser(line, PRINTED, ring=self.ring)
        target = parser.access()
        begin = line.next.span
        mask, merge = parser.mask()
        if merge is not None:
            raise line.error("the mask of a node says nothing of what it excludes", line.span(begin), "leave it out")
        operator = parser.assigns()
        value = parser.sum()
        parser.walkable(value)
        leaf = Assign(target, value, operator, mask)
        expected = semiring_of(leaf)
        told = attributes(line, {"appended"} | ({expected} if expected else set()))
        if "appended" not in told:
            leaf = replace(leaf, target=insertion_target(target, line))
        end(line)
        return Compute(leaf)

    def clear(self, line: Tokens) -> Clear:
        """A node that clears a workspace."""
        parser = LeafParser(line, PRINTED)
        workspace = insertion_target(parser.access(), line)
        line.expect("=")
        start = line.next.span
        value = parser.sum()
        if not isinstance(value, Literal):
            raise line.error("a workspace is cleared to a number", line.span(start))
        end(line)
        return Clear(workspace, value.value)


class LeafParser(PrintedParser):
    """Parses assignments with the levels of their accesses and with the operators of a semiring."""

    ring: Semiring | None = None

    def access(self) -> Access:
        found = super().access()
        levels = found.indices
        if self.tokens.accept("["):
            levels = tuple(names(self.tokens, "]"))
        return replace(found, levels=levels)

    def structure(self) -> Expr:
        return self.sum()

    def assigns(self) -> Operator | None:
        if not self.tokens.accept("⊕"):
            return super().assigns()
        ring = self.expect_ring()
        self.tokens.expect("=")
        return ring.add

    def sum(self) -> Expr:
        return self.join("⊕", super().sum, lambda ring: ring.add)

    def product(self) -> Expr:
        return self.join("⊗", super().product, lambda ring: ring.multiply)

    def part_of_place(self, operator: Operator) -> Expr:
        """An operator of a product that is a place, over its two operands."""
        self.tokens.expect("(")
        left = self.sum()
        self.tokens.expect(",")
        right = self.sum()
        self.tokens.expect(")")
        return Apply(operator, (left, right))

    def join(self, sign: str, operand: Callable[[], Expr], operator: Callable[[Semiring], Operator]) -> Expr:
        """Operands joined by an operator of the semiring, to the left."""
        e = operand()
        while self.tokens.accept(sign):
            e = Apply(operator(self.expect_ring()), (e, operand()))
        return e

    def atom(self) -> Expr:
        if self.tokens.next.text == "complex" and self.tokens.following == "(" and not self.is_indexed():
            return self.complex_number()
        if not self.tokens.accept("⊕"):
            return super().atom()
        ring, name = self.expect_ring(), self.tokens.name("a dtype")
        if name.text in PARTS:
            return self.part_of_place(structural(ring.plain_add, PARTS[name.text])[1])
        if name.text not in NAMES:
            raise self.tokens.error(f"{name.text} is no dtype", name.span, f"dtypes are {', '.join(NAMES)}")
        self.tokens.expect("(")
        argument = self.sum()
        self.tokens.expect(")")
        return Apply(absent_conversion(np.dtype(name.text), ring.add.left_identity), (argument,))

    def complex_number(self) -> Literal:
        """A complex number with both its parts."""
        self.tokens.advance()
        self.tokens.expect("(")
        real = self.part()
        self.tokens.expect(",")
        imaginary = self.part()
        self.tokens.expect(")")
        return Literal(complex(real, imaginary))

    def part(self) -> float:
        """The real or the imaginary part of a number."""
        start = self.tokens.next.span
        found = super().unary()
        if not (isinstance(found, Literal) and isinstance(found.value, int | float)):
            raise self.tokens.error("a part of a complex number is real", self.tokens.span(start))
        return found.value

    def expect_ring(self) -> Semiring:
        """The semiring whose operator has just been read."""
        if self.ring is None:
            hint = "name it behind tree, as in tree min_plus"
            raise self.tokens.error("⊕ and ⊗ belong to a semiring", self.tokens.next.span, hint)
        return self.ring


def insertion_target(target: Access, line: Tokens) -> Access:
    """A result that is inserted into: its levels are not visited in order."""
    if target.levels != target.indices:
        message = f"{target.tensor} is inserted into, so its levels bind nothing"
        raise line.error(message, target.span or line.next.span, "say {appended} at the end, or leave the levels out")
    return replace(target, levels=())


def attributes(line: Tokens, known: Collection[str]) -> Collection[str]:
    """What is said of a node in braces: some of what is known."""
    found = []
    if line.accept("{"):
        while not line.accept("}"):
            named = line.name("the name of a semiring, or appended")
            if named.text not in known:
                hint = f"it is {' or '.join(sorted(known))}"
                raise line.error(f"{named.text} does not follow from what this node computes", named.span, hint)
            found.append(named.text)
            if line.next.text != "}":
                line.expect(",")
    return found


def domain(line: Tokens) -> Domain:
    """A domain."""
    kind = line.name("a domain")
    if kind.text == "dense":
        return Dense()
    line.expect("(")
    match kind.text:
        case "sparse":
            tensor = line.name("the name of a tensor").text
            line.expect(",")
            level = integer(line)
            line.expect(",")
            found: Domain = Sparse(tensor, level, line.name("the name of a level format").text)
        case "workspace":
            found = Temporary(line.name("the name of a workspace").text)
        case "masked":
            complement = line.accept("!")
            mask = domain(line)
            line.expect(",")
            found = Masked(mask, domain(line), complement)
        case "union" | "intersection" | "nested":
            parts = [] if line.next.text == ")" else [domain(line)]
            while line.accept(","):
                parts.append(domain(line))
            found = KINDS[kind.text](tuple(parts))
        case _:
            known = "dense, sparse, workspace, union, intersection, masked, nested"
            raise line.error(f"{kind.text} is no domain", kind.span, f"domains: {known}")
    line.expect(")")
    return found


def tags_of(line: Tokens) -> Iterator[Tag]:
    """What a schedule says about a loop."""
    if not line.accept("["):
        return
    while True:
        name = line.name("a tag")
        if name.text == "unroll":
            yield Unroll(integer(line))
        else:
            races = line.name("a race strategy")
            yield Parallel(known(line, name, UNITS), known(line, races, STRATEGIES))
        if not line.accept(","):
            break
    line.expect("]")


def known(line: Tokens, token: Token, words: tuple[str, ...]) -> str:
    """The text of a token that is one of some words."""
    if token.text not in words:
        raise line.error(f"{token.text} is none of {', '.join(words)}", token.span)
    return token.text


def names(line: Tokens, closing: str) -> Iterator[str]:
    """Names up to a closing sign."""
    while not line.accept(closing):
        yield line.name("a variable").text
        if line.next.text != closing:
            line.expect(",")


def integer(line: Tokens) -> int:
    """A natural number."""
    if not (line.next.kind == "number" and line.next.text.isdigit()):
        raise line.fail("a whole number")
    return int(line.advance().text)


def word(line: Tokens, text: str) -> None:
    """Step over a word that must come next."""
    if line.next.text != text:
        raise line.fail(repr(text))
    line.advance()


def end(line: Tokens) -> None:
    """Refuse what is left of a line."""
    if line.next.kind != "end":
        raise line.fail("the end of the line")
