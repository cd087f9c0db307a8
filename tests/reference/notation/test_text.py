"""Texts: whoever asks, an expression is parsed once a request."""

from __future__ import annotations

import ast
import json
import pickle
from collections.abc import Callable
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from click.testing import CliRunner
from gnomon.cli import commands
from gnomon.properties.programs.problem import Problem
from gnomon.reference.notation import text
from gnomon.reference.notation.parser import parse

SPMV = "y(row) = A(row,column) * x(column)"
A = gn.tensor([[0, 0, 1], [0, 2, 1]], [1.0, 2.0, 3.0], (2, 3), "CSR")
X = np.array([1.0, 10.0, 100.0])


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that is parsed."""
    found: list[str] = []

    def counted(source: str, *others: object) -> object:
        found.append(source)
        return parse(source, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(text, "parse", counted)
    return found


REQUESTS: dict[str, Callable[[], object]] = {
    "evaluate": lambda: gn.evaluate(SPMV, A=A, x=X),
    "evaluate unchecked": lambda: gn.evaluate(SPMV, A=A, x=X, schedule="split(row,r0,r1,2)", unchecked=True),
    "evaluate in C": lambda: gn.evaluate(SPMV, A=A, x=X, engine="c"),
    "trace": lambda: gn.trace(SPMV, A=A, x=X),
    "compile": lambda: gn.compile(SPMV, A="CSR"),
    "check": lambda: gn.check(SPMV, A=A, x=X),
    "check a result": lambda: gn.check(SPMV, A=A, x=X, result=[201.0, 30.0]),
    "prove": lambda: gn.prove_statement(SPMV, A="CSR"),
    "a setting's name": lambda: gn.evaluate(SPMV.replace("y", "schedule"), A=A, x=X),
    "a program": lambda: (p := Problem(SPMV, {"A": A, "x": X}, "d")).terms and p.execution and p.denotation.at((0,)),
}


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
def test_a_request_parses_its_text_once(parsed: list[str], request_: Callable[[], object]) -> None:
    request_()
    assert len([source for source in parsed if SPMV.partition(" = ")[2] in source]) == 1


OPERANDS = ["-t", "A=matrix.tns", "-t", "x=ones", "-f", "A=CSR"]


@pytest.mark.parametrize(
    "command",
    [
        ["run", SPMV, *OPERANDS],
        ["run", SPMV, *OPERANDS, "--engine", "both"],
        ["run", SPMV, *OPERANDS, "--check"],
        ["check", SPMV, *OPERANDS],
        ["code", SPMV, "-f", "A=CSR"],
        ["show", SPMV, *OPERANDS],
        ["show", SPMV, "-f", "A=CSR"],
        ["schedule", SPMV, "-f", "A=CSR"],
    ],
    ids=lambda command: " ".join(command[:1] + command[2:]),
)
def test_a_command_parses_its_text_once(
    parsed: list[str], command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    gn.write("matrix.tns", A)
    done = CliRunner().invoke(commands, [*command, "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)
    assert parsed.count(SPMV) == 1


def test_a_text_that_has_been_parsed_travels_as_text() -> None:
    given = text.as_text(SPMV)
    assert given.target.tensor == "y"
    assert pickle.loads(pickle.dumps(given)) == given


def test_nobody_else_parses_expressions() -> None:
    """Beside texts: commands of schedules, which name parts of an expression, and declarations of operators."""
    root = Path(gn.__file__).parent
    packages = ("reference", "generator", "properties")
    found = {
        str(path.relative_to(root)): names
        for package in packages
        for path in (root / package).rglob("*.py")
        if "parse" in (text_ := path.read_text())
        for node in ast.walk(ast.parse(text_))
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith(("parser", "printed"))
        if {"parse", "parse_printed"} & set(names := [alias.name for alias in node.names])
    }
    assert found.keys() == {
        "reference/notation/declaration.py",
        "reference/notation/text.py",
        "reference/schedule/schedule.py",
        "reference/schedule/text.py",
    }


def test_sibling_reductions_have_variables_of_their_own() -> None:
    own = text.as_text("y(i) = sum(l, A(i,l)) * sum(l, B(l,i)) + C(l1)")
    assert [access.indices for access in own.reads] == [("i", "l"), ("l2", "i"), ("l1",)]
    implicit = text.as_text("y(i) = A(i,l) * B(l,i)")
    assert [access.indices for access in implicit.reads] == [("i", "l"), ("l", "i")]
