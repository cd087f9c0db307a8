"""The parser of index notation: text to terms, every node with the span it came from.

assignment ::= access mask? operator? '=' sum
mask       ::= '<' '!'? ('$' access | sum) (',' ('merge' | 'replace'))? '>'
sum        ::= product (('+' | '-') product)*
product    ::= unary (('*' | '/') unary)*
unary      ::= '-' unary | atom
atom       ::= NUMBER | access | reduction '(' NAME ',' sum ')' | function '(' sum (',' sum)* ')' | '(' sum ')'
access     ::= NAME ('(' (NAME (',' NAME)*)? ')')?

A bare NAME in a sum is a scalar, or the coordinate of an index variable of that name. As the first argument of a
function that also names a reduction it stands in parentheses: `min(k, x(k))` is the least component of x.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import accumulate, pairwise

from msgspec import Struct

from ..algebra.dtypes import Number
from ..algebra.operator import Operator
from ..algebra.operators import ADD, DIV, MUL, NEG, OPERATORS, SUB
from ..algebra.scalars import abbreviate
from ..algebra.spellings import FUNCTIONS
from ..errors import ParseError
from ..nearest import nearest
from ..span import Span
from .coordinates import bind_coordinates
from .idioms import idiom
from .misspellings import instead
from .syntax import Access, Apply, Assignment, Expr, Fill, Literal, Mask, Reduce, accesses, merges
from .tokens import Token, Tokens, split_text

DEPTH = 120
CONSTANTS: dict[str, Number] = {"true": True, "false": False, "inf": math.inf, "nan": math.nan}
INFIX = {"+": ADD, "-": SUB, "*": MUL, "/": DIV}


def parse(text: str, operators: Mapping[str, Operator] = OPERATORS) -> Assignment:
    """The assignment that a text denotes.

    `operators` maps the names of functions and of reduction assignments to their declarations. Raises ParseError with
    a caret under the text, or for what is no text.

    >>> parse("y(i) = A(i,j) * x(j)").target
    Access(tensor='y', indices=('i',), levels=())
    """
    if not isinstance(text, str):
        hint = "write for example 'y(i) = A(i,j) * x(j)'"
        raise ParseError(
            f"expected an expression as text, but found {abbreviate(text)}", hint=hint, rule="error.python"
        )
    try:
        return parse_strictly(text, operators)
    except ParseError as error:
        error.hint = hint_at(error, text, operators)
        raise


def parse_strictly(text: str, operators: Mapping[str, Operator]) -> Assignment:
    """The assignment that a text denotes. Raises ParseError, which knows nothing of other languages."""
    return Parser(Tokens(text, split_text(text), "notation.assignment"), operators).assignment()


def hint_at(error: ParseError, text: str, operators: Mapping[str, Operator]) -> str | None:
    """The hint of an error: what another language writes there is written otherwise here."""
    if error.span is None or error.rule == "notation.depth":
        return error.hint

    def is_expression(whole: str) -> bool:
        try:
            parse_strictly(whole, operators)
        except ParseError:
            return False
        return True

    own, general = instead(text, error.span.start, operators, is_expression)
    return own or error.hint or general


class Parser(Struct):
    """A recursive descent over tokens."""

    tokens: Tokens
    operators: Mapping[str, Operator]
    depth: int = 0

    def assignment(self) -> Assignment:
        start = self.tokens.next.span
        target = self.access()
        mask, merge = self.mask()
        operator = self.assigns()
        value = self.sum()
        if self.tokens.next.kind != "end":
            raise self.tokens.fail("an operator or the end of the text")
        self.walkable(value)
        if mask is None or merge is None:
            merge = mask is not None and merges(operator)
        return bind_coordinates(Assignment(target, value, operator, mask, merge, span=self.tokens.span(start)))

    def mask(self) -> tuple[Mask | None, bool | None]:
        """A mask, and whether it says that what it excludes is kept."""
        start = self.tokens.next.span
        if not self.tokens.accept("<"):
            return None, None
        complement = self.tokens.accept("!")
        structural = self.tokens.accept("$")
        value = self.structure() if structural else self.sum()
        self.walkable(value)
        merge = self.merge() if self.tokens.accept(",") else None
        self.tokens.expect(">")
        return Mask(value, complement, structural, span=self.tokens.span(start)), merge

    def structure(self) -> Expr:
        """What a structural mask reads."""
        return self.access()

    def merge(self) -> bool:
        """`merge` or `replace`."""
        said = self.tokens.name("merge or replace")
        if said.text not in ("merge", "replace"):
            hint = "a mask keeps what it excludes with merge, and drops it with replace"
            raise self.tokens.error(
                f"expected merge or replace, but found {said.text!r}", said.span, hint, "notation.masks"
            )
        return said.text == "merge"

    def assigns(self) -> Operator | None:
        """`=`, `+=`, `min=`: the operator, or None."""
        token = self.tokens.next
        if self.tokens.accept("="):
            return None
        named = {o.reduction: o for o in self.operators.values() if o.reduction}
        named |= {o.symbol: o for o in named.values() if o.symbol} | {o.name: o for o in named.values()}
        if token.text not in named:
            names = ", ".join(f"{name}=" for name in sorted(str(n) for n in named))
            raise self.tokens.fail("'=' or a reduction assignment", hint=f"reductions: {names}")
        self.tokens.advance()
        self.tokens.expect("=")
        return named[token.text]

    def sum(self) -> Expr:
        return self.infix(("+", "-"), self.product)

    def product(self) -> Expr:
        return self.infix(("*", "/"), self.unary)

    def infix(self, signs: tuple[str, ...], operand: object) -> Expr:
        """Operands joined by operators of one precedence, to the left."""
        assert callable(operand)
        start = self.tokens.next.span
        e: Expr = operand()
        terms = 1
        while self.tokens.next.kind == "sign" and self.tokens.next.text in signs:
            terms += 1
            self.shallow(terms)
            operator = INFIX[self.tokens.advance().text]
            e = Apply(operator, (e, operand()), span=self.tokens.span(start))
        return e

    def shallow(self, depth: int) -> None:
        """Refuse terms nested so deep that recursion over them would not end well."""
        if depth + self.depth > DEPTH:
            message = f"the expression is nested more than {DEPTH} deep"
            raise self.tokens.error(
                message, self.tokens.next.span, "split it into several assignments", "notation.depth"
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
        start = self.tokens.next.span
        self.shallow(1)
        if not self.tokens.accept("-"):
            return self.atom()
        if self.tokens.next.kind == "number" or (self.tokens.next.text == "inf" and self.tokens.following != "("):
            return Literal(-self.number(), span=self.tokens.span(start))
        self.depth += 1
        argument = self.unary()
        self.depth -= 1
        return Apply(NEG, (argument,), span=self.tokens.span(start))

    def number(self) -> Number:
        """Step over a numeric literal."""
        token = self.tokens.advance()
        text = token.text
        if text in CONSTANTS:
            return CONSTANTS[text]
        value = float(text.removesuffix("j"))
        if value == math.inf:
            raise self.tokens.error("the number is too large", token.span, "write inf for infinity", "notation.numbers")
        if text.isdigit():
            return int(text.lstrip("0") or "0")
        return complex(0, value) if text.endswith("j") else value

    def atom(self) -> Expr:
        token = self.tokens.next
        following = self.tokens.following
        if token.kind == "number" or (token.text in CONSTANTS and following != "("):
            return Literal(self.number(), span=token.span)
        if token.kind == "name":
            if following == "(" and self.is_function(token.text):
                return self.call()
            self.refuse_call(token)
            return self.access()
        if self.tokens.accept("("):
            self.depth += 1
            e = self.sum()
            self.depth -= 1
            self.tokens.expect(")")
            return e
        raise self.tokens.fail("a number, a tensor access or a parenthesis")

    def is_function(self, name: str) -> bool:
        """Whether a name is that of an operator or of a reduction."""
        return self.own_name(name) in self.operators or any(o.reduction == name for o in self.operators.values())

    def own_name(self, name: str) -> str:
        """The name of an operator here, whose name elsewhere may be given."""
        return name if name in self.operators else FUNCTIONS.get(name, name)

    def access(self) -> Access:
        token = self.tokens.name("the name of a tensor")
        indices: list[str] = []
        opening = self.tokens.at
        if self.tokens.accept("("):
            while not self.tokens.accept(")"):
                if indices and not self.tokens.accept(","):
                    raise self.index_error(token, opening, "',' or ')'")
                if self.tokens.next.kind != "name":
                    raise self.index_error(token, opening, "an index variable")
                indices.append(self.tokens.name("an index variable").text)
        return Access(token.text, tuple(indices), span=self.tokens.span(token.span))

    def refuse_call(self, token: Token) -> None:
        """Refuse the next name if its arguments call others: it can only be meant as a function, and there is none."""
        inside = self.tokens.enclosed_tokens(self.tokens.at + 1)
        if any(name.kind == "name" and sign.text == "(" for name, sign in pairwise(inside)):
            known = sorted({*self.operators, *(o.reduction for o in self.operators.values() if o.reduction)})
            near = nearest(token.text, known)
            argument = "x(i)" if has_comma(inside) else self.tokens.text[inside[0].span.start : inside[-1].span.stop]
            hint = f"did you mean {near[0]}?" if near else f"functions are {', '.join(known)}"
            hint = idiom(token.text, argument) or f"{hint}; a tensor is indexed by variables, {token.text}(i)"
            raise self.tokens.error(f"{token.text} is not a function", token.span, hint, "notation.names")

    def index_error(self, tensor: Token, opening: int, expected: str) -> ParseError:
        """The error for an access at the next token: that an index is no variable if the token belongs to one, else
        `expected`."""
        inside = self.tokens.enclosed_tokens(opening)
        first = max(
            (t.span.stop for t in inside if t.text == "," and t.span.stop <= self.tokens.next.span.start), default=0
        )
        stop = min(
            (t.span.start for t in inside if t.text == "," and t.span.start >= self.tokens.next.span.start),
            default=None,
        )
        index = [t for t in inside if t.span.start >= first and (stop is None or t.span.stop <= stop)]
        hint = "write a variable, such as i: indices are not computed; to shift or pick, write P(i,k) * x(k)"
        if all(t.kind == "name" for t in index):
            return self.tokens.fail(expected)
        if any(t.text in "=<>" for t in index):
            return self.tokens.fail(expected, hint)
        span = Span(index[0].span.start, index[-1].span.stop)
        near = nearest(tensor.text, self.operators)
        return self.tokens.error(
            f"an index is a variable, but found {self.tokens.text[span.start : span.stop]!r}",
            span,
            f"did you mean the function {near[0]}?" if near else hint,
        )

    def call(self) -> Expr:
        """A reduction over a bare variable, or a function; in parentheses a variable is a value: `min((k), x(k))`."""
        token = self.tokens.name("a function")
        self.tokens.expect("(")
        self.depth += 1
        bare = self.tokens.next.kind == "name" and self.tokens.following == ","
        args = [self.sum()]
        while self.tokens.accept(","):
            args.append(self.sum())
        self.depth -= 1
        self.tokens.expect(")")
        for argument in args:
            self.walkable(argument)
        span, name = self.tokens.span(token.span), self.own_name(token.text)
        reduction = next((o for o in self.operators.values() if o.reduction == token.text), None)
        match args:
            case [Access(tensor=index), body] if (
                reduction is not None and bare and (token.text not in self.operators or binds(index, body))
            ):
                return Reduce(reduction, index, body, span=span)
            case _ if name in self.operators and len(args) == self.operators[name].arity:
                return Apply(self.operators[name], tuple(args), span=span)
            case _:
                raise self.call_error(token, len(args), span)

    def call_error(self, token: Token, count: int, span: Span) -> ParseError:
        """The error for a call with the wrong arguments."""
        if self.own_name(token.text) in self.operators:
            arity = self.operators[self.own_name(token.text)].arity
            message = f"{token.text} takes {arity} argument{'s' * (arity > 1)}, but {count} are given"
            return self.tokens.error(message, span, f"write {token.text}({', '.join('ab'[:arity])})")
        message = f"{token.text} reduces an expression over one index variable"
        hint = f"write {token.text}(k, ...) with an index variable k"
        return self.tokens.error(message, span, hint, "notation.reductions")


def has_comma(inside: list[Token]) -> bool:
    """Whether tokens are several arguments."""
    depths = accumulate((token.text == "(") - (token.text == ")") for token in inside)
    return any(token.text == "," and depth == 0 for token, depth in zip(inside, depths, strict=True))


def binds(variable: str, body: Expr) -> bool:
    """Whether a variable occurs as an index in an access of the body."""
    return any(variable in access.indices for access in accesses(body))
