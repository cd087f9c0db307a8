"""Trials: kernels timed in a process of their own, which can be ended.

A kernel that runs cannot be interrupted, so a schedule that takes a thousand times as long as the best would hold up
the tuner as long. The process is given the operands once, then a request at a time, and answers with seconds; one that
does not answer in time is ended, and the next trial starts another. It ends by itself when nobody can write to it any
more, whatever it is doing.

Calls are timed in a row, where each finds in the caches what the one before has left there, or alone, where operands
come from memory.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from math import inf, isfinite
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from msgspec.structs import replace

from ...reference.errors import GnomonError
from ..runtime.kernel import Kernel
from ..runtime.request import Request
from .heap import keep_heap

REPEATS, FEW = 5, 2  # calls in a row, and alone
LEAST, ENOUGH = 0.02, 0.2  # seconds that calls in a row take at least, and after which fewer do
FAR, SLACK = 2, 1.0  # times the best after which a trial is given up, and seconds that it is given in any case
CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
USUAL, MOST = 1 << 26, 1 << 28  # bytes in caches of which nothing is known, and that are passed through them at most
READY = "ready"
Timing = Callable[[Kernel, Mapping[str, Any]], float]


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
        """How long the kernel of a request takes, called in a row.

        Raises CompileError, Unsupported or HostError if there is no such kernel, what the kernel raises on the
        operands, and GivenUp if it crashes, or takes too long beside the best.
        """
        return self.time(request, partial(time_in_a_row, most=FAR * best), SLACK + ENOUGH + 2 * FAR * best)

    def seconds_alone(self, request: Request) -> float:
        """How long the kernel of a request takes whose operands come from memory. Raises what `seconds` raises."""
        return self.time(request, time_alone, inf)

    def time(self, request: Request, timing: Timing, limit: float) -> float:
        """What the process measures of a request, which may take so many seconds.

        The process gets the request without what has been derived from it, some of which cannot be sent.
        """
        Kernel(request)
        process = self.start()
        late = threading.Event()

        def expire() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(limit if isfinite(limit) else threading.TIMEOUT_MAX, expire)
        timer.daemon = True
        try:
            send(process.stdin, (replace(request), timing))
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


def time_in_a_row(kernel: Kernel, operands: Mapping[str, Any], most: float) -> float:
    """How long a call takes that comes after others: the least of a few, or of as many as take `LEAST` seconds; no
    more of them if one takes more than `most`. The first call, which warms the caches, does not count."""
    call(kernel, operands)
    times = [call(kernel, operands)]
    passed = times[0]
    while (len(times) < REPEATS or passed < LEAST) and passed < ENOUGH and times[-1] <= most:
        times.append(call(kernel, operands))
        passed += times[-1]
    return min(times)


def time_alone(kernel: Kernel, operands: Mapping[str, Any]) -> float:
    """How long a call takes that finds nothing in the caches: the least of a few, other data passing through these
    before each."""
    others, times = np.zeros(min(2 * cache_size(), MOST), np.uint8), []
    for _ in range(FEW):
        others += 1
        times.append(call(kernel, operands))
    return min(times)


def call(kernel: Kernel, operands: Mapping[str, Any]) -> float:
    """Call a kernel; the seconds that it took."""
    start = time.perf_counter()
    kernel(**operands)
    return time.perf_counter() - start


def cache_size() -> int:
    """The bytes in the largest cache of a processor, as far as the system tells them, like 32768K."""
    sizes = (path.read_text().strip() for path in CACHES.glob("index*/size"))
    return max((int(size[:-1]) << 10 for size in sizes if size.endswith("K")), default=USUAL)


def serve() -> None:
    """Time what comes in, until nothing comes any more."""
    keep_heap()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    operands = receive(sys.stdin.buffer)
    asked: queue.SimpleQueue[tuple[Request, Timing]] = queue.SimpleQueue()

    def listen() -> None:
        try:
            while True:
                asked.put(receive(sys.stdin.buffer))
        except (EOFError, OSError):
            os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        request, timing = asked.get()
        try:
            kernel = Kernel(request)
            kernel.prepare(operands)
            send(answers, READY)
            send(answers, timing(kernel, operands))
        except GnomonError as error:
            send(answers, error)


if __name__ == "__main__":
    serve()
