"""Kernels for devices run on the CPU, built from the very texts by a C compiler."""

from pathlib import Path

import numpy as np
import pytest
from devices.samples import SAMPLES, Sample
from gnomon.generator.runtime.emulation import Emulation, build
from gnomon.generator.runtime.library import Library
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.generator.runtime.runner import Runner

STRICT = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Wshadow", "-Werror")
SEEDS = 12


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "watched"])
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All samples in one library, their functions named after them."""
    host = "\n".join(s.host.replace("int evaluate(", f"int {s.name}_evaluate(") for s in SAMPLES)
    device = "\n".join(s.device for s in SAMPLES)
    return build(host, device, tmp_path_factory.mktemp("samples"), chosen_compiler(), STRICT, watched=request.param)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: str(s.name))
def test_samples_mean_what_they_say(sample: Sample, library: Path) -> None:
    emulation = Emulation(library)
    for seed in range(SEEDS):
        operands = sample.draw(np.random.default_rng(seed), 70)
        wanted = sample.wanted(operands)
        loaded = Library(library, [f"{sample.name}_evaluate"], [1 + len(operands)])
        emulation.begin(seed)
        runner = Runner(loaded, sample.layout(wanted), f"{sample.name}_")
        found = runner.evaluate(operands, wanted.shape, "the result")
        assert emulation.fault == ""
        assert emulation.held == 0
        np.testing.assert_array_equal(found.to_numpy(), wanted)
