"""Denotation = reference = generated C on random problems, thousands of kernels compiled in batches."""

import dataclasses
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.properties.backends.outcome import Kind, judge
from gnomon.properties.backends.own import GeneratedC
from gnomon.properties.backends.result import result_of
from gnomon.properties.campaign.units import nth_program
from gnomon.properties.differential.batch import STRICT, batches, build_library, cases, check_case
from gnomon.properties.differential.check import components
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import PLAIN, Features, programs
from gnomon.reference.errors import DisagreementError, GnomonError, InternalError, MeaningError, StorageError
from hypothesis import given, settings
from msgspec.structs import replace

FAMILIES = {
    "float64": PLAIN,
    "semirings": Features(plain=False, schedules=False),
    "schedules": replace(PLAIN, schedules=True),
    "dtypes": Features(semirings=(), schedules=False),
}
NARROW, SMALL = ("int8", "uint8", "int16", "int64"), 3
KEPT = 0.9


@cache
def nth(family: str, number: int) -> Problem:
    """A problem of a family. Units differ, where Hypothesis would vary some examples."""
    return nth_program(FAMILIES[family], 0, number)


def drawn(family: str, count: int) -> list[Problem]:
    """Problems of a family, as many as asked for."""
    return [nth(family, number) for number in range(count)]


@pytest.mark.parametrize("family", FAMILIES)
def test_c_gives_what_the_expression_means(family: str, tmp_path: Path) -> None:
    refused: list[str] = []
    problems = drawn(family, settings().max_examples // 5)
    every = list(cases(problems, refused))
    assert len(every) > KEPT * len(problems)
    assert len(refused) <= len(every) // 100, refused
    for batch in batches(every):
        library = build_library(batch, tmp_path, chosen_compiler())
        for case in batch:
            check_case(case, library)


def narrow(problem: Problem, random: np.random.Generator) -> Problem | None:
    """The program with operands of one integer dtype, which hold any values of that dtype, or small ones; None if the
    program is refused for such operands."""
    dtype = np.dtype(random.choice(NARROW))
    info, few = np.iinfo(dtype), random.random() < 0.5
    low, high = (max(int(info.min), -SMALL), SMALL) if few else (int(info.min), int(info.max))
    operands = {}
    for name, t in problem.operands.items():
        values = random.integers(low, high, len(t.vals), dtype, endpoint=True)
        fits = t.dtype.kind in "iu" and info.min <= t.fill.real <= info.max
        operands[name] = dataclasses.replace(t, vals=values, dtype=dtype, fill=int(t.fill.real) if fits else 0)
    made = dataclasses.replace(problem, operands=operands)
    try:
        _ = made.ready
    except GnomonError:
        return None
    return made


def test_integers_that_do_not_fit_are_never_given() -> None:
    """Whatever operands hold: what a kernel gives is exact, and else it says that something does not fit."""
    random, backend = np.random.default_rng(0), GeneratedC()
    plain = drawn("schedules", settings().max_examples // 5) + drawn("dtypes", settings().max_examples // 5)
    problems = [each for problem in plain if (each := narrow(problem, random)) is not None]
    backend.prepare(problems)
    given_, reported = 0, 0
    for problem in problems:
        try:
            outcome = judge(problem, result_of(backend.run(problem)))
        except MeaningError:
            reported += 1
            continue
        assert outcome.kind in (Kind.AGREES, Kind.MEANINGLESS), (problem, outcome)
        given_ += 1
    assert given_ > reported > 0


@pytest.mark.parametrize(
    "error", [InternalError("no loop gives i"), StorageError("a segment ends early"), IndexError()]
)
def test_what_the_reference_breaks_down_with_is_not_left_out(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise error

    monkeypatch.setattr("gnomon.properties.programs.problem.execute_prepared", breaks)
    x = gn.from_numpy(np.ones(2), "dense")
    with pytest.raises(type(error)):
        list(cases([Problem("y(i) = x(i)", {"x": x}, x.format)], []))


@pytest.mark.parametrize(("index", "goes_on"), [("int32", True), ("int64", False)])
def test_a_result_goes_on_in_place_where_its_indices_are_as_wide(index: str, goes_on: bool, tmp_path: Path) -> None:
    y = gn.tensor([[0, 5]], [3.0, 1.0], (8,), "bitmap", index=index)
    x = gn.tensor([[5]], [2.0], (8,), "SparseVector")
    (case,) = cases([Problem("y(i) += x(i)", {"x": x, "y": y}, y.format)], [])
    library = build_library([case], tmp_path, chosen_compiler())
    check_case(case, library)
    assert library.has(f"{case.name}update") == goes_on


def test_a_result_goes_on_in_place_over_the_blocks_of_an_operand(tmp_path: Path) -> None:
    for side in (4, 5):
        R = gn.tensor([[0, 3], [2, 1]], [4.0, 9.0], (side, side), "dense,dense; (i,j)->(j,i)", fill=np.inf)
        A = gn.tensor([[1, 2], [3, 0]], [-3.0, 20.0], (side, side), "BCSR(2,2)", fill=np.inf)
        (case,) = cases([Problem("R(i,j) min= A(j,i)", {"A": A, "R": R}, R.format)], [])
        check_case(case, build_library([case], tmp_path, chosen_compiler()))
        assert case.source.works_in_place and case.text.count("R_vals[p] = R_old_vals[p]") == 2


def test_a_reference_that_computes_something_else_is_found(tmp_path: Path) -> None:
    x = gn.from_numpy(np.ones(2), "dense")
    problem = Problem("y(i) = x(i)", {"x": x}, x.format)
    (case,) = cases([problem], [])
    wrong = replace(problem.execution, result=gn.from_numpy(np.array([1.0, 2.0]), "dense"))
    problem.__dict__["execution"] = wrong
    with pytest.raises(DisagreementError, match="reference: at"):
        check_case(case, build_library([case], tmp_path, chosen_compiler()))


@pytest.mark.parametrize("family", FAMILIES)
def test_generated_code_has_no_warnings(family: str, tmp_path: Path) -> None:
    problems = drawn(family, settings().max_examples // 20)
    every = list(cases(problems, [], ("assemble", "compute", "evaluate")))
    assert len(every) > KEPT * len(problems)
    for batch in batches(every):
        build_library(batch, tmp_path, chosen_compiler(), STRICT)


def test_sanitizers_find_nothing(tmp_path: Path) -> None:
    libraries = [
        subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    if not all(Path(path).is_absolute() for path in libraries):
        pytest.skip("gcc has no sanitizer libraries here")
    script = Path(__file__).with_name("sanitized.py")
    environment = {
        **os.environ, "LD_PRELOAD": " ".join(libraries), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc",
    }  # fmt: skip
    count = settings().max_examples // 33
    command = [sys.executable, str(script), str(tmp_path), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) > count * len(FAMILIES) // 2, done.stdout


def test_threads_do_not_race_and_would_be_caught_if_they_did(tmp_path: Path) -> None:
    found = subprocess.run(["gcc", "-print-file-name=libtsan.so"], capture_output=True, text=True, check=True)
    if not Path(found.stdout.strip()).is_absolute():
        pytest.skip("gcc has no thread sanitizer here")
    script = Path(__file__).with_name("raced.py")
    environment = {**os.environ, "LD_PRELOAD": found.stdout.strip(), "TSAN_OPTIONS": "exitcode=66"}
    count = settings().max_examples // 16
    placed = ["setarch", "-R"] if shutil.which("setarch") else []  # its shadow memory does not fit beside every layout
    command = [*placed, sys.executable, str(script), str(tmp_path), str(count)]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, check=False
    )
    sound, ran, broken = done.stdout.partition(" kernels ran\n")
    assert ran and sound.isdecimal(), done.stdout
    assert int(sound) > count // 2
    assert done.returncode == 66 and "data race" in broken, done.stdout


@given(programs(PLAIN))
@settings(max_examples=settings().max_examples // 33)
def test_kernels_one_by_one(each: Problem) -> None:
    """As above, with the whole path through the cache, and with smaller examples when something is wrong."""
    from gnomon.generator.runtime.kernel import kernel_for
    from gnomon.reference.execution.evaluate import execute

    execution = execute(each.source, each.operands, out=each.out, convert="auto")
    kernel = kernel_for(each.source, execution.operands, out=each.out, convert="auto")
    got = kernel.run(execution.operands)
    assert components(got, execution, "c").keys() == components(execution.result, execution).keys()
    structure = kernel.assemble(**execution.operands)
    again = kernel.compute(structure, **execution.operands)
    assert repr(list(again.entries())) == repr(list(got.entries()))
