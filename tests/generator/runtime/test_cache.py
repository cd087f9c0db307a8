"""Cached kernels: found again, built again where anything of them is damaged, shared among processes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import gnomon as gn
import pytest
from gnomon.generator.runtime import cache
from gnomon.reference.errors import HostError

from .product import SPMV, A, X


def test_the_cache_is_used_and_survives_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GNOMON_CACHE", str(tmp_path))
    gn.compile(SPMV, A="CSR")
    made = sorted(p.suffix for p in tmp_path.iterdir())
    assert made == [".c", ".json", ".json", ".seal", ".so"]
    calls: list[object] = []
    monkeypatch.setattr(cache, "library", lambda *args: calls.append(args))
    gn.compile(SPMV, A="CSR")
    assert not calls
    monkeypatch.undo()
    monkeypatch.setenv("GNOMON_CACHE", str(tmp_path))
    next(tmp_path.glob("*.json")).write_text("{")
    assert gn.compile(SPMV, A="CSR")(A=A, x=X).shape == (4,)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with one kernel in it."""
    folder = tmp_path_factory.mktemp("filled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GNOMON_CACHE", str(folder))
        gn.compile(SPMV, A="CSR")
    return folder


@pytest.fixture
def kept(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it that is used."""
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("GNOMON_CACHE", str(tmp_path))
    return tmp_path


def test_functions_for_two_phases_are_built_when_they_are_called(kept: Path) -> None:
    kernel = gn.compile(SPMV, A="CSR")
    kernel(A=A, x=X)
    assert len(list(kept.glob("*.so"))) == 1 and "int compute(" in kernel.source
    structure = kernel.assemble(A=A, x=X)
    assert kernel.compute(structure, A=A, x=X).vals.tolist() == [8.0, 14.0, 0.0, 36.0]
    assert gn.compile(SPMV, A="CSR").compute(structure, A=A, x=X).vals.tolist() == [8.0, 14.0, 0.0, 36.0]
    assert len(list(kept.glob("*.so"))) == 2


def test_a_kernel_is_built_again_when_a_header_changes(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "header_digest", lambda: "of other headers")
    cache.fingerprint.cache_clear()
    try:
        gn.compile(SPMV, A="CSR")
    finally:
        cache.fingerprint.cache_clear()
    assert len(list(kept.glob("*.so"))) == 2


@pytest.mark.parametrize("damage", ["truncated", "junk", "empty", "unsealed", "without source", "no library"])
def test_damaged_libraries_are_built_again(kept: Path, damage: str) -> None:
    found = next(kept.glob("*.so"))
    match damage:
        case "truncated" | "junk" | "empty":
            text = found.read_bytes()
            found.unlink()
            found.write_bytes({"truncated": text[:2000], "junk": b"junk", "empty": b""}[damage])
        case "unsealed":
            found.with_suffix(".seal").unlink()
        case "without source":
            found.with_suffix(".c").unlink()
        case _:
            found.unlink()
    kernel = gn.compile(SPMV, A="CSR")
    assert kernel(A=A, x=X).vals.tolist() == [8.0, 14.0, 0.0, 36.0]
    assert "evaluate" in kernel.source


JUNK = [
    "{}", "[]", "null", "3", '{"library": 5, "depends": []}', '{"library": "x", "depends": []}',
    '{"library": "/bin/sh", "depends": []}', '{"library": "LIBRARY", "depends": [["Q", 0]]}',
    '{"library": "LIBRARY", "depends": [["A", 7]]}', '{"library": "LIBRARY", "depends": 1}',
    '{"library": "LIBRARY", "depends": [0]}', '{"library": "LIBRARY"}', "\udcff",
    '{"library": "LIBRARY", "depends": []}', '{"library": "LIBRARY", "depends": [], "converted": 3}',
    '{"library": "LIBRARY", "depends": [], "converted": [["A"]]}',
]  # fmt: skip


@pytest.mark.parametrize("text", JUNK)
def test_damaged_notes_are_written_again(kept: Path, text: str) -> None:
    note = next(each for each in kept.glob("*.json") if "library" in each.read_text())
    found = next(kept.glob("*.so"))
    before = note.read_text()
    note.write_bytes(text.replace("LIBRARY", found.name).encode(errors="surrogateescape"))
    assert gn.compile(SPMV, A="CSR")(A=A, x=X).vals.tolist() == [8.0, 14.0, 0.0, 36.0]
    assert note.read_text() == before


def test_a_library_that_cannot_be_loaded_is_built_again_once(kept: Path) -> None:
    found = next(kept.glob("*.so"))
    found.unlink()
    found.write_bytes(b"junk")
    cache.seal(found)
    assert gn.compile(SPMV, A="CSR")(A=A, x=X).vals.tolist() == [8.0, 14.0, 0.0, 36.0]


def test_a_compiler_that_writes_no_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GNOMON_CACHE", str(tmp_path))
    monkeypatch.setenv("CC", "true")
    with pytest.raises(HostError, match="cannot be loaded"):
        gn.compile(SPMV, A="CSR")


@pytest.mark.parametrize("folder", ["/dev/null", "/dev/null/kernels", "/proc/kernels"])
def test_a_cache_folder_that_cannot_be_used(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GNOMON_CACHE", folder)
    with pytest.raises(HostError, match="GNOMON_CACHE") as found:
        gn.compile(SPMV, A="CSR")
    assert folder in found.value.message


def test_processes_share_the_cache(tmp_path: Path) -> None:
    operands = "A=gn.tensor([[0],[0]],[2.],(1,1),'CSR'), x=[3]"
    script = f"import gnomon as gn; print(gn.compile({SPMV!r}, A='CSR')({operands}).vals)"
    environment = {**os.environ, "GNOMON_CACHE": str(tmp_path)}
    started = [
        subprocess.Popen([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE) for _ in range(2)
    ]
    assert [p.communicate()[0].strip() for p in started] == [b"[6.]"] * 2
    assert len(list(tmp_path.glob("*.so"))) == 1
