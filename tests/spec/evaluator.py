"""A second implementation of what assignments mean, from docs/spec alone: it imports nothing of gnomon.

It reads the text of an assignment and operands as plain data, and gives the shape, the dtype, the fill and the
components of the result. In reading order: `operators`, `grammar`, `sums`, `evaluator`. All of the language is here but
operators of users, error bounds and formats. What is refused for how an operand is stored (`level.`, `format.`,
`semiring.fill.operand`) is not refused here. Of more than 64 choices of `any` nothing is said (`Beyond`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from spec import operators as of
from spec.grammar import SPELLINGS, Assignment, Parser, Term, apply
from spec.operators import fits, into, require, same
from spec.sums import explicit

Cell = tuple[int, ...]
CHOICES = 64
PLACES = {f"{o}{p}{n}": (o, p, n) for o in ("first", "second") for p in "ij" for n in ("", "1")}
SIGNS = {"plus": "add", "times": "mul", "minus": "sub", "oneb": "pair", **SPELLINGS}


class Beyond(Exception):
    """This evaluator does not know it."""


@dataclass
class Operand:
    """An operand as plain data; a coordinate may have several values."""

    shape: Cell
    dtype: str
    fill: Any
    entries: list[tuple[Cell, Any]]


class Meaning(NamedTuple):
    """present, missing or constant, with the value, or each of the choices of `any`."""

    state: str
    values: tuple[Any, ...]


class Typed(NamedTuple):
    """What a term means: its dtype, whether that is weak, and its meaning where variables have coordinates."""

    dtype: str
    weak: bool
    at: Callable[[Mapping[str, int]], Meaning]


class Evaluation:
    """Terms over operands, in a semiring (an add and a multiply) or in none."""

    def __init__(self, operands: Mapping[str, Operand], extents: Mapping[str, int], ring: str | None) -> None:
        self.operands, self.extents, self.add, self.multiply = operands, extents, "", ""
        if ring is not None:
            self.add, self.multiply = (SIGNS.get(part, part) for part in (*ring.split("_", 1), "")[:2])
            require(self.add in of.FOLDS.values() and self.multiply in (*of.BINARY, *PLACES), "no semiring")
        self.tables: dict[str, dict[Cell, Any]] = {}
        for name, o in operands.items():
            table = self.tables.setdefault(name, {})
            for c, v in o.entries:
                v = into(o.dtype, of.exact(v))
                table[c] = of.calculate("add", o.dtype, table[c], v) if c in table else v

    def fill(self, name: str) -> Any:
        o = self.operands[name]
        return of.identity(self.add, o.dtype) if self.add else into(o.dtype, of.exact(o.fill))

    def absent(self, d: str) -> Any:
        """The number of what is absent in a semiring (semiring.presence)."""
        return of.identity(self.add, d)

    def typed(self, e: Term) -> Typed:
        match e:
            case Term("number", (v, d)):
                return Typed(d, True, lambda _: Meaning("constant", (v,)))
            case Term("read", name) if name in self.operands:
                return self.read(name, e.variables)
            case Term("read", _, (i,)):
                return Typed("int64", False, lambda at: Meaning("present", (of.Fraction(at[i]),)))
            case Term("reduce", op, (k,), (body,)):
                require(not self.add or op in ("add", self.add), f"{op} in a semiring")
                return self.reduced(self.add or op, k, self.typed(body))
            case Term("apply", op, _, parts):
                require(not self.add or op in ("add", "mul"), f"{op} in a semiring")
                return self.applied({"add": self.add, "mul": self.multiply}[op] if self.add else op, op, parts)
        raise AssertionError(e)

    def read(self, name: str, variables: tuple[str, ...]) -> Typed:
        d, held, fill = self.operands[name].dtype, self.tables[name], self.fill(name)

        def at(sigma: Mapping[str, int]) -> Meaning:
            c = tuple(sigma[i] for i in variables)
            return Meaning("present", (fits(d, held[c]),)) if c in held else Meaning("missing", (fill,))

        return Typed(d, False, at)

    def convert(self, m: Meaning, before: str, d: str) -> Meaning:
        """denote.conversion, denote.semiring.conversion."""
        if self.add and m.state == "missing" and same(m.values[0], self.absent(before)):
            return Meaning("missing", (self.absent(d),))
        return Meaning(m.state, tuple(into(d, v) if m.state == "missing" else fits(d, into(d, v)) for v in m.values))

    def applied(self, op: str, written: str, parts: tuple[Term, ...]) -> Typed:
        """An operator on converted arguments (denotation/missing.md, denotation/semirings.md)."""
        multiplies = self.add != "" and written == "mul"
        place = position(*PLACES[op], *parts) if multiplies and op in PLACES else None
        args = [self.typed(p) for p in parts]
        d = common(args) if place else of.computes(op, common(args))
        gives = "int64" if place else of.gives(op, d)
        for p in parts:
            fits(d, p.what[0] if p.kind == "number" else 0)
        zero = self.absent(d) if multiplies else of.ZERO if op in of.ANNIHILATED else None
        ones = (None, None) if multiplies else of.identities(op, d)

        def at(sigma: Mapping[str, int]) -> Meaning:
            found = [self.convert(a.at(sigma), a.dtype, d) for a in args]
            states = [m.state for m in found]
            for m in found:
                if zero is not None and m.state == "missing" and same(m.values[0], zero):
                    return Meaning("missing", (self.absent(gives),)) if multiplies else m
            for side, m in enumerate(found if "constant" not in states else ()):
                if ones[side] is not None and m.state == "missing" and same(m.values[0], ones[side]):
                    other = found[1 - side]
                    return Meaning(other.state, tuple(of.unit(op, side, d, v) for v in other.values))
            state = next(s for s in ("present", "missing", "constant") if s in states)
            if place:
                return Meaning(state, (of.Fraction(sigma.get(place[0], 0) + place[1]),))
            return computed(op, d, state, *(m.values for m in found))

        return Typed(gives, all(a.weak for a in args), at)

    def reduced(self, op: str, k: str, body: Typed) -> Typed:
        """denotation/reductions.md."""
        d = of.widened(op, of.computes(op, body.dtype))
        none = of.identity(op, d)

        def at(sigma: Mapping[str, int]) -> Meaning:
            row = [self.convert(body.at({**sigma, k: c}), body.dtype, d) for c in range(self.extents[k])]
            row = [m for m in row if m.state != "missing" or not same(m.values[0], none)]
            if not row:
                return Meaning("missing", (none,))
            state = "present" if any(m.state != "missing" for m in row) else "missing"
            values = tuple(of.unit(op, 1, d, v) for v in row[0].values)
            for m in row[1:]:
                values = computed(op, d, "missing", values, m.values).values
            return Meaning(state, values if state == "missing" else tuple(fits(d, v) for v in values))

        return Typed(d, False, at)


def common(args: list[Typed]) -> str:
    """The promotion of one or two arguments, of which some are weak."""
    a, b = args[0], args[-1]
    if a.weak != b.weak:
        return of.weak(b.dtype, a.dtype) if a.weak else of.weak(a.dtype, b.dtype)
    return of.promote(a.dtype, b.dtype)


def computed(op: str, d: str, state: str, *choices: tuple[Any, ...]) -> Meaning:
    """What an operator computes, for each combination of choices."""
    if op == "any":
        return Meaning(state, sum(choices, ()))
    found = dict.fromkeys(of.calculate(op, d, *row) for row in product(*choices))
    if len(found) > CHOICES:
        raise Beyond("more than 64 choices")
    return Meaning(state, tuple(v if state == "missing" else fits(of.gives(op, d), v) for v in found))


def position(side: str, which: str, one: str, a: Term, b: Term) -> tuple[str, int]:
    """The variable whose coordinate a product is, and what is added (semiring.places)."""
    asked, other = (a, b) if side == "first" else (b, a)
    require(asked.kind == "read" and len(asked.variables) in (1, 2), "a place of what is no vector and no matrix")
    row = side == "first" and len(asked.variables) == 1 and other.kind == "read" and len(other.variables) == 2
    return ("", *asked.variables, "")[(which == "j") + (not row)], len(one)


def well_formed(text: str, operands: Mapping[str, Operand]) -> Assignment:
    """A text of which all is known but extents (docs/spec/notation, mask.wellformed)."""
    a = Parser(text).assignment()
    variables = {*a.target.variables, *a.value.used(), *(a.mask.used() if a.mask else ())}

    def coordinate(r: Term) -> Term:
        alone = r.variables == (r.what,) and r.what not in operands
        return Term("read", "", (r.what,)) if alone or (not r.variables and r.what in variables) else r

    a = a._replace(value=a.value.with_reads(coordinate), mask=a.mask and a.mask.with_reads(coordinate))
    y, indices = a.target.what, a.target.variables
    asked = {r.what for r in a.mask.reads()} if a.mask else set()
    require(not a.value.binders() & {*indices, *a.value.used()}, "scopes")
    require(len(set(indices)) == len(indices) and set(indices) <= a.value.used(), "variables of the target")
    if a.mask:
        require(asked and not a.mask.binders() and a.mask.used() <= set(indices), "the mask")
    require(all((r.what or r.variables[0]) != y for r in a.value.reads()), "the result is no operand")
    if y in operands:
        require(a.op is not None or a.merge or y in asked, "previous contents have no use")
    else:
        require((not a.merge or a.op is not None) and y not in asked, "previous contents are missing")
    return a


def extents_of(a: Assignment, operands: Mapping[str, Operand]) -> dict[str, int]:
    """notation.operands, notation.extents, notation.coordinates.extent."""
    extents: dict[str, int] = {}
    row = [*a.value.reads(), *(a.mask.reads() if a.mask else ()), *([a.target] if a.target.what in operands else ())]
    for r in row:
        if r.what in operands:
            require(len(r.variables) == len(operands[r.what].shape), "order")
            for i, n in zip(r.variables, operands[r.what].shape, strict=True):
                require(extents.setdefault(i, n) == n, "extents")
    of_names: dict[str, int] = {}
    for r in row:
        if r.what not in operands:
            require(not r.what and r.variables[0] in extents, "an unknown tensor")
            name, n = r.variables[0].partition("#")[0], extents[r.variables[0]]
            require(name not in operands and of_names.setdefault(name, n) == n, "a coordinate")
    require(set(operands) <= {r.what for r in row} and set(a.target.variables) <= set(extents), "operands")
    return extents


def evaluate(text: str, ring: str | None, operands: Mapping[str, Operand]) -> tuple[Cell, str, Any, dict[Cell, Any]]:
    """Shape, dtype, fill and components of what an assignment means; a component is a tuple of its choices."""
    a = well_formed(text, operands)
    extents, before, y = extents_of(a, operands), a.target.what in operands, a.target
    found, outside = Evaluation(operands, extents, ring), Evaluation(operands, extents, None)
    require(not found.add or a.op in (None, "add", found.add), "a reducer that is not of the semiring")
    distributive = not found.add or found.add in of.DISTRIBUTES.get(found.multiply, ())
    value = explicit(a.value, y.variables, a.op, distributive)
    op, kept = a.op and (found.add or a.op), before and (a.op is not None or a.merge)
    whole = found.typed(apply("add" if found.add else op, y, value) if op and before else value)
    asked, contents = outside.typed(a.mask) if a.mask else None, found.typed(y) if kept else None
    dtype = of.gives(op, of.computes(op, whole.dtype)) if op else whole.dtype
    dtype = of.promote(dtype, contents.dtype) if contents and not op else dtype
    fill = into(dtype, found.fill(y.what)) if kept else into(dtype, of.identity(op, dtype) if op else of.ZERO)
    fill = found.absent(dtype) if found.add else fill
    shape, result = tuple(extents[i] for i in y.variables), {}
    for c in product(*map(range, shape)):
        at = dict(zip(y.variables, c, strict=True))
        chosen = whole
        if asked:
            m = asked.at(at)
            if (m.state == "present" and (a.structural or of.is_true(m.values[0]))) == a.complement:
                chosen = contents if a.merge else None
        if not chosen:
            continue
        m = found.convert(chosen.at(at), chosen.dtype, dtype)
        if m.state == "present" or not same(m.values[0], fill):
            result[c] = tuple(fits(dtype, v) for v in m.values)
    return shape, dtype, fill, result
