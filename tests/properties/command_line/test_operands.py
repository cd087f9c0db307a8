"""Operands on the command line: numbers, files, recipes, and what is none of them."""

import json

import pytest
from gnomon.properties.command_line.operands import sprinkle
from typed import dense, inside, run


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("run", ["-t", "A=3", "-t", "q=ones"]), ("run", ["-t", "A=3", "-f", "Q=CSR"]), ("code", ["-f", "Q=CSR"]),
        ("show", ["-f", "Q=CSR"]), ("show", ["-t", "A=3", "-t", "q=ones"]), ("schedule", ["-f", "Q=CSR"]),
    ],
)  # fmt: skip
def test_names_that_do_not_occur_are_refused(command: str, words: list[str]) -> None:
    status, _, said = inside(command, "y = A", *words)
    assert status == 2
    assert "does not occur in y = A" in said and "its tensors are A, y" in said


def test_operands_may_be_named_like_settings() -> None:
    names = ("out", "semiring", "schedule", "engine", "tune", "expression", "self", "operands")
    given = [word for name in names for word in ("-t", f"{name}=2")]
    for engine in (["--engine", "both"], ["--check"]):
        assert dense(f"y = {' + '.join(names)}", *given, *engine) == [2 * len(names)]
    for name in names:
        assert inside("code", f"y(i) = {name}(i)", "-f", f"{name}=SparseVector")[0] == 0


def test_operands_may_be_random() -> None:
    product = ("run", "C(i,j) = A(i,k) * x(k) * B(i,j)", "-t", "A=random:30x20:0.1:7", "-t", "x=random", "-f", "A=CSR")
    done = run(*product, "-t", "B=ones:30x4", "-f", "C=CSR", "--json", "--check")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["shape"] == [30, 4]
    copies = [run("run", "y(i,j) = A(i,j)", "-t", f"A=random:30x20:0.1:{seed}", "--json").stdout for seed in (1, 1, 2)]
    assert copies[0] == copies[1] or json.loads(copies[0])["entries"] == json.loads(copies[1])["entries"]
    assert json.loads(copies[0])["entries"] != json.loads(copies[2])["entries"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("random:3xx4", "shape"), ("random:3x4:2", "density"), ("random:3x4:nan", "density"), ("random:3:1:-1", "seed"),
        ("random:3:1:1:1", "more parts"), ("ones:3:0.5", "more parts"), ("random::0.5", "extent"),
        ("random:99999999999:0.9", "too many"), ("ones:99999999999", "too many"), ("random:-3", "shape"),
        ("random:99999999999999999999999999", "extent"),
    ],
)  # fmt: skip
def test_recipes_that_make_no_sense_are_refused(value: str, said: str) -> None:
    status, _, error = inside("run", "y(i) = x(i)", "-t", f"x={value}")
    assert status == 2
    assert said in error and "hint" in error


def test_numbers_are_written_without_underscores() -> None:
    status, _, error = inside("run", "s = c * c", "-t", "c=1_0")
    assert status == 2 and "1_0: unknown kind of file" in error


@pytest.mark.parametrize("option", ["-t", "-f"])
def test_options_given_twice_are_refused(option: str) -> None:
    status, _, said = inside("run", "y = A", option, "A=3", option, "A=4")
    assert status == 2
    assert "A is given twice, as '3' and as '4'" in said


def test_made_up_operands_show_what_their_formats_do() -> None:
    for n, (format, order) in enumerate([("CSR", 2), ("Skyline", 2), ("DIA", 2), ("", 0), ("CSF", 3), ("COO", 6)]):
        drawn = sprinkle(order, n, format)
        drawn.validate()
        assert drawn.nnz >= min(9, 4**order)
