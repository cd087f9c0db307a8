"""Trials: kernels timed in a process of their own, which can be ended.

A kernel that runs cannot be interrupted, so a schedule that takes a thousand times as long as the best would hold up
the tuner as long. The process is given the operands once, then a request at a time, and answers with seconds; one that
does not answer in time is ended, and the next trial starts another. It ends by itself when nobody can write to it any
more, whatever it is doing.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from math import inf, isfinite
from typing import Any, BinaryIO

from ...reference.errors import GnomonError
from ..runtime.kernel import Kernel
from ..runtime.request import Request

REPEATS, ENOUGH = 5, 0.2  # runs of a kernel at most, and seconds after which fewer do
FAR, SLACK = 10, 1.0  # times the best after which a trial is given up, and seconds that it is given in any case
READY = "ready"


class GivenUp(GnomonError):
    """A trial without a time: it takes far longer than the best, or its process has ended."""


class Bench:
    """A process that times requests on some operands; to be closed, as by `with`."""

    def __init__(self, operands: Mapping[str, Any]) -> None:
        self.operands = operands
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process, if there is one."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def start(self) -> subprocess.Popen[bytes]:
        """Start the process and send it the operands."""
        if self.process is None:
            command = [sys.executable, "-m", __name__]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            send(self.process.stdin, dict(self.operands))
        return self.process

    def seconds(self, request: Request, best: float = inf) -> float:
        """How long the kernel of a request takes.

        What has been derived from the request stays here: some of it has no form in which it can be sent.
        Raises CompileError, Unsupported or HostError if there is no such kernel, what the kernel raises on the
        operands, and GivenUp if it crashes, or takes too long beside the best.
        """
        Kernel(request)
        process = self.start()
        late = threading.Event()

        def expire() -> None:
            late.set()
            process.kill()

        limit = SLACK + ENOUGH + 2 * FAR * best
        timer = threading.Timer(limit if isfinite(limit) else threading.TIMEOUT_MAX, expire)
        timer.daemon = True
        try:
            send(process.stdin, (replace(request), FAR * best))
            if answer(process) == READY:
                timer.start()
                return float(answer(process))
        except (EOFError, OSError, pickle.UnpicklingError):
            pass
        finally:
            timer.cancel()
        self.close()
        far = f"it takes more than {FAR} times as long as the best"
        raise GivenUp(far if late.is_set() else f"its process ended with status {process.returncode}")


def send(stream: BinaryIO | Any, value: object) -> None:
    """Write one value."""
    pickle.dump(value, stream)
    stream.flush()


def receive(stream: BinaryIO | Any) -> Any:
    """Read one value. Raises EOFError if there will be none."""
    return pickle.load(stream)


def answer(process: subprocess.Popen[bytes]) -> Any:
    """What the process answers. Raises the error that it sends, EOFError if it has ended."""
    found = receive(process.stdout)
    if isinstance(found, GnomonError):
        raise found
    return found


def time_kernel(kernel: Kernel, operands: Mapping[str, Any], most: float) -> float:
    """How long a kernel takes: the least of a few runs after the first, or that one if it takes more than `most`."""
    times: list[float] = []
    first = run = 0.0
    while len(times) < REPEATS and sum(times) < ENOUGH and run <= most:
        start = time.perf_counter()
        kernel(**operands)
        run = time.perf_counter() - start
        first, times = (run, times) if not first else (first, [*times, run])
    return min(times, default=first)


def serve() -> None:
    """Time what comes in, until nothing comes any more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    operands = receive(sys.stdin.buffer)
    asked: queue.SimpleQueue[tuple[Request, float]] = queue.SimpleQueue()

    def listen() -> None:
        try:
            while True:
                asked.put(receive(sys.stdin.buffer))
        except (EOFError, OSError):
            os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        request, most = asked.get()
        try:
            kernel = Kernel(request)
            kernel.prepare(operands)
            send(answers, READY)
            send(answers, time_kernel(kernel, operands, most))
        except GnomonError as error:
            send(answers, error)


if __name__ == "__main__":
    serve()
