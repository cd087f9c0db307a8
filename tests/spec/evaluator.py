"""A second implementation of what assignments mean, from docs/spec alone: it imports nothing of gnomon.

It reads the text of an assignment and operands as plain data, and gives the shape, the dtype, the fill and the
components of the result. In reading order: `operators` (exact numbers), `grammar`, `sums`, `dtypes`, `evaluator`.
All of the language is here but operators of users, error bounds, and formats: what depends on how an operand is
stored (`semiring.fill.operand`) is not asked. Of more than 64 choices nothing is said (`Beyond`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from spec.dtypes import common, given, promote, widened
from spec.grammar import SPELLINGS, Assignment, Parser, binders, coordinates, parts, reads, used
from spec.operators import (
    BINARY,
    DISTRIBUTES,
    FOLDS,
    ZERO,
    Beyond,
    Fraction,
    RefusedError,
    annihilators,
    calculate,
    exact,
    fits,
    identities,
    identity,
    into,
    is_true,
    same,
    unit,
)
from spec.sums import explicit

Cell = tuple[int, ...]
CHOICES = 64
PLACES = {f"{o}{p}{n}": (o, p, n) for o in ("first", "second") for p in "ij" for n in ("", "1")}


@dataclass
class Operand:
    """An operand as plain data; a coordinate may have several values."""

    shape: Cell
    dtype: str
    fill: Any
    entries: list[tuple[Cell, Any]]


@dataclass
class Meaning:
    """present, missing or constant, with the value, or each of the choices of `any`."""

    state: str
    values: tuple[Any, ...]


@dataclass
class Semiring:
    """semiring.construction."""

    add: str
    multiply: str

    def __post_init__(self) -> None:
        if self.add not in FOLDS.values() or self.multiply not in (*BINARY, *PLACES):
            raise RefusedError("no semiring")


def semiring(name: str) -> Semiring:
    """A semiring by its name (semiring.names)."""
    spellings = {"plus": "add", "times": "mul", "minus": "sub", "oneb": "pair", **SPELLINGS}
    add, _, multiply = name.partition("_")
    return Semiring(spellings.get(add, add), spellings.get(multiply, multiply))


def in_semiring(e: Any, ring: Semiring) -> Any:
    """A right side over the operators of a semiring (semiring.operators, semiring.places)."""
    match e:
        case ("reduce", op, k, body) if op in ("add", ring.add):
            return ("reduce", ring.add, k, in_semiring(body, ring))
        case ("apply", "add", a, b):
            return ("apply", ring.add, in_semiring(a, ring), in_semiring(b, ring))
        case ("apply", "mul", a, b):
            at = None
            if ring.multiply in PLACES:
                side, which, one = PLACES[ring.multiply]
                asked, other = (a, b) if side == "first" else (b, a)
                if asked[0] != "read" or len(asked[2]) not in (1, 2):
                    raise RefusedError("a place of what is no vector and no matrix")
                row = side == "first" and len(asked[2]) == 1 and other[0] == "read" and len(other[2]) == 2
                pair = (None, *asked[2]) if row else (*asked[2], None)
                at = (pair[which == "j"], len(one))
            return ("apply", "⊗", in_semiring(a, ring), in_semiring(b, ring), at)
        case ("number", *_) | ("read", *_):
            return e
    raise RefusedError(f"{e[1]} has no meaning in a semiring")


class Evaluation:
    """Types and meanings of terms, in a semiring or in none."""

    def __init__(self, operands: Mapping[str, Operand], extents: Mapping[str, int], ring: Semiring | None) -> None:
        self.operands, self.extents, self.ring = operands, extents, ring
        self.types: dict[int, tuple[Any, tuple[str, bool]]] = {}
        self.tables: dict[str, dict[Cell, Any]] = {}
        for name, o in operands.items():
            table = self.tables.setdefault(name, {})
            for c, v in o.entries:
                v = into(o.dtype, exact(v))
                table[c] = calculate("add", o.dtype, table[c], v) if c in table else v

    def fill(self, name: str) -> Any:
        o = self.operands[name]
        return self.absent(o.dtype) if self.ring else into(o.dtype, exact(o.fill))

    def absent(self, d: str) -> Any:
        assert self.ring
        return identity(self.ring.add, d)

    def type(self, e: Any) -> tuple[str, bool]:
        """The dtype of a term, and whether it is weak."""
        if id(e) not in self.types:
            self.types[id(e)] = e, self.typed(e)
        return self.types[id(e)][1]

    def typed(self, e: Any) -> tuple[str, bool]:
        match e:
            case ("number", _, d):
                return d, True
            case ("read", name, _):
                return (self.operands[name].dtype if name in self.operands else "int64"), False
            case ("reduce", op, _, body):
                return widened(op, self.type(body)[0]), False
            case ("apply", op, *_):
                weak = all(self.type(a)[1] for a in parts(e))
                for a in parts(e):
                    if a[0] == "number":
                        fits(self.computed(e), a[1])
                return ("int64" if self.place(e) else given(self.named(op), self.computed(e))[1]), weak
        raise AssertionError(e)

    def named(self, op: str) -> str:
        return self.ring.multiply if self.ring and op == "⊗" else op

    def place(self, e: Any) -> Any:
        """The variable and the offset of a product that is a place, or None."""
        return e[4] if e[1] == "⊗" else None

    def computed(self, e: Any) -> str:
        """The dtype that an operator computes in."""
        d = common([self.type(a) for a in parts(e)])
        return d if self.place(e) else given(self.named(e[1]), d)[0]

    def meaning(self, e: Any, at: Mapping[str, int]) -> Meaning:
        match e:
            case ("number", v, _):
                return Meaning("constant", (v,))
            case ("read", name, indices):
                if name not in self.operands:
                    return Meaning("present", (Fraction(at[indices[0]]),))
                held, c = self.tables[name], tuple(at[i] for i in indices)
                if c in held:
                    return Meaning("present", (fits(self.operands[name].dtype, held[c]),))
                return Meaning("missing", (self.fill(name),))
            case ("apply", *_):
                d = self.computed(e)
                return self.apply(e, d, at, *(self.convert(self.meaning(a, at), self.type(a)[0], d) for a in parts(e)))
            case ("reduce", op, k, body):
                row = (self.meaning(body, {**at, k: c}) for c in range(self.extents[k]))
                d = self.type(e)[0]
                return self.fold(op, d, [self.convert(m, self.type(body)[0], d) for m in row])
        raise AssertionError(e)

    def convert(self, m: Meaning, before: str, d: str) -> Meaning:
        """denote.conversion, denote.semiring.conversion."""
        if self.ring and m.state == "missing" and same(m.values[0], self.absent(before)):
            return Meaning("missing", (self.absent(d),))
        values = tuple(into(d, v) for v in m.values)
        return Meaning(m.state, values if m.state == "missing" else tuple(fits(d, v) for v in values))

    def apply(self, e: Any, d: str, at: Mapping[str, int], *args: Meaning) -> Meaning:
        """An operator on converted arguments (denotation/missing.md)."""
        op, states = self.named(e[1]), [m.state for m in args]
        multiplies = e[1] == "⊗"
        zero = self.absent(d) if multiplies else annihilators(op)
        ones = (None, None) if multiplies else identities(op, d)
        if len(args) == 2:
            for m in args:
                if m.state == "missing" and zero is not None and same(m.values[0], zero):
                    return Meaning("missing", (self.absent("int64"),)) if self.place(e) else m
            for side, m in enumerate(args if "constant" not in states else ()):
                if m.state == "missing" and ones[side] is not None and same(m.values[0], ones[side]):
                    other = args[1 - side]
                    return Meaning(other.state, tuple(unit(op, side, d, v) for v in other.values))
        state = next(s for s in ("present", "missing", "constant") if s in states)
        if self.place(e):
            variable, offset = self.place(e)
            return Meaning(state, (Fraction((at[variable] if variable else 0) + offset),))
        return self.computed_by(op, d, state, *(m.values for m in args))

    def computed_by(self, op: str, d: str, state: str, *choices: tuple[Any, ...]) -> Meaning:
        """What an operator computes, for each combination of choices."""
        if op == "any":
            return Meaning(state, tuple(v for values in choices for v in values))
        found = {v: None for row in product(*choices) for v in [calculate(op, d, *row)]}
        if len(found) > CHOICES:
            raise Beyond("more than 64 choices")
        return Meaning(state, tuple(found if state == "missing" else (fits(given(op, d)[1], v) for v in found)))

    def fold(self, op: str, d: str, contributions: list[Meaning]) -> Meaning:
        """denotation/reductions.md."""
        none = identity(op, d)
        counted = [m for m in contributions if m.state != "missing" or not same(m.values[0], none)]
        if not counted:
            return Meaning("missing", (none,))
        state = "present" if any(m.state != "missing" for m in counted) else "missing"
        found = Meaning(state, tuple(unit(op, 1, d, v) for v in counted[0].values))
        for m in counted[1:]:
            found = self.computed_by(op, d, "missing", found.values, m.values)
        return Meaning(state, found.values if state == "missing" else tuple(fits(d, v) for v in found.values))


def scoped(text: str, operands: Mapping[str, Operand]) -> Assignment:
    """A text that is well formed but for extents (docs/spec/notation, mask.wellformed)."""
    a = Parser(text).assignment()
    variables = {*a.indices, *used(a.value), *(used(a.mask) if a.mask else ())}
    a.value = coordinates(a.value, variables, operands)
    a.mask = coordinates(a.mask, variables, operands) if a.mask else None
    asked = {r[1] for r in reads(a.mask)} if a.mask else set()
    if binders(a.value) & {*a.indices, *used(a.value)}:
        raise RefusedError("scopes")
    if len(set(a.indices)) < len(a.indices) or not set(a.indices) <= used(a.value):
        raise RefusedError("variables of the target")
    if a.mask and (binders(a.mask) or not asked or not used(a.mask) <= set(a.indices)):
        raise RefusedError("the mask")
    before, has_use = a.target in operands, a.op is not None or a.merge or a.target in asked
    if any((r[1] or r[2][0]) == a.target for r in reads(a.value)) or (before and not has_use):
        raise RefusedError("the result is no operand")
    if not before and ((a.merge and a.op is None) or a.target in asked):
        raise RefusedError("previous contents are missing")
    return a


def extents_of(a: Assignment, operands: Mapping[str, Operand]) -> dict[str, int]:
    """notation.operands, notation.extents, notation.coordinates.extent."""
    extents: dict[str, int] = {}
    row = [*reads(a.value), *(reads(a.mask) if a.mask else ())]
    row += [("read", a.target, a.indices)] if a.target in operands else []
    passed = [r for r in row if r[1] in operands]
    for _, tensor, indices in passed:
        if len(indices) != len(operands[tensor].shape):
            raise RefusedError("order")
        for i, n in zip(indices, operands[tensor].shape, strict=True):
            if extents.setdefault(i, n) != n:
                raise RefusedError("extents")
    read: dict[str, int] = {}
    for _, name, indices in (r for r in row if r[1] not in operands):
        variable = indices[0].partition("#")[0] if indices else ""
        if name or variable in operands or indices[0] not in extents:
            raise RefusedError(f"unknown tensor {name}")
        if read.setdefault(variable, extents[indices[0]]) != extents[indices[0]]:
            raise RefusedError("extents")
    if set(operands) - {r[1] for r in passed} or not set(a.indices) <= set(extents):
        raise RefusedError("operands")
    return extents


def evaluate(text: str, ring: str | None, operands: Mapping[str, Operand]) -> tuple[Cell, str, Any, dict[Cell, Any]]:
    """Shape, dtype, fill and components of what an assignment means; a component is a tuple of its choices."""
    a, chosen = scoped(text, operands), semiring(ring) if ring is not None else None
    extents, op, before = extents_of(a, operands), a.op, a.target in operands
    distributive = not chosen or chosen.add in DISTRIBUTES.get(chosen.multiply, ())
    value = explicit(a.value, a.indices, op, distributive)
    if chosen:
        value = in_semiring(value, chosen)
        if op not in (None, "add", chosen.add):
            raise RefusedError("a reducer that is not of the semiring")
        op = op and chosen.add
    found, outside = Evaluation(operands, extents, chosen), Evaluation(operands, extents, None)
    if a.mask:
        outside.type(a.mask)
    contents, kept = ("read", a.target, a.indices), before and (op is not None or a.merge)
    whole = ("apply", op, contents, value) if op is not None and before else value
    dtype = found.type(whole)[0]
    if op is not None:
        given(op, dtype)
    elif kept:
        dtype = promote(dtype, operands[a.target].dtype)
    fill = found.absent(dtype) if chosen else into(dtype, found.fill(a.target)) if kept else None
    fill = fill if fill is not None else into(dtype, identity(op, dtype) if op else ZERO)
    shape, result = tuple(extents[i] for i in a.indices), {}
    for c in product(*map(range, shape)):
        at = dict(zip(a.indices, c, strict=True))
        inside = True
        if a.mask:
            m = outside.meaning(a.mask, at)
            inside = (m.state == "present" and (a.structural or is_true(m.values[0]))) != a.complement
        if not inside and not (a.merge and before):
            continue
        term = whole if inside else contents
        m = found.convert(found.meaning(term, at), found.type(term)[0], dtype)
        if m.state == "present" or not same(m.values[0], fill):
            result[c] = tuple(fits(dtype, v) for v in m.values)
    return shape, dtype, fill, result
