"""Memory that a user gives for a result."""

from __future__ import annotations

import dataclasses
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime import memory
from gnomon.generator.runtime.memory import overlap
from gnomon.reference.errors import StorageError

TWICE = "C(i,j) = 2 * A(i,j)"
A = np.arange(6.0).reshape(2, 3)


class Matrix(np.ndarray):
    """Arrays that stay matrices, as those of np.matrix do."""

    def reshape(self, *_: Any, **__: Any) -> Matrix:
        return self


def test_a_matrix_is_memory_like_an_array() -> None:
    given = np.zeros((2, 3)).view(Matrix)
    found = gn.compile(TWICE)(A=A, out=given)
    found.validate()
    assert (found[1, 2], given[1, 2], gn.to_dict(found)[0, 1]) == (10.0, 10.0, 2.0)


@pytest.mark.parametrize(
    "out", [np.ma.array(A), A.tolist(), np.zeros((3, 2)), np.zeros((2, 3), "float32"), 5, [[1.0], [1.0, 2.0]]]
)
def test_what_is_no_memory_for_a_result_is_refused(out: Any) -> None:
    with pytest.raises(StorageError, match="out must be a writeable, aligned float64 array of shape"):
        gn.compile(TWICE)(A=A, out=out)


@pytest.mark.parametrize(
    ("format", "shape"),
    [("dense,dense; (i)->(i//4,i%4)", (5,)), ("dense,dense,dense,dense; (i,j)->(i//2,j//2,i%2,j%2)", (4, 4))],
)
def test_blocks_are_not_written_into_an_array(format: str, shape: tuple[int, ...]) -> None:
    """They have positions outside the shape."""
    indices = "ij"[: len(shape)]
    kernel = gn.compile(f"C({','.join(indices)}) = 2 * A({','.join(indices)})", out=format)
    with pytest.raises(StorageError, match="cannot be written into an array"):
        kernel(A=np.ones(shape), out=np.empty(shape))


def test_memory_overlaps_no_array_of_an_operand() -> None:
    T = gn.tensor([[0, 0, 1], [0, 1, 0]], [1, 1, 1], (2, 2), gn.spec("CSR", index="int64"))
    pos, crd, vals = T.levels[1]["pos"].copy(), T.levels[1]["crd"].copy(), T.vals.copy()
    given = dataclasses.replace(T, levels=(T.levels[0], {"pos": pos, "crd": crd}), vals=vals)
    kernel = gn.compile("y(i) = A(i,j) * x(j)", A=T, x=gn.spec("d", dtype="int64"))
    x = np.array([5, 5])
    for given_out in (pos[1:], crd[:2], vals[1:], x):
        with pytest.raises(StorageError, match="out overlaps the operand"):
            kernel(A=given, x=x, out=given_out)
    assert kernel(A=given, x=x, out=np.empty(2, np.int64)).to_numpy().tolist() == [10, 5]


def test_the_offsets_of_diagonals_are_arrays_of_an_operand() -> None:
    T = gn.tensor([[0, 1], [0, 1]], [1, 1], (2, 2), gn.spec("DIA", index="int64"))
    offset = np.zeros(1, np.int64)
    given = dataclasses.replace(T, shared={"offset": offset})
    with pytest.raises(StorageError, match="out overlaps the operand A"):
        gn.compile("s = A(i,j) * A(i,j)", A=T)(A=given, out=offset.reshape(()))


def test_columns_and_rows_beside_one_another_share_nothing() -> None:
    table = np.ones((3, 8))
    found = gn.compile("y(i) = 2 * x(i)")(x=table[:, 0], out=table[1, 1:4])
    assert found.to_numpy().tolist() == table[1, 1:4].tolist() == [2.0, 2.0, 2.0]


def test_what_is_too_hard_to_tell_counts_as_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    held, view = np.zeros(30_000), np.lib.stride_tricks.as_strided
    one = view(held, (33, 8, 19, 40), (2000, 704, 2312, 1632), writeable=False)
    other = view(held[50:], (17, 27, 37, 20), (3008, 624, 2224, 1456), writeable=False)
    with pytest.raises(np.exceptions.TooHardError):
        np.shares_memory(one, other, 1)  # type: ignore[arg-type]
    monkeypatch.setattr(memory, "ATTEMPTS", 1)
    assert overlap(one, other)
