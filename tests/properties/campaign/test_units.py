"""Units: each is drawn from its number alone, in any process."""

import random
import subprocess
import sys
import warnings
from threading import Event, Thread

import pytest
from gnomon.properties.backends.backend import expressions_of
from gnomon.properties.campaign.units import Subject, nth_program, unit
from gnomon.properties.programs.features import EVERYTHING, PLAIN
from msgspec.structs import replace

SCRIPT = """
from gnomon.properties.campaign.units import nth_program
from gnomon.properties.programs.features import EVERYTHING, PLAIN
print("\\n".join(repr(nth_program(f, 5, n)) for n in (3, 0, 11) for f in (PLAIN, EVERYTHING)))
"""


def test_a_unit_is_the_same_whatever_was_drawn_before() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    for number in range(4):
        nth_program(EVERYTHING, 4, number)
    assert done.stdout.strip() == "\n".join(repr(nth_program(f, 5, n)) for n in (3, 0, 11) for f in (PLAIN, EVERYTHING))


def test_seeds_and_numbers_make_a_difference() -> None:
    drawn = {repr(nth_program(EVERYTHING, seed, number)) for seed in range(5) for number in range(5)}
    assert len(drawn) > 22


def test_a_procedure_is_the_steps_that_use_nothing_but_some_features() -> None:
    narrow = replace(EVERYTHING, coordinates=False, selections=False, semirings=())
    whole, taken = (
        [unit(Subject.PROCEDURE, features, 3, number) for number in range(15)] for features in (EVERYTHING, narrow)
    )
    assert [each.text for each in whole] == [each.text for each in taken]
    assert max(len(each.problems) for each in whole) > 3
    for each, own in zip(whole, taken, strict=True):
        assert [repr(p) for p in own.problems] == [repr(p) for p in each.problems if narrow.lacks(p) is None]
    assert 0 < sum(len(own.problems) for own in taken) < sum(len(each.problems) for each in whole)


def test_other_threads_may_meanwhile_use_random() -> None:
    ended = Event()

    def shuffle() -> None:
        while not ended.is_set():
            random.random()

    other = Thread(target=shuffle)
    other.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            drawn = [repr(nth_program(PLAIN, 5, number)) for number in range(8)]
    finally:
        ended.set()
        other.join()
    assert drawn == [repr(nth_program(PLAIN, 5, number)) for number in range(8)]


class Kernel:
    name, expressions = "kernel", ("y(i) = A(i,j) * x(j)", "s = x(i)")


def test_units_of_a_backend_are_instances_of_its_expressions() -> None:
    features = replace(PLAIN, orders=(0, 1, 2))
    drawn = [unit(Subject.PROGRAM, features, 1, n, expressions_of(Kernel)).problems[0] for n in range(40)]
    assert {problem.source for problem in drawn} == set(Kernel.expressions)
    assert expressions_of(object()) == ()
    with pytest.raises(TypeError, match="expected several expressions, but found 's = x'"):
        expressions_of(type("One", (), {"name": "one", "expressions": "s = x"}))
