"""A second implementation of part of docs/spec, from its text alone: it imports nothing of gnomon.

Real numbers only; complex dtypes, masks' second readings, places and operators of users are `Beyond` it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

INF, NAN = math.inf, math.nan
Cell = tuple[int, ...]
Meaning = tuple[str, Any]
LEXEME = re.compile(r"\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?j?)|([A-Za-z_]\w*)|([-+*/(),=<>!$]))")
SPELLINGS = {"gte": "ge", "lte": "le", "neq": "ne", "lor": "or", "land": "and", "lxor": "xor", "lnot": "not"}
SPELLINGS |= {"ainv": "neg", "tril": "ge", "triu": "le", "diag": "eq", "offdiag": "ne"}
UNARY = {"neg", "not", "truth", "abs", "real", "imag", "conj", "square", "cube", "cbrt", "floor", "ceil", "sign"}
UNARY |= {"sqrt", "exp", "log", "sin", "cos", "tan", "tanh"}
BINARY = {"add", "sub", "mul", "div", "floordiv", "mod", "min", "max", "or", "and", "xor", "first", "second", "pair"}
BINARY |= {"any", "pow", "heaviside"}
COMPARE = {"eq", "ne", "lt", "le", "gt", "ge"}
FLOATING = {"div", "pow", "sqrt", "exp", "log", "sin", "cos", "tan", "tanh", "floor", "ceil", "cbrt", "heaviside"}
FOLDS = {"sum": "add", "prod": "mul", **{n: n for n in ("min", "max", "or", "and", "xor", "any")}}
BITS = {f"{s}int{b}": (s, b) for s in ("", "u") for b in (8, 16, 32, 64)}


class RefusedError(Exception):
    """The text says that this has no meaning."""


class Beyond(Exception):
    """This evaluator does not know it."""


@dataclass
class Operand:
    """An operand as plain data; a coordinate may have several values."""

    shape: Cell
    dtype: str
    fill: Any
    entries: list[tuple[Cell, Any]]


class Parser:
    """notation.grammar: terms are ("number", v, kind), ("read", T, indices), ("apply", o, ...), ("reduce", o, k, e)."""

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
        self.at, self.scopes = 0, 0

    def ahead(self, n: int = 0) -> str:
        return self.row[self.at + n][1]

    def take(self, *wanted: str) -> str:
        if wanted and self.ahead() not in wanted:
            raise RefusedError(f"expected {wanted}, found {self.ahead()}")
        self.at += 1
        return self.row[self.at - 1][1]

    def name(self) -> str:
        if self.row[self.at][0] != "name":
            raise RefusedError("a name is expected")
        return self.take()

    def assignment(self) -> tuple[Any, ...]:
        target, mask, op, merge = self.access(), None, None, None
        if self.ahead() == "<":
            self.take()
            complement = self.ahead() == "!" and bool(self.take())
            structural = self.ahead() == "$" and bool(self.take())
            mask = (self.access() if structural else self.sum(), structural, complement)
            if self.ahead() == ",":
                self.take()
                merge = self.take("merge", "replace") == "merge"
            self.take(">")
        if self.ahead() != "=":
            sign = self.take()
            op = {"+": "add", "*": "mul", "add": "add", "mul": "mul", **FOLDS}.get(sign)
            if op is None:
                raise RefusedError(sign)
        self.take("=")
        value = self.sum()
        if self.row[self.at][0] != "end":
            raise RefusedError(self.ahead())
        return target, mask, op, (op is not None) if merge is None else merge, value

    def sum(self) -> Any:
        e = self.product()
        while self.ahead() in ("+", "-"):
            e = ("apply", {"+": "add", "-": "sub"}[self.take()], e, self.product())
        return e

    def product(self) -> Any:
        e = self.unary()
        while self.ahead() in ("*", "/"):
            e = ("apply", {"*": "mul", "/": "div"}[self.take()], e, self.unary())
        return e

    def unary(self) -> Any:
        if self.ahead() != "-":
            return self.atom()
        self.take()
        kind, word = self.row[self.at]
        literal = kind == "number" or (word == "inf" and self.ahead(1) != "(")
        e = self.unary()
        return ("number", -e[1], e[2]) if literal and e[0] == "number" else ("apply", "neg", e)

    def atom(self) -> Any:
        kind, word = self.row[self.at]
        if kind == "number":
            self.take()
            if word.endswith("j"):
                raise Beyond("complex")
            if word.isdigit():
                return ("number", Fraction(word), "int")
            if math.isinf(float(word)):
                raise RefusedError("too large")
            return ("number", Fraction(float(word)), "float")
        if word == "(":
            self.take()
            e = self.sum()
            self.take(")")
            return e
        if self.ahead(1) != "(":
            if word in ("true", "false"):
                self.take()
                return ("number", Fraction(word == "true"), "bool")
            if word in ("inf", "nan"):
                return ("number", float(self.take()), "float")
            return self.access()
        op = SPELLINGS.get(word, word)
        if op not in UNARY | BINARY | COMPARE | set(FOLDS):
            return self.access()
        bare = self.row[self.at + 2] if self.row[self.at + 2][0] == "name" and self.ahead(3) == "," else None
        self.take()
        self.take("(")
        args = [self.sum()]
        while self.ahead() == ",":
            self.take()
            args.append(self.sum())
        self.take(")")
        plain = word in ("sum", "prod")
        if word in FOLDS and bare and len(args) == 2 and (plain or bare[1] in used(args[1])):
            self.scopes += 1
            own = f"{bare[1]}#{self.scopes}"  # a scope of its own
            return ("reduce", FOLDS[word], own, renamed(args[1], {bare[1]: own}))
        if plain or len(args) != (1 if op in UNARY else 2):
            raise RefusedError(word)
        return ("apply", op, *args)

    def access(self) -> Any:
        name, indices = self.name(), []
        if self.ahead() == "(":
            self.take()
            while self.ahead() != ")":
                indices.append(self.name())
                if self.ahead() == ",":
                    self.take()
                    if self.ahead() == ")":
                        raise RefusedError("a comma too many")
                elif self.ahead() != ")":
                    raise RefusedError("an index is a variable")
            self.take(")")
        return ("read", name, tuple(indices))


def reads(e: Any) -> Iterator[Any]:
    """The accesses of a term, from left to right."""
    if e[0] == "read":
        yield e
    for part in e[1:]:
        if isinstance(part, tuple) and part and part[0] in ("read", "apply", "reduce"):
            yield from reads(part)


def renamed(e: Any, names: Mapping[str, str]) -> Any:
    """A term with other names for variables and for their coordinates."""
    if e[0] == "read":
        return (e[0], e[1] if e[2] else names.get(e[1], e[1]), tuple(names.get(i, i) for i in e[2]))
    return tuple(renamed(p, names) if isinstance(p, tuple) else p for p in e)


def coordinates(e: Any, variables: set[str]) -> Any:
    """Bare names that are index variables, as accesses to vectors indexed by them."""
    if e[0] == "read":
        return ("read", e[1], (e[1],)) if not e[2] and e[1] in variables else e
    return tuple(coordinates(p, variables) if isinstance(p, tuple) else p for p in e)


def used(e: Any) -> set[str]:
    """Every variable that indexes an access."""
    return {i for r in reads(e) for i in r[2]}


def place(e: Any, v: str) -> Any:
    """notation.sums.place for one variable, where the text is plain; what is not is Beyond."""
    match e:
        case ("read", *_):
            return ("reduce", "add", v, e)
        case ("apply", ("neg" | "real" | "imag" | "conj") as op, a):
            return ("apply", op, place(a, v))
        case ("apply", "div", a, b) if v not in used(b):
            return ("apply", "div", place(a, v), b)
        case ("apply", "mul", a, b):
            if v in used(a) and v in used(b):
                if lacks(a, v) or lacks(b, v):
                    raise Beyond("a factor lacks the variable")
                if factors_all(e, v):
                    return ("reduce", "add", v, e)
                raise Beyond("factors apart")
            return ("apply", "mul", *(place(x, v) if v in used(x) else x for x in (a, b)))
        case ("apply", ("add" | "sub") as op, a, b):
            if not lacks(e, v):
                return ("reduce", "add", v, e)
            if v in used(a) and v in used(b):
                raise Beyond("addends apart")
            return ("apply", op, *(place(x, v) if v in used(x) else x for x in (a, b)))
        case ("reduce", "add", k, a):
            return ("reduce", "add", k, place(a, v)) if lacks(a, v) else ("reduce", "add", v, e)
    raise RefusedError("ambiguous sum")


def factors_all(e: Any, v: str) -> bool:
    """Whether all factors use a variable."""
    return all(factors_all(a, v) for a in e[2:]) if e[:2] == ("apply", "mul") else v in used(e)


def lacks(e: Any, v: str) -> bool:
    """Whether an addend lacks a variable (notation.sums.place)."""
    match e:
        case ("apply", ("add" | "sub"), a, b):
            return lacks(a, v) or lacks(b, v)
        case ("apply", "div", a, _) | ("apply", ("neg" | "real" | "imag" | "conj"), a):
            return lacks(a, v)
        case ("apply", "mul", a, b):
            return lacks(a, v) and lacks(b, v)
        case ("reduce", "add", k, a):
            return k == v or lacks(a, v)
    return v not in used(e)


def promote(a: str, b: str) -> str:
    """type.promotion."""
    if "complex" in a + b:
        raise Beyond("complex")
    if a == b or b == "bool":
        return a
    if a == "bool":
        return b
    if "float" in a + b:
        return "float32" if all(d == "float32" or (d in BITS and BITS[d][1] <= 16) for d in (a, b)) else "float64"
    (s, n), (t, m) = BITS[a], BITS[b]
    if s == t:
        return a if n > m else b
    unsigned, signed = (n, m) if s else (m, n)
    bits = signed if signed > unsigned else 2 * unsigned
    return f"int{bits}" if bits <= 64 else "float64"


def arguments(types: list[tuple[str, bool]]) -> str:
    """The promotion of arguments, weak ones by their kind."""
    strong = [d for d, weak in types if not weak] or [d for d, _ in types]
    found = strong[0]
    for d in strong[1:]:
        found = promote(found, d)
    for d, weak in types:
        if (
            weak
            and len(strong) < len(types)
            and d != "bool"
            and (found == "bool" or "float" in d)
            and "float" not in found
        ):
            found = d
    return found


def given(op: str, d: str) -> tuple[str, str]:
    """The dtype that an operator computes in, and the one that it gives."""
    if op in ("sub", "neg", "square", "cube") and d == "bool":
        raise RefusedError(f"{op} of bool")
    if op in FLOATING and "float" not in d:
        d = "float64"
    return d, "bool" if op in COMPARE or op == "not" else d


def least(d: str, sign: int) -> Any:
    """The least or greatest number of a dtype."""
    if "float" in d or d == "bool":
        return sign * INF if d != "bool" else Fraction(sign > 0)
    s, bits = BITS[d]
    return Fraction((2 ** (bits - (not s)) - 1) if sign > 0 else (0 if s else -(2 ** (bits - 1))))


def identity(op: str, d: str) -> Any:
    """The identity of what folds."""
    return {"min": least(d, 1), "max": least(d, -1), "mul": Fraction(1), "and": Fraction(1)}.get(op, Fraction(0))


def exact(v: Any) -> Any:
    """A number as an exact one."""
    return v if isinstance(v, Fraction) else Fraction(v) if math.isfinite(v) else float(v)


def same(a: Any, b: Any) -> bool:
    """Exact equality, NaN equal to NaN."""
    return bool(a == b or (a != a and b != b))


def into(d: str, v: Any) -> Any:
    """A value in a dtype."""
    return Fraction(v != 0) if d == "bool" else v


def calculate(op: str, d: str, *args: Any) -> Any:
    """operator.arithmetic and the rules after it, on exact numbers."""
    a, b = (*args, Fraction(0))[:2]
    rational = isinstance(a, Fraction) and isinstance(b, Fraction)
    match op:
        case "add" | "mul" if d == "bool":
            return Fraction((a or b) != 0) if op == "add" else Fraction(a != 0 and b != 0)
        case "add" | "sub":
            b = b if op == "add" else -b
            return a + b if rational else float_of(a) + float_of(b)
        case "mul":
            return a * b if rational else float_of(a) * float_of(b)
        case "neg":
            return -a
        case "square" | "cube":
            return calculate("mul", d, a, a if op == "square" else calculate("mul", d, a, a))
        case "div" if rational and b:
            return a / b
        case "first" | "real" | "conj":
            return a
        case "second":
            return b
        case "pair":
            return Fraction(1)
        case "imag":
            return Fraction(0)
        case "min" | "max":
            return NAN if a != a or b != b else {"min": min, "max": max}[op](a, b)
        case "or" | "and" | "xor":
            p, q = a != 0, b != 0
            return Fraction({"or": p or q, "and": p and q, "xor": p != q}[op])
        case "not" | "truth":
            return Fraction((a == 0) == (op == "not"))
        case "eq" | "ne" | "lt" | "le" | "gt" | "ge":
            return Fraction(getattr(a, f"__{op}__")(b) if rational else getattr(float_of(a), f"__{op}__")(float_of(b)))
        case "abs":
            return abs(a)
        case "sign":
            return a if a != a else Fraction((a > 0) - (a < 0))
        case "floor" | "ceil":
            return exact(getattr(math, op)(a)) if rational else a
        case "floordiv" | "mod" if rational and b:
            return Fraction(a // b) if op == "floordiv" else a % b
        case "floordiv" | "mod" if rational and "float" not in d:
            raise RefusedError("division by zero")
        case "heaviside":
            return a if a != a else b if a == 0 else Fraction(a > 0)
    raise Beyond(op)


def float_of(v: Any) -> float:
    """The sign of a rational, or the symbol."""
    return float((v > 0) - (v < 0)) if isinstance(v, Fraction) else v


def declared(op: str, d: str, ring: tuple[str, str] | None) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """The identities and annihilators of an operator."""
    zero, one = Fraction(0), Fraction(1)
    if op in ("add", "sub", "min", "max", "or", "xor", "any"):
        return (identity(op, d),) * 2, (None, None)
    if op in ("mul", "and"):
        return (one, one), (zero, zero)
    return (None, one if op in ("div", "pow") else None), (zero, zero) if op in ("div", "floordiv", "mod") else (
        None,
        None,
    )


def unit(op: str, side: int, v: Any) -> Any:
    """What is left of the other operand beside an identity."""
    return -v if op == "sub" and side == 0 else Fraction(v != 0) if op in ("or", "and", "xor") else v


class Evaluation:
    """Types and meanings of the terms of one assignment."""

    def __init__(self, operands: Mapping[str, Operand], extents: Mapping[str, int]) -> None:
        self.operands, self.extents = operands, extents
        self.tables: dict[str, dict[Cell, Any]] = {}
        for name, o in operands.items():
            table = self.tables.setdefault(name, {})
            for c, v in o.entries:
                table[c] = calculate("add", o.dtype, table[c], exact(v)) if c in table else exact(v)

    def type(self, e: Any) -> tuple[str, bool]:
        match e:
            case ("number", v, kind):
                if kind == "int":
                    return ("int64" if v < 2**63 else "uint64" if v < 2**64 else "float64"), True
                return {"bool": "bool", "float": "float64"}[kind], True
            case ("read", name, _):
                return ("int64" if name not in self.operands else self.operands[name].dtype), False
            case ("apply", op, *args):
                types = [self.type(a) for a in args]
                return given(op, arguments(types))[1], all(weak for _, weak in types)
            case ("reduce", op, _, body):
                d, weak = self.type(body)
                d = given(op, d)[1]
                if op in ("add", "mul") and "float" not in d:
                    d = "uint64" if d.startswith("u") else "int64"
                return d, weak
        raise AssertionError(e)

    def meaning(self, e: Any, at: Mapping[str, int]) -> Meaning:
        match e:
            case ("number", v, _):
                return "constant", v
            case ("read", name, indices):
                if name not in self.operands:
                    return "present", Fraction(at[name])
                c = tuple(at[i] for i in indices)
                held = self.tables[name]
                return ("present", held[c]) if c in held else ("missing", exact(self.operands[name].fill))
            case ("apply", op, *args):
                d = given(op, arguments([self.type(a) for a in args]))[0]
                return self.apply(op, d, *(self.meaning(a, at) for a in args))
            case ("reduce", op, k, body):
                return self.fold(
                    op, self.type(e)[0], [self.meaning(body, {**at, k: c}) for c in range(self.extents[k])]
                )
        raise AssertionError(e)

    def apply(self, op: str, d: str, *args: Meaning) -> Meaning:
        args = tuple((s, into(d, v)) for s, v in args)
        states = [s for s, _ in args]
        identities, annihilators = declared(op, d, None)
        if len(args) == 2:
            for (s, v), zero in zip(args, annihilators, strict=True):
                if s == "missing" and zero is not None and same(v, zero):
                    return s, v
            for side, (s, v) in enumerate(args if "constant" not in states else ()):
                if s == "missing" and identities[side] is not None and same(v, identities[side]):
                    return args[1 - side][0], unit(op, side, args[1 - side][1])
        state = next(s for s in ("present", "missing", "constant") if s in states)
        return state, self.fits(d, state, calculate(op, d, *(v for _, v in args)))

    def fits(self, d: str, state: str, v: Any) -> Any:
        if d in BITS and state != "missing" and not least(d, -1) <= v <= least(d, 1):
            raise RefusedError("integer overflow")
        return v

    def fold(self, op: str, d: str, all_of: list[Meaning]) -> Meaning:
        none = identity(op, d)
        counted = [(s, into(d, v)) for s, v in all_of]
        counted = [(s, v) for s, v in counted if s != "missing" or not same(v, none)]
        if not counted:
            return "missing", none
        if op == "any":
            raise Beyond("choices")
        value = unit(op, 1, counted[0][1])
        for _, v in counted[1:]:
            value = calculate(op, d, value, v)
        state = "present" if any(s != "missing" for s, _ in counted) else "missing"
        return state, self.fits(d, state, value)


def evaluate(text: str, ring: str | None, operands: Mapping[str, Operand]) -> tuple[Cell, str, Any, dict[Cell, Any]]:
    """Shape, dtype, fill and components of what an assignment means."""
    if ring is not None or any("complex" in o.dtype for o in operands.values()):
        raise Beyond("semirings and complex numbers")
    (_, name, indices), mask, op, merge, value = Parser(text).assignment()
    variables = {*indices, *used(value), *(used(mask[0]) if mask else ())}
    value = coordinates(value, variables)
    mask = (coordinates(mask[0], variables), *mask[1:]) if mask else None
    if {k.partition("#")[0] for k in binders(value)} & {*indices, *used(value)}:
        raise RefusedError("scopes")
    if len(set(indices)) < len(indices) or not set(indices) <= used(value):
        raise RefusedError("variables of the target")
    before = name in operands
    asked = bool(mask) and any(r[1] == name for r in reads(mask[0]))
    if any(r[1] == name for r in reads(value)) or (before and op is None and not merge and not asked):
        raise RefusedError("the result is no operand")
    if not before and ((merge and op is None) or asked):
        raise RefusedError("previous contents are missing")
    extents: dict[str, int] = {}
    everything = [*reads(value), *(reads(mask[0]) if mask else ()), *([("read", name, indices)] if before else ())]
    for _, tensor, vs in everything:
        if tensor not in operands:
            if vs != (tensor,):
                raise RefusedError(tensor)
            continue
        if len(vs) != len(operands[tensor].shape):
            raise RefusedError("order")
        for i, n in zip(vs, operands[tensor].shape, strict=True):
            if extents.setdefault(i, n) != n:
                raise RefusedError("extents")
    if set(operands) - {r[1] for r in everything} or not set(indices) <= set(extents):
        raise RefusedError("operands")
    bound = set(binders(value))
    free = dict.fromkeys(i for r in reads(value) for i in r[2] if i not in indices and i not in bound)
    for v in reversed(list(free)):
        value = place(value, v) if op in (None, "add") else ("reduce", op, v, value)
    found = Evaluation(operands, extents)
    dtype = found.type(value)[0]
    kept = before and (op is not None or merge)
    contents = ("read", name, indices)
    whole = ("apply", op, contents, value) if op is not None and before else value
    dtype = found.type(whole)[0] if op or not kept else promote(dtype, operands[name].dtype)
    fill = into(dtype, exact(operands[name].fill)) if kept else identity(op, dtype) if op else Fraction(0)
    shape = tuple(extents[i] for i in indices)
    result = {}
    for c in product(*map(range, shape)):
        at = dict(zip(indices, c, strict=True))
        inside = True
        if mask:
            state, v = found.meaning(mask[0], at)
            inside = (state == "present" and (mask[1] or v != 0)) != mask[2]
        state, v = (
            found.meaning(whole, at)
            if inside
            else found.meaning(contents, at)
            if merge and before
            else ("missing", fill)
        )
        v = into(dtype, v)
        if state == "present" or not same(v, fill):
            result[c] = found.fits(dtype, "present", v)
    return shape, dtype, fill, result


def binders(e: Any) -> Iterator[str]:
    """The variables of explicit reductions."""
    if e[0] == "reduce":
        yield e[2]
    for part in e[1:]:
        if isinstance(part, tuple) and part and part[0] in ("apply", "reduce"):
            yield from binders(part)
