"""The parser of expressions as statements are printed: with conversions, which are written like accesses.

What has the name of a dtype is a tensor before names alone, `float64(i,j)`, and else a conversion: `float64(x(i))`.
"""

from __future__ import annotations

from ..algebra.dtypes import NAMES
from ..algebra.operators import PRINTED
from ..notation.parser import CONSTANTS, Parser
from ..notation.syntax import Expr
from ..notation.tokens import Tokens, split_text


class PrintedParser(Parser):
    """Parses index notation in which conversions are functions."""

    def is_function(self, name: str) -> bool:
        return super().is_function(name) and not (name in NAMES and self.is_indexed())

    def is_indexed(self) -> bool:
        """Whether names alone, none of them that of a number, stand in the parentheses behind the next name."""
        inside = self.tokens.enclosed_tokens(self.tokens.at + 1)
        return all(t.text == "," or (t.kind == "name" and t.text not in CONSTANTS) for t in inside)


def parse_printed(text: str) -> Expr:
    """The expression that a text denotes. Raises ParseError with a caret under the text behind `x = `.

    >>> parse_printed("float64(i)"), parse_printed("float64(x(i))").operator.name
    (Access(tensor='float64', indices=('i',), levels=()), 'float64')
    """
    whole = f"x = {text}"
    return PrintedParser(Tokens(whole, split_text(whole), "notation.assignment"), PRINTED).assignment().value
