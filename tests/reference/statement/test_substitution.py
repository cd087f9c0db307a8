"""Substitution says of missing operands what the denotation says, operator by operator; and of statements."""

from collections.abc import Mapping

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.algebra.agreement import agrees
from gnomon.reference.algebra.dtypes import Number
from gnomon.reference.algebra.exact import exact
from gnomon.reference.algebra.operator import Operator
from gnomon.reference.algebra.operators import ADD, DECLARED, MUL, absent_conversion
from gnomon.reference.algebra.semirings import semiring
from gnomon.reference.denotation.denote import apply_operator, fold
from gnomon.reference.denotation.meaning import Meaning, State
from gnomon.reference.errors import DtypeError
from gnomon.reference.notation.syntax import Access, Apply, Expr, Fill, Literal, Mask, Reduce
from gnomon.reference.notation.types import apply_typed
from gnomon.reference.statement.statement import Assign, Forall, Sequence, Where
from gnomon.reference.statement.substitution import Background, substitute, substitute_statement
from hypothesis import given
from hypothesis import strategies as st

FLOAT = np.dtype("float64")
A, B, C = (Access(name, ("i",), ("i",), dtype=FLOAT) for name in "abc")
NUMBERS = st.sampled_from([0.0, 1.0, 2.0, 3.0, -1.0, -2.0, 0.5, float("inf"), float("-inf"), float("nan")])


def takes_floats(operator: Operator) -> bool:
    try:
        return operator.operand_dtype(*[FLOAT] * operator.arity) == FLOAT
    except DtypeError:
        return False


OPERATORS = [o for o in DECLARED if takes_floats(o)]
PRODUCTS = [semiring(name).multiply for name in ("max_lt", "min_ge", "or_eq", "min_plus", "times_times")]
PAIRS = [*(o for o in OPERATORS if o.arity == 2), *PRODUCTS]


def background(a: Number = 0.0, b: Number = 0.0, c: Number = 0.0, *, extent: int = 3) -> Background:
    fills = {"a": a, "b": b, "c": c}
    return Background(fills, dict.fromkeys(fills, FLOAT), {"i": extent})


def computed(e: Expr, held: Mapping[Access, Number]) -> Number:
    """The value of what is left, at a coordinate where the accesses left hold these values."""
    match e:
        case Access():
            return held[e]
        case Literal(value=value) | Fill(value=value):
            return value
        case Apply(operator=operator, args=args):
            result: Number = operator.compute(*(np.float64(computed(a, held)) for a in args))
            return result
        case _:
            raise AssertionError(e)


def check(operator: Operator, left: Expr, found: Expr, held: Mapping[Access, Number], args: list[Meaning]) -> None:
    """What is left means what the operator means of such arguments; it is a fill exactly where that is missing."""
    result = operator.result_dtype(*[FLOAT] * len(args))
    meaning = apply_operator(operator, tuple(args), FLOAT, result)
    assert isinstance(found, Fill) == (meaning.state is State.MISSING), found
    with np.errstate(all="ignore"):
        value = computed(found, held)
    choices = meaning.choices or (meaning.value,)
    assert any(agrees(value, choice, meaning.bound, result) for choice in choices), (operator, found, value, choices)


@pytest.mark.parametrize("operator", PAIRS, ids=repr)
@given(a=NUMBERS, b=NUMBERS)
def test_both_missing(operator: Operator, a: float, b: float) -> None:
    e = apply_typed(operator, (A, B))
    found = substitute(e, frozenset({A, B}), background(a, b))
    check(operator, e, found, {}, [Meaning(State.MISSING, exact(a)), Meaning(State.MISSING, exact(b))])


@pytest.mark.parametrize("operator", PAIRS, ids=repr)
@given(fill=NUMBERS, other=NUMBERS)
def test_one_missing_beside_a_number_or_a_component(operator: Operator, fill: float, other: float) -> None:
    missing = Meaning(State.MISSING, exact(fill))
    for partner, state in ((Literal(other, dtype=FLOAT), State.CONSTANT), (C, State.PRESENT)):
        beside, held = Meaning(state, exact(other)), {C: other}
        left, right = apply_typed(operator, (A, partner)), apply_typed(operator, (partner, A))
        for e, meanings in ((left, [missing, beside]), (right, [beside, missing])):
            check(operator, e, substitute(e, frozenset({A}), background(fill)), held, meanings)


@pytest.mark.parametrize("operator", [o for o in OPERATORS if o.arity == 1], ids=repr)
@given(fill=NUMBERS)
def test_the_only_argument_missing(operator: Operator, fill: float) -> None:
    e = apply_typed(operator, (A,))
    check(operator, e, substitute(e, frozenset({A}), background(fill)), {}, [Meaning(State.MISSING, exact(fill))])


@pytest.mark.parametrize(
    "operator", [o for o in PAIRS if o.left_identity is not None and o.reduction is not None], ids=repr
)
@given(fill=NUMBERS, extent=st.integers(0, 9))
def test_missing_contributions_fold_as_often_as_the_extent_says(operator: Operator, fill: float, extent: int) -> None:
    meaning = fold(operator, [Meaning(State.MISSING, exact(fill))] * extent, FLOAT)
    with np.errstate(all="ignore"):
        found = substitute(Reduce(operator, "i", A), frozenset({A}), background(fill, extent=extent))
    assert isinstance(found, Fill)
    choices = meaning.choices or (meaning.value,)
    assert any(agrees(found.value, choice, meaning.bound, FLOAT) for choice in choices), (found, choices)


FIRST, SECOND = Assign(C, A), Assign(C, B)


@pytest.mark.parametrize(
    ("missing", "left"),
    [
        (frozenset(), Sequence((FIRST, SECOND))),
        (frozenset({A}), SECOND),
        (frozenset({B}), FIRST),
        (frozenset({A, B}), None),
    ],
)
def test_of_a_sequence_those_statements_are_left_that_have_something_to_do(
    missing: frozenset[Access], left: Assign | Sequence | None
) -> None:
    assert substitute_statement(Sequence((FIRST, SECOND)), missing, background()) == left
    wrapped = substitute_statement(Forall("i", Sequence((FIRST, SECOND))), missing, background())
    assert wrapped == (None if left is None else Forall("i", left))


def test_a_workspace_whose_producer_vanishes_is_itself_missing() -> None:
    filled = Assign(B, A)
    plus = Where(Assign(C, apply_typed(ADD, (B, Literal(1.0, dtype=FLOAT)))), filled, "b")
    times = Where(Assign(C, apply_typed(MUL, (B, Literal(2.0, dtype=FLOAT)))), filled, "b")
    assert substitute_statement(plus, frozenset({A}), background()) == Assign(C, Fill(1.0, FLOAT))
    assert substitute_statement(times, frozenset({A}), background()) is None


@pytest.mark.parametrize("complement", [False, True])
@pytest.mark.parametrize("structural", [False, True])
def test_a_missing_mask_admits_everything_or_nothing(complement: bool, structural: bool) -> None:
    mask = Mask(B, complement=complement, structural=structural)
    found = substitute_statement(Assign(C, A, None, mask), frozenset({B}), background())
    assert found == (FIRST if complement else None)


@given(fill=NUMBERS, value=NUMBERS)
def test_an_assignment_vanishes_where_it_would_change_nothing(fill: float, value: float) -> None:
    alike = value == fill or (np.isnan(value) and np.isnan(fill))
    left = substitute_statement(FIRST, frozenset({A}), background(a=value, c=fill))
    assert (left is None) == alike
    folded = substitute_statement(Assign(C, A, ADD), frozenset({A}), background(a=value, c=fill))
    assert (folded is None) == (value == 0)


def test_absence_converted_is_absence() -> None:
    """The absent of one dtype becomes that of another, not the number that stands for it; another constant stays."""
    convert = absent_conversion(FLOAT, next(o for o in DECLARED if o.name == "min").left_identity)
    for fill, expected in ((2**63 - 1, float("inf")), (7, 7.0)):
        known = Background({"a": fill}, {"a": np.dtype("int64")}, {"i": 3})
        assert substitute(apply_typed(convert, (A,)), frozenset({A}), known) == Fill(expected, FLOAT)


def test_fills_that_are_no_numbers_are_computed_without_a_warning() -> None:
    A, B = (gn.tensor([[0]], np.array([1], np.float32), (3,), "SparseVector", fill=fill) for fill in (np.inf, np.inf))
    assert np.isnan(gn.evaluate("R(i) = A(i) - B(i)", A=A, B=B).to_numpy()[1:]).all()
    assert np.isinf(gn.evaluate("R = prod(i, A(i))", A=A).to_numpy())
    large = gn.tensor([[0]], np.array([1], np.float32), (9,), "SparseVector", fill=3e38)
    assert np.isinf(gn.evaluate("R(j) = sum(i, A(i)) * x(j)", A=large, x=np.ones(2, np.float32)).to_numpy()).all()
