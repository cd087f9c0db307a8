"""Texts as terms: lexemes, the grammar, scopes, and bare names that are coordinates (docs/spec/notation).

A term is a tuple: ("number", v, dtype), ("read", T, (i, ...)), ("apply", operator, e, ...), ("reduce", operator, k, e).
"""

import math
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from spec.operators import BINARY, FOLDS, UNARY, Pair, RefusedError

LEXEME = re.compile(r"\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?j?)|([A-Za-z_]\w*)|([-+*/(),=<>!$]))", re.ASCII)
SPELLINGS = {"gte": "ge", "lte": "le", "neq": "ne", "lor": "or", "land": "and", "lxor": "xor", "lnot": "not"}
SPELLINGS |= {"ainv": "neg", "tril": "ge", "triu": "le", "diag": "eq", "offdiag": "ne"}
NUMBERS = {"true": (Fraction(1), "bool"), "false": (Fraction(0), "bool")}
NUMBERS |= {word: (float(word), "float64") for word in ("inf", "nan")}
DEEPEST = 120


@dataclass
class Assignment:
    """A text; the mask is a term or None."""

    target: str
    indices: tuple[str, ...]
    mask: Any
    structural: bool
    complement: bool
    op: str | None
    merge: bool
    value: Any


class Parser:
    """notation.grammar, with a method for each of its lines."""

    def __init__(self, text: str) -> None:
        self.row: list[tuple[str, str]] = []
        at = 0
        while text[at:].strip():
            found = LEXEME.match(text, at)
            if not found:
                raise RefusedError(text[at:])
            kind = "number" if found[1] else "name" if found[2] else "sign"
            self.row.append((kind, found[1] or found[2] or found[3]))
            at = found.end()
        self.row += [("end", "")] * 4
        self.at, self.scopes, self.around = 0, 0, 0

    def ahead(self, n: int = 0) -> str:
        return self.row[self.at + n][1]

    def take(self, *wanted: str) -> str:
        if wanted and self.ahead() not in wanted:
            raise RefusedError(f"expected {wanted}, found {self.ahead()}")
        self.at += 1
        return self.row[self.at - 1][1]

    def has(self, word: str) -> bool:
        return self.ahead() == word and bool(self.take())

    def name(self) -> str:
        if self.row[self.at][0] != "name":
            raise RefusedError("a name is expected")
        return self.take()

    def assignment(self) -> Assignment:
        _, target, indices = self.access()
        mask, structural, complement, merge, op = None, False, False, None, None
        if self.has("<"):
            complement, structural = self.has("!"), self.has("$")
            mask = self.access() if structural else self.shallow(self.sum())
            if self.has(","):
                merge = self.take("merge", "replace") == "merge"
            self.take(">")
        if self.ahead() != "=":
            op = {"+": "add", "*": "mul", "add": "add", "mul": "mul", **FOLDS}.get(self.take())
            if op is None:
                raise RefusedError("what does not fold")
        self.take("=")
        value = self.shallow(self.sum())
        if self.row[self.at][0] != "end":
            raise RefusedError(self.ahead())
        merge = op is not None if merge is None else merge
        return Assignment(target, indices, mask, structural, complement, op, merge, value)

    def shallow(self, e: Any, of: int = 0) -> Any:
        """notation.depth, for `of` joined operands or else for the height of a term."""
        if (of or height(e)) + self.around > DEEPEST:
            raise RefusedError("nested too deep")
        return e

    def joined(self, signs: Mapping[str, str], part: Any) -> Any:
        e, of = part(), 1
        while self.ahead() in signs:
            e, of = ("apply", signs[self.take()], e, part()), of + 1
        return self.shallow(e, of)

    def sum(self) -> Any:
        return self.joined({"+": "add", "-": "sub"}, self.product)

    def product(self) -> Any:
        return self.joined({"*": "mul", "/": "div"}, self.unary)

    def within(self, part: Any) -> Any:
        self.around += 1
        self.shallow(None, 1)
        found = part()
        self.around -= 1
        return found

    def unary(self) -> Any:
        if not self.has("-"):
            return self.atom()
        kind, word = self.row[self.at]
        literal = kind == "number" or (word == "inf" and self.ahead(1) != "(")
        e = self.within(self.unary)
        if not literal:
            return ("apply", "neg", e)
        return ("number", -e[1], natural(-e[1]) if word.isdigit() else e[2])

    def atom(self) -> Any:
        kind, word = self.row[self.at]
        op = SPELLINGS.get(word, word)
        if kind == "number":
            return number(self.take())
        if self.has("("):
            e = self.within(self.sum)
        elif self.ahead(1) != "(" and word in NUMBERS:
            e = ("number", *NUMBERS[self.take()])
        elif self.ahead(1) != "(" or op not in {*UNARY, *BINARY, *FOLDS}:
            return self.access()
        else:
            return self.call(self.take(), op)
        if word == "(":
            self.take(")")
        return e

    def call(self, word: str, op: str) -> Any:
        """A function, or a reduction over a variable (notation.reductions)."""
        bare = self.ahead(1) if self.row[self.at + 1][0] == "name" and self.ahead(2) == "," else None
        args = [self.within(self.argument)]
        while self.ahead() == ",":
            args.append(self.within(self.argument))
        self.take(")")
        bound = bare is not None and len(args) == 2 and word in FOLDS
        if bound and (op not in BINARY or bare in used(args[1])):
            if bare in binders(args[1]) or bare not in used(args[1]):
                raise RefusedError("a reduction over what is not free in it")
            self.scopes += 1
            return ("reduce", FOLDS[word], own := f"{bare}#{self.scopes}", renamed(args[1], {bare: own}))
        if len(args) != (1 if op in UNARY else 2 if op in BINARY else 0):
            raise RefusedError(word)
        return ("apply", op, *args)

    def argument(self) -> Any:
        self.take("(", ",")
        return self.shallow(self.sum())

    def access(self) -> Any:
        name, indices = self.name(), []
        if self.has("(") and not self.has(")"):
            indices.append(self.name())
            while self.take(",", ")") == ",":
                indices.append(self.name())
        return ("read", name, tuple(indices))


def number(word: str) -> Any:
    """notation.numbers."""
    try:
        size = float(word.rstrip("j"))
        if not math.isfinite(size) or (word.isdigit() and math.isinf(float(int(word)))):
            raise RefusedError("the number is too large")
    except OverflowError:
        raise RefusedError("the number is too large") from None
    if word.endswith("j"):
        return ("number", Pair(Fraction(0), Fraction(size)), "complex128")
    if not word.isdigit():
        return ("number", Fraction(size), "float64")
    return ("number", Fraction(word), natural(Fraction(word)))


def natural(whole: Fraction) -> str:
    """The dtype of an integer alone (type.literals)."""
    return "int64" if -(2**63) <= whole < 2**63 else "uint64" if 0 <= whole < 2**64 else "float64"


def parts(e: Any) -> list[Any]:
    """The terms directly inside a term."""
    return [p for p in e[1:] if isinstance(p, tuple) and p and p[0] in ("number", "read", "apply", "reduce")]


def height(e: Any) -> int:
    """The most edges from a term to a leaf."""
    return max((1 + height(p) for p in parts(e)), default=0)


def reads(e: Any) -> Iterator[Any]:
    """The accesses of a term, from left to right."""
    if e[0] == "read":
        yield e
    for part in parts(e):
        yield from reads(part)


def used(e: Any) -> set[str]:
    """Every variable that indexes an access."""
    return {i for r in reads(e) for i in r[2]}


def binders(e: Any) -> set[str]:
    """The variables of explicit reductions, as they are written."""
    own = {e[2].partition("#")[0]} if e[0] == "reduce" else set()
    return own.union(*map(binders, parts(e)))


def renamed(e: Any, names: Mapping[str, str]) -> Any:
    """A term with other names for variables and for what may be their coordinates."""
    if e[0] == "read":
        return (e[0], e[1] if e[2] else names.get(e[1], e[1]), tuple(names.get(i, i) for i in e[2]))
    return tuple(renamed(p, names) if p in parts(e) else p for p in e)


def coordinates(e: Any, variables: set[str], tensors: Container[str]) -> Any:
    """Names of index variables, alone or indexed by themselves, as reads of a vector without a name."""
    if e[0] == "read":
        own = e[2] == (e[1],) and e[1] not in tensors
        return ("read", "", (e[1],)) if own or (not e[2] and e[1] in variables) else e
    return tuple(coordinates(p, variables, tensors) if isinstance(p, tuple) and p in parts(e) else p for p in e)
