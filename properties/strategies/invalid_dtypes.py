"""Expressions on dtypes that their operators refuse, and results whose dtype or fill does not fit."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from msgspec.structs import replace

from ...reference.algebra.dtypes import NAMES
from ...reference.algebra.operator import Operator
from ...reference.algebra.operators import OPERATORS
from ...reference.errors import DtypeError
from ...reference.notation.syntax import Access, Apply, Literal, Reduce
from ..programs.features import Features
from .invalid_program import (
    FOLDS,
    NEW,
    OTHER,
    SUMMED,
    Mistake,
    Written,
    append_term,
    plain_program,
    target,
    write_program,
)
from .tensors import tensors
from .typed_parts import dtypes_of

BOOL, COMPLEX = np.dtype("bool"), np.dtype("complex128")


def refusing_operators(dtype: np.dtype) -> tuple[Operator, ...]:
    """The operators that refuse a dtype."""
    return tuple(o for o in OPERATORS.values() if dtypes_of(o, ((dtype, False),) * o.arity) is None)


def append_refused_term(draw: st.DrawFn, features: Features, dtype: np.dtype) -> Written:
    """A program with a term in which an operator refuses a dtype."""
    drawn = plain_program(draw, features)
    indices = target(drawn).indices
    operator = draw(st.sampled_from(refusing_operators(dtype)))
    term = Apply(operator, (Access(NEW, indices),) * operator.arity)
    shape = tuple(drawn.extents[v] for v in indices)
    return append_term(drawn, term, Z=draw(tensors(shape, dtype=dtype, features=features)))


def boolean_arithmetic(draw: st.DrawFn, features: Features) -> Written:
    return append_refused_term(draw, features, BOOL)


def complex_order(draw: st.DrawFn, features: Features) -> Written:
    return append_refused_term(draw, features, COMPLEX)


def complex_extreme(draw: st.DrawFn, features: Features) -> Written:
    drawn = plain_program(draw, features)
    fold = draw(st.sampled_from([o for o in FOLDS if o in refusing_operators(COMPLEX)]))
    return append_term(drawn, Reduce(fold, OTHER, SUMMED), Z=draw(tensors((2,), dtype=COMPLEX, features=features)))


def narrow_result(draw: st.DrawFn, features: Features) -> Written:
    number, kinds = draw(st.sampled_from([(0.5, "biu"), (1j, "biuf")]))
    result = append_term(plain_program(draw, features), Literal(number))
    return replace(result, dtype=draw(st.sampled_from([n for n in NAMES if np.dtype(n).kind in kinds])))


def result_fill(draw: st.DrawFn, features: Features) -> Written:
    drawn = plain_program(draw, features, dtypes=("int32",), operators=("add", "mul"), literals=False)
    return write_program(drawn, fill=draw(st.sampled_from([0.5, 1j, float("nan"), float("inf"), 2**70])))


DTYPES = {
    "arithmetic that Booleans do not have": Mistake(DtypeError, r"\w+ of booleans is not defined", boolean_arithmetic),
    "an order of complex numbers": Mistake(DtypeError, r"\w+ is not defined for complex numbers", complex_order),
    "an extreme of complex numbers": Mistake(
        DtypeError, "(min|max) is not defined for complex numbers", complex_extreme
    ),
    "a result dtype that cannot hold the values": Mistake(
        DtypeError, r"the result has dtype \w+, which \w+ cannot hold", narrow_result
    ),
    "a result fill that its dtype cannot hold": Mistake(DtypeError, r"fill .* does not fit in \w+", result_fill),
}
