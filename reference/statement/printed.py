"""The parser and the printer of expressions of statements: with conversions, which are written like accesses.

What has the name of a dtype is a tensor before names alone, `float64(i,j)`, and else a conversion: `float64(x(i))`.
"""

from __future__ import annotations

from ..algebra.copies import PRINTED
from ..algebra.dtypes import NAMES
from ..algebra.operator import Operator
from ..notation.parser import CONSTANTS, Parser
from ..notation.printer import ExpressionPrinter
from ..notation.syntax import Access, Expr
from ..notation.tokens import Tokens, split_text


class PrintedParser(Parser):
    """Parses index notation in which conversions are functions."""

    def is_function(self, name: str) -> bool:
        return super().is_function(name) and not (name in NAMES and self.is_indexed())

    def is_indexed(self) -> bool:
        """Whether names alone, none of them that of a number, stand in the parentheses behind the next name."""
        inside = self.tokens.enclosed_tokens(self.tokens.at + 1)
        return all(t.text == "," or (t.kind == "name" and t.text not in CONSTANTS) for t in inside)


class PrintedPrinter(ExpressionPrinter, frozen=True):
    """Prints index notation in which conversions are functions; behind one, a name alone stands in parentheses."""

    def call(self, operator: Operator, args: tuple[Expr, ...]) -> str:
        match args:
            case (Access(indices=()) as scalar,) if operator.name in NAMES:
                return f"{operator.name}(({self.expression(scalar)}))"
            case _:
                return super().call(operator, args)


def print_parsed(e: Expr) -> str:
    """The text of an expression, of which `parse_printed` makes the expression again.

    >>> print_parsed(parse_printed("float64((s))")), print_parsed(parse_printed("float64(x(i))"))
    ('float64((s))', 'float64(x(i))')
    """
    return PrintedPrinter().expression(e)


def parse_printed(text: str) -> Expr:
    """The expression that a text denotes. Raises ParseError with a caret under the text behind `x = `.

    >>> parse_printed("float64(i)"), parse_printed("float64(x(i))").operator.name
    (Access(tensor='float64', indices=('i',), levels=()), 'float64')
    """
    whole = f"x = {text}"
    return PrintedParser(Tokens(whole, split_text(whole), "notation.assignment"), PRINTED).assignment().value
