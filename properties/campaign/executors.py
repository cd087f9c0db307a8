"""Executors: this process, processes on this machine, or whatever dask.distributed schedules on."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

from ...generator.runtime.garbage import collect_seldom
from ...reference.errors import GnomonError

Start = Callable[[], Executor]
PATIENCE = 5.0  # seconds in which a scheduler answers


class Inline(Executor):
    """Runs what is submitted at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Lent:
    """An executor that outlives each use."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor

    def __call__(self) -> Any:
        return self

    def __enter__(self) -> Executor:
        return self.executor

    def __exit__(self, *_: object) -> None:
        return None


@contextmanager
def executors(workers: int, address: str | None) -> Iterator[tuple[Start, int]]:
    """What makes executors, and how many tasks they run at once: on a scheduler's address, on local workers, or here.

    Raises GnomonError if dask.distributed is needed and not installed, or if nobody answers at the address.
    """
    if address is None and workers == 1:
        yield Inline, 1
        return
    try:
        dask: Any = importlib.import_module("distributed")
    except ImportError:
        raise GnomonError(
            "several workers need dask.distributed", hint="pip install 'gnomon[scale]', or leave --workers out"
        ) from None
    if address is None:
        with (
            dask.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
            dask.Client(cluster) as client,
        ):
            client.run(collect_seldom)
            yield Lent(client.get_executor(pure=False)), workers
        return
    try:
        client = dask.Client(address, timeout=PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        raise GnomonError(f"no scheduler at {address}: {error}", hint="start one with `dask scheduler`") from None
    with client:
        yield Lent(client.get_executor(pure=False)), max(len(client.nthreads()), 1)
