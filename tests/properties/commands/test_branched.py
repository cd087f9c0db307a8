"""What `gnomon schedule --branched` lists."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner
from gnomon.cli import commands
from gnomon.properties.commands import branched
from gnomon.reference.errors import ScheduleError

TTMC = "A(l,m,n) = B(i,j,k) * C(i,l) * D(j,m) * E(k,n)"
DATA = ["-t", "B=random:6x7x8:0.1", "-f", "B=CSF", "-t", "C=random:6x2", "-t", "D=random:7x3", "-t", "E=random:8x4"]


@pytest.fixture(scope="module", autouse=True)
def searched_once() -> Iterator[None]:
    """What has been searched for is known."""
    known = cache(branched.search)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(branched, "search", lambda contraction, orders: known(contraction, orders=tuple(orders)))
        yield


def test_what_is_left_is_listed_with_its_costs() -> None:
    done = CliRunner().invoke(
        commands, ["schedule", "A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)", "-f", "B=CSR", "--branched"]
    )
    assert done.stdout.splitlines() == [
        "1484 structures, 1 (1 cost) at minimal depths, 1 (1 cost) that no other one dominates",
        "i,j,(k | l): time nnz(B)·K + nnz(B)·L, memory 1",
        "    loopfuse({},B(i,j) * C(i,k) * D(j,k),left,t)",
    ]


def test_with_data_the_least_runs_come_first() -> None:
    done = CliRunner().invoke(commands, ["schedule", TTMC, *DATA, "--branched", "--json", "--top", "9"])
    rows = json.loads(done.stdout)["schedules"]
    assert len(rows) == 9 and rows == sorted(rows, key=lambda row: row["runs"])
    assert rows[0]["runs"] == min(row["runs"] for row in rows) > 0 and rows[0]["components"] >= 1


def test_temporaries_have_to_fit_into_half_of_the_cache() -> None:
    data = ["-t", "B=random:6x7x30:0.5", "-f", "B=CSF", "-t", "C=random:6x20", "-t", "D=random:7x3"]

    def first(*more: str) -> dict[str, Any]:
        words = ["schedule", TTMC, *data, "-t", "E=random:30x4", "--branched", "--json", *more]
        done = CliRunner().invoke(commands, words)
        return json.loads(done.stdout)["schedules"][0]

    whole, least = first(), first("--cache", "24")
    assert whole["components"] > 1 and least["components"] == 1
    assert least["runs"] > whole["runs"]


def test_the_report_says_what_each_stage_leaves() -> None:
    done = CliRunner().invoke(commands, ["schedule", TTMC, "-f", "B=CSF", "--branched", "--report", "--top", "1"])
    lines = [line.split()[:-1] for line in done.stdout.splitlines()[1:4]]
    assert [line[-2:] for line in lines] == [["30506", "2570"], ["116", "32"], ["20", "5"]]


def test_what_is_no_product_is_refused() -> None:
    done = CliRunner().invoke(commands, ["schedule", "y(i) = A(i,j) + x(i)", "-f", "A=CSR", "--branched"])
    assert isinstance(done.exception, ScheduleError) and done.exception.hint is not None
