"""Misspellings: what other languages write for what index notation writes otherwise, and how it is written here.

Of a text that is refused, `instead` rewrites what other languages would read, after their precedences: of `x(i) > 0`
comes `gt(x(i), 0)`, of `a % b + A[i,:]` come `mod(a, b)` and `A(i,j)`. No text means anything by this: it is for hints.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import reduce

from msgspec import Struct, field

from ..algebra.operator import Operator
from ..errors import ParseError
from ..span import Span
from .tokens import NUMBER, Token, Tokens

RANKS: tuple[Mapping[str, str | None], ...] = (
    {"or": "or", "||": "or", "|": "or"},
    {"and": "and", "&&": "and", "&": "and"},
    {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"},
    {"+": None, "-": None},
    {"*": None, "/": None, "%": "mod", "//": "floordiv"},
    {"**": "pow", "^": "pow"},
)
"""Infix signs elsewhere and the functions that they are here, those that bind least tightly first; None is a sign."""
INFIX = {sign: (rank, name) for rank, signs in enumerate(RANKS) for sign, name in signs.items()}
COMPARISON, POWER = 2, 5
PREFIX = {"not": COMPARISON, "!": POWER, "~": POWER, "-": POWER, "+": POWER}
"""Signs before an operand, and how tightly what they stand before binds."""
ASSIGNS = ("=", ":=", "==")
TYPOGRAPHIC = {"−": "-", "×": "*", "·": "*", "⋅": "*", "÷": "/"}
LEXEME = re.compile(rf"\s*(?:(?P<number>{NUMBER})|(?P<name>[^\W\d]\w*)|(?P<sign>\*\*|//|:=|[<>=!]=|&&|\|\||\S))")
VARIABLES = "ijklmnopqrstuvwxyz"
MASKED = "assign under a mask, such as y(i)<gt(x(i), 0)> = x(i); what it excludes is missing, or kept with merge"
IN_GENERAL = {
    **{sign: f"write {name}(a, b)" for rank in RANKS for sign, name in rank.items() if name is not None},
    **dict.fromkeys(RANKS[POWER], "write pow(a, b) for a power, A(j,i) for a transposed matrix"),
    **{sign: f"write {own}" for sign, own in TYPOGRAPHIC.items()},
    **dict.fromkeys("!~", "write not(a)"),
    **dict.fromkeys("[]", "indices stand in parentheses: A(i,j)"),
    **dict.fromkeys(("if", "?"), MASKED),
    "=": "one = assigns; write eq(a, b) to compare",
    ":": "write a variable for each mode, such as A(i,j)",
    ":=": "write =",
    "@": "write a product of operands, such as A(i,k) * B(k,j), which is summed over k",
}
"""What to write for a sign whose operands cannot be made out."""
LONGEST_TEXT, LONGEST_HINT, DEEPEST = 2000, 100, 60


class Rewriting(Struct, frozen=True):
    """A part of a text, and what it is here."""

    span: Span
    own: str


class Rewriter(Struct):
    """What other languages would read, by the ranks of their signs, is written anew.

    `operators` are those of the text by name. `found` are the parts that are written otherwise here, inner ones first.
    """

    tokens: Tokens
    operators: Mapping[str, Operator]
    found: list[Rewriting] = field(default_factory=list)
    depth: int = 0

    def rewrite(self, start: Span, own: str) -> str:
        """Take down what the part from a start to the last token is here. Raises ParseError where that is too long."""
        if len(own) > LONGEST_TEXT:
            raise self.tokens.fail("less text")
        self.found.append(Rewriting(self.tokens.span(start), own))
        return own

    def assignment(self) -> str:
        """The whole text. Raises ParseError where no other language would go on."""
        start = self.tokens.next.span
        target, mask, reducer = self.atom(), self.mask(), ""
        if self.tokens.next.kind == "name" or self.tokens.next.text in ("+", "*"):
            reducer = self.tokens.advance().text
        if self.tokens.next.text not in ASSIGNS:
            raise self.tokens.fail("'='")
        sign = self.tokens.advance()
        if sign.text == ":=":
            self.rewrite(sign.span, "=")
        elif sign.text == "==":
            self.rewrite(start, f"{target}{mask} {reducer}=")
        value = self.infix()
        if self.tokens.next.kind != "end":
            raise self.tokens.fail("the end of the text")
        return f"{target}{mask} {reducer}= {value}"

    def mask(self) -> str:
        """A mask; empty if there is none."""
        if not self.tokens.accept("<"):
            return ""
        flags = "".join(sign for sign in "!$" if self.tokens.accept(sign))
        value = self.infix()
        kept = f",{self.tokens.name('merge or replace').text}" if self.tokens.accept(",") else ""
        if self.tokens.next.kind != "close":
            raise self.tokens.fail("'>'")
        self.tokens.advance()
        return f"<{flags}{value}{kept}>"

    def infix(self, least: int = 0) -> str:
        """Operands joined by signs that bind as tightly as that, or more; a comparison of three compares each two."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.tokens.fail("less depth")
        start, before = self.tokens.next.span, POWER
        own = last = self.operand(least)
        while self.tokens.next.kind != "close" and (found := INFIX.get(self.tokens.next.text, (-1, None)))[0] >= least:
            (rank, name), sign = found, self.tokens.advance().text
            right = self.infix(min(rank + 1, POWER))
            if name is None:
                own = f"{own} {sign} {right}"
            elif rank == before == COMPARISON:
                own = self.rewrite(start, self.call("and", [own, self.call(name, [last, right])]))
            elif rank == POWER and right == "T":
                raise self.tokens.fail("a number")
            else:
                own = self.rewrite(start, self.call(name, [own, right]))
            last, before = right, rank
        self.depth -= 1
        return own

    def operand(self, least: int) -> str:
        """A number, a name or what stands in parentheses, with signs before it."""
        start, sign = self.tokens.next.span, self.tokens.next.text
        if sign not in PREFIX or (sign == "not" and (least > COMPARISON or self.tokens.following == "(")):
            return self.atom()
        self.tokens.advance()
        inner = self.infix(PREFIX[sign])
        if sign == "-":
            return f"-{inner}"
        return self.rewrite(start, inner if sign == "+" else self.call("not", [inner]))

    def atom(self) -> str:
        """A number, a name with its arguments, or what stands in parentheses."""
        if self.tokens.accept("("):
            inner = self.infix()
            self.tokens.expect(")")
            return f"({inner})"
        if self.tokens.next.kind not in ("number", "name"):
            raise self.tokens.fail("an operand")
        token = self.tokens.advance()
        if token.kind == "number" or self.tokens.next.text not in ("(", "["):
            return token.text
        return self.arguments(token)

    def arguments(self, token: Token) -> str:
        """A name with its arguments: in brackets, with modes that are left open, or more than a function takes."""
        args, before, is_foreign = list[str](), len(self.found), False
        while self.tokens.next.text == "[" or (not args and self.tokens.next.text == "("):
            closing, is_first = "])"[self.tokens.advance().text == "("], True
            is_foreign |= closing == "]"
            while not self.tokens.accept(closing):
                if not is_first:
                    self.tokens.expect(",")
                is_open, is_first = self.tokens.accept(":"), False
                args.append(self.fresh_variable(args) if is_open else self.infix())
                is_foreign |= is_open
        if len(args) > 2 and token.text in self.operators and self.operators[token.text].associative:
            return self.rewrite(token.span, reduce(lambda own, each: self.call(token.text, [each, own]), args[::-1]))
        if is_foreign:
            return self.rewrite(token.span, f"{token.text}({','.join(args)})")
        span = self.tokens.span(token.span)
        is_same = len(self.found) == before
        return self.tokens.text[span.start : span.stop] if is_same else f"{token.text}({', '.join(args)})"

    def fresh_variable(self, taken: Iterable[str]) -> str:
        """An index variable that the text does not have."""
        names = {token.text for token in self.tokens.every} | set(taken)
        return next((v for v in VARIABLES if v not in names), "index")

    def call(self, name: str, args: list[str]) -> str:
        """A function of arguments; a variable stands in parentheses where it would be bound by a reduction."""
        first, *others = args
        is_bound = name in self.operators and self.operators[name].reduction and first.isidentifier()
        if is_bound and any(re.search(rf"\b{first}\b", other) for other in others):
            first = f"({first})"
        return f"{name}({', '.join([first, *others])})"


def instead(
    text: str, at: int, operators: Mapping[str, Operator], is_expression: Callable[[str], bool]
) -> tuple[str | None, str | None]:
    """What to write at a place where a text is refused: out of its own operands, or in general, as far as known.

    >>> from gnomon.reference.algebra.operators import OPERATORS
    >>> instead("y(i) = x(i) > 0", 12, OPERATORS, lambda text: True)
    ('write gt(x(i), 0)', None)
    """
    if len(text) > LONGEST_TEXT:
        return None, None
    every = lexemes(text)
    token = next((t for t in every if t.span.start <= at < t.span.stop), every[-1])
    closed = close_mask(every)
    ends = [n for n, t in enumerate(closed) if t.kind == "close" and t.span.start == at]
    within = closed[ends[0] - 1].span.start if ends else at
    rewriter = Rewriter(Tokens(text, closed, ""), operators)
    try:
        whole = rewriter.assignment()
    except ParseError:
        whole = None
    around = [each for each in rewriter.found if each.span.start <= within < each.span.stop]
    short = [each for each in around if len(each.own) <= LONGEST_HINT]
    widest = max(short, key=lambda each: each.span.stop - each.span.start, default=None)
    if widest is None or not is_expression(f"s = {widest.own}" if whole is None else whole):
        return None, in_general(token, text[at : at + 1])
    part = text[widest.span.start : widest.span.stop]
    what = "a variable for each mode, " if ":" in part and part not in ASSIGNS else ""
    return f"write {what}{widest.own}", None


def in_general(token: Token, sign: str) -> str | None:
    """What is written instead of a lexeme, or of the sign that it begins with; None if nothing is known of it."""
    if token.kind == "name" and token.text[0].isalpha() and not token.text[0].isascii():
        return "names begin with a letter from a to z, large or small, or with _"
    return IN_GENERAL.get(sign if sign in TYPOGRAPHIC else token.text)


def lexemes(text: str) -> list[Token]:
    """The lexemes of a text as other languages have them, closed by an end token."""
    plain = "".join(TYPOGRAPHIC.get(character, character) for character in text)
    found = list[Token]()
    for match in LEXEME.finditer(plain):
        kind = match.lastgroup or ""
        found.append(Token(kind, match[kind], Span(*match.span(kind))))
    return [*found, Token("end", "the end of the text", Span(len(text), len(text) + 1))]


def close_mask(every: list[Token]) -> list[Token]:
    """The lexemes in which the `>` that closes a mask, if there is one, is no comparison: the last before an
    assignment."""
    first = next((t.text for t in every if t.text in (*ASSIGNS, "<", "<=")), "")
    if first != "<":
        return every
    texts = [t.text for t in every] + ["", ""]
    before = [n for n, sign in enumerate(texts) if sign == ">" and ASSIGNS[0] in texts[n + 1 : n + 3]]
    touching = [n for n, sign in enumerate(texts) if sign == ">="]
    at = next(iter([*before[-1:], *touching[:1]]), None)
    if at is None:
        return every
    start = every[at].span.start
    equals = [Token("sign", "=", Span(start + 1, start + 2))] if every[at].text == ">=" else []
    return [*every[:at], Token("close", ">", Span(start, start + 1)), *equals, *every[at + 1 :]]
