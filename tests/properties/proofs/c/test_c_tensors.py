"""Tensors in proofs about C: what is assumed of them can be met, by tensors that are there."""

import gnomon as gn
import pytest
from gnomon.generator.runtime.sources import request_source
from gnomon.properties.programs.kernels import KERNELS
from gnomon.properties.proofs.c.c_facts import Knowledge
from gnomon.properties.proofs.c.c_memory import Array, Unknown
from gnomon.properties.proofs.c.c_tensors import Tensors
from gnomon.properties.proofs.solver import z3

FORMATS = {"spmv_csr": "CSR", "spmv_coo": "COO", "spmv_dcsr": "DCSR", "spmv_ell": "ELL", "spmv_bcsr": "BCSR(3,3)"}


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_real_tensor_meets_what_is_assumed(name: str) -> None:
    request = KERNELS[name]()
    know = Knowledge()
    tensors = Tensors(know, request_source(request, request.resolve_without_shapes()))
    fields = tensors.stored_fields("A", "A")
    A = gn.tensor([[0, 1, 3, 3], [2, 0, 1, 3]], [1.0, 2.0, 3.0, 4.0], (4, 4), FORMATS[name])
    for m, extent in enumerate(A.shape):
        know.say(fields[f"A->shape[{m}]"] == extent)
    for k, stored in enumerate(A.levels):
        know.say(fields[f"A->level[{k}].extent"] == A.extents[k])
        arrays = [a for a in stored.values() if not isinstance(a, int)]
        for n, values in enumerate(arrays):
            array = fields[f"A->level[{k}].array[{n}]"]
            assert isinstance(array, Array) and isinstance(array.contents, Unknown)
            know.say(array.length == len(values))
            for place, value in enumerate(values.tolist()):
                know.say(know.read_element(array.contents, z3.IntVal(place)) == value)
    know.say(fields["A->size"] == len(A.vals))
    assert know.solver.check() == z3.sat


@pytest.mark.parametrize("name", ["spmv_csr", "spmv_coo", "spmv_ell"])
def test_small_tensors_with_all_that_is_known_can_be_met(name: str) -> None:
    request = KERNELS[name]()
    know = Knowledge()
    tensors = Tensors(know, request_source(request, request.resolve_without_shapes()))
    fields = tensors.stored_fields("A", "A")
    tensors.within(3)
    know.say(fields["A->size"] == 2)
    assert know.solver.check() == z3.sat


def test_modes_with_one_variable_have_one_extent() -> None:
    request = KERNELS["spmv_csr"]()
    tensors = Tensors(Knowledge(), request_source(request, request.resolve_without_shapes()))
    assert tensors.shape("A")[1].eq(tensors.shape("x")[0])
    assert not tensors.shape("A")[0].eq(tensors.shape("x")[0])
