"""What components are made of, through workspaces."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import InternalError
from gnomon.reference.execution import interpreter
from gnomon.reference.execution.contributions import PRIME, Contributions
from gnomon.reference.execution.numbers import coordinates_at
from gnomon.reference.loops.iteration_space import IterationSpace
from gnomon.reference.loops.terms import Range
from gnomon.reference.storage.tensor import Tensor

BACK = "pos(i,u0,x(i)),coord(u0,u5),pos(u5,u6,z(i)),split(u6,u9,v9,7),reorder(u9,v9),precompute(z(i),{v9},{v9w},t)"


def operands() -> dict[str, Tensor]:
    x = gn.tensor([[0, 1]], [-3, 1], (2,), "hashed(width=4)", dtype="int64", index="int64")
    z = gn.tensor([[0, 1]], [1, -3], (2,), "compressed(nonunique)", dtype="int64", index="int64")
    return {"x": x, "z": z}


def test_a_component_is_the_sum_of_its_products() -> None:
    made = Contributions()
    a, b = made.position("A", 0), made.position("A", 1)
    made.add("t", (0,), a)
    made.add("t", (0,), b)
    made.add("y", (), made.component("t", (0,)) * 2)
    assert made.sums["y"][()] == 2 * (a + b) % PRIME
    assert made.component("t", (1,)) == 1
    made.renew("t")
    assert made.component("t", (0,)) == 1


def test_executions_differ_where_something_is_made_of_other_positions() -> None:
    one, other = Contributions(), Contributions()
    for p in (0, 2):
        one.add("y", (0,), one.position("A", p))
    for _ in range(2):
        other.add("y", (0,), other.position("A", 1))
    assert one.first_difference(other, "y") == (0,)
    assert one.first_difference(one, "y") is None is one.first_difference(other, "z")


def test_coordinates_that_replace_positions_narrow_what_is_stored_there() -> None:
    report = gn.check("y(i) = x(i) * z(i)", schedule=BACK, **operands())
    assert report.execution.result.to_numpy().tolist() == [-3, -3]


def test_a_contribution_that_comes_twice_through_a_workspace_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        interpreter, "coordinates_at", lambda relation, position, state: coordinates_at(relation, 0, state)
    )
    with pytest.raises(InternalError, match=r"y\(0\) is made of other contributions"):
        gn.evaluate("y(i) = x(i) * z(i)", schedule=BACK, **operands())


def test_a_contribution_that_a_workspace_loses_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    before = IterationSpace.through
    schedule = "split(j,u,v,2),precompute(A(i,j),{v},{vw},t)"
    matrix = np.arange(1.0, 13.0).reshape(3, 4)
    gn.check("y(i) = A(i,j)", A=matrix, schedule=schedule)

    def short(self, use, variable):  # type: ignore[no-untyped-def]
        window = before(self, use, variable)
        return Range(window.begin, window.end - 1) if use.inner == "vw" else window

    monkeypatch.setattr(IterationSpace, "through", short)
    with pytest.raises(InternalError, match="is made of other contributions"):
        gn.evaluate("y(i) = A(i,j)", A=matrix, schedule=schedule)


@pytest.mark.parametrize("part", ["-A(i)", "A(i)"])
def test_what_an_expression_reads_twice_counts_twice_through_a_workspace_too(part: str) -> None:
    a = gn.tensor([[0, 2]], [3.0, 4.0], (4,), "SparseVector")
    gn.evaluate("y(i) = -A(i) + A(i)", A=a, schedule=f"precompute({part},{{i}},{{iw}},t)")


def test_of_what_is_computed_with_fills_nothing_is_told() -> None:
    """A workspace of products is missing where every factor is, however many there are."""
    one, other = Contributions(), Contributions()
    one.add("y", (0,), 3)
    one.add("y", (1,), 3)
    other.blur("y", (0,))
    assert one.first_difference(other, "y") == (1,) and other.first_difference(one, "y") == (1,)
    other.renew("y")
    assert one.first_difference(other, "y") == (0,)
    b = gn.tensor([[0, 2], [0, 1], [1, 0]], [4.0, 2.0], (3, 2, 3), "CSF")
    schedule = "precompute(B(k,l,i),{i,l},{iw,lw},t)"
    gn.check("y(i) = 1 + prod(k, prod(l, B(k,l,i)))", B=b, schedule=schedule)
