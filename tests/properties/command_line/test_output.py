"""What commands write where nobody looks: whole tables, and progress now and then."""

import re
import sys
import time
from collections.abc import Callable
from types import ModuleType

import pytest
from gnomon.cli import commands
from gnomon.properties.command_line import output
from gnomon.properties.command_line.output import columns, lines_of_progress, lines_of_waiting, print_table, progress
from gnomon.properties.proofs import command as proving


def test_tables_are_whole_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    table = columns("rule", "what")
    rule, what = "notation." + "lexeme" * 40, "every word " * 40
    table.add_row(rule, what)
    table.add_row("short", "")
    print_table(table)
    head, first, second = capsys.readouterr().out.splitlines()
    assert first.split(maxsplit=1) == [rule, what.strip()]
    assert head.split() == ["rule", "what"] and second == " short"


def test_what_is_too_wide_for_a_terminal_is_broken_and_not_cut(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "40")
    table = columns("rule")
    table.add_row("abc" * 30)
    print_table(table)
    _, *rows = capsys.readouterr().out.splitlines()
    assert "".join(row.strip() for row in rows) == "abc" * 30
    assert max(map(len, rows)) <= 40


def test_progress_is_a_line_now_and_then_unless_there_is_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "SOON", 0.02)
    monkeypatch.setattr(output, "OFTEN", 0.02)
    told = iter(range(1000))
    with lines_of_progress(lambda: f"{next(told)} done"):
        while next(told) < 500 and not (said := capsys.readouterr()).err.count("done"):
            time.sleep(0.02)
    assert said.out == "" and "done\n" in said.err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    capsys.readouterr()
    with lines_of_progress(lambda: "never"):
        time.sleep(0.1)
    assert capsys.readouterr().err == ""


def test_what_is_done_is_counted_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(output, "SOON", 0.02)
    monkeypatch.setattr(output, "OFTEN", 0.02)
    with progress([1, 2, 3], "looking") as items:
        for _ in items:
            time.sleep(0.1)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "looking: 0 of 3" and "looking: 2 of 3" in lines
    with lines_of_waiting("thinking"):
        time.sleep(0.1)
    assert capsys.readouterr().err.startswith("thinking: 0 s\n")


@pytest.mark.parametrize(
    ("words", "module", "said"),
    [
        (("prove", "operators.min"), proving, "proved or not: 0 of "),
        (("code", "y(i) = A(i,j) * x(j)", "-f", "A=CSR"), output, "choosing a schedule and writing the kernel: 0 s"),
        (("schedule", "y(i) = A(i,j) * x(j)", "-f", "A=CSR"), output, "ranking templates: 0 s"),
    ],
)
def test_commands_that_take_long_say_how_far_they_are(
    words: tuple[str, ...], module: ModuleType, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Told(Exception):
        """What is said first: the work that comes after it is that of other tests."""

    def tell_only(tell: Callable[[], str]) -> None:
        raise Told(tell())

    monkeypatch.setattr(module, "lines_of_progress", tell_only)
    with pytest.raises(Told, match=f"^{re.escape(said)}"):
        commands(words, standalone_mode=False)
