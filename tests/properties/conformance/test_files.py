"""Cases as files: problems come back from them, and they hold what is expected."""

import errno
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from depth import DEEP
from gnomon.properties.conformance import files as files_module
from gnomon.properties.conformance.files import export
from gnomon.properties.conformance.suite import RULES, suite
from gnomon.properties.programs.case_file import number_of_json, problem_of_json
from gnomon.properties.programs.problem import Problem
from gnomon.reference.algebra.exact import approximate
from gnomon.reference.algebra.scalars import caster
from gnomon.reference.errors import FileError
from gnomon.reference.storage.tensor import Tensor


def test_cases_are_files_from_which_problems_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fifth case, unless tests are deep."""
    some = suite()[:: 1 if DEEP else 5]
    monkeypatch.setattr(files_module, "suite", lambda: some)
    assert export(tmp_path) == len(some)
    listed = json.loads((tmp_path / "suite.json").read_text())
    assert [rule["rule"] for rule in listed["rules"]] == [rule.id for rule in RULES]
    for case in some:
        held = json.loads((tmp_path / f"{case.id}.json").read_text())
        assert held["refused"] is case.refused
        if case.refused:
            continue
        again = problem_of_json(held)
        assert repr(again) == repr(case.problem)
        check_expected(again, held["expected"])
        for name, tensor in case.problem.operands.items():
            check_storage(tensor, held["operands"][name]["storage"])


def test_cases_that_do_not_fit_on_the_disk_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(FileError, match=r"cannot write .*\.json: No space left on device"):
        export(tmp_path)


def check_expected(problem: Problem, expected: list[dict[str, Any]]) -> None:
    """Every point is expected with what it means, or has the fill and is not there."""
    by_place = {tuple(each["at"]): each for each in expected}
    assert len(by_place) == len(expected)
    for i in problem.denotation.points():
        point, said = problem.denotation.point(i), by_place.pop(i, None)
        assert (True in point.presence()) == (said is not None)
        if said is None:
            assert point.accepts(caster(problem.dtype)(problem.fill))
            continue
        values = [number_of_json(v) for v in said["values"]]
        assert repr(values) == repr([approximate(v) for m in point.readings for v in m.values()])
        assert number_of_json(said["bound"]) == max(float(m.bound) for m in point.readings)
        assert said.get("optional", False) == (False in point.presence())
    assert not by_place


def check_storage(tensor: Tensor, storage: dict[str, Any]) -> None:
    """Storage holds the very arrays of a tensor."""
    for level, own, said in zip(tensor.format.levels, tensor.levels, storage["levels"], strict=True):
        assert said == {"level": level.name, **{name: np.asarray(a).tolist() for name, a in own.items()}}
    assert storage["shared"] == {name: a.tolist() for name, a in tensor.shared.items()}
    assert repr([number_of_json(v) for v in storage["values"]]) == repr(tensor.vals.tolist())
