"""What is known of sizes before there are data: ranges, how much is stored, and relations (SparseAuto, section 5.2).

`8 <= K <= 256, nnz(B) <= 1e-3*I*J, J <= K`: comparisons of polynomials, separated by commas. An extent is written as
its loop in capital letters, `nnz(B)` is the number of components that B stores, `nnz(B(i,j))` of pairs (i,j).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from msgspec import Struct

from ...errors import ParseError
from ...nearest import nearest
from ...span import Span
from .contraction import Contraction
from .polynomial import Polynomial, constant, product, variable

LONGEST, DEGREE = 1_000, 8


class Constraint(Struct, frozen=True):
    """One polynomial is at most another."""

    least: Polynomial
    most: Polynomial

    def __str__(self) -> str:
        return f"{self.least} <= {self.most}"


def extent_name(v: str) -> str:
    """How the extent of a loop is written."""
    return v.upper()


def prefix_name(contraction: Contraction, number: int, depth: int) -> str:
    """How the number of prefixes that an operand stores is written, so many levels long."""
    operand = contraction.operands[number]
    whole = depth == len(operand.levels)
    return f"nnz({operand.tensor if whole else f'{operand.tensor}({chr(44).join(operand.levels[:depth])})'})"


def prefix_names(contraction: Contraction) -> Iterator[tuple[str, int, int]]:
    """The names of the numbers of prefixes, with the number of the operand and of its levels: from the first level on
    that does not hold every coordinate."""
    for number, operand in enumerate(contraction.operands):
        first = next((n for n, v in enumerate(operand.levels) if v in operand.stored), len(operand.levels))
        for depth in range(first + 1, len(operand.levels) + 1):
            yield prefix_name(contraction, number, depth), number, depth


def known_constraints(contraction: Contraction) -> tuple[Constraint, ...]:
    """What holds of all data: extents are at least 1, and an operand stores at most one coordinate of each extent below
    each prefix."""
    found = [Constraint(constant(1), variable(extent_name(v))) for v in contraction.loops]
    names = {(number, depth): name for name, number, depth in prefix_names(contraction)}
    for (number, depth), name in names.items():
        levels = contraction.operands[number].levels
        above = names.get((number, depth - 1))
        rest = map(extent_name, levels[depth - 1 : depth] if above else levels[:depth])
        most = product(rest) * (variable(above) if above else constant(1))
        found += [Constraint(constant(0), variable(name)), Constraint(variable(name), most)]
    return tuple(found)


def parse_constraints(text: str, contraction: Contraction) -> tuple[Constraint, ...]:
    """The constraints that a text states. Raises ParseError with a caret under the text."""
    names = {extent_name(v) for v in contraction.loops} | {name for name, *_ in prefix_names(contraction)}
    return tuple(Reader(text, frozenset(names)).constraints())


class Reader(Struct, frozen=True):
    """Reads constraints over some names out of one text."""

    text: str
    names: frozenset[str]

    def constraints(self) -> Iterator[Constraint]:
        """The constraints, one after another."""
        if len(self.text) > LONGEST or not self.text.isascii() or "\n" in self.text:
            raise self.fail("constraints are one line of plain text", Span(0, 1))
        try:
            tree = ast.parse(f"({self.text},)", mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            at = min(max((getattr(error, "offset", None) or 2) - 2, 0), max(len(self.text) - 1, 0))
            raise self.fail("expected comparisons, separated by commas", Span(at, at + 1)) from None
        assert isinstance(tree, ast.Tuple)
        for node in tree.elts:
            yield from self.comparison(node)

    def comparison(self, node: ast.expr) -> Iterator[Constraint]:
        """The constraints of a chain of comparisons."""
        if not isinstance(node, ast.Compare):
            raise self.refuse(node, "is no comparison")
        sides = [self.polynomial(each) for each in (node.left, *node.comparators)]
        for (left, right), sign in zip(pairwise(sides), node.ops, strict=True):
            match sign:
                case ast.LtE():
                    yield Constraint(left, right)
                case ast.GtE():
                    yield Constraint(right, left)
                case ast.Eq():
                    yield Constraint(left, right)
                    yield Constraint(right, left)
                case _:
                    raise self.refuse(node, "compares otherwise than by <=, >= and ==")

    def polynomial(self, node: ast.expr) -> Polynomial:
        """A sum of products of names and numbers."""
        match node:
            case ast.Constant(value=bool()):
                raise self.refuse(node, "is no number")
            case ast.Constant(value=int() | float() as value) if value == value and abs(value) < float("inf"):
                return constant(Fraction(str(value)))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.polynomial(operand)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self.polynomial(left) + self.polynomial(right)
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                return self.polynomial(left) - self.polynomial(right)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return self.product(node, self.polynomial(left), self.polynomial(right))
            case ast.Name() | ast.Call():
                return self.name(node)
            case _:
                raise self.refuse(node, "is no sum of products of sizes and numbers")

    def product(self, node: ast.expr, left: Polynomial, right: Polynomial) -> Polynomial:
        """A product of few factors."""
        if left.degree + right.degree > DEGREE:
            raise self.refuse(node, f"multiplies more than {DEGREE} sizes")
        return left * right

    def name(self, node: ast.expr) -> Polynomial:
        """An extent, or how much is stored."""
        written = ast.unparse(node).replace(" ", "")
        if written not in self.names:
            near = nearest(written, self.names)
            hint = f"did you mean {near[0]}?" if near else f"use {', '.join(sorted(self.names))}"
            raise self.refuse(node, "is no size of this expression", hint)
        return variable(written)

    def refuse(self, node: ast.expr, why: str, hint: str | None = None) -> ParseError:
        """The error at a piece of the text."""
        span = Span(node.col_offset - 1, (node.end_col_offset or node.col_offset + 1) - 1)
        return self.fail(f"{self.text[span.start : span.stop]} {why}", span, hint)

    def fail(self, message: str, span: Span, hint: str | None = None) -> ParseError:
        """The error at a place."""
        return ParseError(
            message,
            hint=hint or "write 8 <= K <= 256, nnz(B) <= 1e-3*I*J",
            source=self.text,
            span=span,
            rule="schedule.branched.stages",
        )
