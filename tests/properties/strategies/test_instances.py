"""Instances of one expression: accepted, with a meaning, in the formats that were asked for."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

import gnomon as gn
import pytest
from gnomon.properties.campaign.minimisation import shrink
from gnomon.properties.campaign.units import Subject, unit, units
from gnomon.properties.programs.features import EVERYTHING, PLAIN, Features
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import instances
from gnomon.properties.strategies.tensors import MOST
from gnomon.reference.errors import ExpressionError, ParseError
from gnomon.reference.execution.interpreter import interpret
from hypothesis import given, settings
from hypothesis import strategies as st

SPMV = "y(i) = A(i,j) * x(j)"
EXPRESSIONS = (
    SPMV, "C(i,j)<!$M(i,j)> = A(i,k) * B(k,j)", "C(i,j)<M(j,i)> += A(i,j) + A(j,i) * 2", "y(i)<y(i)> = x(i)",
    "y(i) = A(i,i) * (i + 1)", "m = max(i, max(j, A(i,j)))", "B(k,i,j) = A(i,j,k)", "s += A(i,j) * A(i,k)",
)  # fmt: skip
WIDE = Features(dtypes=("int64",), semirings=(), schedules=False, fills=False)


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("ring", [None, "min_plus"])
def test_instances_are_accepted_and_have_a_meaning(expression: str, ring: str | None) -> None:
    if ring is not None and "max" in expression:
        return

    @settings(max_examples=max(5, settings().max_examples // 20))
    @given(instances(expression, semiring=ring))
    def accepted(drawn: Problem) -> None:
        result, _ = interpret(drawn.ready.program, drawn.ready.operands, index=drawn.ready.index)
        assert result.shape == drawn.shape and drawn.source == expression and drawn.semiring == ring
        for tensor in drawn.operands.values():
            tensor.validate()

    accepted()


def test_formats_are_those_that_are_given() -> None:
    @given(instances(SPMV, PLAIN, out="SparseVector", A="CSR", x="dense"))
    @settings(max_examples=20)
    def given_formats(drawn: Problem) -> None:
        assert [str(f) for f in (drawn.out, *(t.format for t in drawn.operands.values()))] == [
            "SparseVector",
            "CSR",
            "dense",
        ]

    given_formats()


@given(st.data())
@settings(max_examples=1)
def test_what_is_no_operand_has_no_format(data: st.DataObject) -> None:
    with pytest.raises(ExpressionError, match=r"a format is given for B, but 'y\(i\) = .*' reads A, x"):
        data.draw(instances(SPMV, B="CSR"))
    with pytest.raises(ParseError):
        data.draw(instances("y(i) = "))


def drawn(expression: str, features: Features = EVERYTHING, count: int = 150) -> Iterator[Problem]:
    """So many instances, each drawn when it is asked for."""
    return (unit(Subject.PROGRAM, features, 1, n, (expression,)).problems[0] for n in range(count))


def are_more(found: Iterable[object], count: int) -> bool:
    """Whether there are more than so many; nothing after that is asked for."""
    return len(list(islice(found, count + 1))) > count


def test_rare_operands_are_among_them() -> None:
    found = list(drawn(SPMV, count=60))
    full = [
        p
        for p in found
        if any(t.order == 2 and t.shape[1] in (9, 17, 33, 65) and row(t) > 8 for t in p.operands.values())
    ]
    assert len(full) > 3
    assert {p.semiring for p in found} > {None, "min_plus"}
    assert any(0 in p.extents.values() for p in found)
    numbers = (int(v) for p in drawn(SPMV, WIDE, 300) for t in p.operands.values() for v in t.components()[1])
    assert any(2**31 <= n < 2**40 for n in numbers)


def test_lines_are_longer_than_what_is_scattered() -> None:
    """Of components that are not there as all of a dense array, eight are scattered at most."""
    stored = (t for p in drawn(SPMV, PLAIN) for t in p.operands.values() if t.order == 2 and not t.format.is_whole)
    assert any(row(t) > MOST for t in stored if not t.format.dense_leaves)


TALL = "C(i,j) = A(i,k) * B(k,j)"


def test_kernels_of_dense_matrices_and_cubes_meet_what_they_stumble_over() -> None:
    full = wide = 0
    for p in drawn(TALL, WIDE, 300):
        held = p.operands.values()
        if p.out.is_whole and sum(not t.format.is_whole for t in held) == 1:
            full += sum(t.format.is_whole and (t.vals != 0).all() and t.shape[1] > 2 for t in held)
        wide += any((abs(t.vals.astype(float)) > 2**31).any() for t in held)
        if full > 20 and wide > 40:
            break
    assert full > 20 and wide > 40
    cubes = (p for p in drawn("B(k,i,j) = A(i,j,k)", PLAIN) if len(set(p.shape)) == 1 and p.shape[0] > 1)
    assert are_more(cubes, 12)


def test_dtypes_of_instances_are_drawn_alike() -> None:
    count = Counter(t.dtype.name for p in drawn("s = x(i)") for t in p.operands.values())
    assert count["float64"] < 40 and count["complex128"] > 4


def row(tensor: gn.Tensor) -> int:
    """The most components of a row."""
    coords = tensor.components()[0]
    return max((coords[0].tolist().count(i) for i in set(coords[0].tolist())), default=0)


def test_expressions_with_other_operators_are_in_no_semiring() -> None:
    assert {p.semiring for p in drawn("y(i) = sqrt(x(i))", EVERYTHING, 30)} == {None}
    assert {p.semiring for p in drawn("y(i) max= A(i,j)", EVERYTHING, 30)} == {None}


def test_they_shrink_to_few_components() -> None:
    best: list[Problem] = []

    def shows(problem: Problem) -> bool:
        kept = problem.operands["A"].nnz > 0
        if kept:
            best.append(problem)
        return kept

    shrink(units(Subject.PROGRAM, PLAIN, (SPMV,)), 1, 4, shows)
    assert best[-1].operands["A"].shape == (1, 1) and best[-1].extents == {"i": 1, "j": 1}
