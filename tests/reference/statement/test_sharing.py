"""Shared loops: what is left of a workspace inside of them, and the order in which its consumer reads that."""

from typing import Any

import gnomon as gn
import pytest

ORDER3 = "dense,compressed,compressed; (l,i,j)->(l,j,i)"


@pytest.mark.parametrize(
    ("source", "out", "left", "workspace"),
    [
        (
            "C(i,j) = sum(k, A(k,i) * B(k,j))",
            gn.spec("CSC", dtype="float32"),
            ((3, 4), "CSR"),
            "w (4, 5) hashed,hashed; (i,j)->(j,i) float64 0.0",
        ),
        (
            "C(l,i,j) = sum(k, A(l,k) * A(l,i) * B(k,j)) * 2",
            ORDER3,
            ((2, 3), "CSR"),
            "w (3, 5) hashed,hashed; (i,j)->(j,i) float64 0.0",
        ),
    ],
)
def test_a_workspace_is_stored_as_the_loops_of_its_consumer_read_it(
    lowered: Any, agreed: Any, source: str, out: Any, left: Any, workspace: str
) -> None:
    """Behind the loops that are shared, where there are any: there are two modes left of three."""
    operands = {"A": left, "B": ((3, 5), "CSR")}
    assert lowered(source, out, operands).splitlines()[-1] == workspace
    agreed(source, out, operands)
