"""Texts as terms (docs/spec/notation), in the order of the grammar."""

import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from spec.operators import BINARY, FOLDS, UNARY, ZERO, Pair, require

NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?j?")
NAME = re.compile(r"[A-Za-z_]\w*")
LEXEME = re.compile(rf"{NUMBER.pattern}|{NAME.pattern}|[-+*/(),=<>!$]")
SPELLINGS = {"gte": "ge", "lte": "le", "neq": "ne", "lor": "or", "land": "and", "lxor": "xor", "lnot": "not"}
SPELLINGS |= {"ainv": "neg", "tril": "ge", "triu": "le", "diag": "eq", "offdiag": "ne"}
RANKS = ({"+": "add", "-": "sub"}, {"*": "mul", "/": "div"})
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
        return {t.variables[0].partition("#")[0] for t in self.within() if t.kind == "reduce"}

    def height(self) -> int:
        """The most edges to a leaf."""
        return max((1 + part.height() for part in self.parts), default=0)

    def with_reads(self, to: "Callable[[Term], Term]") -> "Term":
        return to(self) if self.kind == "read" else self._replace(parts=tuple(p.with_reads(to) for p in self.parts))


def apply(op: str, *parts: Term) -> Term:
    return Term("apply", op, (), parts)


def fold(op: str, variable: str, body: Term) -> Term:
    return Term("reduce", op, (variable,), (body,))


def literal(word: str, sign: int = 1) -> Term:
    """A number with the dtype that it has alone (notation.numbers, type.literals)."""
    if word in WORDS:
        return Term("number", (WORDS[word] if sign > 0 else -WORDS[word], "bool" if word[-1] == "e" else "float64"))
    size = float(word.rstrip("j"))
    require(math.isfinite(size), "the number is too large")
    if word[-1] == "j":
        return Term("number", (Pair(ZERO, sign * Fraction(size)), "complex128"))
    v = sign * Fraction(word if word.isdigit() else size)
    natural = "int64" if -(2**63) <= v < 2**63 else "uint64" if 0 <= v < 2**64 else "float64"
    return Term("number", (v, natural if word.isdigit() else "float64"))


class Assignment(NamedTuple):
    """A text."""

    target: Term
    mask: Term | None
    structural: bool
    complement: bool
    op: str | None
    merge: bool
    value: Term


class Parser:
    """notation.grammar, with a method for each of its lines."""

    def __init__(self, text: str) -> None:
        require(not LEXEME.sub("", text).strip(), "a character that begins no lexeme")
        self.row = LEXEME.findall(text) + [""] * 4
        self.scopes = self.around = 0

    def take(self, *wanted: str) -> str:
        require(not wanted or self.row[0] in wanted, f"expected {wanted}, found {self.row[0]}")
        return self.row.pop(0)

    def has(self, word: str) -> bool:
        return self.row[0] == word and bool(self.take())

    def name(self) -> str:
        require(NAME.match(self.row[0]) is not None, "a name is expected")
        return self.take()

    def assignment(self) -> Assignment:
        target, mask, structural, complement, merge, op = self.access(), None, False, False, None, None
        if self.has("<"):
            complement, structural = self.has("!"), self.has("$")
            mask = self.access() if structural else self.expression()
            merge = self.take("merge", "replace") == "merge" if self.has(",") else None
            self.take(">")
        if self.row[0] != "=":
            op = {"+": "add", "*": "mul", "add": "add", "mul": "mul", **FOLDS}.get(self.take())
            require(op is not None, "what does not fold")
        self.take("=")
        value = self.expression()
        self.take("")
        return Assignment(target, mask, structural, complement, op, op is not None if merge is None else merge, value)

    def shallow(self, size: int) -> None:
        """notation.depth."""
        require(size + self.around <= DEEPEST, "nested too deep")

    def expression(self) -> Term:
        e = self.joined()
        self.shallow(e.height())
        return e

    def joined(self, rank: int = 0) -> Term:
        """A sum, or a product within one."""
        if rank == len(RANKS):
            return self.unary()
        e, operands = self.joined(rank + 1), 1
        while self.row[0] in RANKS[rank]:
            e, operands = apply(RANKS[rank][self.take()], e, self.joined(rank + 1)), operands + 1
        self.shallow(operands)
        return e

    def inside(self, part: Callable[[], Term]) -> Term:
        self.around += 1
        self.shallow(1)
        found = part()
        self.around -= 1
        return found

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
            own = {bare: f"{bare}#{self.scopes}"}
            renamed = args[1].with_reads(lambda r: Term(
                "read", r.what if r.variables else own.get(r.what, r.what), tuple(own.get(i, i) for i in r.variables)
            ))
            return fold(FOLDS[word], own[bare], renamed)
        require(len(args) == (1 if op in UNARY else 2 if op in BINARY else 0), f"arguments of {word}")
        return apply(op, *args)

    def access(self) -> Term:
        name, variables = self.name(), []
        if self.has("(") and not self.has(")"):
            variables.append(self.name())
            while self.take(",", ")") == ",":
                variables.append(self.name())
        return Term("read", name, tuple(variables))
