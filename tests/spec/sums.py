"""Where the sums stand that a text leaves out (docs/spec/notation/sums.md)."""

from functools import reduce

from spec.grammar import Term, apply, fold
from spec.operators import require

SIGNS = ("add", "sub")
LINEAR = {"apply": (*SIGNS, "mul", "div", "neg", "real", "imag", "conj"), "reduce": ("add",)}


def explicit(value: Term, target: tuple[str, ...], op: str, distributive: bool) -> Term:
    """A right side with a reduction for every variable that the target lacks (notation.sums.order)."""
    free = dict.fromkeys(i for r in value.reads() for i in r.variables if i not in target and "#" not in i)
    for v in reversed(free):
        value = place(linear(value, v), v, distributive) if op in ("", "add") else fold(op, v, value)
    return value


def linear(e: Term, v: str) -> Term:
    """A term that a sum over a variable goes into (notation.sums.ambiguous, but for factors)."""
    for t in e.within():
        divides = t.what == "div" and v in t.parts[1].used()
        allowed = not t.parts or (t.what in LINEAR[t.kind] and not divides)
        require(allowed or v not in t.used(), "a sum in what is not linear")
    return e


def nests(e: Term) -> tuple[str, ...]:
    """The operators that a term is taken apart by: those of sums or that of products."""
    return next((ops for ops in (SIGNS, ("mul",)) if e.kind == "apply" and e.what in ops), ())


def lacks(e: Term, v: str) -> bool:
    """Whether an addend of a term, multiplied out, lacks a variable."""
    if not e.parts or e.what not in LINEAR[e.kind]:
        return v not in e.used()
    row = [lacks(part, v) for part in e.parts]
    return row[0] if not nests(e) else all(row) if e.what == "mul" else any(row)


def apart(e: Term, *ops: str) -> list[tuple[str, Term]]:
    """The operands of nested operators of one rank, from left to right, each with its sign."""
    if e.kind != "apply" or e.what not in ops:
        return [(ops[0], e)]
    left, right = (apart(part, *ops) for part in e.parts)
    return left + ([(SIGNS[sign == "add"], a) for sign, a in right] if e.what == "sub" else right)


def joined(row: list[tuple[str, Term]]) -> Term:
    """Operands with their signs, without that of the first, as nested operators."""
    return reduce(lambda e, signed: apply(signed[0], e, signed[1]), row[1:], row[0][1])


def place(e: Term, v: str, distributive: bool) -> Term:
    """A term with the sum over a variable, if it uses that (notation.sums.place)."""
    if v not in e.used():
        return e
    if nests(e):
        return gathered(e, v, distributive)
    if e.kind == "apply" or lacks(e, v):
        return e._replace(parts=(place(e.parts[0], v, distributive), *e.parts[1:]))
    return fold("add", v, e)


def gathered(e: Term, v: str, distributive: bool) -> Term:
    """notation.sums.addends, notation.sums.factors."""
    ops = nests(e)
    row = apart(e, *ops)
    inside = [(sign, a) for sign, a in row if v in a.used() and (ops != SIGNS or not lacks(a, v))]
    outside = [(sign, place(a, v, distributive)) for sign, a in row if (sign, a) not in inside]
    one = ops != SIGNS and len(inside) == 1
    require(one or ops == SIGNS or not all(lacks(a, v) for _, a in inside), "factors that lack the variable")
    if not (outside and inside):
        return joined(outside) if outside else fold("add", v, e)
    require(distributive or ops == SIGNS, "a sum inside or outside of a product")
    first, sign = row.index(inside[0]), min(sign for sign, _ in inside)
    addends = sorted([(ops[0] if s == sign else ops[-1], a) for s, a in inside], key=lambda signed: signed[0])
    whole = place(inside[0][1], v, distributive) if one else fold("add", v, joined(addends))
    return joined([*outside[:first], (sign, whole), *outside[first:]])
