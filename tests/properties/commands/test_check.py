"""The command `gnomon check`: both engines, or a result in a file, and its exit status."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from gnomon.cli import commands
from gnomon.reference.errors import DisagreementError

MATRIX = """%%MatrixMarket matrix coordinate real general
3 3 3
1 1 0.5
2 3 2
3 3 4
"""
SQUARE = "C(i,j) = A(i,k) * A(k,j)"
RIGHT = MATRIX.replace("0.5", "0.25").replace("2 3 2", "2 3 8").replace("3 3 4", "3 3 16")
VECTOR = "%%MatrixMarket matrix array real general\n3 1\n0.5\n2\n4\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"A.mtx": MATRIX, "right.mtx": RIGHT, "y.mtx": VECTOR, "y.tns": "1 0.5\n2 2\n3 4\n"}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "wrong.mtx").write_text(RIGHT.replace("0.25", "0.26"))
    (tmp_path / "more.mtx").write_text(RIGHT.replace("3 3 3", "3 3 4") + "1 2 0\n")
    return tmp_path


def run(folder: Path, *arguments: str) -> Result:
    given = [a.replace("=@", f"={folder}/").replace("@", f"{folder}/") for a in arguments]
    return CliRunner().invoke(commands, ["check", *given])


def test_engines_agree(folder: Path) -> None:
    done = run(folder, SQUARE, "-t", "A=@A.mtx", "-f", "A=CSR", "-f", "C=CSR")
    assert (done.exit_code, done.output) == (0, "9 of 9 points agree (every point; reference and C)\n")


@pytest.mark.parametrize("format", [[], ["-f", "C=CSR"]])
def test_a_right_result_in_a_file_agrees(folder: Path, format: list[str]) -> None:
    done = run(folder, SQUARE, "-t", "A=@A.mtx", *format, "--result", "@right.mtx")
    assert (done.exit_code, done.output) == (0, "9 of 9 points agree (every point; the given result)\n")


@pytest.mark.parametrize("name", ["@y.mtx", "@y.tns"])
def test_vectors_come_in_files_of_both_kinds(folder: Path, name: str) -> None:
    done = run(folder, "y(i) = A(i,j)", "-t", "A=@A.mtx", "--result", name)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(("number", "status"), [("6.5", 0), ("7", 1)])
def test_a_number_is_a_result(folder: Path, number: str, status: int) -> None:
    done = run(folder, "s = A(i,j)", "-t", "A=@A.mtx", "--result", number)
    assert isinstance(done.exception, DisagreementError) == bool(status)


def test_a_wrong_result_says_where(folder: Path) -> None:
    done = run(folder, SQUARE, "-t", "A=@A.mtx", "--result", "@wrong.mtx")
    assert "at (0, 0) the result is 0.26, but the expression means 0.25" in str(done.exception)
    done = run(folder, SQUARE, "-t", "A=@A.mtx", "--result", "@wrong.mtx", "--json")
    found = json.loads(done.output)
    assert done.exit_code == 1 and not found["agrees"]
    assert found["differences"][0] | {"what": ""} == {
        "at": [0, 0],
        "what": "",
        "found": 0.26,
        "meant": 0.25,
        "bound": 0.0,
    }


def test_structure_counts_if_the_result_is_given_a_format(folder: Path) -> None:
    assert run(folder, SQUARE, "-t", "A=@A.mtx", "--result", "@more.mtx").exit_code == 0
    done = run(folder, SQUARE, "-t", "A=@A.mtx", "-f", "C=CSR", "--result", "@more.mtx")
    assert "(0, 1) is stored but does not belong to the structure" in str(done.exception)


def test_how_to_run_means_nothing_for_a_result(folder: Path) -> None:
    done = run(folder, SQUARE, "-t", "A=@A.mtx", "--result", "@right.mtx", "-s", "reorder(i,j)")
    assert done.exit_code == 2


def test_json_of_agreement(folder: Path) -> None:
    found = json.loads(run(folder, SQUARE, "-t", "A=@A.mtx", "--result", "@right.mtx", "--json").output)
    assert found == {
        "expression": SQUARE,
        "agrees": True,
        "checked": 9,
        "points": 9,
        "seed": None,
        "engines": [],
        "refused": None,
    }


KILLED = "#!/bin/sh\nkill -9 $$\n"


@pytest.fixture
def killed(tmp_path: Path) -> str:
    """A program that is killed, whatever it is asked."""
    program = tmp_path / "killed"
    program.write_text(KILLED)
    program.chmod(0o755)
    return str(program)


HOSTS = [
    ("GNOMON_CACHE", "/proc/x", "kernels cannot be kept in the folder /proc/x"),
    ("CC", "false", "false ends with status 1 and no error in the source"),
    ("CC", "true", "compiled kernels cannot be loaded"),
    ("CC", "KILLED", "ends with status -9"),
    ("CC", "gcc -wrapper KILLED", "Killed"),
    ("CC", "/nonexistent", "is not a program"),
]


@pytest.mark.parametrize(("variable", "value", "said"), HOSTS, ids=lambda text: str(text).replace("/", ""))
def test_a_host_that_lets_no_c_run_is_no_disagreement(
    variable: str, value: str, said: str, folder: Path, killed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GNOMON_CACHE", str(folder / "cache"))
    monkeypatch.setenv(variable, value.replace("KILLED", killed))
    words = ("y(i) = A(i,j)", "-t", "A=@A.mtx", "-f", "A=CSR")
    done = run(folder, *words)
    assert done.exit_code == 0 and "agree (every point; reference; without C: " in done.output and said in done.output
    found = json.loads(run(folder, *words, "--json").output)
    assert found["engines"] == ["reference"] and said in found["refused"]


def test_c_that_does_not_compile_is_a_disagreement(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon.generator.kernel_source.generate", lambda *_, **modes: "int evaluate( {")
    monkeypatch.setenv("GNOMON_CACHE", str(folder))
    done = run(folder, "y(i) = A(i,j)", "-t", "A=@A.mtx")
    assert isinstance(done.exception, DisagreementError) and "C refuses what the reference runs" in str(done.exception)


def test_c_that_cannot_be_loaded_is_a_disagreement_where_other_libraries_can(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gnomon.generator.kernel_source.generate", lambda *_, **modes: "int other(void) { return 0; }")
    monkeypatch.setenv("GNOMON_CACHE", str(folder))
    done = run(folder, "y(i) = A(i,j)", "-t", "A=@A.mtx")
    assert isinstance(done.exception, DisagreementError) and "cannot be loaded" in str(done.exception)


@pytest.mark.parametrize("command", ["check", "schedule", "code"])
@pytest.mark.parametrize("file", ["a/steps.gn", "nest.tree"])
def test_files_of_procedures_and_trees_are_no_expressions(command: str, file: str) -> None:
    done = CliRunner().invoke(commands, [command, file])
    assert done.exit_code == 2
    assert "expected an expression, but found the file" in done.output and "gnomon show" in done.output
