"""The parser of index notation: text to terms, every node with the span it came from.

assignment ::= access mask? operator? '=' sum
mask       ::= '<' '!'? '$'? access '>'
sum        ::= product (('+' | '-') product)*
product    ::= unary (('*' | '/') unary)*
unary      ::= '-' unary | atom
atom       ::= NUMBER | access | reduction '(' NAME ',' sum ')' | function '(' sum (',' sum)* ')' | '(' sum ')'
access     ::= NAME ('(' (NAME (',' NAME)*)? ')')?
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from ..algebra.dtypes import Number
from ..algebra.operator import Operator
from ..algebra.operators import ADD, DIV, MUL, NEG, OPERATORS, SUB
from ..errors import ParseError
from ..nearest import nearest
from ..span import Span
from .syntax import Access, Apply, Assignment, Expr, Fill, Literal, Mask, Reduce, accesses

DEPTH = 120
NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?j?"
TOKEN = re.compile(rf"\s*(?:(?P<number>{NUMBER})|(?P<name>[A-Za-z_]\w*)|(?P<sign>[-+*/(),=<>!$]))")
CONSTANTS: dict[str, Number] = {"true": True, "false": False, "inf": math.inf, "nan": math.nan}
INFIX = {"+": ADD, "-": SUB, "*": MUL, "/": DIV}


@dataclass(frozen=True, slots=True)
class Token:
    """A lexeme; `kind` is number, name, sign or end."""

    kind: str
    text: str
    span: Span


def parse(text: str, operators: Mapping[str, Operator] = OPERATORS) -> Assignment:
    """The assignment that a text denotes.

    `operators` maps the names of functions and of reduction assignments to their declarations. Raises ParseError with
    a caret under the text, or for what is no text.

    >>> parse("y(i) = A(i,j) * x(j)").target
    Access(tensor='y', indices=('i',), levels=())
    """
    if not isinstance(text, str):
        hint = "write for example 'y(i) = A(i,j) * x(j)'"
        raise ParseError(f"expected an expression as text, but found {text!r}", hint=hint)
    parser = Parser(text, tokens(text), operators)
    return parser.assignment()


def tokens(text: str) -> list[Token]:
    """The lexemes of a text, closed by an end token."""
    found = []
    position = 0
    while position < len(text.rstrip()):
        match = TOKEN.match(text, position)
        if match is None:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            raise ParseError(f"unexpected character {text[start]!r}", source=text, span=Span(start, start + 1))
        kind = match.lastgroup or ""
        found.append(Token(kind, match[kind], Span(match.start(kind), match.end(kind))))
        position = match.end()
    return [*found, Token("end", "the end of the text", Span(len(text), len(text) + 1))]


@dataclass
class Parser:
    """A recursive descent over tokens."""

    text: str
    tokens: list[Token]
    operators: Mapping[str, Operator]
    at: int = 0
    depth: int = 0

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.at]

    def fail(self, expected: str, hint: str | None = None) -> ParseError:
        """The error for the next token."""
        found = self.token.text if self.token.kind == "end" else repr(self.token.text)
        return ParseError(f"expected {expected}, but found {found}", hint=hint, source=self.text, span=self.token.span)

    def accept(self, text: str) -> bool:
        """Step over a sign if it comes next."""
        if self.token.kind == "sign" and self.token.text == text:
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> None:
        """Step over a sign that must come next."""
        if not self.accept(text):
            raise self.fail(repr(text))

    def name(self, what: str) -> Token:
        """Step over a name."""
        if self.token.kind != "name":
            raise self.fail(what)
        self.at += 1
        return self.tokens[self.at - 1]

    def span(self, start: Span) -> Span:
        """From a start to the last token stepped over."""
        return Span(start.start, self.tokens[self.at - 1].span.stop)

    def assignment(self) -> Assignment:
        start = self.token.span
        target = self.access()
        mask = self.mask()
        operator = self.assigns()
        value = self.sum()
        if self.token.kind != "end":
            raise self.fail("an operator or the end of the text")
        self.walkable(value)
        return Assignment(target, value, operator, mask, span=self.span(start))

    def mask(self) -> Mask | None:
        start = self.token.span
        if not self.accept("<"):
            return None
        complement = self.accept("!")
        structural = self.accept("$")
        access = self.access()
        self.expect(">")
        return Mask(access, complement, structural, span=self.span(start))

    def assigns(self) -> Operator | None:
        """`=`, `+=`, `min=`: the operator, or None."""
        token = self.token
        if self.accept("="):
            return None
        named = {o.reduction: o for o in self.operators.values() if o.reduction}
        named |= {o.symbol: o for o in named.values() if o.symbol} | {o.name: o for o in named.values()}
        if token.text not in named:
            names = ", ".join(f"{name}=" for name in sorted(str(n) for n in named))
            raise self.fail("'=' or a reduction assignment", hint=f"reductions: {names}")
        self.at += 1
        self.expect("=")
        return named[token.text]

    def sum(self) -> Expr:
        return self.infix(("+", "-"), self.product)

    def product(self) -> Expr:
        return self.infix(("*", "/"), self.unary)

    def infix(self, signs: tuple[str, ...], operand: object) -> Expr:
        """Operands joined by operators of one precedence, to the left."""
        assert callable(operand)
        start = self.token.span
        e: Expr = operand()
        terms = 1
        while self.token.kind == "sign" and self.token.text in signs:
            terms += 1
            self.shallow(terms)
            operator = INFIX[self.token.text]
            self.at += 1
            e = Apply(operator, (e, operand()), span=self.span(start))
        return e

    def shallow(self, depth: int) -> None:
        """Refuse terms nested so deep that recursion over them would not end well."""
        if depth + self.depth > DEPTH:
            raise ParseError(
                f"the expression is nested more than {DEPTH} deep",
                hint="split it into several assignments",
                source=self.text,
                span=self.token.span,
            )

    def walkable(self, e: Expr) -> None:
        """Refuse a term too high to recurse over: long sums inside parentheses inside long sums."""
        below = [(e, 0)]
        while below:
            node, depth = below.pop()
            self.shallow(depth)
            match node:
                case Apply(args=args):
                    below += [(a, depth + 1) for a in args]
                case Reduce(body=body):
                    below.append((body, depth + 1))
                case Access() | Literal() | Fill():
                    pass

    def unary(self) -> Expr:
        start = self.token.span
        self.shallow(1)
        if not self.accept("-"):
            return self.atom()
        if self.token.kind == "number" or self.token.text == "inf":
            return Literal(-self.number(), span=self.span(start))
        self.depth += 1
        argument = self.unary()
        self.depth -= 1
        return Apply(NEG, (argument,), span=self.span(start))

    def number(self) -> Number:
        """Step over a numeric literal."""
        text = self.token.text
        self.at += 1
        if text in CONSTANTS:
            return CONSTANTS[text]
        value = float(text.removesuffix("j"))
        if value == math.inf:
            span = self.tokens[self.at - 1].span
            raise ParseError("the number is too large", hint="write inf for infinity", source=self.text, span=span)
        if text.isdigit():
            return int(text.lstrip("0") or "0")
        return complex(0, value) if text.endswith("j") else value

    def atom(self) -> Expr:
        token = self.token
        following = self.tokens[self.at + 1].text if token.kind != "end" else ""
        if token.kind == "number" or (token.text in CONSTANTS and following != "("):
            return Literal(self.number(), span=token.span)
        if token.kind == "name":
            if following == "(" and self.is_function(token.text):
                return self.call()
            self.refuse_call(token)
            return self.access()
        if self.accept("("):
            self.depth += 1
            e = self.sum()
            self.depth -= 1
            self.expect(")")
            return e
        raise self.fail("a number, a tensor access or a parenthesis")

    def is_function(self, name: str) -> bool:
        """Whether a name is that of an operator or of a reduction."""
        return name in self.operators or any(o.reduction == name for o in self.operators.values())

    def access(self) -> Access:
        token = self.name("the name of a tensor")
        indices: list[str] = []
        opening = self.at
        if self.accept("("):
            while not self.accept(")"):
                if indices and not self.accept(","):
                    raise self.index_error(token, opening, "','")
                if self.token.kind != "name":
                    raise self.index_error(token, opening, "an index variable")
                indices.append(self.name("an index variable").text)
        return Access(token.text, tuple(indices), span=self.span(token.span))

    def enclosed_tokens(self, opening: int) -> list[Token]:
        """The tokens between a parenthesis and its partner; none if there is no partner, or no parenthesis."""
        depth = 0
        for at in range(opening, len(self.tokens)):
            sign = self.tokens[at].text
            depth += (sign == "(") - (sign == ")")
            if depth <= 0:
                return self.tokens[opening + 1 : at]
        return []

    def refuse_call(self, token: Token) -> None:
        """Refuse the next name if its arguments call others: it can only be meant as a function, and there is none."""
        inside = self.enclosed_tokens(self.at + 1)
        if any(name.kind == "name" and sign.text == "(" for name, sign in pairwise(inside)):
            known = sorted({*self.operators, *(o.reduction for o in self.operators.values() if o.reduction)})
            near = nearest(token.text, known)
            hint = f"did you mean {near[0]}?" if near else f"functions are {', '.join(known)}"
            indexed = f"a tensor is indexed by variables, {token.text}(i)"
            message = f"{token.text} is not a function"
            raise ParseError(message, hint=f"{hint}; {indexed}", source=self.text, span=token.span)

    def index_error(self, tensor: Token, opening: int, expected: str) -> ParseError:
        """The error for an access at the next token: that an index is no variable if the token belongs to one, else
        `expected`."""
        inside = self.enclosed_tokens(opening)
        first = max((t.span.stop for t in inside if t.text == "," and t.span.stop <= self.token.span.start), default=0)
        stop = min(
            (t.span.start for t in inside if t.text == "," and t.span.start >= self.token.span.start), default=None
        )
        index = [t for t in inside if t.span.start >= first and (stop is None or t.span.stop <= stop)]
        if all(t.kind == "name" for t in index) or any(t.text in "=<>" for t in index):
            return self.fail(expected)
        span = Span(index[0].span.start, index[-1].span.stop)
        near = nearest(tensor.text, self.operators)
        return ParseError(
            f"an index is a variable, but found {self.text[span.start : span.stop]!r}",
            hint=f"did you mean the function {near[0]}?"
            if near
            else "write a variable, such as i: indices are not computed",
            source=self.text,
            span=span,
        )

    def call(self) -> Expr:
        """A reduction over a bare variable, or a function."""
        token = self.name("a function")
        self.expect("(")
        self.depth += 1
        args = [self.sum()]
        while self.accept(","):
            args.append(self.sum())
        self.depth -= 1
        self.expect(")")
        for argument in args:
            self.walkable(argument)
        span = self.span(token.span)
        reduction = next((o for o in self.operators.values() if o.reduction == token.text), None)
        match args:
            case [Access(tensor=index, indices=()), body] if reduction is not None and (
                token.text not in self.operators or binds(index, body)
            ):
                return Reduce(reduction, index, body, span=span)
            case _ if token.text in self.operators and len(args) == self.operators[token.text].arity:
                return Apply(self.operators[token.text], tuple(args), span=span)
            case _:
                raise self.call_error(token, len(args), span)

    def call_error(self, token: Token, count: int, span: Span) -> ParseError:
        """The error for a call with the wrong arguments."""
        if token.text in self.operators:
            arity = self.operators[token.text].arity
            message = f"{token.text} takes {arity} argument{'s' * (arity > 1)}, but {count} are given"
        else:
            message = f"{token.text} reduces an expression over one index variable"
        hint = f"write {token.text}(k, ...) with an index variable k" if token.text not in self.operators else None
        return ParseError(message, hint=hint, source=self.text, span=span)


def binds(variable: str, body: Expr) -> bool:
    """Whether a variable occurs as an index in an access of the body."""
    return any(variable in access.indices for access in accesses(body))
