"""Functions for operands of any shapes, where the loops depend on extents."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.device_source import generate_for_device
from gnomon.generator.runtime.request import make_request
from gnomon.generator.runtime.sources import request_source
from gnomon.reference.schedule.parallelize import tagged_units


@pytest.mark.every(3)
@pytest.mark.parametrize("schedule", ["auto", None])
@pytest.mark.parametrize(
    ("expression", "out", "calls"),
    [
        ("y(i) = any(k, prod(l, A(l,i,k)))", None, [[(2, 3, 3)], [(0, 3, 0)], [(0, 3, 2)], [(0, 3, 0)]]),
        ("y(i) = max(k, prod(l, A(i,k,l)))", None, [[(3, 2, 2)], [(3, 0, 0)], [(3, 2, 0)]]),
        (
            "C(i,j) = prod(k, or(A(k,j,i), B(i,j,k)) * D(i,j,k))",
            "DCSR",
            [[(2, 3, 3), (3, 3, 2), (3, 3, 2)], [(0, 3, 3), (3, 3, 0), (3, 3, 0)]],
        ),
    ],
)
def test_kernels_are_called_with_nothing_to_reduce(
    expression: str, out: str | None, calls: list[list[tuple[int, ...]]], schedule: str | None
) -> None:
    """Extents on which the loops depend may make them depend on others, and schedules chosen for other loops are none
    for these."""
    formats = dict(zip("ABD", ["COO", "Dense", "COO"] if out else ["CSF"], strict=False))
    kernel = gn.compile(expression, out=out, convert="auto", schedule=schedule, **formats)
    for shapes in calls:
        operands = {n: gn.from_numpy(np.zeros(shape), formats[n]) for n, shape in zip(formats, shapes, strict=True)}
        expected = gn.evaluate(expression, out=out, convert="auto", **operands)
        assert kernel(**operands).to_numpy().tolist() == expected.to_numpy().tolist()


@pytest.mark.every(2)
@pytest.mark.parametrize("extent", [0, 3])
def test_blocks_of_a_gpu_append_whatever_there_is_to_reduce(extent: int) -> None:
    """Where there is nothing, loops are not those that the schedule was chosen for unasked."""
    formats = {"A": "CSF", "B": "CSF"}
    request = make_request(
        "C(i,j) = prod(k, max(A(i,j,k), B(k,j,i)))", formats, out="DCSR", convert="auto", schedule="auto", target="cuda"
    )
    source = request_source(request, request.resolve({"A": (2, 4, extent), "B": (extent, 4, 2)}))
    assert "GPUBlock" in tagged_units(source.program.statement) and "C2_first" in generate_for_device(source).host


NOTHING = "R(i,j) = and(k, ge(-1.5, min(A(i,k), B(i,j))))"
"""Over no k at all it is true everywhere, and loops go over other coordinates than over some."""


@pytest.mark.every(3)
@pytest.mark.parametrize("out", ["Banded", "DIA", "ELL"])
def test_results_are_packed_from_the_order_in_which_they_are_assembled_for_some_extents(out: str) -> None:
    kernel = gn.compile(NOTHING, A="CSC", B="CSC", out=out, convert="auto")
    for count in (0, 3):
        operands = {"A": gn.tensor([[], []], [], (4, count), "CSC"), "B": gn.tensor([[], []], [], (4, 2), "CSC")}
        assert (kernel(**operands).to_numpy() == (count == 0)).all()


def test_a_schedule_is_chosen_for_operands_over_which_there_is_nothing_to_reduce() -> None:
    operands = {"A": gn.tensor([[], []], [], (4, 0), "CSC"), "B": gn.tensor([[], []], [], (4, 2), "CSC")}
    kernel = gn.compile(NOTHING, out="CSR", convert="auto", **operands)
    assert kernel(**operands).to_numpy().all()
