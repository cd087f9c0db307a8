"""The report: SparseAuto's tables beside ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from depth import ALL
from gnomon.properties.sparseauto.__main__ import main
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.properties.sparseauto.published import PUBLISHED
from gnomon.reference.drawing.loops import loop_nest
from gnomon.reference.schedule.application import apply_schedule
from gnomon.reference.schedule.schedule import as_schedule

GUIDE = Path(__file__).parents[3] / "docs" / "branched"


def test_tables_name_what_the_paper_prints() -> None:
    done = CliRunner().invoke(main, ["4", "7"])
    lines = [line.split() for line in done.stdout.splitlines()]
    counted = "<SpMM, GEMM> 128 (34) 128 (34) 2 (1) 2 (1) 2 (1) 2 (1) 2 (1)"
    assert counted.split() in lines
    assert "i,j,l,(k | m)" in done.stdout and "2 kernels in" in done.output


def test_for_machines() -> None:
    done = json.loads(CliRunner().invoke(main, ["1", "--json"]).stdout)
    (kernel,) = done["kernels"]
    left = {name: found[:2] for name, found in kernel["stages"].items()}
    assert left == {"memory depth": [1484, 257], "depths": [1, 1], "dominance": [1, 1]}
    assert kernel["chosen"]["structure"] == "i,j,(k | l)" and kernel["open"] == [0, 0]
    assert max(kernel["microseconds"]) > 0 < done["bytes"] and done["seconds"] > 0


SLOW = {
    2: "loopfuse({},B(i,j) * C(i,k) * D(j,k) * E(j,l),left,T),loopfuse({0},B(i,j) * C(i,k) * D(j,k),left,t)",
    5: "reorder({},i,n,l,j,m,k),loopfuse({},B(i,j,k) * E(k,n) * D(j,m),left,T),loopfuse({0},B(i,j,k) * E(k,n),left,t)",
}
"""What the search finds for kernels where it takes seconds; the second is searched for where tests are thorough."""


def test_the_pictures_of_the_guide_are_those_that_are_drawn(tmp_path: Path) -> None:
    rows = [str(row) for row in KERNELS if row not in SLOW or (ALL and row == 5)]
    assert CliRunner().invoke(main, [*rows, "--pictures", str(tmp_path)]).exit_code == 0
    for row in rows:
        assert (tmp_path / f"{row}.svg").read_text() == (GUIDE / f"{row}.svg").read_text()


@pytest.mark.parametrize("row", SLOW)
def test_the_pictures_of_the_largest_kernels_are_those_of_their_schedules(row: int) -> None:
    drawn = loop_nest(apply_schedule(KERNELS[row].program, as_schedule(SLOW[row])))
    assert drawn == (GUIDE / f"{row}.svg").read_text()


def test_every_kernel_has_its_numbers() -> None:
    assert KERNELS.keys() == PUBLISHED.keys()
    assert all(set(kernel.extents) == set(kernel.contraction.loops) for kernel in KERNELS.values())
