"""Ends of loops: read once, into variables that hide no other."""

import subprocess
from pathlib import Path

import gnomon as gn
import numpy as np
from gnomon.generator.kernel_source import generate
from gnomon.generator.runtime.compiler import INCLUDE
from gnomon.generator.runtime.request import make_request
from gnomon.generator.runtime.sources import request_source
from gnomon.properties.differential.batch import STRICT

TWICE = "R(i,j) = A(j,i) * ((B(i,j,i) + D(j,i)) * A(j,j))"
FORMATS = {
    "A": "DCSR",
    "B": "compressed,compressed,compressed,dense; (i,j,k)->(i,j,k//3,k%3)",
    "D": "dense,dense",
}


def test_no_limit_hides_what_was_searched_for_inside_the_loop(tmp_path: Path) -> None:
    request = make_request(TWICE, FORMATS, out="hashed,dense")
    path = tmp_path / "kernel.c"
    path.write_text(generate(request_source(request, request.resolve_without_shapes())))
    command = ["gcc", *STRICT, f"-I{INCLUDE}", "-c", str(path), "-o", str(tmp_path / "kernel.o")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_variables_may_be_called_what_limits_are() -> None:
    a = gn.tensor([[0, 0, 2], [0, 2, 1]], [1.0, 2.0, 3.0], (3, 3), "CSR")
    kernel = gn.compile("y(pA2_end) = A(pA2_end,j) * x(j)", A="CSR")
    assert "pA2_end_2 = A2_pos[pA2_end + 1]" in kernel.source
    assert kernel(A=a, x=np.array([1.0, 10.0, 100.0])).to_numpy().tolist() == [201.0, 0.0, 30.0]
