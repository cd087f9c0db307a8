"""Convert: operands stored in another order, and loops with them."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import check
from gnomon.reference.errors import GnomonError, ScheduleError
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.schedule.schedule import Schedule
from gnomon.reference.schedule.text import read_schedule
from gnomon.reference.statement.statement import Conversion, indices, show_program
from gnomon.reference.storage.named_formats import format_of
from gnomon.reference.storage.tensor import Tensor

PRODUCT = "C(i,j) = A(i,k) * B(k,j)"
CHAIN = "C(i,j) = A(i,k) * A(k,l) * B(j,l)"
GRAM = "C(i,j) = A(i,k) * A(j,k)"
ADDED = "C(i,j) = A(i,j) + sum(k, A(i,k) * B(j,k))"
SUMMED = "C(i,j) = A(i,j) + sum(k, A(k,i) * B(k,j))"
DOUBLE, BOTH = "C(i,j) = A(i,k) * B(j,k) - B(i,l) * A(j,l)", "convert(B(j,k),{k,j}),convert(A(j,l),{l,j})"

TWO, BY_ROWS = "C(i,j) = A(i,k) * (B(j,k) + E(j,k))", "convert(B(j,k),{k,j},E(j,k),{k,j})"


def matrix(format: str, shape: tuple[int, ...] = (4, 4), seed: int = 0) -> Tensor:
    chance = np.random.default_rng(seed)
    coords = np.argwhere(chance.random(shape) < 0.4).T
    return gn.tensor(coords, chance.integers(1, 9, coords.shape[1]) * 1.0, shape, format)


@pytest.mark.parametrize(
    ("text", "out", "formats", "schedule", "loops", "converted"),
    [
        (PRODUCT, "Dense", {"A": "CSR", "B": "CSC"}, "convert(B(k,j),{k,j})", "ikj", {"B": "CSR"}),
        (PRODUCT, "Dense", {"A": "CSC", "B": "CSC"}, "convert(B(k,j),{k,j})", "kji", {"B": "CSR"}),
        (GRAM, "Dense", {"A": "CSR"}, "convert(A(j,k),{k,j})", "ikj", {"A1": "CSC"}),
        (GRAM, "Dense", {"A": "DCSR"}, "convert(A(j,k),{k,j})", "ikj", {"A1": "DCSC"}),
        ("C(i,j) = A(i,j)", "Dense", {"A": "CSR"}, "convert(A(i,j),{j,i})", "ji", {"A": "CSC"}),
        ("C(i,j) = A(i,j)", "Dense", {"A": "COO"}, "convert(A(i,j),{j,i})", "ji", {"A": "DCSC"}),
        ("C(i,j) = A(i,j)", "Dense", {"A": "CSR"}, "convert(A(i,j),{j,i}),convert(A(i,j),{i,j})", "ij", {"A": "CSR"}),
        ("C(i,j) = A(i,j) * A(j,i)", "Dense", {"A": "CSR"}, "", "ij", {"A1": "CSC"}),
        (
            CHAIN,
            "Dense",
            {"A": "CSR", "B": "CSR"},
            "convert(B(j,l),{l,j})",
            "iklj",
            {"B": "CSC"},
        ),
        ("C(i,j) = A(i,j)", "Dense", {"A": "Dense"}, "convert(A(i,j),{j,i})", "ji", {"A": "Dense(1,0)"}),
        ("C(i,j) = A(i,j)", "Dense(1,0)", {"A": "DCSR"}, "convert(A(i,j),{j,i})", "ji", {"A": "CSC"}),
        ("C(i) = sqrt(sum(j, B(i,j)))", "Dense", {"B": "CSR"}, "convert(B(i,j),{j,i})", "jii", {"B": "CSC"}),
        (ADDED, "CSR", {"A": "CSR", "B": "CSR"}, "convert(B(j,k),{k,j})", "ikjj", {"B": "CSC"}),
        (SUMMED, "CSR", {"A": "CSR", "B": "CSR"}, "convert(A(k,i),{i,k})", "ikjj", {"A1": "CSC"}),
        (DOUBLE, "CSR", {"A": "CSR", "B": "CSR"}, f"{BOTH}", "ikjljj", {"A1": "CSC", "B1": "CSC"}),
        (TWO, "Dense", {"A": "CSR", "B": "CSR", "E": "CSR"}, BY_ROWS, "ikj", {"B": "CSC", "E": "CSC"}),
        (TWO, "CSR", {"A": "CSR", "B": "DCSR", "E": "COO"}, BY_ROWS, "ikjj", {"B": "DCSC", "E": "DCSC"}),
        (TWO, "Dense", {"A": "CSR", "B": "Dense", "E": "CSR"}, BY_ROWS, "ikj", {"B": "Dense(1,0)", "E": "CSC"}),
        (
            "C(i,j) = D(i,j) + A(i,k) * (B(j,k) + E(j,k))",
            "CSR",
            {"A": "CSR", "B": "CSR", "D": "CSR", "E": "CSR"},
            BY_ROWS,
            "ikjj",
            {"B": "CSC", "E": "CSC"},
        ),
        (
            "C(i,j) = A(i,k) * (A(j,k) + B(j,k))",
            "Dense",
            {"A": "CSR", "B": "CSR"},
            "convert(A(j,k),{k,j},B(j,k),{k,j})",
            "ikj",
            {"A1": "CSC", "B": "CSC"},
        ),
        (
            "y(j) = T(i,j,k) * T(k,j,i)",
            "Dense",
            {"T": "Dense"},
            "convert(T(i,j,k),{j,i,k},T(k,j,i),{j,i,k})",
            "jik",
            {"T": "Dense(1,0,2)", "T2": "Dense(1,2,0)"},
        ),
        (
            "y(i) = (T(i,j,k) + U(i,j,k)) * V(j,k)",
            "Dense",
            {"T": "CSF", "U": "CSF", "V": "CSR"},
            "convert(T(i,j,k),{j,k,i},U(i,j,k),{j,k,i})",
            "jki",
            dict.fromkeys("TU", "dense,compressed,compressed; (i,j,k)->(j,k,i)"),
        ),
        (PRODUCT, "CSC", {"A": "CSR", "B": "CSC"}, "split(i,u,v,2),convert(B(k,j),{k,j})", "uvkjji", {"B": "CSR"}),
        ("C(i,j) = A(i,j)", "Dense", {"A": "Dense"}, "reorder(j,i),convert(A(i,j),{j,i})", "ji", {"A": "Dense(1,0)"}),
    ],
)
def test_operands_and_loops_come_in_another_order(
    text: str, out: str, formats: dict[str, str], schedule: str, loops: str, converted: dict[str, str]
) -> None:
    shapes = {name: (4,) * (3 if name in "TU" else 2) for name, format in formats.items()}
    operands = {name: matrix(format, shapes[name], n) for n, (name, format) in enumerate(formats.items())}
    settings: dict[str, Any] = {"out": None if out == "Dense" else out, "convert": "auto", "schedule": schedule}
    program = prepare(text, operands, **settings).program
    assert "".join(indices(program.statement)) == loops
    assert {each.name: program.formats[each.name] for each in program.converted} == {
        name: format_of(format, len(shapes[name[0]])) for name, format in converted.items()
    }
    for engine in ("reference", "c"):
        assert check(text, operands, **settings).checked, engine


def test_conversions_follow_one_another() -> None:
    schedule = "convert(A(i,j),{j,i}),convert(A(i,j),{i,j})"
    program = prepare("C(i,j) = A(i,j) * x(i)", {"A": matrix("CSR"), "x": [1.0] * 4}, schedule=schedule).program
    assert program.converted == (Conversion("A", "A", format_of("CSR")),)
    again = "convert(A1(j,i),{j,i}),convert(A(i,j),{j,i})"
    ready = prepare("C(i,j) = A(i,j) + A(j,i)", {"A": matrix("CSR")}, convert="auto")
    assert show_program(ready.program).startswith("A, in CSR, is converted to CSC, named A1")
    with pytest.raises(ScheduleError, match="no order of the loops follows the storage of A"):
        prepare("C(i,j) = A(i,j) + A(j,i)", {"A": matrix("CSR")}, convert="auto", schedule=again)


def test_workspaces_become_rows_once_all_that_fill_them_go_by_rows() -> None:
    """One of what is largest and one that counts: after one conversion the other is still filled by columns."""
    command, a, b = "convert(A(k,i),{i,k})", matrix("CSR"), matrix("CSR", seed=1)
    for count, modes in ((0, (2, 2)), (1, (2, 2)), (2, (1, 1))):
        settings = {"out": "CSR", "schedule": ",".join([command] * count)}
        program = prepare("C(i,j) = max(k, A(k,i) * B(k,j))", {"A": a, "B": b}, **settings).program
        assert tuple(len(each.shape) for each in program.workspaces) == modes
        assert check("C(i,j) = max(k, A(k,i) * B(k,j))", {"A": a, "B": b}, **settings).checked


def test_what_nothing_reads_any_more_is_not_converted() -> None:
    text = "C(i,j) = A(j,i) * max(k, A(k,i))"
    first = prepare(text, {"A": matrix("CSR")}, out="CSR", convert="auto").program
    assert {each.name: str(first.formats[each.name]) for each in first.converted} == {"A1": "CSC"}
    schedule = "convert({0},A(k,i),{i,k})"
    second = prepare(text, {"A": matrix("CSR")}, convert="auto", schedule=schedule).program
    assert {each.name for each in second.converted} <= {name for name, _ in second.tensors}
    check(text, {"A": matrix("CSR")}, convert="auto", schedule=schedule)


def test_other_commands_follow() -> None:
    schedule = Schedule().convert("B(k,j)", ["k", "j"]).split("i", "i0", "i1", 2)
    schedule = schedule.parallelize("i0", "CPUThread", "NoRaces").precompute("A(i,k)*B(k,j)", "j", "j", "w")
    assert str(schedule).startswith("convert(B(k,j),{k,j}),split(i,i0,i1,2)")
    for out in (None, "CSR"):
        check(PRODUCT, {"A": matrix("CSR"), "B": matrix("CSC", seed=1)}, out=out, schedule=schedule)


@pytest.mark.parametrize("semiring", [None, "min_plus", "or_and"])
def test_what_is_absent_stays_absent(semiring: str | None) -> None:
    operands = {"A": matrix("CSR"), "B": matrix("CSC", seed=1)}
    if semiring:
        fill, dtype = (np.inf, "float64") if semiring == "min_plus" else (False, "bool")
        operands = {
            name: gn.tensor(each.components()[0], each.vals.astype(dtype), each.shape, each.format, fill=fill)
            for name, each in operands.items()
        }
    check(PRODUCT, operands, out="CSR", semiring=semiring, schedule="convert(B(k,j),{k,j})")


def test_statements_in_order_fill_no_workspace_of_one_another() -> None:
    """A mask that merges has what it excludes in a statement of its own."""
    text = "C(i,j)<M(i,j),merge> = A(i,k) * B(k,j)"
    operands = {
        n: matrix(f, seed=s) for s, (n, f) in enumerate({"A": "CSR", "B": "CSC", "M": "CSR", "C": "CSR"}.items())
    }
    check(text, operands, out="CSR", schedule="convert(B(k,j),{k,j})")


def test_a_mask_reads_what_is_converted() -> None:
    text = "C(i,j)<B(i,j)> = A(i,j) * B(i,j)"
    operands = {"A": matrix("Dense"), "B": matrix("CSR", seed=1)}
    found = prepare(text, operands, schedule="convert(B(i,j),{j,i})").program
    assert [each.name for each in found.converted] == ["B"]
    check(text, operands, schedule="convert(B(i,j),{j,i})")


@pytest.mark.parametrize(
    ("text", "schedule", "message"),
    [
        (TWO, "convert(B(j,k),{k,j})", "no order of the loops follows the storage of E(j,k) in CSR and B(j,k) in CSC"),
        (TWO, "convert(B(j,k),{k,j},B(j,k),{k,j})", "convert has B(j,k) twice"),
        (TWO, "convert()", "convert does not take 0 arguments"),
        (TWO, "convert(B(j,k),{k,j},E(k,j),{k,j})", "no assignment reads E(k,j)"),
        (TWO, "convert(B(j,k),{k,j},E(j,k),{j,k})", "E(j,k), stored by j, k, cannot be converted to j, k"),
        (
            "C(i,j) = B(i,j) * E(j,i) + sqrt(sum(k, A(i,k)))",
            "convert(B(i,j),{j,i},A(i,k),{k,i})",
            "no assignment reads B(i,j) and A(i,k) together",
        ),
        (
            "C(i,j) = D(i,j) * F(i,j)",
            "convert(D(i,j),{j,i},F(i,j),{i,j})",
            "the orders contradict each other: D(i,j) has j before i and F(i,j) has i before j",
        ),
        (
            "C(i,j) = A(i,k) * B(j,k) * E(i,j)",
            "convert(A(i,k),{k,i},B(j,k),{j,k},E(i,j),{j,i})",
            "B(j,k), stored by j, k, cannot be converted to j, k",
        ),
    ],
)
def test_operands_of_one_assignment_are_converted_to_orders_that_agree(text: str, schedule: str, message: str) -> None:
    formats = {**dict.fromkeys("ABE", "CSR"), "D": "Dense", "F": "Dense(1,0)"}
    operands = {name: matrix(formats[name], seed=n) for n, name in enumerate(formats) if f"{name}(" in text}
    with pytest.raises(GnomonError) as refused:
        prepare(text, operands, out="CSR", convert="auto", schedule=schedule)
    assert refused.value.message == message


def test_schedules_take_several_operands_at_once() -> None:
    assert str(Schedule().convert("B(j,k)", ["k", "j"], "E(j,k)", ["k", "j"])) == BY_ROWS
    assert read_schedule(BY_ROWS).commands == Schedule().convert("B(j,k)", ["k", "j"], "E(j,k)", ["k", "j"]).commands
    with pytest.raises(ScheduleError, match="convert does not take 3 arguments"):
        Schedule().convert("B(j,k)", ["k", "j"], "E(j,k)")


@pytest.mark.parametrize(
    ("text", "schedule"), [("y(i) = x(i) * s", "convert(x(i),{i})"), ("y(i) = x(i) * s", "convert(s,{})")]
)
def test_what_has_one_order_alone_is_refused(text: str, schedule: str) -> None:
    with pytest.raises(ScheduleError, match="has no second variable, and one order alone"):
        prepare(text, {"x": [1.0, 2.0], "s": 3.0}, schedule=schedule)


def test_workspaces_are_not_among_what_may_be_converted() -> None:
    operands = {"A": matrix("CSR"), "B": matrix("CSC", seed=1)}
    with pytest.raises(ScheduleError) as refused:
        prepare(PRODUCT, operands, schedule="precompute(A(i,k),{k},{k},w),convert(A(k,i),{k,i})")
    assert refused.value.hint == "take one of the operands that are read: A(i,k), B(k,j)"


def test_a_path_leads_to_the_assignment() -> None:
    text = "C(i,j) = A(i,j) * sqrt(sum(k, A(i,k) * B(k,j)))"
    operands = {"A": matrix("Dense"), "B": matrix("CSR", seed=1)}
    with pytest.raises(ScheduleError, match=r"no assignment reads B\(k,j\)"):
        prepare(text, operands, schedule="convert({1},B(k,j),{j,k})")
    check(text, operands, schedule="convert({0},B(k,j),{j,k})")


@pytest.mark.parametrize(
    ("text", "schedule", "formats", "message"),
    [
        (PRODUCT, "convert(B(j,k),{k,j})", {"A": "CSR", "B": "CSC"}, r"no assignment reads B\(j,k\)"),
        (PRODUCT, "convert(D(k,j),{k,j})", {"A": "CSR", "B": "CSC"}, r"no assignment reads D\(k,j\)"),
        (PRODUCT, "convert(B(k,j),{j,k})", {"A": "CSR", "B": "CSC"}, "stored by j, k, cannot be converted to j, k"),
        (PRODUCT, "convert(B(k,j),{k})", {"A": "CSR", "B": "CSC"}, "cannot be converted to k"),
        (PRODUCT, "convert(B(k,j),{})", {"A": "CSR", "B": "CSC"}, "cannot be converted to nothing"),
        ("C(j) = B(k,j)", "convert(B(k,j),{j,k})", {"B": "BCSR(2,2)"}, "has levels that are not its modes"),
        ("C(i) = B(i,i)", "convert(B(i,i),{i,i})", {"B": "CSR"}, "repeats a variable"),
        (
            PRODUCT,
            "split(k,a,b,2),convert(B(k,j),{k,j})",
            {"A": "CSR", "B": "CSC"},
            "a command has transformed k before",
        ),
        (
            PRODUCT,
            "precompute(B(k,j),{k,j},{k,j},w),convert(w(k,j),{j,k})",
            {"A": "CSR", "B": "CSC"},
            "w is a workspace",
        ),
        (
            ADDED,
            "convert(A(i,j),{j,i})",
            {"A": "CSR", "B": "CSR"},
            "directly around .* in its nest are those over nothing",
        ),
        (
            "C(i) = sqrt(sum(j, B(i,j)))",
            "parallelize(i,CPUThread,NoRaces),convert(B(i,j),{j,i})",
            {"B": "CSR"},
            "i is parallel",
        ),
        (
            "C(i,k) = B(i,j) * A(j,k)",
            "reorder(i,k,j),precompute(B(i,j),{j},{j},w),convert(B(i,j),{j,i})",
            {"A": "Dense", "B": "CSR"},
            "the workspace w stands between, and cannot have k as a mode",
        ),
        (
            "C(i,j) = A(i,k) * B(k,j)",
            "reorder(i,j,k),precompute(A(i,k)*B(k,j),{k},{k},w,HashVector),convert(B(k,j),{j,k})",
            {"A": "Dense", "B": "Dense"},
            "the workspace w stands between, whose format a command has settled",
        ),
        (
            "C(i,j) = B(i,j) * A(i,j)",
            "convert(A(i,j),{j,i})",
            {"A": "CSR", "B": "CSR"},
            "no order of the loops follows the storage of .* in CS. and .* in CS.",
        ),
    ],
)
def test_what_cannot_be_converted_is_refused(text: str, schedule: str, formats: dict[str, str], message: str) -> None:
    operands = {name: matrix(format, seed=n) for n, (name, format) in enumerate(formats.items())}
    with pytest.raises(ScheduleError, match=message) as refused:
        prepare(text, operands, schedule=schedule)
    assert refused.value.hint is not None
