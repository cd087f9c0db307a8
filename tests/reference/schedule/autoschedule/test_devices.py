"""Templates for GPUs: their number, the rules that they follow, that each is a kernel, and a right one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from depth import DEEP
from gnomon.generator.device_source import generate_for_device
from gnomon.generator.runtime.request import Request, chosen_compiler, make_request
from gnomon.generator.runtime.sources import request_source
from gnomon.properties.differential.devices import build_emulated, generate_device_case, run_emulated
from gnomon.properties.programs.problem import Problem
from gnomon.reference.schedule.application import apply_schedule
from gnomon.reference.schedule.autoschedule import devices
from gnomon.reference.schedule.autoschedule.devices import device_templates
from gnomon.reference.schedule.autoschedule.space import GPU, size
from gnomon.reference.schedule.autoschedule.template import Purpose, Template
from gnomon.reference.statement.statement import Forall, Program, Statement

KERNELS = {
    "SpMV": ("y(i) = A(i,j) * x(j)", {"A": "CSR"}, 4198, 6),
    "SpMSpV": ("y(i) = A(i,j) * x(j)", {"A": "CSC", "x": "SparseVector"}, 7906, 6),
    "SpMM": ("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR"}, 424930, 33),
    "SDDMM": ("C(i,j) = B(i,j) * (D(i,k) * E(k,j))", {"B": "CSR", "E": "Dense(1,0)"}, 424930, 33),
    "TTV": ("C(i,j) = A(i,j,k) * x(k)", {"A": "CSF"}, 1541352, 6),
    "MTTKRP": ("C(i,r) = A(i,j,k) * D(j,r) * E(k,r)", {"A": "CSF"}, 212214060, 33),
}
FULL = {"THREADS_OF_A_BLOCK": 64, "SHARE_OF_A_BLOCK": 128, "SHARE_OF_A_WARP": 64, "WARPS_OF_A_BLOCK": 2}
FULL |= {"LANES_OF_A_WARP": 32, "COMPONENTS_OF_A_THREAD": 2}


def request(name: str) -> Request:
    expression, formats, *_ = KERNELS[name]
    return make_request(expression, formats, target="cuda")


@cache
def program(name: str) -> Program:
    asked = request(name)
    return asked.program


@cache
def templates(name: str) -> list[Template]:
    """The templates of a kernel in their order."""
    return device_templates(program(name))


def nest(s: Statement) -> list[Forall]:
    """The loops of a nest."""
    return [s, *nest(s.body)] if isinstance(s, Forall) else []


def units(template: Template) -> dict[str, str]:
    """The units of loops."""
    return {c.args[0]: c.args[1] for c in template.commands if c.name == "parallelize"}  # type: ignore[misc]


def in_a_small_block(template: Template) -> dict[str, int]:
    """Sizes with which a block has 64 threads, by inner variable."""
    return {inner: FULL.get(purpose.name, 3) for inner, purpose in template.purposes.items()}


@pytest.mark.parametrize("name", KERNELS)
def test_heuristics_leave_a_small_part_of_the_space(name: str) -> None:
    assert (size(program(name), GPU), len(templates(name))) == KERNELS[name][2:]


def test_the_docs_tell_these_numbers() -> None:
    text = (Path(gn.__file__).parent / "docs" / "scheduling.md").read_text()
    for _, _, before, after in KERNELS.values():
        assert f"| {after} | {before:,} |" in text


@pytest.mark.parametrize("name", KERNELS)
def test_templates_follow_the_rules(name: str) -> None:
    """Blocks run the outermost loop; inside of it every loop has an extent or a size, inside of threads a size; warps
    lie around threads, which are 32 then, and no block has more than 1,024 of them."""
    found = program(name)
    for template in templates(name)[:: 1 if DEEP else 2]:
        after = apply_schedule(found, template.schedule())
        order, unit = [loop.index for loop in nest(after.statement)], units(template)
        sizes = {str(c.args[2]) for c in template.commands if c.name == "split"}
        sizes |= {str(c.args[1]) for c in template.commands if c.name == "split" and c.args[0] in sizes}
        thread = next(v for v in order if unit.get(v) == "GPUThread")
        warps = [v for v in order if unit.get(v) == "GPUWarp"]
        assert unit[order[0]] == "GPUBlock" and order[0] not in sizes
        assert not any(after.provenance.is_position(v) for v in order[1:] if v not in sizes)
        assert {thread, *warps} <= sizes and set(order[order.index(thread) :]) <= sizes
        assert all(order.index(v) < order.index(thread) for v in warps)


def test_threads_fold_what_they_have_where_one_component_is_theirs() -> None:
    every = [str(template) for template in templates("SDDMM")]
    assert sum("ParallelReduction" in text for text in every) == 20
    others = [text for text in every if "Atomics" in text]
    assert len(others) == 6 and all("(p0,k0,thread" in text or "(p0,k0,warp" in text for text in others)


def test_of_many_templates_the_first_ones_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "MOST", 5)
    assert len(device_templates(program("MTTKRP"))) == 5


def test_those_with_few_races_and_with_neighbouring_threads_come_first() -> None:
    every = templates("SpMM")
    races = [sum(c.name == "parallelize" and c.args[2] != "NoRaces" for c in t.commands) for t in every]
    assert races == sorted(races) and set(races) == {1, 2, 3}
    pieces = [Purpose.COMPONENTS_OF_A_THREAD in t.purposes.values() for t in every]
    for count in set(races):
        alike = [piece for piece, n in zip(pieces, races, strict=True) if n == count]
        assert alike == sorted(alike)


@pytest.mark.every(6)
@pytest.mark.parametrize(("name", "turn"), [(name, turn) for name in KERNELS for turn in range(6)])
def test_every_template_is_a_kernel(name: str, turn: int) -> None:
    expression, formats, *_ = KERNELS[name]
    for template in templates(name)[turn::6]:
        asked = make_request(expression, formats, schedule=template.schedule(), target="cuda")
        assert "GN_KERNEL" in generate_for_device(request_source(asked, asked.resolve_without_shapes())).device


def test_templates_compute_what_is_meant(tmp_path: Path) -> None:
    """In the emulation, those of SpMM, with blocks of 64 threads."""
    rng = np.random.default_rng(0)
    matrix = gn.tensor([[0, 0, 2, 2, 3], [1, 5, 0, 6, 3]], [1.0, 2.0, 3.0, 4.0, 5.0], (4, 7), "CSR")
    operands = {"A": matrix, "B": rng.integers(1, 9, (7, 70)).astype(float)}
    every = templates("SpMM")[::6]
    problems = [
        Problem("C(i,j) = A(i,k) * B(k,j)", operands, "Dense", schedule=t.schedule(in_a_small_block(t))) for t in every
    ]
    cases = [generate_device_case(problem, f"k{n}_") for n, problem in enumerate(problems)]
    library = build_emulated(cases, tmp_path, chosen_compiler())
    for case, problem in zip(cases, problems, strict=True):
        assert np.array_equal(run_emulated(case, library).to_numpy(), problem.execution.result.to_numpy())
