"""Evaluation by kernels that are made for operands: made once for those that are stored alike, and never mistaken."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime import evaluation
from gnomon.generator.runtime.evaluation import MOST, Kernels
from gnomon.generator.runtime.operand import Kept
from gnomon.reference.errors import CompileError, ExpressionError, HostError, ParseError, StorageError

SPMV = "y(i) = A(i,j) * x(j)"
A = gn.tensor([[0, 0, 1], [0, 2, 1]], [1.0, 2.0, 3.0], (2, 3), "CSR")
X = [1.0, 10.0, 100.0]


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Kernels:
    kernels = Kernels()
    monkeypatch.setattr(evaluation, "KERNELS", kernels)
    monkeypatch.setattr(evaluation, "SEEN", Kernels())
    monkeypatch.setattr(evaluation, "KINDS", Kept())
    return kernels


def by_c(text: str = SPMV, **given: object) -> gn.Tensor:
    return gn.evaluate(text, engine="c", **given)


def test_one_kernel_serves_operands_that_are_stored_alike(fresh: Kernels) -> None:
    assert by_c(A=A, x=X).to_numpy().tolist() == [201.0, 30.0]
    other = gn.tensor([[3, 0], [0, 1]], [5.0, 6.0], (4, 2), "CSR")
    assert by_c(A=other, x=[1.0, 10.0]).to_numpy().tolist() == [60.0, 0.0, 0.0, 5.0]
    assert len(fresh.made) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"A": A.convert("CSC")},
        {"A": gn.tensor([[0], [0]], [1], (2, 3), "CSR")},
        {"A": gn.tensor([[0], [0]], [1.0], (2, 3), "CSR", index="int64")},
        {"A": gn.tensor([[0], [0]], [1.0], (2, 3), gn.Format(["dense", "compressed"]))},
        {"A": gn.tensor([[0], [0]], [1.0], (2, 3), "CSR", fill=-0.0)},
        {"out": "SparseVector"},
        {"out": gn.Format("s")},
        {"out": gn.spec("d", fill=-0.0)},
        {"semiring": "plus_first"},
        {"schedule": None},
        {"schedule": "parallelize(i,CPUThread,NoRaces)"},
        {"convert": "auto"},
    ],
)
def test_whatever_else_is_asked_for_has_a_kernel_of_its_own(changed: dict[str, object], fresh: Kernels) -> None:
    asked = {"A": A, "x": X} | changed
    by_c(A=A, x=X)
    found = by_c(**asked)
    assert len(fresh.made) == 2
    wanted = gn.evaluate(SPMV, **asked)
    assert (found == wanted) is True and repr(found) == repr(wanted)


def test_what_has_been_seen_is_not_made_a_tensor_again(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.array(X)
    by_c(A=A, x=x)
    monkeypatch.setattr(evaluation, "as_tensors", lambda *_: pytest.fail("operands are made tensors"))
    assert by_c(A=A, x=x * 2).to_numpy().tolist() == [402.0, 60.0]
    alike = gn.tensor([[1], [2]], [2.0], (2, 3), "CSR")
    with pytest.raises(pytest.fail.Exception):
        by_c(A=alike, x=x)
    monkeypatch.undo()


@pytest.mark.parametrize(
    "x",
    [np.ones(3, np.float32), np.ones(3, np.int64), np.ones(4), np.ones((3, 1)), np.ma.masked_equal(np.ones(3), 1.0), X],
)
def test_what_has_been_seen_is_told_from_all_else(x: object) -> None:
    by_c(A=A, x=np.array(X))

    def outcome(engine: str) -> object:
        try:
            found = gn.evaluate(SPMV, engine=engine, A=A, x=x)
        except gn.GnomonError as error:
            return str(error)
        return found.to_numpy().tolist(), found.dtype

    assert outcome("c") == outcome("reference")


def test_tensors_that_somebody_changes_are_looked_at_each_time() -> None:
    crd = A.levels[1]["crd"].copy()
    own = dataclasses.replace(A, levels=(A.levels[0], {**A.levels[1], "crd": crd}))
    x = np.array(X)
    for _ in range(2):
        assert by_c(A=own, x=x).to_numpy().tolist() == [201.0, 30.0]
    crd[0] = 7
    with pytest.raises(StorageError, match=r"A: .* crd\[0\] is 7"):
        by_c(A=own, x=x)


def test_functions_of_a_user_are_told_by_what_they_compute() -> None:
    for by, wanted in ((2, 8.0), (3, 12.0)):
        text = gn.text("y(i) = scaled(x(i))", operators=[gn.operator(f"scaled(a) = {by} * a")])
        assert by_c(text, x=[4.0]).to_numpy().tolist() == [wanted]  # type: ignore[arg-type]
        ring = gn.semiring(add="plus", multiply=gn.operator(f"scaling(a,b) = {by} * a * b"))
        assert by_c("y(i) = x(i) * x(i)", x=[1.0], semiring=ring).to_numpy().tolist() == [by]


def test_errors_are_raised_again() -> None:
    for _ in range(2):
        with pytest.raises(ExpressionError, match="extent"):
            by_c(A=A, x=[1.0, 2.0])
        with pytest.raises(ParseError):
            by_c("y(i) = A(i,j) *", A=A)
    assert by_c(A=A, x=X).to_numpy().tolist() == [201.0, 30.0]


def test_another_compiler_is_another_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    by_c(A=A, x=X)
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises((CompileError, HostError), match="no-such-compiler"):
        by_c(A=A, x=X)


def test_those_that_were_asked_for_last_are_kept() -> None:
    kernels = Kernels()
    for n in range(MOST + 1):
        assert kernels.find(n, lambda n=n: f"made {n}") == f"made {n}"  # type: ignore[misc]
        assert kernels.find(0, lambda: "made again") == "made 0"
    assert len(kernels.made) == MOST and 1 not in kernels.made
    assert [kernels.find([], lambda n=n: n) for n in "ab"] == ["a", "b"]  # type: ignore[misc]


def test_threads_share_a_kernel() -> None:
    sizes = [n % 7 + 1 for n in range(200)]
    eyes = {n: gn.tensor([range(n), range(n)], np.arange(n) + 1.0, (n, n), "CSR") for n in set(sizes)}
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: by_c(A=eyes[n], x=np.ones(n)).to_numpy().tolist(), sizes))
    assert found == [[k + 1.0 for k in range(n)] for n in sizes]
