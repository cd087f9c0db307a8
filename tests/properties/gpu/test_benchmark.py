"""Rows of the benchmark on a GPU, without one."""

from itertools import tee
from pathlib import Path

from gnomon.generator.cuda.text import Texts
from gnomon.properties.gpu.benchmark import measure
from gnomon.properties.gpu.cases import cases
from gnomon.reference.errors import HostError


def no_build(texts: Texts, folder: Path) -> Path:
    raise HostError("there is no GPU")


def test_rows_say_why_they_have_no_time(tmp_path: Path) -> None:
    every, again = tee(cases())
    (*first,) = measure(every, no_build, tmp_path, until=0.0)
    assert {row.note for row in first} == {"no time left"} and len({row.input for row in first}) == 1
    row = next(iter(measure(again, no_build, tmp_path, until=1e18)))
    assert (row.seconds, row.note) == (None, "there is no GPU")
