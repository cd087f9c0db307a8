"""A second implementation of what assignments mean, from docs/spec alone: it imports nothing of gnomon.

It reads the text of an assignment and operands as plain data, and gives the shape, the dtype, the fill and the
components of the result. In reading order: `operators`, `grammar`, `sums`, `evaluator`. All of the language is here but
operators of users, error bounds and formats. What is refused for how an operand is stored (`level.`, `format.`,
`semiring.fill.operand`) is not refused here.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import islice, product
from typing import Any, NamedTuple

from spec import operators as of
from spec.grammar import SPELLINGS, Assignment, Term, apply, written
from spec.operators import fits, into, require, same
from spec.sums import explicit

Cell = tuple[int, ...]
PLACE = re.compile("(first|second)([ij])(1?)")
SIGNS = {"plus": "add", "times": "mul", "minus": "sub", "oneb": "pair", **SPELLINGS}


class Operand(NamedTuple):
    """An operand as plain data; a coordinate may have several values."""

    shape: Cell
    dtype: str
    fill: Any
    entries: list[tuple[Cell, Any]]


class Meaning(NamedTuple):
    """present, missing or constant, with each of the choices of `any`, of which the first is the value."""

    state: str
    choices: tuple[Any, ...]

    def lacks(self, v: Any) -> bool:
        """Whether it is missing with a number."""
        return self.state == "missing" and v is not None and same(self.choices[0], v)


class Typed(NamedTuple):
    """What a term means: its dtype, whether that is weak, and its meaning where variables have coordinates."""

    dtype: str
    weak: bool
    at: Callable[[Mapping[str, int]], Meaning]


def meant(state: str, d: str, choices: Iterable[Any]) -> Meaning:
    """A meaning in a dtype, which holds what is not missing (type.overflow, denote.missing.all)."""
    return Meaning(state, tuple(v if state == "missing" else fits(d, v) for v in dict.fromkeys(choices)))


def chosen(op: str, d: str, *choices: tuple[Any, ...]) -> Iterable[Any]:
    """What an operator computes, for the first 64 combinations of choices (denote.reduce.any)."""
    return sum(choices, ()) if op == "any" else (of.calculate(op, d, *row) for row in islice(product(*choices), 64))


class Evaluation(NamedTuple):
    """Terms over operands, in a semiring (an add and a multiply) or in none."""

    operands: Mapping[str, Operand]
    extents: Mapping[str, int]
    add: str = ""
    multiply: str = ""
    fills: Mapping[str, Any] = {}

    def absent(self, d: str) -> Any:
        """The number of what is absent in a semiring (semiring.presence)."""
        return of.identity(self.add, d)

    def fill(self, name: str) -> Any:
        o = self.operands[name]
        own = self.absent(o.dtype) if self.add else into(o.dtype, of.exact(o.fill))
        return self.fills.get(name, own)

    def typed(self, e: Term) -> Typed:
        ring = {"add": self.add, "mul": self.multiply} if e.kind == "apply" else {"add": self.add, self.add: self.add}
        match e:
            case Term("number", (v, d)):
                return Typed(d, True, lambda _: Meaning("constant", (v,)))
            case Term("read", name, variables) if name in self.operands:
                return self.read(name, variables)
            case Term("read", _, (i,)):
                return Typed("int64", False, lambda at: Meaning("present", (Fraction(at[i]),)))
        require(not self.add or e.what in ring, f"{e.what} in a semiring")
        return (self.applied if e.kind == "apply" else self.reduced)(ring[e.what] if self.add else e.what, e)

    def read(self, name: str, variables: tuple[str, ...]) -> Typed:
        d, fill, held = self.operands[name].dtype, self.fill(name), dict[Cell, Any]()
        for c, v in self.operands[name].entries:
            v = into(d, of.exact(v))
            held[c] = of.calculate("add", d, held[c], v) if c in held else v

        def at(sigma: Mapping[str, int]) -> Meaning:
            c = tuple(sigma[i] for i in variables)
            return meant("present", d, [held[c]]) if c in held else Meaning("missing", (fill,))

        return Typed(d, False, at)

    def convert(self, m: Meaning, before: str, d: str) -> Meaning:
        """denote.conversion, denote.semiring.conversion."""
        absent = self.add != "" and m.lacks(self.absent(before))
        return meant(m.state, d, [self.absent(d)] if absent else (into(d, v) for v in m.choices))

    def applied(self, op: str, e: Term) -> Typed:
        """An operator on converted arguments (denotation/missing.md, denotation/semirings.md)."""
        multiplies, args = self.add != "" and e.what == "mul", [self.typed(part) for part in e.parts]
        place = position(op, *e.parts) if multiplies and PLACE.fullmatch(op) else None
        d, gives, _ = of.typing(op, of.common(*([a.dtype for a in args if a.weak == weak] for weak in (False, True))))
        gives = "int64" if place else gives
        for part in e.parts:
            fits(d, part.what[0] if part.kind == "number" else 0)
        zero = self.absent(d) if multiplies else of.ZERO if op in of.ANNIHILATED else None

        def at(sigma: Mapping[str, int]) -> Meaning:
            found = [self.convert(a.at(sigma), a.dtype, d) for a in args]
            states = [m.state for m in found]
            for m in found:
                if m.lacks(zero):
                    return Meaning("missing", (self.absent(gives),)) if multiplies else m
            for side, m in enumerate(() if multiplies or "constant" in states else found):
                if m.lacks(of.identity(op, d, side)):
                    state, choices = found[1 - side]
                    return Meaning(state, tuple(of.unit(op, side, d, v) for v in choices))
            state = next(s for s in ("present", "missing", "constant") if s in states)
            return meant(state, gives, [place(sigma)] if place else chosen(op, d, *(m.choices for m in found)))

        return Typed(gives, all(a.weak for a in args), at)

    def reduced(self, op: str, e: Term) -> Typed:
        """denotation/reductions.md."""
        k, body = e.variables[0], self.typed(e.parts[0])
        d = of.typing(op, body.dtype)[2]
        none = of.identity(op, d)

        def at(sigma: Mapping[str, int]) -> Meaning:
            row = [self.convert(body.at({**sigma, k: c}), body.dtype, d) for c in range(self.extents[k])]
            row = [m for m in row if not m.lacks(none)]
            found = tuple(of.unit(op, 1, d, v) for v in row[0].choices) if row else (none,)
            for m in row[1:]:
                found = tuple(dict.fromkeys(chosen(op, d, found, m.choices)))
            return meant("present" if any(m.state != "missing" for m in row) else "missing", d, found)

        return Typed(d, False, at)


def position(op: str, a: Term, b: Term) -> Callable[[Mapping[str, int]], Fraction]:
    """The coordinate that a product is (semiring.places)."""
    side, which, one = PLACE.fullmatch(op).groups()
    asked, other = (a, b) if side == "first" else (b, a)
    require(asked.kind == "read" and len(asked.variables) in (1, 2), "a place of what is no vector and no matrix")
    row = side == "first" and len(asked.variables) == 1 and other.kind == "read" and len(other.variables) == 2
    i = ("", *asked.variables, "")[(which == "j") + (not row)]
    return lambda sigma: Fraction(sigma.get(i, 0) + len(one))


def extents_of(a: Assignment, operands: Mapping[str, Operand]) -> dict[str, int]:
    """The extents of an assignment that is well formed (docs/spec/notation, mask.wellformed)."""
    y, indices, value, asked = a.target.what, a.target.variables, a.value, a.mask.reads()
    row = [*value.reads(), *asked]
    require(not value.binders() & {*indices, *value.used()}, "scopes")
    told = value.used() | a.mask.used() | (set(indices) if y in operands else set())
    require(len(set(indices)) == len(indices) and set(indices) <= told, "variables of the target")
    require(a.masked == bool(asked) and not a.mask.binders() and a.mask.used() <= set(indices), "the mask")
    require(all(r.what != y for r in value.reads()), "the result is no operand")
    of_mask = any(r.what == y for r in asked)
    require(y in operands or not of_mask, "the mask reads previous contents that are missing")
    require(a.op != "" or (a.merge or of_mask) == (y in operands), "previous contents have no use, or are missing")
    require(set(operands) <= {y, *(r.what for r in row)}, "an operand that is not read")
    extents, coordinates = dict[str, int](), dict[str, int]()
    for r in (r for r in (*row, a.target) if r.what in operands):
        require(len(r.variables) == len(operands[r.what].shape), "order")
        for i, n in zip(r.variables, operands[r.what].shape, strict=True):
            require(extents.setdefault(i, n) == n, "extents")
    for r in row:
        own = [written(i) for i in r.variables] == [r.what]
        n = extents.get(r.variables[0]) if own else 0
        require(own != (r.what in operands), "an unknown tensor, or a coordinate that is given")
        require(n is not None and (not own or coordinates.setdefault(r.what, n) == n), "the extent of a coordinate")
    return extents


def semiring(name: str | None) -> tuple[str, str]:
    """The add and the multiply that a name says, if one is given (semiring.names)."""
    add, multiply = (SIGNS.get(part, part) for part in (*(name or "").split("_", 1), "")[:2])
    multiplies = multiply in of.BINARY or PLACE.fullmatch(multiply) is not None
    require(name is None or (add in of.FOLDS.values() and multiplies), "no semiring")
    return add, multiply


def evaluate(text: str, ring: str | None, operands: Mapping[str, Operand]) -> tuple[Cell, str, Any, dict[Cell, Any]]:
    """Shape, dtype, fill and components of what an assignment means; a component is a tuple of its choices."""
    a = Assignment(text)
    extents, y, before = extents_of(a, operands), a.target, a.target.what in operands
    found, kept = Evaluation(operands, extents, *semiring(ring)), before and (a.op != "" or a.merge)
    inside = {*(r.what for r in a.value.reads()), *([y.what] if kept else [])} & {*operands}  # mask.semiring
    outside = Evaluation(operands, extents, fills={name: found.fill(name) for name in inside})
    require(not found.add or a.op in ("", "add", found.add), "a reducer that is not of the semiring")
    distributive = not found.add or found.add in of.DISTRIBUTES.get(found.multiply, ())
    value, op = explicit(a.value, y.variables, a.op, distributive), a.op and (found.add or a.op)
    whole = found.typed(apply("add" if found.add else op, y, value) if op and before else value)
    asked, contents = outside.typed(a.mask), found.typed(y) if kept else whole
    d = of.promote(of.typing(op, whole.dtype)[1], contents.dtype)
    fill = found.absent(d) if found.add else of.rounded(d, found.fill(y.what)) if kept else of.identity(op, d)
    shape, result = tuple(extents[i] for i in y.variables), dict[Cell, Any]()
    for c in product(*map(range, shape)):
        at = dict(zip(y.variables, c, strict=True))
        m = asked.at(at)
        admitted = (m.state == "present" and (a.structural or bool(m.choices[0]))) != a.complement
        m = Meaning("missing", (fill,))
        if admitted or (kept and a.merge):
            taken = whole if admitted else contents
            m = found.convert(taken.at(at), taken.dtype, d)
        if m.state == "present" or not same(m.choices[0], fill):
            result[c] = meant("present", d, m.choices).choices
    return shape, d, fill, result
