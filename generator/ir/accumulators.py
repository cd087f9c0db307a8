"""Accumulators: long reductions into several variables in turn, so that no term waits for the one before it.

Before: `for (int64_t p = A2_pos[i]; p < A2_pos[i + 1]; p++) ty += A_vals[p] * x_vals[A2_crd[p]];`. After:

    int64_t p_next = A2_pos[i];
    const int64_t p_end = A2_pos[i + 1];
    if (p_end - p_next >= 16) {
        double ty_2 = -0.0;
        double ty_3 = -0.0;
        double ty_4 = -0.0;
        for (int64_t p = p_next; p < p_end - 3; p += 4) {
            ty += A_vals[p] * x_vals[A2_crd[p]];
            ty_2 += A_vals[p + 1] * x_vals[A2_crd[p + 1]];
            …
        }
        ty = ty + ty_2 + (ty_3 + ty_4);
        p_next += (p_end - p_next) / 4 * 4;
    }
    for (int64_t p = p_next; p < p_end; p++)
        ty += A_vals[p] * x_vals[A2_crd[p]];

Flags that the loop sets are set before it, if it runs at all: `ty_present = ty_present || A2_pos[i] < A2_pos[i + 1];`,
and a loop that does nothing else is that alone.

An addition of floating-point numbers takes four times as long as a processor takes to begin one, and a minimum that
passes on NaN no less. Which term goes where depends on its number alone. Reductions whose order is free say so
(`Assign.start`): the bounds hold for every order. `-ffast-math` would do the like of sums, and lose NaN, infinities and
the signs of zeros.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from . import ir, logic, traversal
from .extremes import is_at_most
from .ir import Assign, Code, Comment, Declare, Expr, For, Function, If, Int, Name, Spelled, Stmt
from .limits import fresh, hold_end, names_in_use
from .prefetching import ask, find_coordinates, streams
from .simplify import writes

SEVERAL, LONG = 4, 16
"""How many variables take terms in turn, and how many terms there are at least. Processors mispredict the branch for
rows of about that many terms; most matrices have shorter rows."""


class Around(Struct, frozen=True):
    """What there is around a statement: the types of variables, the names of the function that are in use, and the
    coordinates that are read from memory in it."""

    types: Mapping[str, str]
    taken: set[str]
    jumps: frozenset[str]


class Reduction(Struct, frozen=True):
    """A loop that reduces terms into a variable `name` of a type.

    `taking` combines a term with the variable; other variables for terms begin with `start`. `terms` is the code of an
    iteration but for `flags`, which the loop sets; `streams` are the arrays that are read in the order of the terms.
    """

    name: Name
    type: str
    taking: Assign
    start: Expr
    terms: Code
    flags: tuple[str, ...]
    streams: tuple[Name, ...]


def reduce_apart(f: Function) -> Function:
    """The function with long reductions into several variables.

    >>> term = ir.Element(Name("x"), Name("p"))
    >>> loop = For("p", ir.ZERO, Name("n"), (Assign(Name("t"), term, "+=", Spelled("-0.0")),))
    >>> changed = reduce_apart(Function("void", "f", (), (Declare("double", "t", Spelled("0.0")), loop)))
    >>> [type(s).__name__ for s in changed.body]
    ['Declare', 'Declare', 'If', 'For']
    """
    taken = names_in_use(f)
    types = {name: type for type, name in f.parameters}
    return replace(f, body=block(f.body, Around(types, taken, find_coordinates(f.body))))


def block(code: Code, around: Around) -> Code:
    """The statements of a block."""
    found: list[Stmt] = []
    for s in code:
        if isinstance(s, Declare):
            around = replace(around, types={**around.types, s.name: s.type})
        found += statement(s, around)
    return tuple(found)


def statement(s: Stmt, around: Around) -> Code:
    """A statement with what comes before it."""
    match s:
        case For(body=body) if is_all_flags(s):
            return set_flags([flag for each in body if (flag := flag_of(each)) is not None], s.begin, s.end)
        case For() if (found := reduction(s, around)) is not None:
            return apart(s, found, around.taken)
        case _:
            return (traversal.change_blocks(s, lambda code: block(code, around)),)


def reduction(loop: For, around: Around) -> Reduction | None:
    """What a loop does if it only takes terms into a variable, and sets flags; None if it does anything else, or is
    short."""
    is_short = is_at_most(ir.sub(loop.end, loop.begin), LONG - 1)
    if loop.step != ir.ONE or loop.pragma is not None or loop.unroll != 1 or is_short:
        return None
    flags = tuple(flag for s in loop.body if (flag := flag_of(s)) is not None)
    code = [s for s in loop.body if not isinstance(s, Comment) and flag_of(s) is None]
    values = [value for s in code if (value := value_of(s)) is not None]
    match code:
        case [*declared, Assign(target=Name() as name, start=start) as taking] if len(values) == len(code):
            parts = [each for value in values for each in traversal.subterms(value)]
            read = {each.name for each in parts if isinstance(each, Name)}
            own = {s.name for s in declared if isinstance(s, Declare)}
            alone = name.name not in read | own and read.isdisjoint(flags) and len(own) == len(declared)
            pure = alone and not any(map(writes, parts))
            terms = tuple(s for s in loop.body if flag_of(s) is None)
            if pure and start is not None and name.name in around.types:
                read_on = streams(loop, parts, around.jumps)
                return Reduction(name, around.types[name.name], taking, start, terms, flags, read_on)
    return None


def value_of(s: Stmt) -> Expr | None:
    """The value that a statement assigns; if the statement combines a term with a variable, the term alone."""
    match s:
        case Assign(target=target, operator="=", value=Spelled(args=(held, term))) if held == target:
            return term
        case Declare(value=value) | Assign(value=value):
            return value
        case _:
            return None


def combine(taking: Assign, left: Expr, right: Expr) -> Expr:
    """Two parts of a reduction together, as it takes its terms."""
    match taking:
        case Assign(operator="=", value=Spelled() as spelled):
            return replace(spelled, args=(left, right))
        case _:
            return ir.Binary(taking.operator[0], left, right)


def flag_of(s: Stmt) -> str | None:
    """The flag that a statement sets, if that is all that it does."""
    match s:
        case Assign(target=Name(name=name), operator="=", value=value) if value == ir.TRUE:
            return name
        case _:
            return None


def apart(loop: For, found: Reduction, taken: set[str]) -> Code:
    """A loop, after one that takes most terms into several variables in turn."""
    begin = Name(fresh(f"{loop.name}_next", taken), True)
    held, end = hold_end(loop, taken)
    before = (Declare(ir.INT, begin.name, loop.begin), *held, *set_flags(found.flags, loop.begin, loop.end))
    others = [Name(fresh(f"{found.name.name}_{n}", taken)) for n in range(2, SEVERAL + 1)]
    starts = [Declare(found.type, each.name, found.start) for each in others]
    rounds = [copy(found, into, k, loop.name, taken) for k, into in enumerate([found.name, *others])]
    body = (*ask(found.streams, Name(loop.name, True)), *(s for each in rounds for s in each))
    first = loop.begin if isinstance(loop.begin, Int) else begin
    several = replace(loop, begin=first, end=ir.sub(end, Int(SEVERAL - 1)), step=Int(SEVERAL), body=body)
    pairs = [combine(found.taking, *pair) for pair in ((found.name, others[0]), (others[1], others[2]))]
    whole = Assign(found.name, combine(found.taking, *pairs))
    passed = ir.mul(ir.Binary("/", ir.sub(end, first), Int(SEVERAL)), Int(SEVERAL))
    rest = Assign(begin, passed, "+=")
    long = logic.compare(">=", ir.sub(end, first), Int(LONG))
    last = replace(loop, begin=begin, end=end, body=found.terms)
    return (*before, If(long, (*starts, several, whole, rest), ask(found.streams, end)), last)


def is_all_flags(loop: For) -> bool:
    """Whether a loop does nothing but set flags."""
    said = [s for s in loop.body if not isinstance(s, Comment)]
    return bool(said) and all(flag_of(s) is not None for s in said)


def set_flags(flags: Sequence[str], begin: Expr, end: Expr) -> Code:
    """What a loop from one place to another does to the flags that it sets."""
    return tuple(Assign(Name(flag), logic.either(Name(flag), logic.compare("<", begin, end))) for flag in flags)


def copy(found: Reduction, into: Name, k: int, counter: str, taken: set[str]) -> Code:
    """What the iteration does that comes so many after the counter, into a variable of its own."""
    code = tuple(s for s in found.terms if k == 0 or not isinstance(s, Comment))
    names = {} if k == 0 else {s.name: fresh(s.name, taken) for s in code if isinstance(s, Declare)}

    def change(e: Expr) -> Expr:
        match e:
            case Name(name=name) if name == counter:
                return ir.add(e, Int(k))
            case Name(name=name) if name == found.name.name:
                return into
            case Name(name=name) if name in names:
                return replace(e, name=names[name])
            case _:
                return e

    renamed = (replace(s, name=names.get(s.name, s.name)) if isinstance(s, Declare) else s for s in code)
    return traversal.change_code(tuple(renamed), change)
