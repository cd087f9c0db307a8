"""The text of the specification suffices: a second implementation, from it alone, agrees with the reference."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from depth import ALL
from gnomon.properties.campaign.units import nth_program
from gnomon.properties.conformance.rule import problem_of, vector
from gnomon.properties.conformance.suite import RULES
from gnomon.properties.programs.features import EVERYTHING
from gnomon.properties.programs.problem import Problem
from gnomon.reference.errors import GnomonError
from gnomon.reference.notation.parser import parse
from gnomon.reference.storage.tensor import Tensor
from spec.evaluator import Operand, evaluate
from spec.grammar import Assignment
from spec.operators import Pair, RefusedError, nearest

HERE = Path(__file__).parent
TYPED = [(f"{r.id}/{n}", p) for r in RULES for n, p in enumerate(r.meant, 1)]  # no schedule changes a meaning
REFUSED = [(f"{r.id}/{n}", p) for r in RULES for n, p in enumerate(r.refused, 1) if not str(p.schedule)]
OF_FORMATS = ("level.", "format.", "semiring.fill.operand", "semiring.promotion")  # refused for how a tensor is stored


def operands_of(problem: Problem) -> dict[str, Operand]:
    """The operands of a problem as plain data."""
    return {
        name: Operand(tuple(t.shape), t.dtype.name, np.asarray(t.fill).item(), plain(t))
        for name, t in problem.operands.items()
        if not is_coordinate(name, problem)
    }


def outcome(problem: Problem) -> str:
    """How both compare: agree, or the difference in words."""
    try:
        shape, dtype, fill, cells = evaluate(problem.source, problem.semiring, operands_of(problem))
    except RefusedError as refused:
        try:
            _ = problem.execution
        except GnomonError:
            return "agree"
        return f"refused here: {refused}"
    try:
        _ = problem.execution
    except GnomonError as error:
        return f"refused there: {error.message}"
    if (shape, dtype) != (problem.shape, problem.dtype.name):
        return f"type: {shape} {dtype}, there {problem.shape} {problem.dtype.name}"
    if not np.array_equal(problem.dtype.type(number(fill)), problem.fill, equal_nan=problem.dtype.kind in "fc"):
        return f"fill: {fill}, there {problem.fill}"
    for c in np.ndindex(*shape):
        point = problem.denotation.point(c)
        if not all(point.accepts(number(v)) for v in cells.get(c, (fill,))) or (c in cells) not in point.presence():
            return f"at {c}: {cells.get(c)}, there {point.meaning}"
    return "agree"


def number(v: Any) -> Any:
    """An exact number as one that numpy and the reference take."""
    return nearest(v) if isinstance(v, Pair) else v


def is_coordinate(name: str, problem: Problem) -> bool:
    """Whether an operand is the vector of an index variable's coordinates, which a problem adds."""
    return re.search(rf"\b{name}\b(?!\s*\()", problem.source) is not None and len(problem.operands[name].shape) == 1


def plain(tensor: Tensor) -> list[tuple[tuple[int, ...], Any]]:
    """The components that a tensor stores."""
    return [(tuple(map(int, c)), np.asarray(v).item()) for c, v in tensor.entries()]


def test_it_stays_minimal() -> None:
    texts = [(HERE / f"{name}.py").read_text() for name in ("operators", "grammar", "sums", "evaluator")]
    assert sum(bool(line.strip()) for text in texts for line in text.splitlines()) <= 600
    assert not any("gnomon" in line for text in texts for line in text.splitlines() if "import" in line.split())


@pytest.mark.every(3)
@pytest.mark.parametrize("problem", [p for _, p in TYPED], ids=[name for name, _ in TYPED])
def test_typed_cases(problem: Problem) -> None:
    assert outcome(problem) == "agree"


@pytest.mark.parametrize(("name", "problem"), REFUSED, ids=[name for name, _ in REFUSED])
def test_refused_cases(name: str, problem: Problem) -> None:
    try:
        evaluate(problem.source, problem.semiring, operands_of(problem))
    except RefusedError:
        return
    assert name.startswith(OF_FORMATS)


TEXTS = (
    "y(i)<!$M(i),merge> += sum(k, A(i,k) * -x(k)) / 2.5e3j",
    "y(i) = min(k, A(i,k)) - -inf + max((i), x(i))",
    "y(i,j)<lt(i,j)> or= a() * x(i) / i + true - nan(j)",
)
PIECES = (*"-+*/(),=<>!$ ", "x", "k", "i", "2", "1.", "inf", "true", "sum", "min", "merge", "replace")


@pytest.mark.parametrize("text", TEXTS)
def test_texts_with_a_piece_more_or_a_sign_less_are_refused_by_both_grammars(text: str) -> None:
    """Every other change, unless tests are thorough."""
    pieces, step = ("", *PIECES), 1 if ALL else 2
    changes = [(n, piece, less) for n in range(len(text)) for piece in pieces for less in (0, 1)]
    for written in (text[:n] + piece + text[n + less :] for n, piece, less in changes[::step]):
        try:
            Assignment(written)
            refused = ""
        except RefusedError as error:
            refused = str(error)
        try:
            parse(written)
        except GnomonError:
            assert refused, written
        else:
            assert refused in ("", "a reduction over what is not free in it"), written  # which is told later there


@pytest.mark.parametrize("value", ["v(i)", "u(i) + v(i)"])
@pytest.mark.parametrize("sign", ["", "!"])
@pytest.mark.parametrize("ring", [None, "min_plus"])
def test_a_tensor_has_one_fill_in_an_assignment_its_mask_included(value: str, sign: str, ring: str | None) -> None:
    u, v, w = (vector(cells, 3) for cells in ({0: 4}, {0: 1, 1: 1}, {0: 2, 1: 7}))
    text = f"y(i)<{sign}eq(u(i) + w(i), 7)> = {value}"
    assert outcome(problem_of(text, "SparseVector", semiring=ring, u=u, v=v, w=w)) == "agree"
    merged = f"u(i)<{sign}eq(u(i) + w(i), 7),merge> = v(i)"
    assert outcome(problem_of(merged, "SparseVector", semiring=ring, u=u, v=v, w=w)) == "agree"


@pytest.mark.parametrize("first", range(0, 90, 30))
def test_random_programs(first: int) -> None:
    """Half of them, unless tests are thorough."""
    for number in range(first, first + (30 if ALL else 15)):
        assert outcome(nth_program(EVERYTHING, 5, number)) == "agree", number
