"""Texts as terms (docs/spec/notation): the grammar is read from its chapter."""

import math
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

from lark import Lark, LarkError, Token, Tree
from spec.operators import BINARY, FOLDS, RANGES, UNARY, ZERO, Pair, RefusedError, require

NAME = re.compile(r"[A-Za-z_]\w*")
NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?j?")
CHAPTER = Path(__file__).parents[2] / "docs/spec/notation/grammar.md"
EBNF = CHAPTER.read_text().split("```text\n")[1].split("```")[0]
OF_LARK = ((" , ", " "), (" = ", " : "), (" ;", ""), ("{", "("), ("}", ")*"))
GRAMMAR = reduce(lambda text, pair: text.replace(*pair), OF_LARK, EBNF)
LEXEMES = f"NAME : /{NAME.pattern}/\nNUMBER : /{NUMBER.pattern}/\n%ignore /\\s+/"
PARSER = Lark(GRAMMAR + LEXEMES, start="assignment", parser="lalr", keep_all_tokens=True, maybe_placeholders=False)
SPELLINGS = {"gte": "ge", "lte": "le", "neq": "ne", "lor": "or", "land": "and", "lxor": "xor", "lnot": "not"}
SPELLINGS |= {"ainv": "neg", "tril": "ge", "triu": "le", "diag": "eq", "offdiag": "ne"}
SIGNS = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
REDUCERS = {"+": "add", "*": "mul", "add": "add", "mul": "mul", **FOLDS}
WORDS = {"true": Fraction(1), "false": Fraction(0), "inf": math.inf, "nan": math.nan}
DEEPEST = 120


class Term(NamedTuple):
    """A number with its dtype, a read tensor with variables, an operator with parts, or a reduction of a part."""

    kind: str
    what: Any
    variables: tuple[str, ...] = ()
    parts: tuple["Term", ...] = ()

    def within(self) -> "Iterator[Term]":
        """A term and the terms in it, from left to right."""
        yield self
        for part in self.parts:
            yield from part.within()

    def reads(self) -> "list[Term]":
        return [t for t in self.within() if t.kind == "read"]

    def used(self) -> set[str]:
        """Every variable that indexes an access."""
        return {i for r in self.reads() for i in r.variables}

    def binders(self) -> set[str]:
        """The variables of explicit reductions, as they are written."""
        return {written(t.variables[0]) for t in self.within() if t.kind == "reduce"}

    def height(self) -> int:
        """The most edges to a leaf."""
        return max((1 + part.height() for part in self.parts), default=0)

    def scoped(self, own: Mapping[str, str]) -> "Term":
        """A term with other names of variables; a bare name of one is its coordinate (notation.coordinates)."""
        bare = self.kind == "read" and not self.variables and self.what in own
        variables = tuple(own.get(i, i) for i in ((self.what,) if bare else self.variables))
        return self._replace(variables=variables, parts=tuple(part.scoped(own) for part in self.parts))


def apply(op: str, *parts: Term) -> Term:
    return Term("apply", op, (), parts)


def fold(op: str, variable: str, body: Term) -> Term:
    return Term("reduce", op, (variable,), (body,))


def written(variable: str) -> str:
    """A variable as the text has it; a reduction numbers its own."""
    return variable.partition("#")[0]


def literal(word: str, sign: int = 1) -> Term:
    """A number with the dtype that it has alone (notation.numbers, type.literals)."""
    if word in WORDS:
        return Term("number", (sign * WORDS[word], "bool" if word[-1] == "e" else "float64"))
    size, digits = float(word.rstrip("j")), word.isdigit()
    require(math.isfinite(size), "the number is too large")
    v = sign * Fraction(word if digits else size)
    if word[-1] == "j":
        return Term("number", (Pair(ZERO, v), "complex128"))
    whole = (d for d in ("int64", "uint64") if digits and RANGES[d][0] <= v <= RANGES[d][1])
    return Term("number", (v, next(whole, "float64")))


def alone(t: Tree | Token) -> str:
    """The lexeme that a tree is, or nothing."""
    while isinstance(t, Tree) and len(t.children) == 1:
        t = t.children[0]
    return t.value if isinstance(t, Token) else ""


def access(t: Tree) -> Term:
    return Term("read", t.children[0].value, tuple(name.value for name in t.children[2:-1:2]))


def expression(t: Tree, around: int = 0) -> Term:
    """A right side, a mask or an argument in a number of signs, parentheses and calls (notation.depth)."""
    e = term(t, around)
    require(e.height() + around <= DEEPEST, "nested too deep")
    return e


def term(t: Tree, around: int) -> Term:
    require(around < DEEPEST, "nested too deep")
    match t.data, t.children:
        case "sum" | "product", [first, *rest]:
            require(1 + len(rest) // 2 + around <= DEEPEST, "too many operands")
            parts = zip(rest[::2], (term(part, around) for part in rest[1::2]), strict=True)
            return reduce(lambda e, signed: apply(SIGNS[signed[0]], e, signed[1]), parts, term(first, around))
        case "unary", [_, part]:
            e, word = term(part, around + 1), alone(part)
            return literal(word, -1) if NUMBER.match(word) or word == "inf" else apply("neg", e)
        case "atom", [_, part, _]:
            return term(part, around + 1)
        case "application", [name, _, *args, _]:
            return application(t, name.value, args[::2], around + 1)
        case _, [Tree() as part]:
            return term(part, around)
    word = alone(t)
    return literal(word) if word in WORDS or NUMBER.match(word) else Term("read", word)


def application(t: Tree, word: str, args: list[Tree], around: int) -> Term:
    """An access, an operator, or a reduction over a variable (notation.names, notation.reductions)."""
    op, names = SPELLINGS.get(word, word), [alone(a) for a in args]
    if op not in {*UNARY, *BINARY, *FOLDS}:
        require(all(map(NAME.match, names)), f"{word} is no function")
        return Term("read", word, tuple(names))
    parts = [expression(a, around) for a in args]
    binds = len(args) == 2 and NAME.match(names[0]) and word in FOLDS
    if binds and (op not in BINARY or names[0] in parts[1].used()):
        require(names[0] in parts[1].used() - parts[1].binders(), "a reduction over what is not free in it")
        own = f"{names[0]}#{t.children[0].start_pos}"
        return fold(FOLDS[word], own, parts[1].scoped({names[0]: own}))
    require(len(args) == (1 if op in UNARY else 2 if op in BINARY else -1), f"arguments of {word}")
    return apply(op, *parts)


class Assignment:
    """What a text says (notation.assignment, notation.masks); no mask is the complement of nothing."""

    def __init__(self, text: str) -> None:
        try:
            target, *between, _, value = PARSER.parse(text).children
        except LarkError as error:
            raise RefusedError(str(error)) from None
        said = {t.data: t.children for t in between}
        row, (sign, *_) = said.get("mask", ["!"]), said.get("reducer", [""])
        require(sign in ("", *REDUCERS), f"{sign} is no reducer")
        self.target, self.op, self.value = access(target), REDUCERS.get(sign, ""), expression(value)
        self.masked, self.complement, self.structural = "mask" in said, "!" in row, "$" in row
        asked = [access(t) if self.structural else expression(t) for t in row if isinstance(t, Tree)]
        self.merge = "merge" in row or (self.op != "" and "replace" not in row)
        (self.mask,) = asked or [literal("false")]
        names = {written(i) for i in (*self.target.variables, *self.mask.used(), *self.value.used())}
        self.mask, self.value = (e.scoped(dict(zip(names, names, strict=True))) for e in (self.mask, self.value))
