"""Semirings that there are not, and what has no meaning in one: operators, updates, fills."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from msgspec.structs import replace

from ...reference.algebra.operator import Operator
from ...reference.algebra.operators import ADD, MUL, OPERATORS
from ...reference.algebra.semirings import semiring
from ...reference.errors import SemiringError
from ...reference.notation.syntax import Access, Apply, Reduce
from ..programs.features import Features
from ..programs.problem import Problem
from .invalid_program import (
    FOLDS,
    NEW,
    OTHER,
    SUMMED,
    Given,
    Mistake,
    Written,
    append_term,
    dtype,
    edit_assignment,
    fresh,
    ones,
    program,
    ring_program,
    target,
    write_program,
)
from .invalid_values import INTEGERS, extreme


def unknown_semiring(draw: st.DrawFn, features: Features) -> Written:
    name = draw(st.sampled_from(["plus", "", "plus_", "_times", "plus_foo", "foo_times", "plus-times", "min_plus_x"]))
    return write_program(program(draw, features, semirings=()), semiring=name)


def no_monoid(draw: st.DrawFn, features: Features) -> Written:
    names = [o.name for o in OPERATORS.values() if o.reduction is None or o.left_identity is None]
    name = f"{draw(st.sampled_from(names))}_{draw(st.sampled_from(('times', 'plus', 'first')))}"
    return write_program(program(draw, features, semirings=()), semiring=name)


def unary_multiply(draw: st.DrawFn, features: Features) -> Written:
    names = [o.name for o in OPERATORS.values() if o.arity == 1]
    return write_program(program(draw, features, semirings=()), semiring=f"plus_{draw(st.sampled_from(names))}")


def foreign_operator(draw: st.DrawFn, features: Features) -> Written:
    drawn = ring_program(draw, features)
    operator = draw(st.sampled_from([o for o in OPERATORS.values() if o not in (ADD, MUL)]))
    indices = target(drawn).indices
    term = Apply(operator, (Access(NEW, indices),) * operator.arity)
    return append_term(drawn, term, Z=fresh(draw, features, drawn, *indices))


def foreign_folds(problem: Problem) -> Sequence[Operator]:
    """The operators that fold, but not in the semiring of a problem."""
    assert problem.semiring is not None
    return [o for o in FOLDS if o not in (ADD, semiring(problem.semiring).plain_add)]


def foreign_reduction(draw: st.DrawFn, features: Features) -> Written:
    drawn = ring_program(draw, features)
    term = Reduce(draw(st.sampled_from(foreign_folds(drawn))), OTHER, SUMMED)
    return append_term(drawn, term, Z=fresh(draw, features, drawn, OTHER))


def foreign_update(draw: st.DrawFn, features: Features) -> Written:
    drawn = ring_program(draw, features)
    operator = draw(st.sampled_from(foreign_folds(drawn)))
    return edit_assignment(drawn, lambda a: replace(a, operator=operator))


def foreign_fill(draw: st.DrawFn, features: Features) -> Written:
    drawn = ring_program(draw, features)
    assert drawn.semiring is not None
    identity = semiring(drawn.semiring).add.left_identity
    assert identity is not None
    indices = target(drawn).indices
    kept = ones(tuple(drawn.extents[v] for v in indices), dtype(drawn))
    return append_term(drawn, Access(NEW, indices), Z=replace(kept, fill=int(identity(dtype(drawn)) == 0)))


def foreign_result_fill(draw: st.DrawFn, features: Features) -> Written:
    drawn = ring_program(draw, features)
    return write_program(drawn, fill=int(drawn.fill == 0))


def outgrown(draw: st.DrawFn, features: Features) -> Written:
    """Integers that stand for what is absent, beside floats, in an expression or as previous contents: not where
    `pair` takes their values for what they are."""
    add, source = draw(st.sampled_from(("min", "max"))), draw(st.sampled_from(("y(i) = R(i) * A(i)", "R(i) += A(i)")))
    held = replace(extreme(draw, INTEGERS, lowest=add == "max"), format="Dense")
    held = replace(held, fill=held.values[0])
    floats = Given(held.coordinates, (1.0,) * len(held.values), held.shape, "SparseVector", "float64")
    multiplies = ("times", "first", "second") if "*" in source else ("times", "first", "second", "pair")
    ring = f"{add}_{draw(st.sampled_from(multiplies))}"
    return Written(source, {"R": held, "A": floats}, "Dense", ring)


LACKED = rf"((\*|\w+)=|{'|'.join(str(o.reduction) for o in FOLDS)}) has no meaning in the semiring \w+"
SEMIRINGS = {
    "an unknown semiring": Mistake(SemiringError, "unknown semiring", unknown_semiring, ("semirings",)),
    "a semiring whose add is no monoid": Mistake(
        SemiringError,
        "cannot add: it is not declared associative and commutative with an identity",
        no_monoid,
        ("semirings",),
    ),
    "a semiring whose multiply takes one operand": Mistake(
        SemiringError, "takes one operand, a multiply takes two", unary_multiply, ("semirings",)
    ),
    "an operator that the semiring lacks": Mistake(
        SemiringError, r"(-|/|[a-z]\w*) has no meaning in the semiring \w+", foreign_operator, ("semirings",)
    ),
    "a reduction that the semiring lacks": Mistake(SemiringError, LACKED, foreign_reduction, ("semirings",)),
    "a reduction assignment that the semiring lacks": Mistake(
        SemiringError, LACKED, foreign_update, ("semirings", "updates")
    ),
    "dense leaves whose fill is no identity of the semiring": Mistake(
        SemiringError, "is stored with dense leaves and fill .*, but absent is", foreign_fill, ("semirings",)
    ),
    "a result fill that is no identity of the semiring": Mistake(
        SemiringError, "fill .* is asked for the result, but absent is", foreign_result_fill, ("semirings",)
    ),
    "a number for what is absent, which is promoted": Mistake(
        SemiringError, r"R holds .*, which is absent in \w+ but a number", outgrown, ("semirings", "updates")
    ),
}
