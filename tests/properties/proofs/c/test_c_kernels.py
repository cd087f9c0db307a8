"""Obligations on kernels: one for each golden kernel, and a walk that goes one too far is refuted."""

from __future__ import annotations

from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.kernel_source import generate
from gnomon.generator.source import Source
from gnomon.properties.programs.kernels import KERNELS
from gnomon.properties.proofs.c import c_kernels
from gnomon.properties.proofs.c.c_kernels import QUICK, obligations, obligations_on
from gnomon.properties.proofs.c.c_laws import laws
from gnomon.properties.proofs.verdict import Proved, Refuted

GOLDEN = Path(__file__).parents[3] / "generator" / "golden"
NONE = {"out": None, "semiring": None, "convert": None}


def test_every_golden_kernel_has_an_obligation() -> None:
    assert [o.id for o in obligations()] == [*[law.id for law in laws()], *[f"c.{name}" for name in KERNELS]]
    assert {path.stem for path in GOLDEN.glob("*.c")} == set(KERNELS) > QUICK


def beyond(source: Source) -> str:
    """Kernels whose walks over segments go one position too far."""
    text = generate(source)
    assert "pA2_end = A2_pos[i + 1]" in text
    return text.replace("pA2_end = A2_pos[i + 1]", "pA2_end = A2_pos[i + 1] + 1")


def test_a_walk_that_goes_too_far_is_refuted_with_an_input(monkeypatch: pytest.MonkeyPatch) -> None:
    (o,) = obligations_on("y(i) = A(i,j) * x(j)", {"A": "CSR"}, None, **NONE)
    assert isinstance(o.prove(), Proved)
    monkeypatch.setattr(c_kernels, "generate", beyond)
    found = o.prove()
    assert isinstance(found, Refuted)
    shown = dict(found.counterexample)
    assert "A2_crd" in shown["goes wrong"] or "A_vals" in shown["goes wrong"]
    assert np.asarray(eval(shown["input"], {"gn": gn})).shape
