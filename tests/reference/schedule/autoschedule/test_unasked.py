"""The schedule that C follows unasked: what it is, where there is none, and that kernels by it are right."""

import dataclasses
from pathlib import Path
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import chosen_compiler, make_request
from gnomon.properties.campaign.units import nth_program
from gnomon.properties.differential.batch import Case, batches, build_library, check_case, generate_case
from gnomon.properties.programs.features import Storage
from gnomon.properties.strategies import PLAIN
from gnomon.reference.schedule.autoschedule.unasked import default_schedule
from hypothesis import settings
from msgspec.structs import replace

ROWS = "parallelize(i,CPUThread,NoRaces)"
SHARES = "split({0},{0}0,{0}1,64),parallelize({0}0,CPUThread,NoRaces)"
STORED = "pos(i,ip,{0}),split(ip,i0,i1,64),parallelize(i0,CPUThread,NoRaces)"
TILES = "split({0},{0}0,{0}1,32),reorder({1}),parallelize({0}1,CPUVector,NoRaces)"
LANES = "CPUVector"
SDDMM = "C(i,j) = B(i,j) * (D(i,k) * E(k,j))"
BLOCKS, SLICES = "split(i,i0,i1,{}),reorder(i0,r,i1)", "parallelize(i0,CPUThread,NoRaces)"
SLOTS = "split(i,i0,i1,4096),split(r,r0,r1,8),reorder(i0,r0,i1,r1),unroll(r1,8)"
SPMM = "C(i,j) = A(i,k) * B(k,j)"
MTTKRP = "C(i,r) = A(i,j,k) * D(j,r) * E(k,r)"
EXPECTED: list[tuple[str, dict[str, Any], str | None, str]] = [
    ("y(i) = A(i,j) * x(j)", {"A": "CSR"}, None, ROWS),
    ("y(i) = A(i,j) * x(j)", {"A": "BCSR(2,2)"}, None, "parallelize(io,CPUThread,NoRaces)"),
    ("y(i) = A(i,j) * x(j)", {"A": "COO"}, None, ""),
    ("y(i) = A(i,j) * x(j)", {"A": "CSC"}, None, ""),
    ("y(i) = A(i,j) * x(j)", {"A": "ELL"}, None, f"{SLOTS},{SLICES}"),
    (
        "y(i) = A(i,j) * x(j)",
        {"A": "DIA"},
        None,
        f"{BLOCKS.format(4096)},unroll(r,4),parallelize(i1,{LANES},NoRaces),{SLICES}",
    ),
    ("y(j) = A(i,j) * x(i)", {"A": "DIA"}, None, ""),
    ("C(i,j) = 2 * A(i,j)", {"A": "DIA"}, None, ""),
    ("a = A(i,j)", {"A": "ELL"}, None, ""),
    (SPMM, {"A": "ELL"}, None, f"{TILES.format('j', 'i,j0,r,k,j1')},{ROWS}"),
    (SPMM, {"A": "DIA"}, None, f"{BLOCKS.format(64)},{SLICES},parallelize(j,{LANES},NoRaces)"),
    (SPMM, {"A": "ELL"}, "Dense(1,0)", f"{BLOCKS.format(64)},{SLICES}"),
    (SPMM, {"A": "CSR"}, None, f"{TILES.format('j', 'i,j0,k,j1')},{ROWS}"),
    (SPMM, {"A": "CSR", "B": "Dense(1,0)"}, None, ROWS),
    (SPMM, {"A": "COO"}, None, f"parallelize(j,{LANES},NoRaces)"),
    (SPMM, {"A": "COO", "B": "Dense(1,0)"}, None, ""),
    (SPMM, {"A": "COO"}, "Dense(1,0)", ""),
    (SDDMM, {"B": "CSR", "E": "Dense(1,0)"}, "CSR", f"{SHARES.format('i')},parallelize(k,{LANES},ParallelReduction)"),
    (SDDMM, {"B": "CSR", "E": "Dense(1,0)"}, None, f"{ROWS},parallelize(k,{LANES},ParallelReduction)"),
    (SDDMM, {"B": "CSR", "E": "CSC"}, "CSR", SHARES.format("i")),
    ("y(i) = A(i,j) * x(j)", {}, None, ROWS),
    (SPMM, {"A": "CSR", "B": "CSR"}, "CSR", SHARES.format("i")),
    (SPMM, {"A": "CSC", "B": "CSC"}, "CSC", SHARES.format("j")),
    (SPMM, {"A": "CSC", "B": "CSR"}, "CSR", ""),
    (SPMM, {"A": "CSR", "B": "CSR"}, "dense,hashed", ""),
    (SPMM, {"A": "CSR", "B": "CSR"}, "COO", SHARES.format("i")),
    ("y(i) = A(i,j) * x(j)", {"A": "CSR"}, "SparseVector", SHARES.format("i")),
    ("y(i) = A(i,j) * x(j)", {"A": "CSR"}, "HashVector", ""),
    ("C(i,j) = A(i,j) + B(i,j)", {"A": "CSR", "B": "CSR"}, "CSR", ""),
    ("C(i,j) = A(i,j) * x(j)", {"A": "CSR"}, "CSR", ""),
    ("C(i,j) = A(i,j) * B(i,j)", {"A": "CSR", "B": "CSR"}, "CSR", SHARES.format("i")),
    ("C(i,j) = A(i,j) * B(i,j) * x(j)", {"A": "CSR", "B": "CSR"}, "CSR", SHARES.format("i")),
    ("C(i,j) = A(i,j) + B(i,j)", {"A": "CSR", "B": "DCSR"}, "CSR", ""),
    ("C(i,j) = A(i,j) + B(i,j)", {"A": "DCSR", "B": "DCSR"}, "DCSR", ""),
    (SPMM, {"A": "DCSR", "B": "CSR"}, "DCSR", STORED.format("A(i,k)")),
    ("C(i,j) = A(i,j,k) * x(k)", {"A": "CSF"}, "DCSR", STORED.format("A(i,j,k)")),
    ("C(i,j) = 2 * A(i,j)", {"A": "COO"}, "COO", ""),
    ("C(i,j) = 2 * A(i,j)", {"A": "BCSR(2,2)"}, "BCSR(2,2)", ""),
    (SPMM, {"A": "CSR", "B": "CSR"}, "BCSR(2,2)", SHARES.format("io")),
    (SPMM, {"A": "CSR", "B": "CSR"}, "compressed,bitmap", ""),
    ("C(i,j)<M(i,j),merge> = A(i,j)", {"A": "CSR", "M": "CSR", "C": "CSR"}, "CSR", ""),
    (SDDMM, {"B": "CSR"}, "CSR", SHARES.format("i")),
    (MTTKRP, {"A": "CSF"}, None, f"{TILES.format('r', 'i,r0,j,k,r1')},{ROWS}"),
    ("a = x(i) * y(i)", {}, None, ""),
    ("a = 2 * b", {}, None, ""),
]


@pytest.mark.parametrize(("expression", "formats", "out", "schedule"), EXPECTED)
def test_what_c_follows_unasked(expression: str, formats: dict[str, Any], out: str | None, schedule: str) -> None:
    request = make_request(expression, formats, out=out)
    assert str(default_schedule(request.program)) == schedule
    auto = make_request(expression, formats, out=out, schedule="auto")
    chosen = auto.choice.finalists if auto.choice is not None else ()
    assert str(auto.schedule) == schedule or schedule in [str(each.schedule) for each in chosen]
    assert make_request(expression, formats, out=out, schedule="auto") == make_request(
        expression, formats, out=out, schedule="auto"
    )


def test_compile_and_c_follow_it_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = gn.tensor(np.nonzero(np.eye(40)), np.arange(40.0), (40, 40), "CSR")
    ones = np.ones(40)
    assert str(gn.compile("y(i) = A(i,j) * x(j)", A="CSR").request.schedule) == ROWS
    assert not gn.compile("y(i) = A(i,j) * x(j)", A="CSR", schedule=None).request.schedule.commands
    given: list[object] = []
    kernel_on = "gnomon.generator.runtime.evaluation.kernel_on"
    monkeypatch.setattr(kernel_on, lambda *_, **settings: given.append(settings["schedule"]))
    for more in ({}, {"schedule": None}, {"schedule": ""}, {"schedule": ROWS}):
        gn.evaluate("y(i) = A(i,j) * x(j)", A=matrix, x=ones, engine="c", **more)
    assert given == ["auto", None, "", ROWS]
    assert not gn.trace("y(i) = A(i,j) * x(j)", A=matrix, x=ones).schedule.commands
    assert str(gn.trace("y(i) = A(i,j) * x(j)", A=matrix, x=ones, schedule="auto").schedule) == ROWS


def test_check_looks_at_both_kernels() -> None:
    assert gn.check("y(i) = x(i)", x=np.arange(5.0)).engines == ("reference", "c", "auto")
    assert gn.check("a = x(i) * x(i)", x=np.arange(5.0)).engines == ("reference", "c")
    assert gn.check("y(i) = x(i)", x=np.arange(5.0), schedule=ROWS).engines == ("reference", "c")


def test_random_problems_by_it_compute_what_they_mean(tmp_path: Path) -> None:
    features, cases = replace(PLAIN, orders=(1, 2, 3), results=Storage(("Dense",))), list[Case]()
    for number in range(settings().max_examples):
        drawn = nth_program(features, 0, number)
        schedule = default_schedule(drawn.ready.lowered)
        if schedule.commands:
            problem = dataclasses.replace(drawn, schedule=schedule)
            cases.append(generate_case(problem, f"k{number}_"))
    assert len(cases) > settings().max_examples // 8
    for some in batches(cases):
        library = build_library(some, tmp_path, chosen_compiler())
        for case in some:
            check_case(case, library)
