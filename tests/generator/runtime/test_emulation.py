"""Kernels for devices run on the CPU, built from the very texts by a C compiler."""

from itertools import product
from pathlib import Path
from shutil import copy

import gnomon as gn
import numpy as np
import pytest
from depth import ALL, DEEP
from devices.faults import FAULTS
from devices.samples import SAMPLES, SORT, Operands, Sample, together
from gnomon.generator.runtime.emulation import QUICK, Emulation, build
from gnomon.generator.runtime.library import Library
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.generator.runtime.runner import Runner
from gnomon.reference.errors import GnomonError

STRICT = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Wshadow", "-Werror")
STATUS = Path("/proc/self/status")
SEEDS, MOST = 12 if ALL else 6, (40, 100)
UNSEEN = {"spmv_rows-a_sum_that_begins_with_nothing", "spmv_rows-a_result_copied_in_part"}
"""What a variable of a kernel begins with, and what a host does not write, are nothing that the emulation sees."""


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "watched"])
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All samples in one library, which a strict compiler accepts without a word."""
    folder = tmp_path_factory.mktemp("samples")
    flags = QUICK if request.param else STRICT
    return build(*together(SAMPLES), folder, chosen_compiler(), flags, watched=request.param)


def seen(sample: Sample, number: int, library: Path, seed: int) -> str:
    """What is seen to be wrong with a sample in a library, on operands and in an order that a seed draws."""
    return seen_on(sample, number, library, seed, sample.draw(np.random.default_rng(seed), MOST[seed % len(MOST)]))


def seen_on(sample: Sample, number: int, library: Path, seed: int, operands: Operands) -> str:
    """What is seen to be wrong with a sample in a library on some operands."""
    wanted = sample.wanted(operands)
    emulation = Emulation(library)
    emulation.begin(seed)
    loaded = Library(library, [f"s{number}_evaluate"], [1 + len(operands)])
    runner = Runner(loaded, sample.layout(wanted), f"s{number}_")
    try:
        found = runner.evaluate(operands, wanted.shape, "the result").to_numpy()
    except GnomonError as error:
        return emulation.fault or error.message
    if emulation.fault or emulation.held:
        return emulation.fault or "memory that is not given back"
    return "" if np.array_equal(found, wanted) else "another result"


@pytest.mark.parametrize(("number", "sample"), list(enumerate(SAMPLES)), ids=lambda s: getattr(s, "name", ""))
def test_samples_mean_what_they_say(number: int, sample: Sample, library: Path) -> None:
    for seed in range(SEEDS):
        assert seen(sample, number, library, seed) == ""


def test_what_sorts_zeros_and_ones_sorts_everything(library: Path) -> None:
    """A network that puts every row of zeros and ones in order sorts whatever there is (Knuth's 0-1 principle)."""
    number = SAMPLES.index(SORT)
    for columns in range(1, 10):
        rows = np.array(list(product((0, 1), repeat=columns)), dtype="int64")
        assert seen_on(SORT, number, library, columns, {"A": gn.from_numpy(rows, "dense")}) == ""


def test_watched_kernels_show_planted_faults(tmp_path: Path) -> None:
    """All but those of the host that no kernel meets, and of variables of its own."""
    chosen = [f for f in FAULTS[:: 1 if DEEP else 5] if f.id not in UNSEEN]
    every = [f.spoilt for f in chosen]
    library = build(*together(every), tmp_path, chosen_compiler(), watched=True)
    for number, (fault, sample) in enumerate(zip(chosen, every, strict=True)):
        assert any(seen(sample, number, library, seed) for seed in range(SEEDS)), fault.id


@pytest.mark.skipif(not STATUS.exists(), reason="asks Linux how large the process is")
def test_kernels_that_have_run_keep_no_stacks(library: Path, tmp_path: Path) -> None:
    """Campaigns load thousands of libraries into a process whose memory is limited."""
    fresh = Path(copy(library, tmp_path))
    before = size()
    assert all(seen(sample, number, fresh, 0) == "" for number, sample in enumerate(SAMPLES))
    assert size() - before < 2**24


def size() -> int:
    """The bytes that the addresses of the process span."""
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmSize"))
    return int(line.split()[1]) * 1024
