"""Where the sums stand that a text leaves out (docs/spec/notation/sums.md)."""

from typing import Any

from spec.grammar import parts, reads, used
from spec.operators import RefusedError

LINEAR = ("neg", "real", "imag", "conj")


def explicit(value: Any, indices: tuple[str, ...], op: str | None, distributive: bool) -> Any:
    """A right side with a reduction for every variable that the target lacks (notation.sums.order)."""
    free = dict.fromkeys(i for r in reads(value) for i in r[2] if i not in indices and "#" not in i)
    for v in reversed(free):
        if op in (None, "add"):
            check_linear(value, v)
            value = place(value, v, distributive)
        else:
            value = ("reduce", op, v, value)
    return value


def check_linear(e: Any, v: str) -> None:
    """notation.sums.ambiguous, but for factors."""
    if v not in used(e):
        return
    match e:
        case ("apply", "div", _, b) if v in used(b):
            raise RefusedError("a sum in a divisor")
        case ("apply", op, *_) if op not in ("add", "sub", "mul", "div", *LINEAR):
            raise RefusedError("a sum in what is not linear")
        case ("reduce", op, *_) if op != "add":
            raise RefusedError("a sum in another reduction")
    for part in parts(e):
        check_linear(part, v)


def lacks(e: Any, v: str) -> bool:
    """Whether an addend of a term, multiplied out, lacks a variable."""
    match e:
        case ("apply", "add" | "sub", a, b):
            return lacks(a, v) or lacks(b, v)
        case ("apply", "div", a, _) | ("apply", ("neg" | "real" | "imag" | "conj"), a):
            return lacks(a, v)
        case ("apply", "mul", a, b):
            return lacks(a, v) and lacks(b, v)
        case ("reduce", "add", k, a):
            return k == v or lacks(a, v)
    return v not in used(e)


def place(e: Any, v: str, distributive: bool) -> Any:
    """A term that uses a variable, with the sum over it."""
    match e:
        case ("apply", op, a) if op in LINEAR:
            return ("apply", op, place(a, v, distributive))
        case ("apply", "div", a, b):
            return ("apply", "div", place(a, v, distributive), b)
        case ("reduce", op, k, a) if lacks(a, v):
            return ("reduce", op, k, place(a, v, distributive))
        case ("apply", "add" | "sub", *_) if lacks(e, v):
            return in_addends(e, v, distributive)
        case ("apply", "mul", *_):
            return in_factors(e, v, distributive)
    return ("reduce", "add", v, e)


def addends(e: Any, positive: bool = True) -> list[tuple[bool, Any]]:
    """The addends of nested sums and differences, each with its sign."""
    if e[0] != "apply" or e[1] not in ("add", "sub"):
        return [(positive, e)]
    return addends(e[2], positive) + addends(e[3], positive == (e[1] == "add"))


def total(signed: list[tuple[bool, Any]]) -> Any:
    """Addends, the first one added, as nested sums and differences."""
    (_, e), *others = signed
    for positive, other in others:
        e = ("apply", "add" if positive else "sub", e, other)
    return e


def in_addends(e: Any, v: str, distributive: bool) -> Any:
    """notation.sums.addends."""
    gathered = [(s, a) for s, a in addends(e) if not lacks(a, v)]
    added = any(s for s, _ in gathered)
    together = sorted(gathered, key=lambda signed: not signed[0]) if added else [(True, a) for _, a in gathered]
    row: list[tuple[bool, Any]] = []
    for s, a in addends(e):
        if not lacks(a, v):
            row += [(added, ("reduce", "add", v, total(together)))] if a is gathered[0][1] else []
        else:
            row.append((s, place(a, v, distributive) if v in used(a) else a))
    return total(row)


def factors(e: Any) -> list[Any]:
    """The factors of nested products."""
    return factors(e[2]) + factors(e[3]) if e[:2] == ("apply", "mul") else [e]


def in_factors(e: Any, v: str, distributive: bool) -> Any:
    """notation.sums.factors."""
    row = factors(e)
    using = [f for f in row if v in used(f)]
    if len(using) > 1 and all(lacks(f, v) for f in using):
        raise RefusedError("factors that lack the variable")
    if len(using) == len(row):
        return ("reduce", "add", v, e)
    if not distributive:
        raise RefusedError("a sum inside or outside of a product")
    inside = place(using[0], v, distributive) if len(using) == 1 else ("reduce", "add", v, product(using))
    return product([inside if f is using[0] else f for f in row if f is using[0] or v not in used(f)])


def product(row: list[Any]) -> Any:
    """Factors as nested products."""
    e = row[0]
    for f in row[1:]:
        e = ("apply", "mul", e, f)
    return e
