"""The tuner: what it tries, that it keeps the fastest, and that it remembers."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from gnomon.generator.runtime import request as requests
from gnomon.generator.runtime.kernel import Kernel
from gnomon.generator.runtime.request import Request, Tuning, make_request
from gnomon.generator.storage.layout import Layout
from gnomon.generator.tuning import sample as samples
from gnomon.generator.tuning import tuner
from gnomon.generator.tuning.sample import sample
from gnomon.generator.tuning.trial import Bench
from gnomon.generator.tuning.tuner import Trial, Tuned, read_note, schedules, starting_points, trials, tune
from gnomon.reference.errors import HostError, MeaningError, Unsupported
from gnomon.reference.files.operands import as_tensors
from gnomon.reference.files.samples import poisson_2d
from gnomon.reference.schedule.schedule import as_schedule
from msgspec.structs import replace

pytestmark = pytest.mark.usefixtures("kernels_as_they_ship")
SPMV = "y(i) = A(i,j) * x(j)"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Few choices, and an empty cache."""
    monkeypatch.setenv("GNOMON_CACHE", str(tmp_path))
    monkeypatch.setattr(tuner, "TEMPLATES", 2)
    monkeypatch.setattr(tuner, "FLAGS", (("-funroll-loops",), ("-fno-such-flag",)))
    monkeypatch.setattr(tuner, "SHARINGS", ("static",))


@pytest.mark.usefixtures("few")
def test_the_fastest_of_all_variants_is_kept_and_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []

    def seconds(_: Bench, request: Request, best: float = 0.0) -> float:
        Kernel(request)
        given.append(str(Trial(request, 0)))
        return 1.0 if "static" in given[-1] else 2.0 if "parallelize" in given[-1] else 3.0

    monkeypatch.setattr(Bench, "seconds", seconds)
    monkeypatch.setattr(Bench, "seconds_alone", lambda _, request: 5.0)
    grid = poisson_2d(8)
    kernel = gn.compile(SPMV, A=grid, x=np.ones(64), tune=True)
    assert kernel.request.tuning.sharing == "static"
    assert "schedule(static)" in kernel.source
    rows = "parallelize(i,CPUThread,NoRaces)"
    assert given[:3] == ["no schedule", rows, "split(i,i0,i1,64),parallelize(i0,CPUThread,NoRaces)"]
    assert f"{rows} -funroll-loops" in given and not any("such" in each for each in given)
    tried = len(given)
    assert gn.compile(SPMV, A=grid, x=np.ones(64), tune=True).request == kernel.request
    assert len(given) == tried
    assert tuner.tune_for(SPMV, {"A": grid, "x": np.ones(64)}) == Tuned(kernel.request, 1.0, 5.0)
    assert read_note(kernel.request, NOTE | {"flags": []}) is not None
    gn.compile(SPMV, A=poisson_2d(9), x=np.ones(81), tune=True)
    assert len(given) > tried
    tried = len(given)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    gn.compile(SPMV, A=grid, x=np.ones(64), tune=True)
    assert len(given) > tried


NOTE: dict[str, Any] = {
    "schedule": "", "flags": ["-funroll-loops"], "sharing": "static", "in a row": 1.0, "alone": 2.0
}  # fmt: skip
NONSENSE: list[dict[str, Any]] = [
    {}, NOTE | {"schedule": 3}, NOTE | {"schedule": "split("}, NOTE | {"flags": "-O2"}, NOTE | {"flags": [[1]]},
    NOTE | {"flags": ["-rm"]}, NOTE | {"sharing": "x"}, NOTE | {"alone": "x"}, NOTE | {"in a row": None},
]  # fmt: skip


@pytest.mark.parametrize("note", NONSENSE)
def test_notes_that_make_no_sense_are_ignored(note: dict[str, Any]) -> None:
    assert read_note(make_request(SPMV, {"A": "CSR"}), note) is None


@pytest.mark.usefixtures("few")
def test_sizes_of_a_given_schedule_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuner, "FLAGS", ())
    request = make_request(SPMV, {"A": "CSR"}, schedule="split(i,i0,i1,8),parallelize(i0,CPUThread,NoRaces)")
    grid = poisson_2d(6)
    with Bench({"A": grid, "x": gn.tensor([range(36)], np.ones(36), (36,), "Dense")}) as stand:
        found = trials(request, stand)
    falls = [later.seconds < trial.seconds for trial, later in pairwise(found)]
    assert sum(falls) <= 1 and not any(falls[: tuner.FINALISTS - 1]) and not any(falls[tuner.FINALISTS + 1 :])
    sizes = {c.args[3] for trial in found for c in trial.request.schedule.commands if c.name == "split"}
    assert sizes == {2, 4, 8, 16, 32}


@pytest.mark.usefixtures("few")
def test_what_runs_without_a_tuner_is_timed_once_more_however_slow_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow phase of the machine, while it was timed first and once later, does not make it lose."""
    given: list[Request] = []

    def seconds(_: Bench, request: Request, best: float = 0.0) -> float:
        given.append(request)
        is_slow = request in given[:2] and given.count(request) < 3
        return 9.0 if is_slow else 1.0 if request == given[1] else 2.0

    monkeypatch.setattr(Bench, "seconds", seconds)
    request = make_request(SPMV, {"A": "CSR"})
    with Bench({}) as stand:
        found = trials(request, stand)
    assert found[0].request == given[1] == replace(request, schedule=as_schedule("parallelize(i,CPUThread,NoRaces)"))
    assert {given.count(each) for each in given} == {1, 1 + tuner.ROUNDS}


def test_branched_schedules_of_a_product_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the templates are, of which there are none here."""
    monkeypatch.setattr(tuner, "rank", lambda program: [])
    request = make_request("A(i,l) = B(i,j) * C(j,k) * D(k,l)", {"B": "CSR"})
    tried = [str(each.schedule) for each in (*starting_points(request), *schedules(request))]
    fused = [each for each in tried if "loopfuse" in each]
    assert len(fused) == 6
    B, C, D = poisson_2d(3), np.ones((9, 2)), np.ones((2, 3))
    with Bench(as_tensors({"B": B, "C": C, "D": D}, None)) as stand:
        assert all(
            0 < stand.seconds(replace(request, schedule=as_schedule(each))) < 9 for each in fused[:: 1 if ALL else 2]
        )


@pytest.mark.usefixtures("few")
def test_what_cannot_be_built_cannot_be_tuned() -> None:
    with pytest.raises(Unsupported, match="GPUBlock"):
        gn.compile(SPMV, A="CSR", schedule="parallelize(i,GPUBlock,NoRaces)", tune=True)


@pytest.fixture
def no_nvcc(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether there is an nvcc does not matter: nothing is built."""
    monkeypatch.setattr(requests, "chosen_nvcc", requests.chosen_compiler)


@pytest.mark.usefixtures("few", "no_nvcc")
def test_kernels_for_a_gpu_are_tuned_by_templates_and_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Request] = []

    def seconds(_: Bench, request: Request, best: float = 0.0) -> float:
        given.append(request)
        return 1.0 if "each" in str(request.schedule) else 2.0

    monkeypatch.setattr(Bench, "seconds", seconds)
    monkeypatch.setattr(Bench, "seconds_alone", lambda _, request: 5.0)
    operands = {"A": poisson_2d(8), "x": gn.tensor([[0]], [1.0], (64,), "dense")}
    request = make_request(SPMV, operands, target="cuda")
    found = tune(request, operands)
    best = found.request
    assert "split(p,p0,p1,1024),split(p1,each,thread,256)" in str(best.schedule)
    assert "GPUThread" in str(given[0].schedule) and "each" not in str(given[0].schedule)
    assert {(request.target, request.tuning) for request in given} == {("cuda", Tuning())}
    sizes_tried = {"split(p1,each,thread,128)", "split(p,p0,p1,4096)"}
    assert all(any(size in str(request.schedule) for request in given) for size in sizes_tried)
    tried = len(given)
    assert tune(request, operands) == found and len(given) == tried
    rows = make_request(SPMV, operands, target="cuda", schedule="parallelize(i,GPUBlock,NoRaces)")
    assert tune(rows, operands).request == given[tried] == rows


@pytest.mark.usefixtures("few", "no_nvcc")
def test_where_there_is_no_gpu_nothing_more_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Request] = []

    def seconds(_: Bench, request: Request, best: float = 0.0) -> float:
        given.append(request)
        raise HostError("there is no GPU to compute y on")

    monkeypatch.setattr(Bench, "seconds", seconds)
    with pytest.raises(HostError, match="there is no GPU"):
        gn.compile(SPMV, A="CSR", tune=True, target="cuda")
    assert len(given) == 1


@pytest.mark.usefixtures("few")
def test_untuned_kernels_are_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "COMPONENTS", 20_000)
    for name in ("seconds", "seconds_alone"):
        monkeypatch.setattr(Bench, name, lambda *_: 1.0)
    gn.compile(SPMV, A="CSR", tune=True)
    assert not gn.compile(SPMV, A="CSR", schedule=None).request.schedule.commands


@pytest.mark.parametrize(
    "format",
    [
        "CSR",
        "CSC",
        "COO",
        "DCSR",
        "DIA",
        "ELL",
        "BCSR(2,3)",
        "CSB(8,8)",
        "HashRows",
        "HashMap",
        "Banded",
        "Skyline",
        "Dense",
    ],
)
def test_samples_are_laid_out_as_asked(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "COMPONENTS", 20_000)
    request = make_request(SPMV, {"A": gn.spec(format, dtype="float32")})
    found = sample(request)
    assert all(Layout.of(found[name]) == layout for name, layout in request.declarations.items())
    assert found["A"].shape[1] == found["x"].shape[0] and found["A"].nnz > 1000


@pytest.mark.parametrize(
    ("expression", "shapes"),
    [
        ("C(i,j) = A(i,k) * B(k,j)", {"A": (256, 256), "B": (256, 256)}),
        ("y(i) = A(i,j) * x(j)", {"A": (256, 256), "x": (256,)}),
        ("a = x(i) * y(i)", {"x": (200_000,), "y": (200_000,)}),
        ("a = A(i,j,k)", {"A": (60, 60, 60)}),
    ],
)
def test_samples_of_dense_operands_keep_a_processor_busy(expression: str, shapes: dict[str, tuple[int, ...]]) -> None:
    assert {name: t.shape for name, t in sample(make_request(expression, {})).items()} == shapes


def test_samples_fit_together() -> None:
    request = make_request("C(i,r) = A(i,j,k) * D(j,r) * E(k,r)", {"A": "CSF"})
    found = {name: t.shape for name, t in sample(request).items()}
    assert found["A"][1] == found["D"][0] and found["A"][2] == found["E"][0] and found["D"][1] == found["E"][1]


def test_samples_of_what_is_read_twice_have_one_shape() -> None:
    request = make_request("T(i,l,m) = A(i,k) * A(k,j) * B(k,l,m)", {"A": "CSR", "B": "CSF"})
    shapes = {name: t.shape for name, t in sample(request).items()}
    assert request.resolve(shapes).shape == shapes["B"]


def test_a_sample_that_does_not_suit_is_said_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def seconds(*_: object) -> float:
        raise MeaningError("integer overflow: 200 does not fit in int8")

    monkeypatch.setattr(Bench, "seconds", seconds)
    byte = gn.spec("d", dtype="int8")
    with pytest.raises(MeaningError, match="a sample of operands does not suit: integer overflow") as error:
        gn.compile("y(i) = x(i) * z(i)", x=byte, tune=True)
    assert error.value.hint == "give all operands, tensors like those that are to come: x=x, z=z"
    with pytest.raises(MeaningError, match=r"^integer overflow"):
        gn.compile("y(i) = x(i) * z(i)", x=np.ones(2, np.int8), z=np.ones(2), tune=True)


def test_operators_of_a_user_are_not_tuned_for() -> None:
    hop = gn.operator("hop(a,b) = a + 1")
    with pytest.raises(Unsupported, match="as hop is"):
        gn.compile(gn.text("y(i) = hop(x(i), z(i))", operators=[hop]), tune=True)
    with pytest.raises(Unsupported, match="as hop is"):
        gn.compile("y(j) = x(i) * A(i,j)", A="CSR", semiring=gn.semiring(add="min", multiply=hop), tune=True)
