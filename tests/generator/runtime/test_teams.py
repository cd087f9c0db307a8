"""A process that is forked runs kernels, though the team of its parent is not there."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import multiprocessing
import gnomon as gn
import numpy as np
n, rng = 4_000, np.random.default_rng(0)
A = gn.tensor([np.repeat(np.arange(n), 40), rng.integers(0, n, 40 * n)], np.ones(40 * n), (n, n), "CSR")
kernel = gn.compile("y(i) = A(i,j) * x(j)", A="CSR")
total = lambda: float(kernel(A=A, x=np.ones(n)).to_numpy().sum())
before = total()
child = multiprocessing.get_context("fork").Process(target=lambda: exit(total() != before))
child.start()
child.join(30)
child.kill()
assert child.exitcode == 0, child.exitcode
assert total() == before
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
@pytest.mark.every(2)
@pytest.mark.parametrize("threads", ["2", "1"])
def test_kernels_run_in_forked_processes(threads: str) -> None:
    environment = {**os.environ, "OMP_NUM_THREADS": threads}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
