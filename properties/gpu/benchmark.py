"""Rows of the benchmark on a GPU: each contender on each case, for as long as there is time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from ...reference.errors import GnomonError
from .cases import Case
from .contenders import contenders
from .peers import AbsentError
from .timing import Build


class Row(Struct, frozen=True):
    """A contender on a case: the seconds that the contender's kernels run, or a note why there is no time; and the
    bytes that any kernel must move there."""

    kernel: str
    input: str
    contender: str
    seconds: float | None
    size: int
    note: str = ""


def measure(cases: Iterable[Case], build: Build, folder: Path, until: float) -> Iterator[Row]:
    """The rows of cases, until a time of the monotonic clock; those of cases that are begun then say so."""
    for case in cases:
        for name, contender in contenders(case, build, folder):
            if time.monotonic() > until:
                yield Row(case.kernel, case.input, name, None, case.size, "no time left")
                continue
            try:
                yield Row(case.kernel, case.input, name, contender(), case.size)
            except (AbsentError, GnomonError) as error:
                yield Row(case.kernel, case.input, name, None, case.size, str(error).partition("\n")[0])
        if time.monotonic() > until:
            return
