"""Tokens: the lexemes of index notation, and how far a parser has come through them."""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct

from ..errors import ParseError
from ..span import Span

NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?j?"
SIGNS = "-+*/(),=<>!$"
LONGEST = 200
"""The most characters of a name: C compilers take long for those that are made of longer ones."""


class Token(Struct, frozen=True):
    """A lexeme; `kind` is number, name, sign or end."""

    kind: str
    text: str
    span: Span


@cache
def lexeme(signs: str) -> re.Pattern[str]:
    """What a lexeme looks like, after spaces."""
    return re.compile(rf"\s*(?:(?P<number>{NUMBER})|(?P<name>[A-Za-z_]\w*)|(?P<sign>[{re.escape(signs)}]))")


def split_text(text: str, signs: str = SIGNS, start: int = 0, stop: int | None = None) -> list[Token]:
    """The lexemes of a text, or of a part of it, with some signs, closed by an end token."""
    found = []
    position, end = start, len(text) if stop is None else stop
    pattern = lexeme(signs)
    while position < len(text[:end].rstrip()):
        match = pattern.match(text, position, end)
        if match is None:
            wrong = position + len(text[position:]) - len(text[position:].lstrip())
            raise ParseError(
                f"unexpected character {text[wrong]!r}",
                source=text,
                span=Span(wrong, wrong + 1),
                rule="notation.lexemes",
            )
        kind = match.lastgroup or ""
        if kind == "name" and len(match[kind]) > LONGEST:
            raise ParseError(
                f"a name has at most {LONGEST} characters",
                source=text,
                span=Span(match.start(kind), match.start(kind) + LONGEST),
                rule="notation.lexemes",
            )
        found.append(Token(kind, match[kind], Span(match.start(kind), match.end(kind))))
        position = match.end()
    return [*found, Token("end", "the end of the text", Span(end, end + 1))]


class Tokens(Struct):
    """The tokens of a text, the rule that says what such a text may be, and the place of the next one."""

    text: str
    every: list[Token]
    rule: str
    at: int = 0

    @property
    def next(self) -> Token:
        """The next token."""
        return self.every[self.at]

    @property
    def following(self) -> str:
        """The text of the token after the next one; empty at the end."""
        return self.every[self.at + 1].text if self.next.kind != "end" else ""

    def error(self, message: str, span: Span, hint: str | None = None, rule: str | None = None) -> ParseError:
        """An error, with a caret under a part of the text, by the rule for the text unless another one says so."""
        return ParseError(message, hint=hint, source=self.text, span=span, rule=rule or self.rule)

    def fail(self, expected: str, hint: str | None = None) -> ParseError:
        """The error for the next token."""
        found = self.next.text if self.next.kind == "end" else repr(self.next.text)
        return self.error(f"expected {expected}, but found {found}", self.next.span, hint)

    def advance(self) -> Token:
        """Step over the next token, whatever it is."""
        self.at += 1
        return self.every[self.at - 1]

    def accept(self, text: str) -> bool:
        """Step over a sign if it comes next."""
        if self.next.kind == "sign" and self.next.text == text:
            self.advance()
            return True
        return False

    def expect(self, text: str) -> None:
        """Step over a sign that must come next."""
        if not self.accept(text):
            raise self.fail(repr(text))

    def name(self, what: str) -> Token:
        """Step over a name."""
        if self.next.kind != "name":
            raise self.fail(what)
        return self.advance()

    def span(self, start: Span) -> Span:
        """From a start to the last token stepped over."""
        return Span(start.start, self.every[self.at - 1].span.stop)

    def enclosed_tokens(self, opening: int) -> list[Token]:
        """The tokens between a parenthesis and its partner; none if there is no partner, or no parenthesis."""
        depth = 0
        for at in range(opening, len(self.every)):
            sign = self.every[at].text
            depth += (sign == "(") - (sign == ")")
            if depth <= 0:
                return self.every[opening + 1 : at]
        return []
