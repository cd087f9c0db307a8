"""Partitions: runs of loops, and what may become of them (Senanayake 2020, section 6.1)."""

from typing import Any

import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.reference.schedule.autoschedule.partition import outermost_loops, partitions
from gnomon.reference.statement.statement import Program


def program(expression: str, out: str | None = None, **formats: Any) -> Program:
    request = make_request(expression, formats, out=out)
    return request.program


@pytest.mark.parametrize(
    ("formats", "expected"),
    [
        ({"A": "CSR"}, {"", "split j", "pos k", "pos k,split j", "split i", "split i,split j", "split i,pos k",
                        "split i,pos k,split j", "collapse,pos f", "collapse,pos f,split j"}),
        ({}, {"", "split i", "split k", "split j", "split i,split k", "split i,split j", "split k,split j",
              "split i,split k,split j"}),
    ],
)  # fmt: skip
def test_the_running_example(formats: dict[str, str], expected: set[str]) -> None:
    found = set()
    for partition in partitions(program("C(i,j) = A(i,k) * B(k,j)", **formats)):
        steps = []
        for command in partition.commands:
            if command.name == "collapse":
                steps.append("collapse")
            elif command.name == "pos":
                steps.append(f"pos {command.args[0]}")
            elif command.args[0] != "p":
                steps.append(f"split {command.args[0]}")
        found.add(",".join(steps))
    assert found == expected


def test_collapsed_dimensions_are_always_split_in_positions() -> None:
    for partition in partitions(program("y(i) = A(i,j,k) * D(j,i) * e(k)", A="CSF")):
        fused = {c.args[2] for c in partition.commands if c.name == "collapse"}
        counted = {c.args[0] for c in partition.commands if c.name == "pos"}
        used = {c.args[0] for c in partition.commands if c.name == "collapse"}
        assert fused <= counted | used


def test_only_loops_directly_inside_one_another_are_partitioned() -> None:
    assert outermost_loops(program("C(i,j) = A(i,k) * B(k,j)", out="CSR", A="CSR", B="CSR")) == ("i",)


def test_blocks_of_a_format_are_not_split() -> None:
    for partition in partitions(program("y(i) = A(i,j) * x(j)", A="BCSR(2,2)")):
        assert not {c.args[0] for c in partition.commands if c.name == "split"} & {"ii", "ji"}
