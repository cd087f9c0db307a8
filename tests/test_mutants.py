"""The mutants of `tests/mutants` still apply to the text as it is; none is run here (`make mutants` does)."""

from __future__ import annotations

import ast
import importlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
AREAS = ("lattice", "level", "provenance", "precondition", "workspace", "lowering")


@pytest.fixture
def mutants(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, ...]:
    monkeypatch.syspath_prepend(ROOT / "tests" / "mutants")
    found: tuple[Any, ...] = importlib.import_module("catalogue").MUTANTS
    return found


def test_every_mutant_applies_once_and_changes_the_program(mutants: tuple[Any, ...]) -> None:
    texts = {file: (ROOT / file).read_text() for file in {m.file for m in mutants}}
    known = {file: set(statements(text)) for file, text in texts.items()}
    for mutant in mutants:
        before, after = known[mutant.file], set(statements(mutant.applied(texts[mutant.file])))
        assert {shape(s) for s in before - after} != {shape(s) for s in after - before}, mutant.id


def statements(text: str) -> Iterator[str]:
    """The statements of a file, as they are written; of a procedure and of a header in C, its lines."""
    lines = text.splitlines()
    if any(line.startswith(("procedure ", "#ifndef ")) for line in lines):
        yield from (repr(line) for line in lines)
        return
    for node in ast.parse(text).body:
        begin = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
        yield "\n".join(lines[begin - 1 : node.end_lineno])


@cache
def shape(statement: str) -> str:
    """A statement without its layout."""
    return ast.dump(ast.parse(statement))


def test_mutants_have_names_of_their_own_and_say_what_they_mean(mutants: tuple[Any, ...]) -> None:
    assert len({m.id for m in mutants}) == len({(m.file, m.find, m.replace) for m in mutants}) == len(mutants)
    assert all(m.meaning and m.tests and m.equivalent != "" for m in mutants)


def test_their_tests_exist(mutants: tuple[Any, ...]) -> None:
    for path, _, name in {t.partition("::") for m in mutants for t in m.tests}:
        text = (ROOT / path).read_text()
        assert f"def {name.partition('[')[0]}(" in text or not name, (path, name)


def test_every_area_is_covered(mutants: tuple[Any, ...]) -> None:
    counts = Counter(m.area for m in mutants if m.equivalent is None)
    assert sum(counts.values()) >= 200
    assert all(counts[area] >= 25 for area in AREAS)
