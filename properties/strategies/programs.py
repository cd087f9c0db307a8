"""Programs: expressions with tensors, formats, masks, semirings and schedules, every one of which has a meaning."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache

import numpy as np
from hypothesis import strategies as st
from msgspec.structs import replace

from ...reference.algebra.operator import Operator
from ...reference.algebra.operators import OPERATORS
from ...reference.algebra.semirings import Semiring, semiring
from ...reference.errors import GnomonError
from ...reference.notation.folding import literals
from ...reference.notation.printer import pretty
from ...reference.notation.syntax import Access, Apply, Assignment, Expr, Mask, Reduce, accesses, merges
from ...reference.notation.text import as_text
from ...reference.schedule.branched.turning import directions
from ...reference.schedule.branched.unasked import unasked_schedules
from ...reference.statement.tags import CPU
from ...reference.storage.format import Format
from ...reference.storage.spec import spec
from ...reference.storage.tensor import Tensor
from ..programs.features import EVERYTHING, Features
from ..programs.problem import Problem
from .expressions import BOUND, DEPTH, LARGE, LITERALS, MANY, NAMES, ODD_NAMES, Expressions
from .extents import extents
from .formats import LOWER, RESULTS, fits, formats
from .gpu_schedules import gpu_schedules
from .schedules import schedules
from .settings import schedules_with_settings
from .tensors import tensors
from .typed_parts import Part, apply_operator, dtypes_of, holds

TARGET = "ijmabcd"
ORDERS = (0, 1, 2, 3, 2, 1, 2)
LOW = 3  # the highest order of which programs have extents above 2
HIGH_ORDERS = (4, 5, 6, 7, 3, 2)
FREQUENT = ("float64",) * 4
COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")


@st.composite
def programs(draw: st.DrawFn, features: Features = EVERYTHING, *, most: int = MANY) -> Problem:
    """Programs that use nothing but some features, each accepted by the reference and with a meaning.

    One in five may read up to `most` operands; others read a few. Some have a schedule, one in two
    where features allow it, for the units of a GPU or for those of a CPU: of the latter, one in seven is one that C may
    follow unasked, if there is any, and one in seven has settings, three where something is reduced under a mask.
    In one of eight, one variable has an extent of up to 65. They shrink towards one operand with few components in the
    first named format, no mask, no schedule, and extents of 1.
    """
    drawn = draw(unscheduled_programs(features, most))
    if not features.schedules or not draw(st.booleans()):
        return drawn
    if drawn.target == "cuda":
        return drawn.with_schedule(draw(gpu_schedules(drawn.ready.lowered)).schedule)
    kind = draw(st.integers(0, 6))
    own = unasked_schedules(drawn.ready.lowered) if kind == 6 else ()
    if own:
        return drawn.with_schedule(draw(st.sampled_from(own)))
    ready = drawn.ready
    if kind == 5 or (kind > 2 and directions(ready.lowered)):
        return drawn.with_schedule(draw(schedules_with_settings(ready.lowered, ready.arguments, units=CPU)))
    return drawn.with_schedule(draw(schedules(drawn.ready.lowered, units=CPU)).schedule)


@st.composite
def unscheduled_programs(draw: st.DrawFn, features: Features, most: int = MANY) -> Problem:
    """As `programs`, without schedules."""
    high = max(features.orders) > LOW and draw(st.integers(0, 19)) == 19
    if not high:
        features = replace(features, orders=tuple(o for o in features.orders if o <= LOW) or features.orders)
    orders = [o for o in (HIGH_ORDERS if high else ORDERS) if o in features.orders] or features.orders
    sizes = draw(extents(TARGET[: None if high else LOW] + BOUND, features, long="" if high else "ijk"))
    ring = draw(rings(features))
    made = Expressions(draw, features, sizes, draw(dtypes(features, ring)), ring, most=most)
    target = tuple(TARGET[: draw(st.sampled_from(orders))])
    own = draw(told_variables(made, target))
    value = made.expression(own, DEPTH, target)
    result = Access("R", tuple(draw(st.permutations(target))))
    kinds = masks if own == target else whole_masks
    mask = draw(kinds(made, target)) if target and features.masks else None
    operator = draw(updates(made, result, value)) if features.updates else None
    merge = mask is not None and draw(merging(made, result, operator))
    if mask is not None and features.contents:
        mask = draw(own_masks(made, result, mask, merge or operator is not None))
    out = draw(formats(len(target), features.results or RESULTS))
    if mask is None and operator is None and draw(st.integers(0, 9)) == 9 and holds_lower(made, result):
        mask, out = below(made, result), LOWER
    if result.tensor in made.operands and is_free(made.features) and draw(st.booleans()):
        out = draw(continuing(len(target), made.ring))
        made.operands[result.tensor] = made.operands[result.tensor].convert(out)
    assignment, operands = Assignment(result, value.term, operator, mask, merge), made.operands
    if features.specials:
        assignment, operands = odd(draw, assignment, operands)
    drawn = Problem(pretty(assignment), operands, out, None if ring is None else ring.name, target=features.target)
    bare = dataclasses.replace(drawn, text=as_text(pretty(replace(assignment, value=without_sums(assignment.value)))))
    short = bare.source != drawn.source and draw(st.booleans()) and means(bare, assignment)
    return draw(places(bare if short else drawn, features))


def odd(draw: st.DrawFn, a: Assignment, operands: dict[str, Tensor]) -> tuple[Assignment, dict[str, Tensor]]:
    """An assignment and its operands: in one program of twenty under names that C knows, in one of twenty with 64-bit
    indices in one operand."""
    kind = draw(st.integers(0, 19))
    if kind == 19 and operands:
        name = draw(st.sampled_from(sorted(operands)))
        return a, {**operands, name: operands[name].convert(spec(operands[name].format, index="int64"))}
    if kind == 18:
        names = {name: ODD_NAMES[n] for n, name in enumerate(operands) if name in NAMES}
        return replace(a, value=rename(a.value, names)), {names.get(name, name): t for name, t in operands.items()}
    return a, operands


def rename(e: Expr, names: Mapping[str, str]) -> Expr:
    """An expression whose operands have other names."""
    match e:
        case Access(tensor=tensor):
            return replace(e, tensor=names.get(tensor, tensor))
        case Apply(args=args):
            return replace(e, args=tuple(rename(a, names) for a in args))
        case Reduce(body=body):
            return replace(e, body=rename(body, names))
        case _:
            return e


@cache
def rings(features: Features) -> st.SearchStrategy[Semiring | None]:
    """A semiring, or none: in two programs of three if both may be. One whose products are places is drawn later."""
    named = [ring for name in features.semirings if (ring := semiring(name)).place is None]
    if not named:
        return st.none()
    inside = st.sampled_from(named)
    return st.one_of(st.none(), st.none(), inside) if features.plain else inside


@st.composite
def places(draw: st.DrawFn, problem: Problem, features: Features) -> Problem:
    """A problem in a semiring: in one of four with places of operands as products, where they have them.

    Places are integers, whatever the dtypes: a sum of them and of large numbers may overflow.
    """
    if problem.semiring is None or draw(st.integers(0, 3)) < 3 or set(literals(problem.terms.value)) & set(LARGE):
        return problem
    add = semiring(problem.semiring).plain_add
    named = [name for name in features.semirings if semiring(name).place and semiring(name).plain_add is add]
    if not named:
        return problem
    placed = dataclasses.replace(problem, semiring=draw(st.sampled_from(named)))
    try:
        _ = placed.ready  # refused where an operand has no place
    except GnomonError:
        return problem
    return placed


@st.composite
def dtypes(
    draw: st.DrawFn, features: Features, ring: Semiring | None, often: tuple[str, ...] = FREQUENT
) -> list[np.dtype]:
    """The dtypes of a program's operands: one, or several; in a semiring those that it has. Some are drawn more
    often."""
    frequent = tuple(d for d in often if d in features.dtypes)
    names = [d for d in (*frequent, *features.dtypes) if ring is None or has(ring, np.dtype(d))]
    chosen = [draw(st.sampled_from(names))]
    if features.mixed and draw(st.integers(0, 4)) == 4:
        chosen.append(draw(st.sampled_from(names)))
    return [np.dtype(name) for name in chosen]


def has(ring: Semiring, dtype: np.dtype) -> bool:
    """Whether both operators of a semiring take a dtype."""
    return all(
        dtypes_of(operator, ((dtype, False), (dtype, False))) is not None for operator in (ring.add, ring.multiply)
    )


@st.composite
def told_variables(draw: st.DrawFn, made: Expressions, target: tuple[str, ...]) -> tuple[str, ...]:
    """The variables of the result that stand on the right side: all of them, or in one program of sixteen only some. A
    mask has the others then (`whole_masks`)."""
    if not (target and made.features.masks and is_free(made.features)) or draw(st.integers(0, 15)) < 15:
        return target
    return target[: draw(st.integers(0, len(target) - 1))]


@st.composite
def whole_masks(draw: st.DrawFn, made: Expressions, target: tuple[str, ...]) -> Mask:
    """A mask that reads a tensor at all variables of the result."""
    kind = draw(st.sampled_from(made.features.masks))
    indices = tuple(draw(st.permutations(target)))
    made.operands["M"] = outside_ring(made).tensor(tuple(made.extents[v] for v in indices))
    return Mask(Access("M", indices), "!" in kind, "$" in kind)


@st.composite
def masks(draw: st.DrawFn, made: Expressions, target: tuple[str, ...]) -> Mask | None:
    """A mask on the result, in one program of five: over the result's variables or some of them, in any order. One
    variable may index the mask twice."""
    if draw(st.integers(0, 4)) < 4:
        return None
    kind = draw(st.sampled_from(made.features.masks))
    indices = tuple(draw(st.permutations(target)))
    if made.features.broadcasts:
        indices = indices[: draw(st.sampled_from((len(indices), 1)))]
    if made.features.diagonals and indices and len(indices) + 1 in made.features.orders:
        indices += indices[:1] * (draw(st.integers(0, 4)) == 4)
    shape = tuple(made.extents[v] for v in indices)
    made.operands["M"] = outside_ring(made).tensor(shape)
    value = Access("M", indices) if "$" in kind else draw(selections(outside_ring(made), "M", indices, target))
    if all(access.tensor != "M" for access in accesses(value)):
        del made.operands["M"]
    return Mask(value, "!" in kind, "$" in kind)


@st.composite
def own_masks(draw: st.DrawFn, made: Expressions, result: Access, mask: Mask, keeps: bool) -> Mask:
    """A mask, which in one masked program of four reads previous contents of the result instead, if what the result
    keeps of them is there."""
    if draw(st.integers(0, 3)) < 3 or (keeps and result.tensor not in made.operands):
        return mask
    made.operands.pop("M", None)
    plain, shape = made if keeps else outside_ring(made), tuple(made.extents[v] for v in result.indices)
    if not keeps:
        made.operands[result.tensor] = plain.tensor(shape)
    turned = draw(st.permutations(result.indices))
    indices = tuple(turned) if tuple(made.extents[v] for v in turned) == shape else result.indices
    if mask.structural:
        return replace(mask, value=Access(result.tensor, indices))
    return replace(mask, value=draw(selections(plain, result.tensor, indices, ())))


@st.composite
def selections(
    draw: st.DrawFn, made: Expressions, name: str, indices: tuple[str, ...], target: tuple[str, ...]
) -> Expr:
    """What a mask by value holds: a tensor, or in one of three a comparison of its values or of coordinates."""
    held = made.access(name, indices)
    if not made.features.selections or draw(st.integers(0, 2)) < 2:
        return held.term
    places = [made.coordinate_of(v) for v in target] if made.features.coordinates else []
    first, others = draw(st.sampled_from((held, held, *places))), [*made.literals(LITERALS), *places]
    compared = [found for o in COMPARISONS for b in others if (found := apply_operator(OPERATORS[o], [first, b]))]
    return draw(st.sampled_from(compared)).term if compared else held.term


@st.composite
def continuing(draw: st.DrawFn, order: int, ring: Semiring | None) -> Format:
    """A format in which a result may go on from previous contents: every coordinate has a place. In a semiring it keeps
    which of them are taken."""
    kinds = [draw(st.sampled_from(("dense", "bitmap"))) for _ in range(order)]
    if ring is not None and order:
        kinds[-1] = "bitmap"
    return Format(kinds, mode_order=draw(st.permutations(range(order))))


def is_free(features: Features) -> bool:
    """Whether operands and results may have any format."""
    return features.results is None and features.operands is None


def holds_lower(made: Expressions, result: Access) -> bool:
    """Whether a result may be stored below the diagonal alone, if a mask sees to it that nothing else is there."""
    shape, kinds = tuple(made.extents[v] for v in result.indices), made.features.masks
    return is_free(made.features) and len(shape) == 2 and fits(LOWER, shape) and any("!" not in kind for kind in kinds)


def below(made: Expressions, result: Access) -> Mask:
    """A mask that lets through nothing above the diagonal."""
    shape = tuple(made.extents[v] for v in result.indices)
    kind = made.draw(st.sampled_from([kind for kind in made.features.masks if "!" not in kind]))
    plain = outside_ring(made)
    made.operands["M"] = made.draw(
        tensors(shape, dtype=made.draw(st.sampled_from(plain.dtypes)), format=LOWER, features=plain.features)
    )
    return Mask(Access("M", result.indices), False, "$" in kind)


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


@st.composite
def merging(draw: st.DrawFn, made: Expressions, result: Access, operator: Operator | None) -> bool:
    """Whether what a mask excludes is kept: in one program of three otherwise than the operator says."""
    usual = merges(operator)
    if not made.features.merges or draw(st.integers(0, 2)) < 2:
        return usual
    if not usual:
        made.operands[result.tensor] = draw(contents(made, result))
    return not usual


@st.composite
def contents(draw: st.DrawFn, made: Expressions, result: Access) -> Tensor:
    """Previous contents of a result, now and then of a dtype that no operand has."""
    if made.features.mixed and draw(st.integers(0, 3)) == 3:
        names = [d for d in made.features.dtypes if made.ring is None or has(made.ring, np.dtype(d))]
        made = replace(made, dtypes=[np.dtype(draw(st.sampled_from(names)))])
    return made.tensor(tuple(made.extents[v] for v in result.indices))


def combines(operator: Operator, made: Expressions, value: Part, previous: Tensor | None) -> bool:
    """Whether a reduction assignment has a meaning for values and previous contents, and no integer can overflow."""
    if previous is None:
        own = dtypes_of(operator, ((value.dtype, False), (value.dtype, False)))
        return own is not None and holds(own[1], value.span)
    held = replace(made, operands={"R": previous}).access("R", ())
    return apply_operator(operator, [held, value]) is not None


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
