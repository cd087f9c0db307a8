"""Workspaces of schedules: over which variables none can be laid out."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ScheduleError


@pytest.mark.parametrize("tiles", ["collapse(i,i1,u)", "split(i1,v,u,2)"])
def test_a_workspace_by_what_goes_over_a_copy_is_refused(tiles: str) -> None:
    with pytest.raises(ScheduleError, match="cannot count by u: it goes over i1, a copy, off"):
        gn.evaluate("y(i) = A(i,i) + 1", A=np.ones((3, 3)), schedule=f"{tiles},precompute(A(i,i)+1,{{u}},{{u}},w)")
