"""Refutations: mistakes seeded in golden kernels are found, on tensors that are valid."""

import ast

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.machine.fault import OutOfBounds
from gnomon.properties.machine.program import program
from gnomon.properties.machine.run import Machine
from gnomon.properties.proofs.c.c_refutation import refutation
from gnomon.properties.proofs.verdict import Bounded, Refuted

from .test_c_safety import WRONG, golden, seeded

BEYOND = {
    *("missing growth", "too little growth", "a value further than coordinates", "elements of another size"),
    "a table as large as before",
}
"""Mistakes that need more elements, or two functions."""


@pytest.mark.parametrize("mistake", sorted(WRONG.keys() - BEYOND))
def test_mistakes_are_found(mistake: str) -> None:
    found = refutation(*seeded(mistake))
    assert isinstance(found, Refuted)
    shown = dict(found.counterexample)
    assert shown["access"] and "of" in shown["line"] and "A.shape[0]" in shown


@pytest.mark.parametrize("name", ["spmv_csr", "spmv_ell", "spmm_csr", "add_csr"])
def test_nothing_is_found_in_golden_kernels(name: str) -> None:
    assert isinstance(refutation(*golden(name)), Bounded)


@pytest.mark.parametrize("mistake", ["bound one too far", "bound of another segment", "index of another array"])
def test_a_run_on_the_tensors_found_leaves_an_array(mistake: str) -> None:
    text, source = seeded(mistake)
    found = refutation(text, source)
    assert isinstance(found, Refuted)
    shown = {name: ast.literal_eval(value) for name, value in found.counterexample if "." in name}
    pos, crd = (np.array(shown[f"A.level[1].array[{n}]"], np.int32) for n in range(2))
    shape = (shown["A.shape[0]"], shown["A.shape[1]"])
    format = source.layouts["A"].format
    A = gn.Tensor(format, shape, np.dtype(float), 0.0, ({}, {"pos": pos, "crd": crd}), {}, shape, np.zeros(len(crd)))
    A.validate()
    machine = Machine(program(text), source.layouts["y"])
    with pytest.raises(OutOfBounds):
        machine.evaluate({"A": A, "x": gn.tensor([[]], [], shape[1:], "Dense", dtype=float)}, shape[:1])
