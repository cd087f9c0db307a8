"""Runs: a kernel with a seeded mistake is refuted on tensors that the checked machine confirms it by."""

from __future__ import annotations

import pytest
from gnomon.generator.kernel_source import generate
from gnomon.generator.runtime.request import make_request
from gnomon.generator.runtime.sources import request_source
from gnomon.properties.machine.fault import OutOfBounds
from gnomon.properties.machine.run import machine
from gnomon.properties.programs.kernels import KERNELS
from gnomon.properties.proofs.c import c_runs
from gnomon.properties.proofs.c.c_runs import candidates, fault, question_of, wrong_run
from gnomon.properties.proofs.verdict import Refuted

from .test_c_safety import WRONG, golden, seeded, spoilt

UNSEEN = {"unchecked memory", "missing growth", "too little growth", "no room for what threads append"}
"""What only a lack of memory shows, or more components than an int32 counts, or than an estimate leaves room for."""


@pytest.mark.parametrize("mistake", sorted(WRONG.keys() - UNSEEN))
def test_mistakes_are_refuted_by_an_input(mistake: str) -> None:
    found = wrong_run(*seeded(mistake), spoilt(mistake))
    assert isinstance(found, Refuted)
    shown = dict(found.counterexample)
    assert shown["input"].startswith("gn.evaluate('") and shown["input"].endswith("engine='c')")
    assert "line " in shown["goes wrong"]


@pytest.mark.every(2)
@pytest.mark.parametrize("name", ["spmv_csr", "add_csr", "hash_csr", "spmv_hash"])
def test_golden_kernels_run(name: str) -> None:
    text, source = golden(name)
    kernel = machine(text, source.layouts[source.program.result])
    question = question_of(KERNELS[name]())
    runs = [(o, c_runs.result_shape(KERNELS[name](), o)) for o in candidates(text, source, question)]
    assert len(runs) > 5
    assert all(shape is not None and fault(kernel, source, o, shape) is None for o, shape in runs)


@pytest.mark.parametrize("mistake", ["bound one too far", "bound of another segment", "index of another array"])
def test_operands_of_symbolic_execution_are_confirmed(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_runs, "inputs", lambda question: iter(()))
    found = wrong_run(*seeded(mistake), spoilt(mistake))
    assert isinstance(found, Refuted) and OutOfBounds.__name__ in dict(found.counterexample)["goes wrong"]


def test_kernels_run_on_what_operands_become() -> None:
    request = make_request("C(i,j) = A(i,j) + A(j,i)", {"A": "CSR"}, out="CSR", convert="auto")
    source = request_source(request, request.resolve_without_shapes())
    text = generate(source)
    kernel, question = machine(text, source.layouts["C"]), question_of(request)
    runs = [(o, c_runs.result_shape(request, o)) for o in candidates(text, source, question)]
    square = [(o, shape) for o, shape in runs if shape is not None]
    assert len(square) > 5 and all({*o} == {"A"} for o, _ in square)
    assert all(fault(kernel, source, o, shape) is None for o, shape in square)
    broken = text.replace("A12_pos[i + 1]", "A12_pos[i + 2]")
    assert broken != text
    found = wrong_run(broken, source, request)
    assert isinstance(found, Refuted) and "A=gn.tensor" in dict(found.counterexample)["input"]
