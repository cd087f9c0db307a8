"""What kernels leave in structs: taken over when somebody looks, the same for all, freed with what refers to it."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.left import Assembled
from gnomon.reference.storage.tensor import Tensor

A = gn.tensor([[0, 1, 2], [1, 2, 0]], [2.0, 3.0, 4.0], (3, 3), "CSR")
DOUBLE = gn.compile("B(i,j) = 2 * A(i,j)", A="CSR", out="CSR")


def test_a_result_is_a_tensor_like_any_once_somebody_has_looked() -> None:
    made = DOUBLE(A=A)
    assert (type(made), made.nnz, made.positions, made.sizes) == (Assembled, 3, 3, (3, 3))
    made = DOUBLE(A=A)
    assert made.positions == 3 and type(made) is Assembled
    assert made.vals.tolist() == [4.0, 6.0, 8.0]
    assert type(made) is Tensor and "left" not in made.__dict__
    assert made.vals is made.vals and made.levels is made.levels
    assert made.levels[1]["crd"].tolist() == [1, 2, 0]
    with pytest.raises(TypeError):
        made.levels[1]["crd"] = np.zeros(3, np.int32)  # type: ignore[index]
    assert made.positions == 3
    with pytest.raises(AttributeError, match="a tensor has no attribute 'values'"):
        DOUBLE(A=A).values  # noqa: B018


@pytest.mark.parametrize("again", [copy.deepcopy, copy.copy, lambda t: pickle.loads(pickle.dumps(t))])
def test_copies_have_the_arrays(again) -> None:  # type: ignore[no-untyped-def]
    found = again(DOUBLE(A=A))
    assert type(found) is Tensor
    assert (found == 2 * A) is True
    other = replace(DOUBLE(A=A), fill=1.0)
    assert (type(other), other.fill, other.vals.tolist()) == (Tensor, 1.0, [4.0, 6.0, 8.0])


def test_whoever_looks_first_everyone_has_the_same_arrays() -> None:
    for _ in range(20):
        made = DOUBLE(A=A)
        twin = made.again()
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda t: t.vals, [made, twin] * 4))
        assert all(vals is found[0] for vals in found)
        assert made.levels[1]["crd"] is twin.levels[1]["crd"]


def test_arrays_outlive_tensors_and_kernels_read_what_nobody_has_looked_at() -> None:
    total = gn.compile("y(i) = B(i,j)", B="CSR")
    made = DOUBLE(A=A)
    assert total(B=made).to_numpy().tolist() == [4.0, 6.0, 8.0]
    crd = made.levels[1]["crd"]
    del made
    gc.collect()
    assert crd.tolist() == [1, 2, 0] and not crd.flags.writeable


AT_EXIT = """
import gnomon as gn
A = gn.tensor([[0, 1, 2], [1, 2, 0]], [2.0, 3.0, 4.0], (3, 3), "CSR")
made = gn.compile("B(i,j) = 2 * A(i,j)", A="CSR", out="CSR")(A=A)
def look():
    return made.vals
"""


def test_a_process_may_end_with_a_result_that_nobody_has_looked_at() -> None:
    done = subprocess.run([sys.executable, "-c", AT_EXIT], capture_output=True, text=True, check=True)
    assert done.stderr == ""
