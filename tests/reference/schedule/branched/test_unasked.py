"""What settings choose: by sizes or not, alone and together, before commands, in the reference as in C."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.reference.errors import ScheduleError, Unsupported
from gnomon.reference.schedule.branched.choice import Choice
from gnomon.reference.schedule.branched.unasked import device_options, options
from gnomon.reference.schedule.schedule import as_schedule
from gnomon.reference.storage.tensor import Tensor

PRODUCT = "C(i,j)<$M(i,j)> = A(i,k) * B(k,j)"
VECTOR = "y(i) = A(i,j) * x(j)"
CHAIN = "E(i,l) = A(i,j) * B(j,k) * D(k,l)"
MASKED = {"A": "CSR", "M": "CSR"}
COLUMNS = {**MASKED, "B": "CSC"}
COPIED_ROW = "precompute(A(i,k),{k},{k},A_),hoist(A_)"
PUSHED = "precompute(B(k,j),{j,k},{j,k},B_),hoist(B_),reorder({1},i,k,j)"
ROWS = "parallelize(i,CPUThread,NoRaces)"
SHARES = "split(i,i0,i1,64),parallelize(i0,CPUThread,NoRaces)"
COPY = "precompute(x(j),{j},{j},x_),hoist(x_)"


def found(expression: str, formats: dict[str, Any], schedule: str, out: str | None = None) -> list[str]:
    """The schedules that settings leave."""
    request = make_request(expression, formats, out=out)
    made = options(request.program, as_schedule(schedule))
    return [str(each.schedule) for each in made.finalists] if isinstance(made, Choice) else [str(made)]


@pytest.mark.parametrize(
    ("expression", "formats", "schedule", "left"),
    [
        (PRODUCT, MASKED, "mask=auto", ["reorder(i,j,k)", ""]),
        (PRODUCT, MASKED, "mask=push", [""]),
        (PRODUCT, MASKED, "auto", [f"reorder(i,j,k),{SHARES}", SHARES]),
        (PRODUCT, MASKED, "auto,mask=pull", [f"reorder(i,j,k),{SHARES}"]),
        (PRODUCT, COLUMNS, "mask=pull,workspaces=both", [COPIED_ROW, ""]),
        (PRODUCT, COLUMNS, "mask=push,workspaces=both", [PUSHED]),
        (PRODUCT, COLUMNS, "auto,mask=pull", [f"{COPIED_ROW},{SHARES}", SHARES]),
        (PRODUCT, MASKED, f"mask=auto,{ROWS}", [f"reorder(i,j,k),{ROWS}", ROWS]),
        (PRODUCT, MASKED, "mask=auto,workspaces=none", ["workspaces=none,reorder(i,j,k)"]),
        (PRODUCT, MASKED, "mask=auto,reorder(j,k)", ["reorder(i,j,k),reorder(j,k)", "reorder(j,k)"]),
        (PRODUCT, MASKED, "mask=auto,reorder(k,j)", ["reorder(i,j,k),reorder(k,j)", "reorder(k,j)"]),
        (VECTOR, {"A": "CSR", "x": "SparseVector"}, "workspaces=both", [COPY, ""]),
        (VECTOR, {"A": "CSR", "x": "SparseVector"}, "auto", [f"{COPY},{ROWS}", ROWS]),
        (VECTOR, {"A": "CSR", "x": "SparseVector"}, "auto,workspaces=output", [ROWS]),
        (VECTOR, {"A": "CSR", "x": "SparseVector"}, "workspaces=both,pos(j,p,A)", [f"{COPY},pos(j,p,A)", "pos(j,p,A)"]),
        (VECTOR, {"A": "CSR", "x": "SparseVector"}, "workspaces=both,unroll({1},j,2)", [f"{COPY},unroll({{1}},j,2)"]),
        (VECTOR, {"A": "CSR", "x": "SparseVector"}, "mask=auto", [""]),
        (CHAIN, {"A": "CSR"}, "workspaces=both", [""]),
        (CHAIN, {"A": "CSR"}, "workspaces=output", [""]),
    ],
)
def test_settings_choose_commands(expression: str, formats: dict[str, Any], schedule: str, left: list[str]) -> None:
    assert found(expression, formats, schedule, "CSR" if "M(" in expression else None) == left


ON_BLOCKS = "parallelize(i,GPUBlock,NoRaces)"
ON_WARPS = (
    f"{ON_BLOCKS},pos(k,k_at,A(i,k)),split(k_at,part,warp,32),reorder(warp,part),"
    "pos(j,j_at,M(i,j)),split(j_at,piece,lane,8),reorder(lane,piece),"
    "parallelize(warp,GPUWarp,IgnoreRaces),parallelize(lane,GPUThread,Atomics)"
)


@pytest.mark.parametrize(
    ("schedule", "left"),
    [
        ("mask=pull", [f"reorder(i,j,k),{ON_BLOCKS}"]),
        ("auto,mask=pull", [f"reorder(i,j,k),{ON_BLOCKS}"]),
        ("mask=auto", [f"reorder(i,j,k),{ON_BLOCKS}", ON_WARPS]),
        ("workspaces=none", [f"workspaces=none,reorder(i,j,k),{ON_BLOCKS}"]),
        ("auto", [ON_WARPS]),
        ("workspaces=output", [ON_WARPS]),
        ("split(i,i0,i1,2)", ["split(i,i0,i1,2)"]),
    ],
)
def test_a_gpu_runs_on_blocks_what_settings_leave(schedule: str, left: list[str]) -> None:
    program = make_request(PRODUCT, MASKED, out="CSR").program
    made = device_options(program, as_schedule(schedule))
    several = [each.schedule for each in made.finalists] if isinstance(made, Choice) else [made]
    assert [str(each) for each in several] == left
    assert all(len(each.own) == schedule.startswith("split") for each in several)


def test_a_gpu_refuses_settings_as_a_cpu_does_and_beside_commands() -> None:
    program = make_request(PRODUCT, {**MASKED, "B": "CSR"}, out="CSR").program
    with pytest.raises(ScheduleError, match="workspaces=none allows none") as refused:
        device_options(program, as_schedule("workspaces=none"))
    assert refused.value.span is not None
    with pytest.raises(ScheduleError, match="mask=push asks for a mask, and there is none"):
        device_options(make_request(VECTOR, {"A": "CSR"}).program, as_schedule("mask=push"))
    with pytest.raises(Unsupported, match="settings choose nothing for a GPU beside commands, as in auto,unroll"):
        device_options(program, as_schedule("auto,unroll(i,2)"))


def test_products_are_taken_apart_by_auto_alone() -> None:
    apart = [each for each in found(CHAIN, {"A": "CSR"}, "auto") if "loopfuse" in each]
    assert apart
    assert not any("loopfuse" in each for each in found(CHAIN, {"A": "CSR"}, "auto,workspaces=output"))


def test_errors_stand_under_what_is_wrong() -> None:
    formats = {"A": "CSR", "B": "CSR", "M": "CSR"}
    for schedule, under in (
        ("mask=pull,workspaces=output", "mask=pull"),
        ("mask=auto,unroll(z,2)", "unroll(z,2)"),
        (f"mask=push,split(i,a,b,2),{ROWS}", ROWS),
    ):
        with pytest.raises(ScheduleError) as caught:
            gn.compile(PRODUCT, **formats, out="CSR", schedule=schedule)
        error = caught.value
        assert error.source == schedule and error.span is not None
        assert schedule[error.span.start : error.span.stop] == under


def rows(count: int) -> Tensor:
    """A matrix of so many rows, with three components each."""
    return gn.tensor(np.indices((count, 3)).reshape(2, -1), np.ones(3 * count), (count, 50), "CSR")


def test_sizes_choose_at_each_call_and_in_the_reference_alike() -> None:
    x = gn.tensor([range(20)], np.ones(20), (50,), "SparseVector")
    kernel = gn.compile(VECTOR, A="CSR", x="SparseVector", schedule="workspaces=both,unroll(i,2)")
    for count, text in ((1, "unroll(i,2)"), (40, f"{COPY},unroll(i,2)")):
        a = rows(count)
        chosen = kernel.choose(A=a, x=x).request.schedule
        assert str(chosen) == text == str(gn.trace(VECTOR, A=a, x=x, schedule="workspaces=both,unroll(i,2)").schedule)
        assert np.array_equal(kernel(A=a, x=x).to_numpy(), a.to_numpy() @ x.to_numpy())


@pytest.mark.parametrize("engine", ["reference", "c"])
@pytest.mark.parametrize("schedule", ["auto", "workspaces=both"])
@pytest.mark.parametrize(("mask", "last"), [("<!$R(i)>", 0.0), ("<!$R(i),merge>", 9.0)])
def test_sizes_of_previous_contents_are_those_of_the_result_that_is_given(
    mask: str, last: float, schedule: str, engine: str
) -> None:
    D = gn.tensor([[0, 0, 1], [0, 2, 1]], [1.0, 2.0, 3.0], (3, 5), "CSR")
    B = gn.tensor([[0, 1, 2]], [1.0, 1.0, 1.0], (5,), "SparseVector")
    R = gn.tensor([[2]], [9.0], (3,), "SparseVector")
    found = gn.evaluate(f"R(i){mask} = D(i,k) * B(k)", D=D, B=B, R=R, engine=engine, schedule=schedule)
    assert found.to_numpy().tolist() == [3.0, 3.0, last]


def test_a_chain_is_added_to_previous_contents() -> None:
    rng = np.random.default_rng(1)
    held = {name: rng.integers(0, 2, (6, 6)).astype(float) for name in "ABDR"}
    packed = {name: gn.tensor(np.nonzero(a), a[np.nonzero(a)], a.shape, "CSR") for name, a in held.items()}
    for mask, admitted in ("", 1.0), ("<$R(i,j)>", held["R"] != 0), ("<!$R(i,j)>", held["R"] == 0):
        source = f"R(i,j){mask} += A(i,k) * B(k,l) * D(l,j)"
        found = [gn.evaluate(source, out="CSR", engine=e, schedule="auto", **packed) for e in ("reference", "c")]
        expected = held["R"] + held["A"] @ held["B"] @ held["D"] * admitted
        assert all(np.array_equal(each.to_numpy(), expected) for each in found)
