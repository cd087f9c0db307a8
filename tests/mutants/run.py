"""Run the targeted tests against every mutant: which wrong gnomons would gnomon's own tests let through?

    python tests/mutants/run.py                       all of them
    python tests/mutants/run.py lattice level.7       an area, one mutant
    python tests/mutants/run.py --json results.json   goes on where an earlier run stopped

Each worker has a copy of the package in a temporary folder, which its tests import in place of the installed one. The
unmutated copy must pass first. A mutant is killed if a test fails; a run that takes the processor for more than a
minute counts as a kill of its own kind; a mutant whose tests cannot even be collected is broken: no kill at all.
"""

from __future__ import annotations

import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import click
from catalogue import MUTANTS
from journal import OUTCOMES, Finding, Journal, digest, share
from msgspec import Struct, field
from mutant import Mutant
from rich.console import Console
from rich.progress import track
from rich.table import Table

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIMIT = 60
READY = 2 * LIMIT / 3
PATIENCE = 5
MEMORY = 6 * 2**20
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".hypothesis", "__pycache__", "build", "*.egg-info")
UNSHRUNK = ("-p", "unshrunk", "--hypothesis-profile=unshrunk", "--hypothesis-seed=0")

T = TypeVar("T")
R = TypeVar("R")


class Copy(Struct, frozen=True):
    """A copy of the package, and the environment in which Python imports it under its name."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    @classmethod
    def made(cls, folder: Path) -> Copy:
        """Copy the working tree, and see that it is what gets imported."""
        root = folder / "copy"
        shutil.copytree(ROOT, root, ignore=LEFT_OUT)
        path = folder / "path"
        path.mkdir()
        (path / "gnomon").symlink_to(root, target_is_directory=True)
        environment = {**os.environ, "PYTHONPATH": f"{path}{os.pathsep}{HERE}", "PYTHONHASHSEED": "0"}
        copy = cls(root, environment)
        where = [sys.executable, "-c", "import gnomon; print(gnomon.__file__)"]
        found = subprocess.run(where, cwd=root, env=environment, capture_output=True, text=True, check=True).stdout
        assert Path(found.strip()).resolve() == root.resolve() / "__init__.py", found
        return copy

    def run(self, tests: Sequence[str], **more: str) -> tuple[int | None, float]:
        """The exit status of pytest, None if it ran past the limit, and the seconds that it had the processor."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-c", "tests/pytest.ini", *UNSHRUNK, *tests]
        limited = ["sh", "-c", f'ulimit -v {MEMORY} -t {LIMIT}; exec "$@"', "sh", *command]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
        with tempfile.TemporaryDirectory() as examples:
            environment = {**self.environment, **more, "HYPOTHESIS_STORAGE_DIRECTORY": examples}
            process = subprocess.Popen(limited, cwd=self.folder, env=environment, **quiet)  # type: ignore[call-overload]
            end = time.monotonic() + PATIENCE * LIMIT
            while True:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    process.returncode = os.waitstatus_to_exitcode(status)
                    seconds = usage.ru_utime + usage.ru_stime
                    return (None if process.returncode == -signal.SIGXCPU else process.returncode), seconds
                if time.monotonic() > end:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                    return None, float(LIMIT)
                time.sleep(0.05)

    @contextmanager
    def mutated(self, mutant: Mutant) -> Iterator[None]:
        """The copy with one mutant in it. Its file looks newer than any compiled one."""
        path = self.folder / mutant.file
        text, times = path.read_text(), path.stat()
        path.write_text(mutant.applied(text))
        os.utime(path, (times.st_atime, times.st_mtime + 10))
        try:
            yield
        finally:
            path.write_text(text)
            os.utime(path, (times.st_atime, times.st_mtime))

    def judge(self, mutant: Mutant) -> Finding:
        """Run the tests of a mutant with it in place."""
        with self.mutated(mutant):
            status, seconds = self.run(mutant.tests, PYTHONDONTWRITEBYTECODE="1")
        outcome = {0: "survived", 1: "killed", None: "timeout"}.get(status, "broken")
        if mutant.equivalent is not None:
            outcome = "equivalent" if outcome == "survived" else "refuted"
        return Finding(mutant.id, outcome, round(seconds, 1), digest(mutant))


class Copies(Struct, frozen=True):
    """Copies of the package, each lent to one task at a time."""

    free: queue.Queue[Copy]

    @classmethod
    def made(cls, folder: Path, count: int) -> Copies:
        """So many copies, in a folder."""
        free: queue.Queue[Copy] = queue.Queue()
        for n in range(count):
            (folder / str(n)).mkdir()
            free.put(Copy.made(folder / str(n)))
        return cls(free)

    def each(self, work: Callable[[Copy, T], R], tasks: Sequence[T]) -> Iterator[tuple[T, R]]:
        """Every task with its result, as they come."""

        def done(task: T) -> tuple[T, R]:
            copy = self.free.get()
            try:
                return task, work(copy, task)
            finally:
                self.free.put(copy)

        with ThreadPoolExecutor(self.free.qsize()) as pool:
            running = [pool.submit(done, task) for task in tasks]
            try:
                yield from (each.result() for each in as_completed(running))
            finally:
                pool.shutdown(cancel_futures=True)


def check_unmutated(copies: Copies, mutants: Sequence[Mutant], journal: Journal, console: Console) -> None:
    """Refuse to go on unless the unmutated copies pass, well below the limit."""
    tests = sorted({t for m in mutants for t in m.tests} - journal.unmutated.keys())
    ran = copies.each(lambda copy, test: copy.run([test]), tests)
    for test, (status, seconds) in track(ran, "unmutated", total=len(tests), console=console):
        if status != 0:
            raise click.ClickException(f"{test} does not pass on the unmutated copy: status {status}")
        journal.passed(test, seconds)
    for mutant in mutants:
        total = sum(journal.unmutated[t] for t in mutant.tests)
        if total > READY:
            raise click.ClickException(f"the tests of {mutant.id} take {total:.0f} s even unmutated")


def chosen(names: Sequence[str]) -> list[Mutant]:
    """The mutants with these ids, or of these areas; all if there are none."""
    unknown = set(names) - {m.id for m in MUTANTS} - {m.area for m in MUTANTS}
    if unknown:
        raise click.BadParameter(f"no mutant or area is called {', '.join(sorted(unknown))}")
    return [m for m in MUTANTS if not names or m.id in names or m.area in names]


def table(mutants: Sequence[Mutant], found: dict[str, Finding]) -> Table:
    """The outcomes of every area."""
    made = Table("area", *OUTCOMES, "share", "seconds")
    areas = {m.area: [found[n.id] for n in mutants if n.area == m.area] for m in mutants}
    for area, own in {**areas, "all": list(found.values())}.items():
        counts, seconds = Counter(f.outcome for f in own), sum(f.seconds for f in own)
        made.add_row(area, *(str(counts[o]) for o in OUTCOMES), f"{share(own):.1%}", f"{seconds:.0f}")
    return made


@click.command(help=__doc__)
@click.argument("ids", nargs=-1)
@click.option("--json", "path", type=click.Path(path_type=Path), help="Keep findings here, and go on from them.")
@click.option("--workers", default=1, show_default=True, help="Copies that are tested at once.")
def main(ids: tuple[str, ...], path: Path | None, workers: int) -> None:
    console = Console()
    mutants = chosen(ids)
    journal = Journal(path, MUTANTS, ROOT)
    left = [m for m in mutants if m.id not in journal.findings]
    with tempfile.TemporaryDirectory() as folder:
        copies = Copies.made(Path(folder), workers)
        check_unmutated(copies, left, journal, console)
        for _, found in track(copies.each(Copy.judge, left), "mutants", total=len(left), console=console):
            journal.add(found)
    own = {m.id: journal.findings[m.id] for m in mutants}
    console.print(table(mutants, own))
    for mutant in mutants:
        if own[mutant.id].outcome in ("survived", "broken", "refuted"):
            console.print(f"{own[mutant.id].outcome}: {mutant.id} ({mutant.file}): {mutant.meaning}", soft_wrap=True)
    sys.exit(1 if any(f.outcome in ("survived", "broken", "refuted") for f in own.values()) else 0)


if __name__ == "__main__":
    main()
