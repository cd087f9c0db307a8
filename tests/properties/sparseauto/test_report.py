"""The report: SparseAuto's tables beside ours."""

from __future__ import annotations

import json

from click.testing import CliRunner
from gnomon.properties.sparseauto.__main__ import main
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.properties.sparseauto.published import PUBLISHED


def test_tables_name_what_the_paper_prints() -> None:
    done = CliRunner().invoke(main, ["4", "7"])
    lines = [line.split() for line in done.output.splitlines()]
    counted = "<SpMM, GEMM> 128 (34) 128 (34) 2 (1) 2 (1) 2 (1) 2 (1) 2 (1)"
    assert counted.split() in lines
    assert "i,j,l,(k | m)" in done.output and "2 kernels in" in done.output


def test_for_machines() -> None:
    done = json.loads(CliRunner().invoke(main, ["1", "--json"]).output)
    (kernel,) = done["kernels"]
    left = {name: found[:2] for name, found in kernel["stages"].items()}
    assert left == {"memory depth": [1484, 257], "depths": [1, 1], "dominance": [1, 1]}
    assert kernel["chosen"]["structure"] == "i,j,(k | l)" and kernel["open"] == [0, 0]
    assert max(kernel["microseconds"]) > 0 < done["bytes"] and done["seconds"] > 0


def test_every_kernel_has_its_numbers() -> None:
    assert KERNELS.keys() == PUBLISHED.keys()
    assert all(set(kernel.extents) == set(kernel.contraction.loops) for kernel in KERNELS.values())
