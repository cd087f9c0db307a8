"""TACO as a peer of the benchmark: how its command is asked, and its kernels are called. Here another command writes
kernels in its place."""

import ctypes
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.backends import BackendError
from gnomon.properties.benchmark import taco
from gnomon.properties.benchmark.case import Case, Work
from gnomon.properties.benchmark.rows import beside_taco

COMMAND = """\
#!/bin/sh
for argument in "$@"; do
    echo "$argument" >> {folder}/told
    case "$argument" in -write-source=*) cp {folder}/kernel.c "${{argument#*=}}" ;; esac
done
"""
TENSOR = """\
#include <stdint.h>
#include <stdlib.h>
typedef struct {
    int32_t order;
    int32_t *dimensions;
    int32_t csize;
    int32_t *mode_ordering, *mode_types;
    uint8_t ***indices;
    uint8_t *vals, *fill_value;
    int32_t vals_size;
} tensor;
"""
SPMV = """\
int compute(tensor *y, tensor *A, tensor *x) {
    int *pos = (int *)A->indices[1][0], *crd = (int *)A->indices[1][1];
    double *a = (double *)A->vals, *b = (double *)x->vals, *c = (double *)y->vals;
    for (int i = 0; i < A->dimensions[0]; i++) {
        c[i] = 0;
        for (int p = pos[i]; p < pos[i + 1]; p++) c[i] += a[p] * b[crd[p]];
    }
    return 0;
}
"""
TWICE = """\
int NAME(tensor *C, tensor *A) {
    int n = A->dimensions[0], *pos = (int *)A->indices[1][0], *crd = (int *)A->indices[1][1];
    int *begin = malloc((n + 1) * sizeof(int)), *made = malloc(pos[n] * sizeof(int));
    double *a = (double *)A->vals, *c = malloc(pos[n] * sizeof(double));
    for (int i = 0; i <= n; i++) begin[i] = pos[i];
    for (int p = 0; p < pos[n]; p++) { made[p] = crd[p]; c[p] = 2 * a[p]; }
    C->indices[1][0] = (uint8_t *)begin;
    C->indices[1][1] = (uint8_t *)made;
    C->vals = (uint8_t *)c;
    return 0;
}
"""
A = gn.tensor([[0, 2, 2], [1, 0, 3]], [1.5, 2.25, -4.0], (3, 4), "CSR")
x = np.array([1.0, 2.0, 3.0, 4.0])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A command that writes the kernels of a file, and tells what it was told."""
    command = tmp_path / "taco"
    command.write_text(COMMAND.format(folder=tmp_path))
    command.chmod(0o755)
    monkeypatch.setenv("TACO_BIN", str(command))
    return tmp_path


def test_a_dense_result_is_computed_in_memory_that_is_there(folder: Path) -> None:
    (folder / "kernel.c").write_text(TENSOR + SPMV)
    y = np.full(3, np.nan)
    work = Work("y(i) = A(i,j) * x(j)", {"A": "CSR"}, {"x": x, "A": A}, memory=y)
    assert taco.taco_peer(work)["taco"]() is y
    assert np.nextafter(0.0, 1.0) * np.float64(1) > 0, "subnormal numbers stay what they are"
    np.testing.assert_array_equal(y, A.to_numpy() @ x)
    told = (folder / "told").read_text().splitlines()
    assert told[0] == "y(i) = A(i,j) * x(j)"
    assert set(told[1:-1]) == {"-f=A:ds", "-f=x:d", "-f=y:d"}


@pytest.mark.parametrize(
    ("out", "kernels"),
    [
        ("CSR", TWICE.replace("NAME", "evaluate")),
        ("compressed,dense", "int assemble(tensor *C, tensor *A) { return 0; }\n" + TWICE.replace("NAME", "compute")),
    ],
)
def test_a_sparse_result_is_made_and_freed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, out: str, kernels: str
) -> None:
    (folder / "kernel.c").write_text(TENSOR + kernels)
    kept, release = [], taco.release

    def keep(made: taco.TacoTensor) -> None:
        kept.append(np.ctypeslib.as_array(ctypes.cast(made.vals, ctypes.POINTER(ctypes.c_double)), (3,)).copy())
        release(made)

    monkeypatch.setattr(taco, "release", keep)
    action = taco.taco_peer(Work("C(i,j) = 2 * A(i,j)", {"A": "CSR"}, {"A": A}, out))["taco"]
    assert [action(), action()] == [None, None]
    np.testing.assert_array_equal(kept, [2 * A.vals] * 2)


def test_what_the_command_does_not_take_has_no_such_peer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spmv = Work("y(i) = A(i,j) * x(j)", {"A": "CSR"}, {"A": A, "x": x})
    banded = Work(spmv.expression, {"A": "DIA"}, spmv.operands)
    in_ring = Work(spmv.expression, spmv.formats, spmv.operands, semiring="min_plus")
    assert [taco.taco_peer(work) for work in (banded, in_ring)] == [{}, {}]
    monkeypatch.setenv("TACO_BIN", str(folder / "none"))
    with pytest.raises(BackendError, match=r"needs the command .*none"):
        taco.taco_peer(spmv)
    monkeypatch.delenv("TACO_BIN")
    monkeypatch.setenv("PATH", "")
    assert taco.taco_peer(spmv) == {}


def test_cases_keep_their_peers(folder: Path) -> None:
    (folder / "kernel.c").write_text(TENSOR + SPMV)
    work = Work("y(i) = A(i,j) * x(j)", {"A": "CSR"}, {"A": A, "x": x})
    (case,) = beside_taco(iter([Case("SpMV", "small", 1.0, work, {"scipy": int})]))
    assert list(case.peers) == ["scipy", "taco"]
