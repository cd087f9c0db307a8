"""Runs: a kernel with a seeded mistake is refuted on tensors that the checked machine confirms it by."""

from __future__ import annotations

import pytest
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
