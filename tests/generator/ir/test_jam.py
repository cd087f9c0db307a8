"""Jamming: rounds of an unrolled loop go together where their iterations have nothing to do with each other."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from gnomon.generator.ir import ir
from gnomon.generator.ir.ir import Assign, Code, Comment, Declare, Element, For, Function, Int, Name, Spelled
from gnomon.generator.ir.jam import jam
from hypothesis import given, settings
from hypothesis import strategies as st

PLACE, ROUND, N = Name("i"), Name("r"), Name("n")
Y, X, LOW = Element(Name("y"), PLACE), Element(Name("x"), PLACE), Element(Name("low"), ROUND)
ADD = Assign(Y, ir.Binary("*", X, Element(Name("a"), ROUND)), "+=")
DIAGONALS = "split(i,i0,i1,{0}),reorder(i0,r,i1),unroll(r,{1})"


def inner(*body: ir.Stmt, **fields: object) -> For:
    """A loop over i."""
    return For("i", LOW, N, body, **fields)  # type: ignore[arg-type]


def around(*body: ir.Stmt, **fields: object) -> For:
    """An unrolled loop over r."""
    return For("r", ir.ZERO, Name("m"), body, **{"unroll": 4, **fields})  # type: ignore[arg-type]


def changed(*code: ir.Stmt) -> Code:
    return jam(Function("void", "f", (("int64_t", "n"), ("int64_t", "m")), code)).body


def test_rounds_go_together_in_what_they_have_in_common() -> None:
    several, rest = changed(around(Declare("int64_t", "end", N), Comment("add"), inner(ADD, pragma="omp simd")))
    assert isinstance(several, For)
    assert isinstance(rest, For)
    assert (several.end, several.step, rest.begin, rest.unroll) == (
        ir.sub(Name("m"), Int(3)), Int(4), ir.mul(ir.Binary("/", Name("m"), Int(4)), Int(4)), 1,
    )  # fmt: skip
    *starts, limits, said, together, apart = several.body
    assert [type(s) for s in (*starts, limits, said)] == [Declare, Declare, For, Comment]
    assert isinstance(together, For)
    assert isinstance(apart, For)
    assert (together.begin, together.end, together.pragma) == (Name("i_first"), Name("i_last"), "omp simd")
    (rounds,) = together.body
    assert isinstance(rounds, For)
    assert (rounds.name, rounds.unroll, rounds.body) == ("r", 4, (ADD,))
    _, below, above = apart.body
    assert isinstance(below, For)
    assert isinstance(above, For)
    assert (below.begin, below.end, above.end) == (LOW, Name("i_stop"), N)


OWN = Declare("double", "t", Y)
HELD = (OWN, Assign(Name("t"), X, "+="), Assign(Y, Name("t")))
SHIFTED = Element(Name("y"), ir.Binary("+", ir.Binary("*", N, N), PLACE))


@pytest.mark.parametrize(
    "body",
    [HELD, (Assign(SHIFTED, X, "+="),), (ADD, Assign(Element(Name("z"), PLACE), Y))],
    ids=("held", "rows", "two"),
)
def test_what_each_iteration_has_for_itself_is_jammed(body: Code) -> None:
    assert len(changed(around(inner(*body)))) == 2


@pytest.mark.parametrize(
    "loop",
    [
        around(inner(ADD), unroll=1),
        around(inner(ADD), pragma="omp for"),
        around(inner(ADD), step=Int(2)),
        around(inner(ADD, pragma="omp simd reduction(+ : t)")),
        around(inner(ADD, step=Int(2))),
        around(inner(ADD), Assign(Name("t"), N)),
        around(Declare("double", "t", Spelled("next({0})", (ir.STATUS_ADDRESS,))), inner(ADD)),
        around(Declare("double", "t", Element(Name("y"), ROUND)), inner(ADD)),
        around(For("i", Element(Name("y"), ROUND), N, (ADD,))),
        around(inner(Assign(Element(Name("y"), ROUND), X, "+="))),
        around(inner(Assign(Element(Name("y"), ir.Binary("+", ROUND, PLACE)), X, "+="))),
        around(inner(Assign(Element(Name("y"), ir.Binary("+", LOW, PLACE)), X, "+="))),
        around(inner(Assign(Element(Name("y"), ir.Binary("+", Element(Name("y"), N), PLACE)), X, "+="))),
        around(inner(Assign(Y, Element(Name("y"), ir.Binary("+", N, PLACE)), "+="))),
        around(inner(ADD, Assign(SHIFTED, X, "+="))),
        around(inner(ADD, Assign(Name("t"), X, "+="))),
        around(inner(Assign(Y, Spelled("gn_add_int8({0}, {1}, {2})", (Y, X, ir.STATUS_ADDRESS))))),
        around(inner(Declare("double", "t", X))),
        around(inner(For("k", ir.ZERO, N, (ADD,)))),
    ],
    ids=(
        "not unrolled", "threads", "steps", "reductions", "inner steps", "more", "reports", "reads y", "begins in y",
        "one place", "by round", "anywhere", "by memory", "neighbours",
        "two places", "sums", "checks", "stores nothing", "nested",
    ),
)  # fmt: skip
def test_other_loops_stay(loop: For) -> None:
    assert changed(loop) == (loop,)


@given(
    shape=st.tuples(st.integers(1, 9), st.integers(1, 9)),
    offsets=st.sets(st.integers(-8, 8), max_size=9),
    block=st.sampled_from([1, 3, 64]),
    rounds=st.sampled_from([2, 4]),
    lanes=st.booleans(),
)
@settings(max_examples=settings().max_examples // (2 if ALL else 4))
def test_diagonals_are_added_up_as_without(
    shape: tuple[int, int], offsets: set[int], block: int, rounds: int, lanes: bool
) -> None:
    """Diagonals of any lengths, in blocks of few rows, some of which they do not reach."""
    rows, columns = shape
    dense = sum((np.eye(rows, columns, k) * (k + 10) for k in offsets), np.zeros(shape))
    schedule = DIAGONALS.format(block, rounds) + ",parallelize(i1,CPUVector,NoRaces)" * lanes
    a, x = gn.from_numpy(dense, "DIA"), np.arange(1.0, columns + 1)
    kernel = gn.compile("y(i) = A(i,j) * x(j)", A="DIA", schedule=schedule)
    assert "r_next" in kernel.source
    assert kernel(A=a, x=x).to_numpy().tolist() == (dense @ x).tolist()
