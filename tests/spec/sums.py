"""Where the sums stand that a text leaves out (docs/spec/notation/sums.md)."""

from functools import partial, reduce

from spec.grammar import Term, apply, fold
from spec.operators import require

LINEAR = {"apply": ("add", "sub", "mul", "div", "neg", "real", "imag", "conj"), "reduce": ("add",)}


def explicit(value: Term, target: tuple[str, ...], op: str | None, distributive: bool) -> Term:
    """A right side with a reduction for every variable that the target lacks (notation.sums.order)."""
    free = dict.fromkeys(i for r in value.reads() for i in r.variables if i not in target and "#" not in i)
    for v in reversed(free):
        if op in (None, "add"):
            check_linear(value, v)
        value = place(value, v, distributive) if op in (None, "add") else fold(op, v, value)
    return value


def check_linear(e: Term, v: str) -> None:
    """notation.sums.ambiguous, but for factors."""
    for t in e.within():
        divides = t.what == "div" and v in t.parts[1].used()
        linear = not t.parts or (t.what in LINEAR[t.kind] and not divides)
        require(linear or v not in t.used(), "a sum in what is not linear")


def lacks(e: Term, v: str) -> bool:
    """Whether an addend of a term, multiplied out, lacks a variable."""
    of = [lacks(part, v) for part in e.parts]
    match e.kind, e.what:
        case "apply", "add" | "sub":
            return any(of)
        case "apply", "mul":
            return all(of)
        case ("apply", "div" | "neg" | "real" | "imag" | "conj") | ("reduce", "add"):
            return of[0]
    return v not in e.used()


def place(e: Term, v: str, distributive: bool) -> Term:
    """A term that uses a variable, with the sum over it (notation.sums.place)."""
    match e.kind, e.what:
        case ("read", _) | ("reduce", _) | ("apply", "add" | "sub") if not lacks(e, v):
            return fold("add", v, e)
        case "apply", "add" | "sub":
            return in_addends(e, v, distributive)
        case "apply", "mul":
            return in_factors(e, v, distributive)
    return e._replace(parts=(place(e.parts[0], v, distributive), *e.parts[1:]))


def addends(e: Term, added: bool = True) -> list[tuple[bool, Term]]:
    """The addends of nested sums and differences, each with whether it is added."""
    if e.kind != "apply" or e.what not in ("add", "sub"):
        return [(added, e)]
    return addends(e.parts[0], added) + addends(e.parts[1], added == (e.what == "add"))


def total(signed: list[tuple[bool, Term]]) -> Term:
    """Addends, the first one added, as nested sums and differences."""
    return reduce(lambda e, a: apply("add" if a[0] else "sub", e, a[1]), signed[1:], signed[0][1])


def in_addends(e: Term, v: str, distributive: bool) -> Term:
    """notation.sums.addends."""
    gathered = [(plus, a) for plus, a in addends(e) if not lacks(a, v)]
    added = any(plus for plus, _ in gathered)
    inside = sorted([(plus == added, a) for plus, a in gathered], key=lambda signed: not signed[0])
    row: list[tuple[bool, Term]] = []
    for plus, a in addends(e):
        if lacks(a, v):
            row.append((plus, place(a, v, distributive) if v in a.used() else a))
        elif a is gathered[0][1]:
            row.append((added, fold("add", v, total(inside))))
    return total(row)


def factors(e: Term) -> list[Term]:
    """The factors of nested products."""
    return factors(e.parts[0]) + factors(e.parts[1]) if (e.kind, e.what) == ("apply", "mul") else [e]


def in_factors(e: Term, v: str, distributive: bool) -> Term:
    """notation.sums.factors."""
    row = factors(e)
    using = [f for f in row if v in f.used()]
    require(len(using) == 1 or not all(lacks(f, v) for f in using), "factors that lack the variable")
    if len(using) == len(row):
        return fold("add", v, e)
    require(distributive, "a sum inside or outside of a product")
    times = partial(apply, "mul")
    inside = place(using[0], v, distributive) if len(using) == 1 else fold("add", v, reduce(times, using))
    return reduce(times, [inside if f is using[0] else f for f in row if f is using[0] or v not in f.used()])
