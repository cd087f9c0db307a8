"""Expressions that parse but do not denote: names, orders, extents, scopes, sums, dtypes, semirings and values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from ...reference.algebra.dtypes import NAMES
from ...reference.algebra.operator import Operator
from ...reference.algebra.operators import ADD, DIV, MUL, OPERATORS, SUB
from ...reference.algebra.semirings import KNOWN, semiring
from ...reference.errors import DtypeError, ExpressionError, MeaningError, SemiringError
from ...reference.notation.reductions import LINEAR, is_product
from ...reference.notation.resolution import distributes
from ...reference.notation.syntax import Access, Apply, Expr, Literal, Mask, Reduce, free_variables
from ...reference.statement.statement import rename_accesses
from ...reference.storage.tensor import Tensor
from ..programs.features import Features
from ..programs.problem import Problem
from .invalid_program import (
    NEW,
    OTHER,
    Given,
    Mistake,
    Written,
    append_term,
    dtype,
    edit_assignment,
    fresh,
    ones,
    plain_program,
    program,
    reads,
    ring_program,
    target,
    write_program,
)
from .tensors import tensors
from .typed_parts import dtypes_of

BOOL, COMPLEX = np.dtype("bool"), np.dtype("complex128")
FOLDS = tuple(o for o in OPERATORS.values() if o.reduction is not None)
BENT = tuple(o for o in OPERATORS.values() if o.arity == 1 and o not in LINEAR)
PAIRED = tuple(o for o in OPERATORS.values() if o.arity == 2 and o not in (ADD, SUB, DIV) and not is_product(o))
SUMMED = Access(NEW, (OTHER,))
TWO, THREE = Literal(2), Literal(3)
INTEGERS = tuple(name for name in NAMES if np.dtype(name).kind in "iu")
SIGNED = tuple(name for name in INTEGERS if np.dtype(name).kind == "i")


def refusing(dtype: np.dtype) -> tuple[Operator, ...]:
    """The operators that refuse a dtype."""
    return tuple(o for o in OPERATORS.values() if dtypes_of(o, ((dtype, False),) * o.arity) is None)


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


def ambiguous(draw: st.DrawFn, features: Features, term: Expr, operator: Operator = ADD, *variables: str) -> Written:
    """A program with a term in which `z` is to be summed over implicitly."""
    drawn = program(draw, features, updates=(), masks=(), semirings=())
    return append_term(drawn, term, operator, Z=fresh(draw, features, drawn, *(variables or (OTHER,))))


def sum_in_function(draw: st.DrawFn, features: Features) -> Written:
    return ambiguous(draw, features, Apply(draw(st.sampled_from(BENT)), (SUMMED,)))


def sum_in_divisor(draw: st.DrawFn, features: Features) -> Written:
    return ambiguous(draw, features, SUMMED, DIV)


def sum_in_pair(draw: st.DrawFn, features: Features) -> Written:
    args: tuple[Expr, ...] = (SUMMED, TWO) if draw(st.booleans()) else (TWO, SUMMED)
    return ambiguous(draw, features, Apply(draw(st.sampled_from(PAIRED)), args))


def sum_in_reduction(draw: st.DrawFn, features: Features) -> Written:
    fold = draw(st.sampled_from([o for o in FOLDS if o is not ADD]))
    return ambiguous(draw, features, Reduce(fold, "w", Access(NEW, ("w", OTHER))), ADD, OTHER, OTHER)


def sum_in_each_factor(draw: st.DrawFn, features: Features) -> Written:
    left, right = (Apply(draw(st.sampled_from((ADD, SUB))), (SUMMED, number)) for number in (TWO, THREE))
    return ambiguous(draw, features, Apply(MUL, (left, right)))


def sum_that_does_not_move(draw: st.DrawFn, features: Features) -> Written:
    known = [name for name in features.semirings if not distributes(semiring(name))]
    fallback = [name for name, _ in KNOWN if not distributes(semiring(name))]
    drawn = ring_program(draw, features, semirings=tuple(known or fallback))
    return append_term(drawn, SUMMED, MUL, Z=fresh(draw, features, drawn, OTHER))


def unknown_conversion(draw: st.DrawFn, features: Features) -> Written:
    return write_program(program(draw, features), convert=draw(st.sampled_from(["yes", "always", "Auto", ""])))


def refused_by(draw: st.DrawFn, features: Features, dtype: np.dtype) -> Written:
    """A program with a term in which an operator refuses a dtype."""
    drawn = plain_program(draw, features)
    indices = target(drawn).indices
    operator = draw(st.sampled_from(refusing(dtype)))
    term = Apply(operator, (Access(NEW, indices),) * operator.arity)
    shape = tuple(drawn.extents[v] for v in indices)
    return append_term(drawn, term, Z=draw(tensors(shape, dtype=dtype, features=features)))


def boolean_arithmetic(draw: st.DrawFn, features: Features) -> Written:
    return refused_by(draw, features, BOOL)


def complex_order(draw: st.DrawFn, features: Features) -> Written:
    return refused_by(draw, features, COMPLEX)


def complex_extreme(draw: st.DrawFn, features: Features) -> Written:
    drawn = plain_program(draw, features)
    fold = draw(st.sampled_from([o for o in FOLDS if o in refusing(COMPLEX)]))
    return append_term(drawn, Reduce(fold, OTHER, SUMMED), Z=draw(tensors((2,), dtype=COMPLEX, features=features)))


def narrow_result(draw: st.DrawFn, features: Features) -> Written:
    number, kinds = draw(st.sampled_from([(0.5, "biu"), (1j, "biuf")]))
    result = append_term(plain_program(draw, features), Literal(number))
    return replace(result, dtype=draw(st.sampled_from([n for n in NAMES if np.dtype(n).kind in kinds])))


def result_fill(draw: st.DrawFn, features: Features) -> Written:
    drawn = plain_program(draw, features, dtypes=("int32",), operators=("add", "mul"), literals=False)
    return write_program(drawn, fill=draw(st.sampled_from([0.5, 1j, float("nan"), float("inf"), 2**70])))


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
    """Integers that stand for what is absent, beside floats, in an expression or as previous contents."""
    add, source = draw(st.sampled_from(("min", "max"))), draw(st.sampled_from(("y(i) = R(i) * A(i)", "R(i) += A(i)")))
    held = replace(extreme(draw, INTEGERS, lowest=add == "max"), format="Dense")
    held = replace(held, fill=held.values[0])
    floats = Given(held.coordinates, (1.0,) * len(held.values), held.shape, "SparseVector", "float64")
    ring = f"{add}_{draw(st.sampled_from(('times', 'first', 'second', 'pair')))}"
    return Written(source, {"R": held, "A": floats}, "Dense", ring)


def extreme(draw: st.DrawFn, names: Sequence[str], *, lowest: bool = False, least: int = 1) -> Given:
    """A vector of the largest integers of a dtype, or the lowest ones."""
    name = draw(st.sampled_from(names))
    info = np.iinfo(name)
    count = draw(st.integers(least, 3))
    held = (int(info.min if lowest else info.max),) * count
    return Given((tuple(range(count)),), held, (count,), draw(st.sampled_from(("Dense", "SparseVector"))), name)


def overflow(draw: st.DrawFn, features: Features) -> Written:
    value = draw(st.sampled_from(["A(i) + A(i)", "A(i) * A(i)", "A(i) + 1", "square(A(i))", "2 * A(i)"]))
    return Written(f"R(i) = {value}", {"A": extreme(draw, INTEGERS)}, "Dense")


def sign_overflow(draw: st.DrawFn, features: Features) -> Written:
    value = draw(st.sampled_from(["-A(i)", "abs(A(i))", "0 - A(i)", "A(i) - 1", "A(i) * 2"]))
    return Written(f"R(i) = {value}", {"A": extreme(draw, SIGNED, lowest=True)}, "Dense")


def sum_overflow(draw: st.DrawFn, features: Features) -> Written:
    value = draw(st.sampled_from(["A(k)", "sum(k, A(k))", "prod(k, A(k))", "2 + sum(k, A(k))"]))
    return Written(f"R = {value}", {"A": extreme(draw, ("int64", "uint64"), least=2)}, "Dense")


def contents_overflow(draw: st.DrawFn, features: Features) -> Written:
    operand = extreme(draw, INTEGERS)
    return Written(f"R(i) {draw(st.sampled_from('+*'))}= A(i)", {"A": operand, "R": operand}, "Dense")


def zero_divisor(draw: st.DrawFn, features: Features) -> Written:
    operator, divisor = draw(st.sampled_from(["floordiv", "mod"])), draw(st.sampled_from(["0", "B(i)", "A(i) - A(i)"]))
    dividend = extreme(draw, INTEGERS)
    zeros = replace(dividend, values=(0,) * len(dividend.values))
    operands = {"A": dividend, "B": zeros} if divisor == "B(i)" else {"A": dividend}
    return Written(f"R(i) = {operator}(A(i), {divisor})", operands, "Dense")


LACKED = rf"((\*|\w+)=|{'|'.join(str(o.reduction) for o in FOLDS)}) has no meaning in the semiring \w+"
OVERFLOW = r"integer overflow: -?\d+ does not fit in u?int\d+"
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
    "an implicit sum inside a non-linear function": Mistake(
        ExpressionError, r"is summed over, but occurs inside \w+, which is not linear", sum_in_function
    ),
    "an implicit sum in a divisor": Mistake(
        ExpressionError, "is summed over, but occurs in the divisor of", sum_in_divisor
    ),
    "an implicit sum inside a function of two arguments": Mistake(
        ExpressionError, r"is summed over, but occurs inside \w+\((Z\(z\), 2|2, Z\(z\))\)", sum_in_pair
    ),
    "an implicit sum inside another reduction": Mistake(
        ExpressionError, r"is summed over, but occurs inside \w+\(w, Z\(w,z\)\)", sum_in_reduction
    ),
    "an implicit sum in factors that all have addends without it": Mistake(
        ExpressionError, "is summed over, but every factor of .* has an addend without it", sum_in_each_factor
    ),
    "an implicit sum that does not distribute": Mistake(
        ExpressionError,
        r"is summed over, but \* does not distribute over \+ here",
        sum_that_does_not_move,
        ("semirings",),
    ),
    "an unknown way to convert": Mistake(ExpressionError, "convert=.* is not known", unknown_conversion),
    "arithmetic that Booleans do not have": Mistake(DtypeError, r"\w+ of booleans is not defined", boolean_arithmetic),
    "an order of complex numbers": Mistake(DtypeError, r"\w+ is not defined for complex numbers", complex_order),
    "an extreme of complex numbers": Mistake(
        DtypeError, "(min|max) is not defined for complex numbers", complex_extreme
    ),
    "a result dtype that cannot hold the values": Mistake(
        DtypeError, r"the result has dtype \w+, which \w+ cannot hold", narrow_result
    ),
    "a result fill that its dtype cannot hold": Mistake(DtypeError, r"fill .* does not fit in \w+", result_fill),
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
    "an integer that overflows": Mistake(MeaningError, OVERFLOW, overflow),
    "a negative integer that overflows": Mistake(MeaningError, OVERFLOW, sign_overflow),
    "a sum of integers that overflows": Mistake(MeaningError, OVERFLOW, sum_overflow),
    "previous contents that overflow": Mistake(MeaningError, OVERFLOW, contents_overflow, ("updates",)),
    "an integer division by zero": Mistake(MeaningError, r"integer division of \d+ by zero", zero_divisor),
}
