"""Steps by kernels: compiled once for tensors that are stored alike."""

from __future__ import annotations

import gnomon as gn
import numpy as np
from gnomon.generator.runtime.steps import KernelSteps
from gnomon.reference.procedure.run import by_reference, run_procedure

WALK = gn.procedure("""
procedure walk(A, x) -> x
  repeat
    x(j) += x(i) * A(i,j)  in max_min
  until x unchanged
""")
A = gn.tensor([[0, 1, 2], [1, 2, 3]], [2.0, 3.0, 4.0], (4, 4), "CSR")


def test_a_step_is_compiled_once_for_tensors_that_are_stored_alike() -> None:
    engine = KernelSteps()
    start = gn.tensor([[0]], [9.0], (4,), "SparseVector")
    found = run_procedure(WALK, {"A": A, "x": start}, engine)["x"]
    assert found.to_numpy().tolist() == run_procedure(WALK, {"A": A, "x": start}, by_reference)["x"].to_numpy().tolist()
    first = len(engine.kernels)
    assert first == 2  # absent is 0 before the first step, and least after it
    run_procedure(WALK, {"A": A, "x": gn.tensor([[1]], [7.0], (4,), "SparseVector")}, engine)
    assert len(engine.kernels) == first
    run_procedure(WALK, {"A": A.convert("DCSR"), "x": start}, engine)
    assert len(engine.kernels) == 2 * first


def test_coordinates_beyond_32_bits_have_kernels_of_their_own() -> None:
    engine = KernelSteps()
    double = gn.procedure("procedure double(x) -> y\n  y(i) = 2 * x(i)  as SparseVector")
    near = gn.tensor([[5]], [1.5], (10,), "SparseVector")
    far = gn.tensor([[2**40]], [1.5], (2**41,), "SparseVector", index="int64")
    assert gn.to_dict(run_procedure(double, {"x": near}, engine)["y"]) == {(5,): 3.0}
    assert gn.to_dict(run_procedure(double, {"x": far}, engine)["y"]) == {(2**40,): 3.0}
    assert len(engine.kernels) == 2
    assert np.array_equal(near.vals, [1.5])
