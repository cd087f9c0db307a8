"""Expressions that parse but do not denote: names, orders, extents and scopes."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec.structs import replace

from ...reference.algebra.operators import ADD, MUL
from ...reference.errors import ExpressionError
from ...reference.notation.syntax import Access, Mask, Reduce, free_variables
from ...reference.statement.statement import rename_accesses
from ...reference.storage.tensor import Tensor
from ..programs.features import Features
from ..programs.problem import Problem
from .invalid_program import (
    FOLDS,
    NEW,
    OTHER,
    Mistake,
    Written,
    append_term,
    dtype,
    edit_assignment,
    fresh,
    plain_program,
    program,
    reads,
    target,
    write_program,
)
from .tensors import tensors


def larger(tensor_shape: tuple[int, ...], mode: int) -> tuple[int, ...]:
    """A shape with one extent more in a mode."""
    return tuple(n + (m == mode) for m, n in enumerate(tensor_shape))


def unknown_tensor(draw: st.DrawFn, features: Features) -> Written:
    drawn = program(draw, features)
    name = draw(st.sampled_from(reads(drawn))).tensor
    return write_program(drawn, operands={n: o for n, o in drawn.operands.items() if n != name})


def wrong_order(draw: st.DrawFn, features: Features) -> Written:
    """`R(i) = A(i,z)`; an index that a reduction binds stays, as `min(k, A)` reads a tensor `k`."""
    drawn = program(draw, features)
    access = draw(st.sampled_from(reads(drawn)))
    more = (*access.indices, draw(st.sampled_from([*drawn.extents, OTHER])))
    loses = bool(access.indices) and access.indices[0] in free_variables(drawn.text.assignment.value)
    indices = draw(st.sampled_from([more, access.indices[1:]] if loses else [more]))
    return edit_assignment(
        drawn, lambda a: replace(a, value=rename_accesses(a.value, {access: Access(access.tensor, indices)}))
    )


def only_on_the_left(draw: st.DrawFn, features: Features) -> Written:
    return edit_assignment(
        plain_program(draw, features), lambda a: replace(a, target=Access("R", (*a.target.indices, OTHER)))
    )


def twice_on_the_left(draw: st.DrawFn, features: Features) -> Written:
    drawn = plain_program(draw, features)
    again = draw(st.sampled_from(target(drawn).indices))
    return edit_assignment(drawn, lambda a: replace(a, target=Access("R", (*a.target.indices, again))))


def result_is_read(draw: st.DrawFn, features: Features) -> Written:
    drawn = program(draw, features, updates=(), masks=())
    name = draw(st.sampled_from(reads(drawn))).tensor
    names = {a: Access("R", a.indices) for a in reads(drawn) if a.tensor == name}
    result = edit_assignment(drawn, lambda a: replace(a, value=rename_accesses(a.value, names)))
    return replace(result, operands={"R" if n == name else n: o for n, o in result.operands.items()})


def needless_contents(draw: st.DrawFn, features: Features) -> Written:
    drawn = program(draw, features, updates=(), masks=())
    return edit_assignment(drawn, lambda a: a, R=fresh(draw, features, drawn, *target(drawn).indices))


def extents_differ(draw: st.DrawFn, features: Features) -> Written:
    drawn = plain_program(draw, features)
    variable = draw(st.sampled_from(target(drawn).indices))
    other = draw(tensors((drawn.extents[variable] + 1,), dtype=dtype(drawn), features=features))
    operator = draw(st.sampled_from((MUL, ADD)))
    return append_term(drawn, Access(NEW, (variable,)), operator, Z=other)


def other_shape(draw: st.DrawFn, features: Features, drawn: Problem) -> Tensor:
    """A tensor like the result of a program, but for one extent."""
    indices = target(drawn).indices
    shape = tuple(drawn.extents[v] for v in indices)
    return draw(tensors(larger(shape, draw(st.integers(0, len(shape) - 1))), dtype=dtype(drawn), features=features))


def mask_of_other_shape(draw: st.DrawFn, features: Features) -> Written:
    drawn = plain_program(draw, features)
    mask = Mask(Access("M", target(drawn).indices), draw(st.booleans()), draw(st.booleans()))
    return edit_assignment(drawn, lambda a: replace(a, mask=mask), M=other_shape(draw, features, drawn))


def contents_of_other_shape(draw: st.DrawFn, features: Features) -> Written:
    drawn = plain_program(draw, features)
    return edit_assignment(drawn, lambda a: replace(a, operator=ADD), R=other_shape(draw, features, drawn))


def unused_variable(draw: st.DrawFn, features: Features) -> Written:
    drawn = program(draw, features)
    return edit_assignment(drawn, lambda a: a, Z=fresh(draw, features, drawn))


def shadowed_variable(draw: st.DrawFn, features: Features) -> Written:
    drawn = plain_program(draw, features)
    variable = draw(st.sampled_from(target(drawn).indices))
    fold = draw(st.sampled_from(FOLDS))
    if draw(st.booleans()):
        return edit_assignment(drawn, lambda a: replace(a, value=Reduce(fold, variable, a.value)))
    term = Reduce(fold, variable, Access(NEW, (variable,)))
    return append_term(drawn, term, draw(st.sampled_from((MUL, ADD))), Z=fresh(draw, features, drawn, variable))


def empty_reduction(draw: st.DrawFn, features: Features) -> Written:
    fold = draw(st.sampled_from([o for o in FOLDS if o.reduction in ("sum", "prod")]))
    return edit_assignment(program(draw, features, masks=()), lambda a: replace(a, value=Reduce(fold, OTHER, a.value)))


def foreign_mask(draw: st.DrawFn, features: Features) -> Written:
    drawn = plain_program(draw, features)
    mask = Mask(Access("M", (OTHER,)), draw(st.booleans()), draw(st.booleans()))
    return edit_assignment(drawn, lambda a: replace(a, mask=mask), M=fresh(draw, features, drawn, OTHER))


def unknown_conversion(draw: st.DrawFn, features: Features) -> Written:
    return write_program(program(draw, features), convert=draw(st.sampled_from(["yes", "always", "Auto", ""])))


EXPRESSIONS = {
    "a tensor that is not given": Mistake(ExpressionError, "unknown tensor", unknown_tensor),
    "an access with another number of indices": Mistake(
        ExpressionError, r"has \d+ ind(ex|ices), but \w+ has order \d+", wrong_order
    ),
    "a variable of the result that does not occur on the right": Mistake(
        ExpressionError, "is on the left but not on the right", only_on_the_left
    ),
    "a variable that the result repeats": Mistake(ExpressionError, "repeats a variable on the left", twice_on_the_left),
    "a result that is read": Mistake(ExpressionError, "is both the result and an operand", result_is_read),
    "previous contents of a result assigned with =": Mistake(
        ExpressionError, "is assigned with =, so previous contents of it have no use", needless_contents
    ),
    "extents of a variable that differ": Mistake(
        ExpressionError, r"has extent \d+ in .+ but \d+ in Z\(", extents_differ
    ),
    "a mask of another shape": Mistake(
        ExpressionError, r"has extent \d+ in .+ but \d+ in M\(", mask_of_other_shape, ("masks",)
    ),
    "previous contents of another shape": Mistake(
        ExpressionError, r"has extent \d+ in .+ but \d+ in R\(", contents_of_other_shape, ("updates",)
    ),
    "an operand that does not occur": Mistake(
        ExpressionError, "is given but does not occur in the expression", unused_variable
    ),
    "a reduction variable in use around": Mistake(
        ExpressionError, "is already in use around this reduction", shadowed_variable
    ),
    "a reduction over a variable that its body lacks": Mistake(
        ExpressionError, "occurs in no access of the reduction over it", empty_reduction
    ),
    "a mask variable that does not index the result": Mistake(
        ExpressionError, "indexes the mask but not the result", foreign_mask, ("masks",)
    ),
    "an unknown way to convert": Mistake(ExpressionError, "convert=.* is not known", unknown_conversion),
}
