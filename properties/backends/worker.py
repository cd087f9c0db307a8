"""Sandboxes: a backend in a process of its own, with limits on time and memory.

What crashes, hangs or eats memory is an outcome of one problem, and the next one meets a fresh process. So does what
comes after many problems, since libraries stay in memory that have been loaded. The process is started with
`python -m gnomon.properties.backends.worker NAME MEMORY IN OUT` and speaks pickled messages over two pipes: a list of
problems comes in, one answer for each goes out.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Timer
from typing import Any

from msgspec import Struct

from ...generator.runtime.garbage import collect_seldom
from ...reference.errors import GnomonError, HostError
from ..programs.problem import Problem
from . import BackendError, load
from .backend import Batched, Crashed, Refused, Reserving
from .outcome import Kind, Outcome, outcome_of_exception
from .result import Result, result_of

STARTUP = 120.0
ENDING = 5.0
TOLD = 2000
PR_SET_PDEATHSIG = 1
MANY = 8000  # problems
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
Answer = Result | Outcome


class Limits(Struct, frozen=True):
    """What a program may take: seconds, and bytes of address space, but where a backend reserves addresses."""

    seconds: float = 10.0
    memory: int = 8 << 30


USUAL = Limits()


def answer(backend: Any, problem: Problem) -> Answer:
    """What a backend makes of a problem, short of comparing it: a result, a refusal or an exception.

    Raises HostError where the machine does not let it run.
    """
    try:
        if not backend.supports(problem):
            return Outcome(Kind.REFUSED, "not supported")
        return result_of(backend.run(problem))
    except Refused as refusal:
        return Outcome(Kind.REFUSED, str(refusal))
    except Crashed as crash:
        return Outcome(Kind.CRASHED, crash.signal, crash.detail)
    except MemoryError as error:
        return out_of_memory(error)
    except (Exception, SystemExit) as error:
        refuse_host(error)
        return outcome_of_exception(error)


def refuse_host(error: BaseException) -> None:
    """Raise HostError for an exception that is about the machine: it says nothing of a backend."""
    if isinstance(error, HostError):
        raise error
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        raise HostError(f"the host does not let the backend run: {error}", hint="make room, and run it again") from None


def out_of_memory(error: MemoryError) -> Outcome:
    """The outcome of memory that ran out."""
    return Outcome(Kind.EXHAUSTED, "memory", f"MemoryError: {error}")


class Sandbox:
    """A backend, by name or as `MODULE:OBJECT`, in a process that is started when it is needed."""

    def __init__(self, spec: str, limits: Limits = USUAL) -> None:
        self.spec = spec
        self.limits = limits
        self.process: subprocess.Popen[bytes] | None = None
        self.given = 0
        self.send: Connection
        self.receive: Connection
        self.folder: Path

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def answers(self, problems: Sequence[Problem]) -> Iterator[Answer]:
        """An answer for every problem, in order. After a crash or a hang the rest goes to a fresh process, and so does
        what comes after many problems."""
        rest = list(problems)
        if self.given > MANY:
            self.stop()
        while rest:
            for found in self.attempt(rest):
                rest = rest[1:]
                yield found

    def attempt(self, problems: Sequence[Problem]) -> Iterator[Answer]:
        """Answers until the process fails; if it fails for several problems together, one by one."""
        self.start()
        self.given += len(problems)
        failure = self.prepare(problems)
        if failure is not None and len(problems) > 1:
            yield from (found for problem in problems for found in self.attempt([problem]))
            return
        if failure is not None:
            yield failure
            return
        for _ in problems:
            yield self.next_answer(self.limits.seconds)
            if self.process is None:
                return

    def prepare(self, problems: Sequence[Problem]) -> Outcome | None:
        """Send problems to the process; the outcome of a failure before the first of them ran, if there is one."""
        try:
            self.send.send(list(problems))
        except OSError:
            return self.end_outcome()
        found = self.next_answer(STARTUP + self.limits.seconds * len(problems))
        return found if isinstance(found, Outcome) and found.kind is not Kind.AGREES else None

    def next_answer(self, seconds: float) -> Answer:
        """The next answer, or what became of the process. Raises HostError where the machine does not let it run."""
        found: Answer | HostError = self.message(seconds)
        if isinstance(found, HostError):
            self.stop()
            raise found
        return found

    def message(self, seconds: float) -> Any:
        """The next message, or what became of the process."""
        late = Event()

        def expire() -> None:
            late.set()
            self.kill()

        alarm = Timer(seconds, expire)
        alarm.start()
        try:
            return self.receive.recv()
        except (EOFError, OSError):
            ended = self.end_outcome()
            return self.hang_outcome(seconds) if late.is_set() else ended
        finally:
            alarm.cancel()

    def hang_outcome(self, seconds: float) -> Outcome:
        """The outcome of a process that does not answer in time; the process is stopped."""
        self.stop()
        return Outcome(Kind.HUNG, "hang", f"no answer within {seconds:g} s")

    def end_outcome(self) -> Outcome:
        """The outcome of a process that has ended by itself, with the end of what it wrote."""
        assert self.process is not None
        try:
            code = self.process.wait(ENDING)
        except subprocess.TimeoutExpired:
            return self.hang_outcome(ENDING)
        told = self.last_words()
        self.stop()
        name = signal.Signals(-code).name if code < 0 else f"exit status {code}"
        return Outcome(Kind.CRASHED, name, f"the process ended with {name}" + (f": {told}" if told else ""))

    def last_words(self) -> str:
        """The end of what the process wrote to its standard error."""
        return (self.folder / "stderr").read_text(errors="replace")[-TOLD:].strip()

    def start(self) -> None:
        """Start the process, if there is none. Raises BackendError if the backend cannot be loaded."""
        if self.process is not None:
            return
        self.folder = Path(tempfile.mkdtemp())
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        command = [sys.executable, "-m", __name__, self.spec, str(self.limits.memory), str(theirs_in), str(theirs_out)]
        environment = {**os.environ, **dict.fromkeys(THREADS, "1"), "TMPDIR": str(self.folder)}
        with (self.folder / "stderr").open("wb") as stderr:
            self.process = subprocess.Popen(
                command,
                pass_fds=(theirs_in, theirs_out),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                env=environment,
                start_new_session=True,
            )
        os.close(theirs_in)
        os.close(theirs_out)
        self.send, self.receive = Connection(ours_out, readable=False), Connection(ours_in, writable=False)
        found = self.message(STARTUP)
        if found is not None:
            self.stop()
            why = found.detail if isinstance(found, Outcome) else found
            raise BackendError(f"backend {self.spec} does not start: {why}")

    def kill(self) -> None:
        """Kill the process, and those that it has started."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def stop(self) -> None:
        """End the process."""
        if self.process is None:
            return
        self.kill()
        self.process.wait()
        self.process = None
        self.given = 0
        self.send.close()
        self.receive.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def prepare_backend(backend: Any, problems: Sequence[Problem]) -> Outcome:
    """Let a backend get ready for problems. Raises HostError where the machine does not let it."""
    try:
        if isinstance(backend, Batched):
            backend.prepare(problems)
    except MemoryError as error:
        return out_of_memory(error)
    except (Exception, SystemExit) as error:
        refuse_host(error)
        return outcome_of_exception(error)
    return Outcome(Kind.AGREES)


def serve(spec: str, memory: int, receive: Connection, send: Connection) -> None:
    """Answer problems until there are no more, or the process that asks for them ends."""
    die_with_parent()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        backend = load(spec)
    except Exception as error:
        send.send(f"{type(error).__name__}: {error}")
        return
    if not isinstance(backend, Reserving):
        limit_memory(memory)
    collect_seldom()
    send.send(None)
    with contextlib.suppress(EOFError):
        while True:
            try:
                problems: list[Problem] = receive.recv()
            except GnomonError as error:
                send.send(outcome_of_exception(error))
                continue
            try:
                outcome = prepare_backend(backend, problems)
                send.send(outcome)
                if outcome.kind is not Kind.AGREES:
                    continue
                for problem in problems:
                    send.send(answer(backend, problem))
            except HostError as error:
                send.send(error)


def limit_memory(bytes_: int) -> None:
    """Have this process run out of memory beyond so many bytes, or fewer where it may have no more anyway."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    least = bytes_ if most == resource.RLIM_INFINITY else min(bytes_, most)
    resource.setrlimit(resource.RLIMIT_AS, (least, least))


def die_with_parent() -> None:
    """Have the kernel, if it is Linux, end this process when its parent ends."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]), Connection(int(sys.argv[3])), Connection(int(sys.argv[4])))
