"""The fill rule as terms says what the denotation says, for every operator and state of its arguments."""

import itertools
import math

import numpy as np
import pytest
from depth import DEEP
from gnomon.properties.proofs.lattices.fill_rule import Meaning, Rule
from gnomon.properties.proofs.solver import decide, z3
from gnomon.properties.proofs.verdict import Proved
from gnomon.reference.algebra.exact import approximate, exact
from gnomon.reference.algebra.operator import Operator
from gnomon.reference.algebra.operators import CONVERSIONS, OPERATORS, absent_conversion
from gnomon.reference.algebra.promotion import largest
from gnomon.reference.algebra.semirings import KNOWN, semiring
from gnomon.reference.denotation import denote
from gnomon.reference.denotation.meaning import State

FLOAT = np.dtype("float64")
STEP = 1 if DEEP else 4
NUMBERS = (0.0, 1.0, 2.0, math.inf, -math.inf)
RINGS = [o for name, _ in KNOWN for o in (semiring(name).add, semiring(name).multiply)]
NAMES = (
    *("add", "sub", "mul", "div", "min", "max", "or", "and", "xor", "first", "second", "pair"),
    *("neg", "not", "truth", "abs", "square"),
)
EXACT = [OPERATORS[name] for name in NAMES]
COMPARISONS = [semiring(name).multiply for name in ("max_lt", "min_ge", "plus_eq", "or_ne")]


def meanings(rule: Rule, state: State, value: float) -> tuple[Meaning, denote.Meaning]:
    """A number in a state, as the rule and as the denotation have it."""
    missing, stored = (z3.BoolVal(state is s) for s in (State.MISSING, State.PRESENT))
    return Meaning(missing, stored, rule.constant(value), (value,)), denote.Meaning(state, exact(value))


@pytest.mark.every(5)
@pytest.mark.parametrize("operator", [*EXACT, *RINGS, absent_conversion(FLOAT, largest), CONVERSIONS[FLOAT]], ids=str)
def test_the_rule_is_that_of_the_denotation(operator: Operator) -> None:
    agree(operator, FLOAT)


@pytest.mark.parametrize("operator", COMPARISONS, ids=str)
def test_the_rule_of_a_comparison_is_that_of_the_denotation(operator: Operator) -> None:
    agree(operator, np.dtype("bool"))


def agree(operator: Operator, result: np.dtype) -> None:
    """The rule and the denotation give one meaning of an operator with results of a dtype."""
    every = list(itertools.product(State, NUMBERS))
    goals, given = [], []
    for chosen in itertools.islice(itertools.product(every, repeat=operator.arity), 0, None, STEP):
        rule = Rule()
        pairs = [meanings(rule, state, value) for state, value in chosen]
        found = rule.apply(operator, tuple(m for m, _ in pairs), FLOAT, result)
        wanted = denote.apply_operator(operator, tuple(m for _, m in pairs), FLOAT, result)
        value = approximate(wanted.value)
        assert not isinstance(value, complex)
        goals += [
            found.missing == z3.BoolVal(wanted.state is State.MISSING),
            found.stored == z3.BoolVal(wanted.state is State.PRESENT),
            found.value == rule.constant(value),
        ]
        given += rule.assumptions()
    assert decide(z3.And(goals), given=given) == Proved()


def test_constants_off_the_real_line_differ_from_each_other() -> None:
    rule = Rule()
    a, b, again, real = (rule.constant(v) for v in (1j, 2j, 1j, 3 + 0j))
    assert decide(z3.And(a != b, a == again, *(x != rule.constant(v) for x in (a, b) for v in NUMBERS))) == Proved()
    assert str(z3.simplify(real)) == "finite(3)"


def test_facts_do_not_contradict_each_other() -> None:
    rule = Rule()
    for zero in (0.0, -0.0):
        rule.fold(OPERATORS["div"], ((1.0,), (zero,)), FLOAT)
    assert decide(z3.BoolVal(False), given=rule.assumptions()) != Proved()
