"""Turning: masks that push or pull as a schedule asks for it, by orders of loops and by copies."""

from __future__ import annotations

from typing import Any

import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.differential.check import check
from gnomon.reference.errors import ScheduleError
from gnomon.reference.schedule.application import apply_schedule
from gnomon.reference.schedule.branched.turning import directions, turn
from gnomon.reference.schedule.schedule import Schedule
from gnomon.reference.schedule.settings import Direction, Setting
from gnomon.reference.statement.statement import Program, show
from scattered import spread

PRODUCT = "C(i,j)<$M(i,j)> = A(i,k) * B(k,j)"
VECTOR = "y(i)<!p(i)> = A(i,j) * q(j)"
PUSH, PULL = Direction.PUSH, Direction.PULL
COPY = "precompute(B(k,j),{{{0}}},{{{0}}},B_),hoist(B_),reorder({{1}},{1})"


def lowered(expression: str, formats: dict[str, Any], out: str | None = "CSR") -> Program:
    """The statement of an expression."""
    request = make_request(expression, formats, out=out)
    return request.program


@pytest.mark.parametrize(
    ("expression", "formats", "direction", "commands"),
    [
        (PRODUCT, {"A": "CSR", "M": "CSR"}, PUSH, ""),
        (PRODUCT, {"A": "CSR", "M": "CSR"}, PULL, "reorder(i,j,k)"),
        (PRODUCT, {"A": "CSR", "B": "CSR", "M": "CSR"}, PULL, COPY.format("k,j", "i,j,k")),
        (PRODUCT, {"A": "CSR", "B": "CSC", "M": "CSR"}, PULL, ""),
        (PRODUCT, {"A": "CSR", "B": "CSC", "M": "CSR"}, PUSH, COPY.format("j,k", "i,k,j")),
        (PRODUCT.replace("<$", "<!$"), {"A": "CSR", "M": "CSR"}, PULL, "reorder(i,j,k)"),
        (PRODUCT, {"A": "CSR", "M": "Dense"}, PUSH, ""),
        (PRODUCT.replace("M(i,j)", "M(i)"), {}, PUSH, "reorder(k,i,j)"),
        (PRODUCT.replace("M(i,j)", "M(i)"), {}, PULL, ""),
        ("C(i,j)<$M(i,j)> = A(i,j) + B(i,j)", {"A": "CSR", "B": "CSR", "M": "CSR"}, PULL, ""),
    ],
)
def test_loops_stand_as_a_direction_asks(
    expression: str, formats: dict[str, Any], direction: Direction, commands: str
) -> None:
    program = lowered(expression, formats)
    made = turn(program, direction)
    assert ",".join(map(str, made)) == commands
    turned = apply_schedule(program, Schedule(made))
    assert set(directions(turned).values()) <= {direction}
    assert not turn(turned, direction)


@pytest.mark.parametrize(("direction", "order"), [(PUSH, ("∀j", "∀i")), (PULL, ("∀i", "∀j"))])
@pytest.mark.parametrize("text", [VECTOR, VECTOR.replace("A(i,j)", "A(j,i)")])
def test_vectors_push_along_what_they_hold(direction: Direction, order: tuple[str, str], text: str) -> None:
    program = lowered(text, {"A": "CSR", "p": "SparseVector", "q": "SparseVector"}, "SparseVector")
    turned = apply_schedule(program, Schedule(turn(program, direction)))
    assert [mask.complement for mask in directions(turned)] == [True]
    lines = [line.strip() for line in show(turned.statement).splitlines()]
    leaf = next(n for n, line in enumerate(lines) if "+=" in line)
    assert tuple(lines[leaf - 2 : leaf]) == order


@pytest.mark.parametrize(
    ("expression", "formats", "direction", "message"),
    [
        ("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR"}, PUSH, "mask=push asks for a mask, and there is none"),
        ("C(i,j) = max(k, A(i,k) * A(k,j))", {"A": "CSR"}, PUSH, "mask=push asks for a mask, and there is none"),
        ("C(i,j)<M(i,j)> = A(i,j)", {"A": "CSR", "M": "CSR"}, PUSH, "nothing is reduced under the mask"),
        (f"{PRODUCT} + D(i,j)", {"A": "CSR", "M": "CSR"}, PULL, "nothing is reduced under the mask"),
        (PRODUCT, {"A": "BCSR(2,2)", "M": "CSR"}, PULL, r"needs reorder\(.*\), which is refused: M\(i,j\) is stored"),
    ],
)
def test_what_cannot_be_had_is_refused(
    expression: str, formats: dict[str, Any], direction: Direction, message: str
) -> None:
    with pytest.raises(ScheduleError, match=message):
        turn(lowered(expression, formats, None), direction)


def test_settings_may_allow_no_copies() -> None:
    program = lowered(PRODUCT, {"A": "CSR", "B": "CSR", "M": "CSR"})
    for value in ("none", "output"):
        with pytest.raises(ScheduleError, match=f"needs a copy of B, .*, and workspaces={value} allows none"):
            turn(program, PULL, Setting("workspaces", value))
    assert turn(program, PULL, Setting("workspaces", "both")) == turn(program, PULL)


@pytest.mark.every(5)
@pytest.mark.parametrize("b", ["CSR", "CSC", "Dense"])
@pytest.mark.parametrize("mask", ["<$M(i,j)>", "<!M(i,j)>", "<gt(M(i,j), 3),merge>"])
@pytest.mark.parametrize("direction", ["push", "pull"])
def test_directions_mean_the_same(b: str, mask: str, direction: str) -> None:
    operands = {"A": spread((6, 5), 12, "CSR"), "B": spread((5, 4), 9, b), "M": spread((6, 4), 10, "CSR")}
    if "merge" in mask:
        operands["C"] = spread((6, 4), 7, "CSR")
    check(PRODUCT.replace("<$M(i,j)>", mask), operands, out="CSR", schedule=f"mask={direction}")
