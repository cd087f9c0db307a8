"""Campaigns: the same findings whatever runs them, none lost when a worker is killed, and files that go on."""

import importlib
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType

import pytest
from gnomon.properties.backends.outcome import Kind
from gnomon.properties.backends.worker import Limits
from gnomon.properties.campaign import campaign as campaigns
from gnomon.properties.campaign.campaign import CHUNK, Campaign, distribute, resume, run, save
from gnomon.properties.campaign.examination import Plan, Sighting
from gnomon.properties.campaign.executors import Inline, executors
from gnomon.properties.campaign.findings import Finding
from gnomon.reference.errors import GnomonError

FEW = 8
EXAMPLES = FEW + FEW // 4
FAULTY = """
from msgspec.structs import replace
import numpy as np
from gnomon.properties.backends.backend import Refused
from gnomon.properties.backends.result import result_of
from gnomon.properties.programs.features import PLAIN, Storage
from gnomon.reference.execution.evaluate import execute

class Faulty:
    name, version, promises = "faulty", "1", ("structure",)
    features = replace(
        PLAIN, orders=(0, 1), operands=Storage(("Dense", "SparseVector")), results=Storage(("Dense",)), masks=(),
        operators=("add", "sub", "mul", "max"), reductions=("add",), updates=(), literals=False, shared=False,
        diagonals=False, broadcasts=False, inner=False, fills=False, specials=False, zeros=False, many=False,
    )

    def supports(self, problem):
        if "max" in problem.source:
            raise Refused("maxima")
        return True

    def run(self, problem):
        if " - " in problem.source:
            raise ValueError(f"no difference in row {len(problem.source)}")
        found = result_of(execute(problem.source, problem.operands, out=problem.out, convert="auto").result)
        return replace(found, values=found.values + 1.0) if " * " in problem.source else found
"""


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plan]:
    folder = tmp_path_factory.mktemp("faulty")
    (folder / "faulty.py").write_text(FAULTY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        patch.syspath_prepend(str(folder))
        yield Plan("faulty:Faulty", 35, Limits(seconds=20.0))


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chunk is of few units, so that few units are several chunks."""
    monkeypatch.setattr(campaigns, "CHUNK", FEW)


@pytest.fixture(scope="module")
def whole(plan: Plan) -> Campaign:
    campaign = Campaign(plan)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(campaigns, "CHUNK", FEW)
        run(campaign, EXAMPLES, Inline, 1)
    return campaign


def told(findings: list[Finding]) -> list[dict[str, object]]:
    return [finding.as_json() for finding in findings]


def test_causes_are_told_apart_and_minimised(whole: Campaign) -> None:
    assert sum(whole.outcomes().values()) == EXAMPLES
    assert list(whole.done) == [0, FEW]
    assert set(whole.refusals()) == {"maxima"}
    found = {(f.kind, f.cause): f for f in whole.findings}
    error = found.pop((Kind.RAISED, "ValueError: no difference in row #"))
    wrong = found.pop((Kind.WRONG, "values"))
    assert not found
    assert error.problem.source == "R(i) = A(i) - B(i)"
    assert wrong.problem.source == "R(i) = A(i) * B(i)"
    sightings = whole.sightings(EXAMPLES)
    assert len(sightings) == len(error.units) + len(wrong.units) == sum(
        count for kind, count in whole.outcomes().items() if kind in ("raised", "wrong")
    )  # fmt: skip


@pytest.mark.usefixtures("small_chunks")
def test_workers_make_no_difference(plan: Plan, whole: Campaign) -> None:
    campaign = Campaign(plan)
    with executors(2, None) as (start, workers):
        run(campaign, EXAMPLES, start, workers)
    assert campaign.done == whole.done
    assert told(campaign.findings) == told(whole.findings)


WORK = """
import os, signal, time
from pathlib import Path

def once_killed(folder, number):
    time.sleep(0.05)
    mark = Path(folder) / "killed"
    if number == 2 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number

def always_killed(folder, number):
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Tasks that workers can import, one of which kills its worker the first time that it does the third."""
    (tmp_path / "deadly_work.py").write_text(WORK)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    return importlib.import_module("deadly_work")


@pytest.mark.parametrize("kind", ["processes", "dask"])
def test_a_killed_worker_loses_nothing(kind: str, work: ModuleType, tmp_path: Path) -> None:
    tasks = [(str(tmp_path), n) for n in range(12)]
    if kind == "dask":
        with executors(2, None) as (start, workers):
            found = list(distribute(work.once_killed, tasks, start, workers))
    else:
        found = list(distribute(work.once_killed, tasks, partial(ProcessPoolExecutor, 2, get_context("spawn")), 2))
    assert (tmp_path / "killed").exists()
    assert sorted(found) == list(range(12))


def test_workers_that_always_end_are_not_started_for_ever(work: ModuleType) -> None:
    with pytest.raises(GnomonError, match="workers end before"):
        list(distribute(work.always_killed, [("", 0)], partial(ProcessPoolExecutor, 1, get_context("spawn")), 1))


def failing(number: int) -> int:
    raise ValueError(f"task {number}")


def test_what_fails_is_not_tried_for_ever() -> None:
    with pytest.raises(ValueError, match="task 0"):
        list(distribute(failing, [(0,)], Inline, 1))


@pytest.mark.usefixtures("small_chunks")
def test_a_campaign_goes_on_where_it_stopped(plan: Plan, whole: Campaign, tmp_path: Path) -> None:
    """And threads of one process take turns."""
    path = tmp_path / "campaign.json"
    first = resume(plan, path, "1")
    stops: Iterator[bool] = iter([False, True, True])
    run(first, EXAMPLES, Inline, 1, until=lambda: next(stops))
    assert list(first.done) == [0]
    save(first, path, "1")
    second = resume(plan, path, "1")
    assert (second.done, told(second.findings)) == (first.done, told(first.findings))
    examined: list[int] = []
    threads = partial(ThreadPoolExecutor, 4)
    run(second, EXAMPLES, threads, 4, tell=lambda campaign: examined.append(len(campaign.done)))
    assert min(examined) == 2
    assert second.done == whole.done
    assert told(second.findings) == told(whole.findings)
    assert second.unexplained_sightings() == []
    save(second, path, "1")
    assert json.loads(path.read_text())["units"] == EXAMPLES


def chunk(**changes: object) -> str:
    """What a file of a campaign says of a chunk that is changed so that it is wrong."""
    good = {"begin": 0, "end": 40, "outcomes": {"agrees": 40}, "refusals": {}, "sightings": []}
    return json.dumps({"done": [good | changes]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "is no campaign"),
        ("{}", "is no campaign"),
        ('{"seed": 5}', "holds a campaign of programs against faulty:Faulty 1 with seed 5"),
        ('{"version": "2"}', "faulty:Faulty 2"),
        ('{"subject": "procedure"}', "holds a campaign of procedures"),
        ('{"subject": "novel"}', "is no campaign"),
        ('{"strategies": "others"}', "other strategies"),
        ("[]", "is no campaign"),
        ("3", "is no campaign"),
        ("[" * 100_000, "is no campaign"),
        ('{"gnomon": "campaign 2"}', "is no campaign"),
        ('{"version": 1}', "is no campaign"),
        ('{"seed": "3"}', "is no campaign"),
        ('{"limits": {"seconds": "20.0", "memory": 8}}', "is no campaign"),
        ('{"limits": {"seconds": 20.0, "memory": null}}', "is no campaign"),
        ('{"limits": 3}', "is no campaign"),
        ('{"done": 3}', "is no campaign"),
        ('{"done": [3]}', "is no campaign"),
        (chunk(end="40"), "is no campaign"),
        (chunk(begin=1), "is no campaign"),
        (chunk(outcomes={"fine": 40}), "is no campaign"),
        (chunk(outcomes={"agrees": 39}), "is no campaign"),
        (chunk(refusals=[]), "is no campaign"),
        (chunk(sightings=[[50, 0, "raised", "", []]]), "is no campaign"),
        (chunk(sightings=[[5, 0, "raised", "", [3]]]), "is no campaign"),
        (chunk(sightings=[[5, -1, "raised", "", []]]), "is no campaign"),
        (chunk(sightings=[5]), "is no campaign"),
        ('{"findings": [{"kind": "wrong"}]}', "is no campaign"),
        (
            '{"findings": [{"kind": "wrong", "problem": {}, "cause": "", "detail": "", "units": [1], "step": 0}]}',
            "is no campaign",
        ),
    ],
)
def test_other_files_are_refused(text: str, message: str, plan: Plan, tmp_path: Path) -> None:
    path = tmp_path / "campaign.json"
    save(Campaign(plan), path, "1")
    partial = text.startswith('{"')
    changed = json.dumps(json.loads(path.read_text()) | json.loads(text)) if partial else text
    path.write_text(changed)
    with pytest.raises(GnomonError, match=message):
        resume(plan, path, "1")


def test_a_file_without_a_version_and_what_is_no_file_are_refused(plan: Plan, tmp_path: Path) -> None:
    path = tmp_path / "campaign.json"
    save(Campaign(plan), path, "1")
    held = json.loads(path.read_text())
    del held["version"]
    path.write_text(json.dumps(held))
    for wrong in (path, tmp_path):
        with pytest.raises(GnomonError, match="is no campaign"):
            resume(plan, wrong, "1")


def test_sightings_are_those_of_the_first_units(plan: Plan) -> None:
    campaign = Campaign(plan)
    assert campaign.sightings(10) == []
    assert campaign.remaining_chunks(CHUNK + 1) == [(0, CHUNK), (CHUNK, CHUNK + 1)]
    assert isinstance(Sighting(1, 0, Kind.WRONG, "values", frozenset()).ingredients, frozenset)
