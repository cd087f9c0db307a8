"""Parts: where they stand, and which operands of a chain can be made to stand together."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.algebra.operators import OPERATORS
from gnomon.reference.errors import ScheduleError
from gnomon.reference.notation.coordinates import bind_coordinates
from gnomon.reference.notation.parser import parse
from gnomon.reference.notation.printer import pretty
from gnomon.reference.notation.syntax import Expr
from gnomon.reference.notation.types import infer_types
from gnomon.reference.schedule.parts import find_operands, same, stand_alone, through

FLOATS = dict.fromkeys("ABCDx", np.dtype("float64"))


def value(text: str) -> Expr:
    """An expression with its dtypes."""
    return infer_types(parse(f"y = {text}").value, FLOATS)


@pytest.mark.parametrize(
    ("text", "part", "whole", "found"),
    [
        ("A * B * C", "A * B", "A * B * C", "A * B"),
        ("A * B * C", "B * C", "A * (B * C)", "B * C"),
        ("A * B * C", "A * C", "A * C * B", "A * C"),
        ("A * B * C", "C * A", "A * C * B", "A * C"),
        ("A * (B * (C * D))", "B * D", "A * (B * D) * C", "B * D"),
        ("A * 2 * B", "A * B", "A * B * 2", "A * B"),
        ("A + sqrt(B * C * D)", "B * D", "A + sqrt(B * D * C)", "B * D"),
        ("A + B + C", "A + C", "A + C + B", "A + C"),
        ("A * B * A", "A * A", "A * A * B", "A * A"),
        ("max(max(A, B), C)", "max(A, C)", "max(max(A, C), B)", "max(A, C)"),
    ],
)
def test_operands_stand_together_where_the_algebra_lets_them(text: str, part: str, whole: str, found: str) -> None:
    standing = stand_alone(value(text), parse(f"y = {part}").value)
    assert standing is not None
    assert tuple(map(pretty, standing)) == (pretty(value(whole)), found)


def test_a_bare_name_is_the_coordinate_that_an_index_variable_reads() -> None:
    whole = bind_coordinates(parse("y(i) = (x(i) + i) * 2")).value
    standing = stand_alone(infer_types(whole, FLOATS | {"i": np.dtype("int64")}), parse("y = i").value)
    assert standing is not None and pretty(standing[1]) == "i"
    x = gn.tensor([[0, 1]], [3.0, 4.0], (2,), "dense")
    for part in ("i", "float64(i)", "x(i)"):
        gn.check("R = prod(i, x(i) + i)", x=x, schedule=f"loopfuse({{0}},{part},left,t)")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("A - B - C", "A - C"),
        ("A - B - C", "B - C"),
        ("A / B / C", "A / C"),
        ("A * B + C", "A * C"),
        ("A * B", "A * A"),
        ("A * B * C", "A + B"),
    ],
)
def test_other_operands_do_not(text: str, part: str) -> None:
    assert stand_alone(value(text), parse(f"y = {part}").value) is None


def test_operands_that_may_not_change_places_stand_beside_one_another() -> None:
    there, (b, c, d) = [value(name) for name in "ABCD"], [value(name) for name in "BCD"]
    assert find_operands(there, [b, c], same, commutative=False) == [1, 2]
    assert find_operands(there, [b, d], same, commutative=False) is None
    assert find_operands(there, [d, b], same, commutative=True) == [1, 3]


def test_a_conversion_ends_a_chain_and_is_overlooked_around_a_part() -> None:
    mixed = {"A": np.dtype("int32"), "x": np.dtype("float64")}
    A, x = gn.tensor([[0, 1], [1, 0]], np.array([2, 3], "int32"), (2, 2), "CSR"), np.array([0.5, 4.0])
    report = gn.check("y(i) = A(i,j) * x(j)", A=A, x=x, schedule="precompute(A(i,j) * x(j),{i},{iw},w)")
    assert report.execution.result.to_numpy().tolist() == [8.0, 1.5]
    product = infer_types(parse("y = A * A * x").value, mixed)
    assert stand_alone(product, parse("y = A * x").value) is None


def test_through_replaces_every_occurrence() -> None:
    e = value("A * B + sqrt(A * B)")
    assert pretty(through(e, value("A * B"), value("x"))) == "x + sqrt(x)"


def test_associative_operators_are_declared() -> None:
    assert {"add", "mul", "min", "max"} <= {name for name, o in OPERATORS.items() if o.associative and o.commutative}


@pytest.mark.parametrize("engine", ["reference", "c"])
@pytest.mark.parametrize("extent", [1, 2, 4, 5])
def test_numbers_of_contributions_are_named_by_no_schedule(extent: int, engine: str) -> None:
    """They are extents, which a kernel does not know when its schedule is judged."""
    operands = {"A": gn.tensor([[0], [0]], [2.0], (3, extent), "CSR"), "z": np.ones(3)}
    text = "y(i) = prod(k, A(i,k)) - z(i)"
    for number in {4, extent}:
        for part in (f"lt(w1,{number})", f"w*copies_mul(0.0,float64(lt(w1,{number})))"):
            with pytest.raises(ScheduleError, match=r"is not computed anywhere\n"):
                gn.evaluate(text, **operands, schedule=f"precompute({part},{{}},{{}},t)", engine=engine)
