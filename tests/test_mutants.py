"""The mutants of `tests/mutants` still apply to the text as it is; none is run here (`make mutants` does)."""

from __future__ import annotations

import ast
import importlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, pairwise
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
    known = {file: tuple(statements(text)) for file, text in texts.items()}
    other = {file for file, text in texts.items() if is_other(text)}
    for mutant in mutants:
        assert mutant.applied(texts[mutant.file])
        begin = texts[mutant.file].index(mutant.find)
        before = "".join(within(known[mutant.file], begin, begin + len(mutant.find)))
        after = mutant.applied(before)
        assert before != after if mutant.file in other else shape(before) != shape(after), mutant.id


def within(parts: tuple[str, ...], begin: int, end: int) -> Iterator[str]:
    """Those parts of a text that some of a range of it lies in."""
    for part, stop in zip(parts, accumulate(len(part) for part in parts), strict=True):
        if stop > begin and stop - len(part) < end:
            yield part


def statements(text: str) -> Iterator[str]:
    """The parts of a Python text: its statements, and those in its classes, each with the lines before it. Of another
    text, its lines."""
    lines = text.splitlines(keepends=True)
    if is_other(text):
        yield from lines
        return
    whole = ast.parse(text).body
    nodes = [part for node in whole for part in (node.body if isinstance(node, ast.ClassDef) else [node])]
    for begin, end in pairwise([0, *(node.end_lineno for node in nodes[:-1]), len(lines)]):
        yield "".join(lines[begin:end])


def is_other(text: str) -> bool:
    """Whether it is no Python."""
    return any(line.startswith(("procedure ", "#ifndef ")) for line in text.splitlines())


@cache
def shape(statements: str) -> str:
    """Statements, those of a class also without its head, without their layout."""
    head = "class Head:\n" if statements.lstrip("\n").startswith(" ") else ""
    return ast.dump(ast.parse(head + statements))


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


def test_a_list_of_tests_stands_once(mutants: tuple[Any, ...]) -> None:
    """Modules that have the same list import it from `suites`."""
    found = Counter[Any]()
    for path in sorted((ROOT / "tests" / "mutants").glob("*.py")):
        if "MUTANTS: tuple" in (text := path.read_text()):
            shared = {n.name for s in ast.parse(text).body if isinstance(s, ast.ImportFrom) for n in s.names}
            known = vars(importlib.import_module(path.stem))
            found.update({value for name, value in known.items() if name not in shared and is_list_of_tests(value)})
    suites = vars(importlib.import_module("suites"))
    every = [value for value in suites.values() if is_list_of_tests(value)]
    assert {tests: count for tests, count in found.items() if count > 1} == {}
    assert len(set(every)) == len(every) and not set(every) & set(found)


def is_list_of_tests(value: object) -> bool:
    """Whether a value is a list of files of tests, or of tests in them."""
    return isinstance(value, tuple) and bool(value) and all(isinstance(v, str) and "test_" in v for v in value)
