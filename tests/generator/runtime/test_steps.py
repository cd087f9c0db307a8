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


UPDATES = gn.procedure("""
procedure updates(x, e) -> x, y, z
  y(i) = x(i)           as bitmap
  y(i) += e(i)
  y(i)<$e(i),merge> = e(i)
  z(i) = y(i)           as bitmap
  z(i) += z(i) * e(i)
  z(j) += y(i) * e(j)
  x(i) += e(i)
""")


def test_a_result_takes_the_place_of_what_nobody_reads_again() -> None:
    x = gn.tensor([[0, 2]], [1.0, 2.0], (5,), "bitmap")
    e = gn.tensor([[2, 4]], [10.0, 20.0], (5,), "SparseVector")
    before, engine = x.to_numpy().copy(), KernelSteps()
    for _ in range(2):
        found = run_procedure(UPDATES, {"x": x, "e": e}, engine)
        wanted = run_procedure(UPDATES, {"x": x, "e": e}, by_reference)
        assert {name: gn.to_dict(each) for name, each in found.items()} == {
            name: gn.to_dict(each) for name, each in wanted.items()
        }
    assert np.array_equal(x.to_numpy(), before)  # a caller's tensor stays
    assert found["x"].vals.ctypes.data != x.vals.ctypes.data


def test_a_step_works_in_place_where_a_step_has_made_what_it_goes_on_from() -> None:
    places = []

    class Watching(KernelSteps):
        def __call__(self, step, operands, out, *, spent=False):  # type: ignore[no-untyped-def]
            result = super().__call__(step, operands, out, spent=spent)
            places.append((step.target, result.vals.ctypes.data))
            return result

    grow = gn.procedure(
        "procedure grow(x, e) -> x\n  x(i) = x(i)  as bitmap\n  repeat\n    x(i) += e(i)\n  until 3 steps"
    )
    x, e = (gn.tensor([[n]], [1.0], (1000,), "SparseVector") for n in (0, 7))
    found = run_procedure(grow, {"x": x, "e": e}, Watching())["x"]
    assert gn.to_dict(found) == {(0,): 1.0, (7,): 3.0}
    assert len(set(places)) == 1


def test_a_loop_compares_what_was_there_a_round_before() -> None:
    reach = gn.procedure("""
    procedure reach(x, A) -> x
      x(i) = x(i)              in max_min as bitmap
      y(i) = x(i)              in max_min as bitmap
      repeat
        x(j) += y(i) * A(i,j)  in max_min
        y(i) = x(i)            in max_min
      until x unchanged
    """)
    found = run_procedure(reach, {"A": A, "x": gn.tensor([[0]], [9.0], (4,), "SparseVector")}, KernelSteps())["x"]
    assert gn.to_dict(found) == {(0,): 9.0, (1,): 2.0, (2,): 2.0, (3,): 2.0}


def test_a_step_that_reads_its_target_elsewhere_has_memory_of_its_own() -> None:
    fold = gn.procedure("procedure fold(X) -> Y\n  Y(i,j) = X(i,j)  as dense,bitmap\n  Y(i,j) += Y(j,i)")
    X = gn.tensor([[0, 1, 1], [1, 0, 1]], [1.0, 10.0, 5.0], (2, 2), "dense,bitmap")
    found = run_procedure(fold, {"X": X}, KernelSteps())["Y"]
    assert found.to_numpy().tolist() == [[0.0, 11.0], [11.0, 10.0]]


def test_steps_need_no_vector_of_coordinates() -> None:
    extent = 2**40
    x = gn.tensor([[3, extent - 1]], [1.0, 2.0], (extent,), gn.spec("SparseVector", index="int64"))
    steps = "procedure place(x) -> x\n  repeat\n    x(i) = x(i) * i\n  until 2 steps\n"
    found = gn.run(steps, x=x, engine="c")
    assert isinstance(found, gn.Tensor)
    assert list(found.entries()) == [((3,), 9.0), ((extent - 1,), 2.0 * (extent - 1.0) ** 2)]
