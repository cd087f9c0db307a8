"""Folds of compositions: their bounds hold in whatever order a reduction is computed."""

import itertools
import math
import random
from functools import reduce

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.algebra.agreement import agrees
from gnomon.reference.algebra.exact import exact
from gnomon.reference.algebra.operator import Operator
from gnomon.reference.notation.declaration import Declaration
from gnomon.reference.notation.folding import weigh

MONOID = {"commutative": True, "associative": True}
EITHER = gn.operator("either(a,b) = a + b - a * b", identity=0, **MONOID)
SHIFT = gn.operator("shift(a,b) = a + b + 0.1", identity=-0.1, **MONOID)
LEAST = gn.operator("least(a,b) = -max(-a, -b)", identity=np.inf, **MONOID)


def bound_of(f: Operator, values: list[float], u: float = 2.0**-53) -> tuple[object, float]:
    """The exact fold and its bound."""
    assert f.reduction_bound is not None
    exacts = [exact(v) for v in values]
    meant = reduce(f.exact, exacts)
    return meant, f.reduction_bound(exacts, [0.0] * len(values), meant, u)


def in_groups(f: Operator, values: list[float], chance: random.Random) -> float:
    """A fold that begins with the identity now and then, in some order and grouping."""
    assert f.left_identity is not None
    held = [*values, *[f.left_identity(np.dtype("float64"))] * chance.randrange(3)]
    chance.shuffle(held)
    while len(held) > 1:
        at = chance.randrange(len(held) - 1)
        held[at : at + 2] = [f.compute(held[at], held[at + 1])]
    return float(held[0])


@pytest.mark.parametrize(("f", "most"), [(EITHER, 4), (SHIFT, 12), (LEAST, 12)])
def test_every_order_stays_within_the_bound(f: Operator, most: int) -> None:
    chance = random.Random(5)
    for n in range(2, most + 1):
        values = [chance.uniform(-1, 1) * 10 ** chance.randrange(-3, 3) for _ in range(n)]
        meant, bound = bound_of(f, values)
        assert bound <= 1e-9
        for _ in range(50):
            assert agrees(in_groups(f, values, chance), meant, bound, np.dtype("float64"))  # type: ignore[arg-type]


def test_what_only_chooses_does_not_round() -> None:
    assert bound_of(LEAST, [0.1, -np.inf, 5.0])[1] == 0.0
    capped = gn.operator("capped(a,b) = min(a, min(b, 0.1))").bound
    assert capped([exact(1.0)] * 2, [0.0, 0.0], exact(0.1), 2.0**-24) > 0


def test_beginning_with_an_identity_may_round() -> None:
    """`(x + -0.1) + 0.1` is not `x`: the identity does not leave things as they are once rounded."""
    x = [0.3, 1e-3, 7e2, 2.0**-60]
    for value in x:
        assert bound_of(SHIFT, [value])[1] >= abs(SHIFT.compute(value, -0.1) - value)
    assert any(SHIFT.compute(value, -0.1) != value for value in x)
    for value in x:
        assert gn.check(gn.text("p shift= x(i)", operators=[SHIFT]), x=[value]).checked == 1
    assert LEAST.exact_identity and not SHIFT.exact_identity


def test_what_an_identity_makes_of_infinity_is_not_claimed() -> None:
    """`0 + inf - 0 * inf` is not a number."""
    assert math.isinf(bound_of(EITHER, [math.inf])[1])
    assert (
        gn.check(gn.text("p(i) either= x(i,j)", operators=[EITHER]), x=[[0.5, np.inf], [np.inf, np.inf]]).checked == 2
    )


def test_nothing_is_claimed_where_nothing_is_known() -> None:
    assert math.isinf(bound_of(EITHER, [0.5] * 5)[1])
    assert bound_of(EITHER, [0.5] * 5, u=0.0)[1] == 0.0
    assert math.isinf(bound_of(SHIFT, [1.0] * 5 + [np.inf])[1])
    assert math.isinf(bound_of(SHIFT, [1e308] * 5)[1])
    grown = gn.operator("grown(a,b) = a + b + (a - a)", identity=0, **MONOID)
    assert math.isinf(bound_of(grown, [0.5] * 5)[1]) and bound_of(grown, [0.5] * 4)[1] < 1e-12


def test_integers_compare_exactly() -> None:
    x = np.arange(1, 9)
    text = gn.text("p either= x(i)", operators=[EITHER])
    found = {gn.evaluate(text, x=x, engine=engine).to_numpy().item() for engine in ("reference", "c")}
    assert len(found) == 1 and gn.check(text, x=x).checked == 1
    with pytest.raises(gn.GnomonError, match="the result is wrong"):
        gn.check(text, x=x, result=found.pop() + 1)


def test_a_part_moves_at_most_by_its_weights() -> None:
    chance = random.Random(3)
    for text in ("f(a,b) = min(a + b, 3) - max(a, -b)", "f(a,b) = abs(a - b - 1) + 2"):
        f = gn.operator(text)
        weights = weigh(Declaration(text).composition().term, ("a", "b"))
        assert weights is not None
        v, w, rest = map(float, weights)
        for a, b, c, d in ([chance.uniform(-5, 5) for _ in range(4)] for _ in range(200)):
            assert abs(f.compute(a, b) - f.compute(c, d)) <= v * abs(a - c) + w * abs(b - d) + 1e-9
            assert abs(f.compute(a, b)) <= v * abs(a) + w * abs(b) + rest + 1e-9


def test_all_orders_of_a_few_are_tried() -> None:
    """Of three numbers there are twelve: the bound is no less than the worst of them."""
    values = [0.3, 1e5, -7.1]
    meant, bound = bound_of(EITHER, values)
    found = [EITHER.compute(EITHER.compute(a, b), c) for a, b, c in itertools.permutations(values)]
    found += [EITHER.compute(c, EITHER.compute(a, b)) for a, b, c in itertools.permutations(values)]
    assert max(abs(exact(f) - meant) for f in found) <= bound  # type: ignore[operator]
