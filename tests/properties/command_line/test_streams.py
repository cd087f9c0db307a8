"""Streams that are closed, disks that are full: commands end without a traceback."""

import os
import re
import resource
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from depth import ALL
from typed import COMMAND, run

TABLES = ["schedule", "y(i) = A(i,j) * B(j,k) * x(k)", "--branched", "--report"]
UNREAD = (["formats"], ["--help"], ["code", "y(i) = x(i)"], TABLES)


@pytest.mark.parametrize("place", ["full", "closed"])
def test_output_that_cannot_be_written_ends_without_a_traceback(place: str) -> None:
    """On a full disk there is a message; where nobody reads, commands end as those that a signal ends, quietly.

    Unless tests are thorough, half of the commands write to one place, half to the other.
    """
    asked = UNREAD if ALL else UNREAD[place == "closed" :: 2]
    read, write = os.pipe()
    os.close(read)
    with open("/dev/full", "wb") as full:
        output = full if place == "full" else write
        begun = [subprocess.Popen([*COMMAND, *words], stdout=output, stderr=subprocess.PIPE) for words in asked]
    os.close(write)
    for process, words in zip(begun, asked, strict=True):
        _, said = process.communicate()
        if place == "full":
            assert said == b"error: the output cannot be written: No space left on device\n  hint: give another place\n"
            assert process.returncode == 2, words
        else:
            assert (process.returncode, said) == (128 + signal.SIGPIPE, b""), words


UNHEARD = [
    (">&-", ["formats"], 2, "error: the output cannot be written: Bad file descriptor\n  hint: give another place\n"),
    (">&-", ["code", "y(i) = x("], 2, "error: expected an index variable"),
    (">&- 2>&-", ["levels"], 2, ""),
    ("2>&-", ["no-such-command"], 2, ""),
    ("<&- 2>&-", ["schedule", "y(i) = x(i)", "-t", "x=ones:3", "--top", "1"], 0, "(no schedule)"),
]


def test_closed_streams_end_no_command_with_a_traceback() -> None:
    """Files that commands open take no place of a stream, and a result that nobody can have is no success."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    begun = [
        subprocess.Popen(["sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND, *words], **pipes)
        for closed, words, _, _ in UNHEARD
    ]
    for process, (closed, words, status, said) in zip(begun, UNHEARD, strict=True):
        text, _ = process.communicate()
        assert process.returncode == status and "Traceback" not in text, (closed, words, text)
        assert said in text


@contextmanager
def small_disk() -> Iterator[None]:
    """A place where files take no more than a few bytes."""
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


@pytest.mark.parametrize(
    "words",
    [
        ["show", "y(i) = A(i,j)", "-f", "A=CSR", "--svg", "FILE.svg"],
        ["run", "y(i) = x(i)", "-t", "x=ones:9", "-o", "FILE.tns"],
        ["fuzz", "--backend", "einsum", "--examples", "2", "--json", "FILE.json"],
        ["fuzz", "--coverage", "--examples", "1", "--json", "FILE.json"],
    ],
    ids=lambda words: " ".join(words[:4]),
)
def test_files_that_do_not_fit_are_an_error(tmp_path: Path, words: list[str]) -> None:
    with small_disk():
        done = run(*(word.replace("FILE", str(tmp_path / "file")) for word in words))
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert re.search("cannot write .*: File too large", done.stderr)
