"""Texts as terms (docs/spec/notation), in the order of the grammar."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from spec.operators import BINARY, FOLDS, RANGES, UNARY, ZERO, Pair, require

NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?j?")
NAME = re.compile(r"[A-Za-z_]\w*")
LEXEME = re.compile(rf"{NUMBER.pattern}|{NAME.pattern}|[-+*/(),=<>!$]")
SPELLINGS = {"gte": "ge", "lte": "le", "neq": "ne", "lor": "or", "land": "and", "lxor": "xor", "lnot": "not"}
SPELLINGS |= {"ainv": "neg", "tril": "ge", "triu": "le", "diag": "eq", "offdiag": "ne"}
RANKS = ({"+": "add", "-": "sub"}, {"*": "mul", "/": "div"})
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


class Assignment:
    """A text, with a method for each line of notation.grammar; no mask is the complement of nothing."""

    def __init__(self, text: str) -> None:
        require(not LEXEME.sub("", text).strip(), "a character that begins no lexeme")
        self.row = LEXEME.findall(text) + [""] * 4
        self.scopes = self.around = 0
        self.target, self.masked, merge = self.access(), self.has("<"), ""
        self.complement = not self.masked or self.has("!")
        self.structural = self.masked and self.has("$")
        self.mask = self.access() if self.structural else self.expression() if self.masked else literal("false")
        if self.masked:
            merge = self.take("merge", "replace") if self.has(",") else ""
            self.take(">")
        self.op = REDUCERS[self.take(*REDUCERS)] if self.row[0] != "=" else ""
        self.take("=")
        self.value = self.expression()
        self.take("")
        self.merge = merge == "merge" or (merge == "" and self.op != "")
        names = {written(i) for i in (*self.target.variables, *self.mask.used(), *self.value.used())}
        self.mask, self.value = (e.scoped(dict(zip(names, names, strict=True))) for e in (self.mask, self.value))

    def take(self, *wanted: str) -> str:
        require(not wanted or self.row[0] in wanted, f"expected {wanted}, found {self.row[0]}")
        return self.row.pop(0)

    def has(self, word: str) -> bool:
        return self.row[0] == word and bool(self.take())

    def name(self) -> str:
        require(NAME.match(self.row[0]) is not None, "a name is expected")
        return self.take()

    def inside(self, part: Callable[[], Term]) -> Term:
        """A part that stands in a sign, parentheses or a call (notation.depth)."""
        self.around += 1
        require(1 + self.around <= DEEPEST, "nested too deep")
        found = part()
        self.around -= 1
        return found

    def expression(self) -> Term:
        e = self.joined()
        require(e.height() + self.around <= DEEPEST, "nested too deep")
        return e

    def joined(self, rank: int = 0) -> Term:
        """A sum, or a product within one."""
        if rank == len(RANKS):
            return self.unary()
        e, operands = self.joined(rank + 1), 1
        while self.row[0] in RANKS[rank]:
            e, operands = apply(RANKS[rank][self.take()], e, self.joined(rank + 1)), operands + 1
        require(operands + self.around <= DEEPEST, "too many operands")
        return e

    def unary(self) -> Term:
        if not self.has("-"):
            return self.atom()
        word = self.row[0]
        signed = NUMBER.match(word) or (word == "inf" and self.row[1] != "(")
        e = self.inside(self.unary)
        return literal(word, -1) if signed else apply("neg", e)

    def atom(self) -> Term:
        word, called = self.row[0], self.row[1] == "("
        op = SPELLINGS.get(word, word)
        if NUMBER.match(word) or (word in WORDS and not called):
            return literal(self.take())
        if self.has("("):
            e = self.inside(self.joined)
            self.take(")")
            return e
        return self.call(self.take(), op) if called and op in {*UNARY, *BINARY, *FOLDS} else self.access()

    def call(self, word: str, op: str) -> Term:
        """A function, or a reduction over a variable (notation.reductions)."""
        bare = self.row[1] if NAME.match(self.row[1]) and self.row[2] == "," else ""
        args: list[Term] = []
        while self.has("," if args else "("):
            args.append(self.inside(self.expression))
        self.take(")")
        if bare and word in FOLDS and len(args) == 2 and (op not in BINARY or bare in args[1].used()):
            require(bare in args[1].used() - args[1].binders(), "a reduction over what is not free in it")
            self.scopes += 1
            own = f"{bare}#{self.scopes}"
            return fold(FOLDS[word], own, args[1].scoped({bare: own}))
        require(len(args) == (1 if op in UNARY else 2 if op in BINARY else 0), f"arguments of {word}")
        return apply(op, *args)

    def access(self) -> Term:
        name, variables = self.name(), []
        if self.has("(") and not self.has(")"):
            while not variables or self.take(",", ")") == ",":
                variables.append(self.name())
        return Term("read", name, tuple(variables))
