"""Programs: expressions with tensors, formats, masks, semirings and schedules, every one of which has a meaning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from ...reference.errors import GnomonError
from ...reference.operator import Operator
from ...reference.operators import OPERATORS
from ...reference.printer import pretty
from ...reference.semirings import Semiring, semiring
from ...reference.syntax import Access, Apply, Assignment, Expr, Mask, Reduce
from ...reference.tensor import Tensor
from ..features import EVERYTHING, Features
from ..problem import Problem
from .expressions import DEPTH, MANY, Expressions, Part, applied, holds, typed
from .formats import RESULTS, formats
from .schedules import CPU, schedules

TARGET = "ijm"
ORDERS = (0, 1, 2, 3, 2, 1, 2)
EXTENTS = (1, 2, 3, 4, 5, 2, 3, 4)
FREQUENT = ("float64",) * 4


@st.composite
def programs(draw: st.DrawFn, features: Features = EVERYTHING, *, most: int = MANY) -> Problem:
    """Programs that use nothing but some features, each accepted by the reference and with a meaning.

    One in five may read up to `most` operands; others read a few.
    Some have a schedule, one in two where features allow it, for the units of a CPU. They shrink towards one operand
    with few components in the first named format, no mask, no schedule, and extents of 1.
    """
    drawn = draw(unscheduled(features, most))
    if not features.schedules or not draw(st.booleans()):
        return drawn
    return replace(drawn, schedule=draw(schedules(drawn.ready.program, units=CPU)).schedule)


@st.composite
def unscheduled(draw: st.DrawFn, features: Features, most: int = MANY) -> Problem:
    """As `programs`, without schedules."""
    extents = {v: draw(st.sampled_from((*EXTENTS, 0) if features.empties else EXTENTS)) for v in "ijmkln"}
    ring = draw(rings(features))
    made = Expressions(draw, features, extents, draw(dtypes(features, ring)), ring, most=most)
    target = tuple(TARGET[: draw(st.sampled_from([o for o in ORDERS if o in features.orders]))])
    value = made.expression(target, DEPTH, target)
    result = Access("R", tuple(draw(st.permutations(target))))
    mask = draw(masks(made, target)) if target and features.masks else None
    operator = draw(updates(made, result, value)) if features.updates else None
    out = draw(formats(len(target), features.results or RESULTS))
    assignment = Assignment(result, value.term, operator, mask)
    drawn = Problem(pretty(assignment), made.operands, out, None if ring is None else ring.name)
    bare = replace(drawn, source=pretty(replace(assignment, value=without_sums(value.term))))
    return bare if bare.source != drawn.source and draw(st.booleans()) and means(bare, assignment) else drawn


def rings(features: Features) -> st.SearchStrategy[Semiring | None]:
    """A semiring, or none: in two programs of three if both may be."""
    named = [semiring(name) for name in features.semirings]
    if not named:
        return st.none()
    inside = st.sampled_from(named)
    return st.one_of(st.none(), st.none(), inside) if features.plain else inside


@st.composite
def dtypes(draw: st.DrawFn, features: Features, ring: Semiring | None) -> list[np.dtype]:
    """The dtypes of a program's operands: one, or several; in a semiring those that it has."""
    frequent = tuple(d for d in FREQUENT if d in features.dtypes)
    names = [d for d in (*frequent, *features.dtypes) if ring is None or has(ring, np.dtype(d))]
    chosen = [draw(st.sampled_from(names))]
    if features.mixed and draw(st.integers(0, 4)) == 4:
        chosen.append(draw(st.sampled_from(names)))
    return [np.dtype(name) for name in chosen]


def has(ring: Semiring, dtype: np.dtype) -> bool:
    """Whether both operators of a semiring take a dtype."""
    return all(typed(operator, ((dtype, False), (dtype, False))) is not None for operator in (ring.add, ring.multiply))


@st.composite
def masks(draw: st.DrawFn, made: Expressions, target: tuple[str, ...]) -> Mask | None:
    """A mask on the result, in one program of five: over its variables, or some of them in any order."""
    if draw(st.integers(0, 4)) < 4:
        return None
    kind = draw(st.sampled_from(made.features.masks))
    indices = tuple(draw(st.permutations(target)))
    if made.features.broadcasts:
        indices = indices[: draw(st.sampled_from((len(indices), 1)))]
    shape = tuple(made.extents[v] for v in indices)
    made.operands["M"] = outside_ring(made).tensor(shape)
    return Mask(Access("M", indices), "!" in kind, "$" in kind)


def outside_ring(made: Expressions) -> Expressions:
    """The same drawer outside its semiring: a mask is no operand of it, and has fill 0."""
    return replace(made, ring=None, features=replace(made.features, fills=False))


@st.composite
def updates(draw: st.DrawFn, made: Expressions, result: Access, value: Part) -> Operator | None:
    """The operator of a reduction assignment, in one program of five, with or without previous contents."""
    if draw(st.integers(0, 4)) < 4:
        return None
    previous = draw(contents(made, result)) if draw(st.booleans()) else None
    choices = [OPERATORS[name] for name in made.features.updates]
    if made.ring is not None:
        choices = [made.ring.plain_add] if made.ring.plain_add in choices else []
    kept = [o for o in choices if combines(o, made, value, previous)]
    if not kept:
        return None
    if previous is not None:
        made.operands[result.tensor] = previous
    return draw(st.sampled_from(kept))


def contents(made: Expressions, result: Access) -> st.SearchStrategy[Tensor]:
    """Previous contents of a result."""
    return st.builds(made.tensor, st.just(tuple(made.extents[v] for v in result.indices)))


def combines(operator: Operator, made: Expressions, value: Part, previous: Tensor | None) -> bool:
    """Whether a reduction assignment has a meaning for values and previous contents, and no integer can overflow."""
    if previous is None:
        own = typed(operator, ((value.dtype, False), (value.dtype, False)))
        return own is not None and holds(own[1], value.span)
    held = replace(made, operands={"R": previous}).read("R", ())
    return applied(operator, [held, value]) is not None


def without_sums(e: Expr) -> Expr:
    """An expression without its sums."""
    match e:
        case Reduce(operator=operator, body=body) if operator.reduction == "sum":
            return without_sums(body)
        case Reduce(body=body):
            return replace(e, body=without_sums(body))
        case Apply(args=args):
            return replace(e, args=tuple(without_sums(a) for a in args))
        case _:
            return e


def means(problem: Problem, assignment: Assignment) -> bool:
    """Whether a text stands for an assignment, as one with implicit sums may."""
    try:
        return problem.ready is not None and problem.terms == assignment
    except GnomonError:
        return False
