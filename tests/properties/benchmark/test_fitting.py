"""Fitting: times that follow some costs lead back to these."""

from itertools import islice

import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.benchmark.fitting import fit
from gnomon.properties.benchmark.templates import KERNELS
from gnomon.reference.schedule.autoschedule import cost as model
from gnomon.reference.schedule.autoschedule.cost import Share, Work, cost
from gnomon.reference.schedule.autoschedule.ranking import templates


def test_costs_are_found_from_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(model.COSTS, Work.ATOMIC_LANES, 9.0)  # type: ignore[arg-type]
    monkeypatch.setitem(model.FACTORS, Share.THREADS, 0.3)  # type: ignore[arg-type]
    rng, every = np.random.default_rng(0), []
    for size, name in enumerate(("SpMV CSR", "SpMM CSR", "SpMM ELL", "scaling"), 1):
        expression, formats, out = KERNELS[name]
        request = make_request(expression, formats, out=out)
        program = request.program
        chosen = list(islice(templates(program), 40))
        noise = rng.uniform(0.97, 1.03, len(chosen))
        every.append((program, [(t, 1e-9 * size * n * cost(program, t)) for t, n in zip(chosen, noise, strict=True)]))
    found = fit(every)
    assert found["TILE_ON_LANES"] == 1.0
    assert found["ATOMIC_LANES"] == pytest.approx(9.0, rel=0.25)
    assert found["THREADS"] == pytest.approx(0.3, rel=0.1)
    assert found["FAR"] == pytest.approx(model.COSTS[Work.FAR], rel=0.25)
