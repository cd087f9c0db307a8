"""Whether there is a GPU, and what `make gpu` says where there is none."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from gnomon.generator.cuda.text import Texts
from gnomon.properties.gpu import __main__ as command
from gnomon.properties.gpu import presence
from gnomon.properties.gpu.presence import find_gpu, for_this_gpu_alone, what_is_said
from gnomon.reference.errors import HostError


def no_build(texts: Texts, folder: Path) -> Path:
    raise HostError("there is no GPU")


def test_without_a_gpu_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(command, "find_gpu", lambda folder: "no driver")
    for asked in ([], ["--json"]):
        done = CliRunner().invoke(command.main, ["--page", str(tmp_path / "page.md"), *asked])
        assert done.exit_code == 0 and not list(tmp_path.iterdir())
        said = json.loads(done.output) if asked else done.output
        assert said in ({"gpu": None, "why": "no driver"}, "no GPU: no driver; nothing was measured\n")


def test_why_there_is_no_gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NVCC", "no-such-compiler")
    assert find_gpu(tmp_path) == "NVCC is 'no-such-compiler', which is not a program"
    monkeypatch.setattr(presence, "build_for_gpu", no_build)
    monkeypatch.setattr(presence, "chosen_nvcc", lambda: type("Nvcc", (), {"command": ("nvcc",)}))
    assert find_gpu(tmp_path) == "there is no GPU"


def test_kernels_are_built_for_the_gpu_that_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("GNOMON_GPU", raising=False)
    script = tmp_path / "nvidia-smi"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert what_is_said("name") == ""
    script.write_text("#!/bin/sh\necho 9.0\necho 8.6\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with for_this_gpu_alone():
        assert os.environ["GNOMON_GPU"] == "90"
    assert "GNOMON_GPU" not in os.environ
    monkeypatch.setenv("GNOMON_GPU", "86")
    with for_this_gpu_alone():
        assert os.environ["GNOMON_GPU"] == "86"
