"""Regions: what a team runs does not forget what was reported before."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest

SUM = "R(m,j) = sum(k, A(j,k) * A(j,k)) + D(m,j)"


@pytest.mark.parametrize(
    "loop", ["divide(m,u,v,1),parallelize(u,CPUThread,IgnoreRaces)", "parallelize(m,CPUThread,NoRaces)"]
)
@pytest.mark.parametrize("engine", ["reference", "c"])
def test_integers_that_do_not_fit_are_reported_whoever_runs_what_follows(engine: str, loop: str) -> None:
    """Products overflow before the loop begins, whether a team shares the loop out or not."""
    a, d = gn.from_numpy(np.full((3, 4), 100, "int8"), "CSR"), gn.from_numpy(np.ones((2, 3), "int8"), "CSR")
    with pytest.raises(gn.GnomonError, match="integer overflow"):
        gn.evaluate(SUM, A=a, D=d, schedule=loop, engine=engine)
