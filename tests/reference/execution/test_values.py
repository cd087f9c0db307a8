"""Values: expressions where the loops stand, in their own dtype."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.algebra.operators import ADD, MUL
from gnomon.reference.errors import InternalError, MeaningError
from gnomon.reference.execution.state import State
from gnomon.reference.execution.values import accumulator, component, value
from gnomon.reference.notation.syntax import Access, Apply, Fill, Literal, Reduce
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import assignments, reads


def loaded(values: Any, dtype: str = "int8", source: str = "y(i) = A(i) + A(i)") -> tuple[State, Access, Any]:
    """A state with a vector of four, what reads it, and the value that is assigned."""
    a = gn.tensor([[0, 1, 1, 3]], values, (4,), "compressed(nonunique)", dtype=dtype)
    program = prepare(source, {"A": a}).program
    state = State(program)
    state.load("A", a)
    (leaf,) = assignments(program.statement)
    return state, next(iter(reads(program.statement))), leaf.value


def test_a_component_is_what_is_stored_and_duplicates_add_up() -> None:
    state, access, expression = loaded([1, 2, 4, 8])
    for p, found in ((0, 1), ((1, 2), 6), ((3,), 8)):
        state.standing(access).positions[-1] = p
        assert component(access, state) == value(access, state) == found
        assert value(expression, state) == 2 * found


def test_integers_are_kept_in_range() -> None:
    state, access, expression = loaded([100, 100, 100, 1])
    state.standing(access).positions[-1] = 0
    with pytest.raises(MeaningError, match="200"):
        value(expression, state)
    state.standing(access).positions[-1] = (1, 2)
    with pytest.raises(MeaningError, match="200"):
        component(access, state)
    with pytest.raises(MeaningError):
        accumulator(MUL, np.dtype("int8"))(64, 2)
    assert accumulator(ADD, np.dtype("int8"))(64, 63) == 127 and accumulator(ADD, np.dtype("float64"))(0.5, 1) == 1.5


def test_constants_are_themselves_and_reductions_have_become_loops() -> None:
    state, access, _ = loaded([1, 2, 4, 8])
    assert value(Literal(3), state) == 3 and value(Fill(2.5, dtype=np.dtype("float64")), state) == 2.5
    with pytest.raises(InternalError, match="reductions become loops"):
        value(Reduce(ADD, ("i",), access), state)


def test_a_fill_that_its_dtype_does_not_hold_is_refused_where_it_meets_a_value() -> None:
    state, access, _ = loaded([1, 2, 4, 8])
    state.standing(access).positions[-1] = 0
    lost = Apply(ADD, (access, Fill(2**70, dtype=np.dtype("int64"))), dtype=np.dtype("int64"))
    with pytest.raises(MeaningError):
        value(lost, state)
