"""Units: each is drawn from its number alone, in any process."""

import subprocess
import sys

from gnomon.properties.campaign.units import nth_program
from gnomon.properties.programs.features import EVERYTHING, PLAIN

SCRIPT = """
from gnomon.properties.campaign.units import nth_program
from gnomon.properties.programs.features import EVERYTHING, PLAIN
print("\\n".join(repr(nth_program(f, 5, n)) for n in (3, 0, 11) for f in (PLAIN, EVERYTHING)))
"""


def test_a_unit_is_the_same_whatever_was_drawn_before() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    for number in range(12):
        nth_program(EVERYTHING, 4, number)
    assert done.stdout.strip() == "\n".join(repr(nth_program(f, 5, n)) for n in (3, 0, 11) for f in (PLAIN, EVERYTHING))


def test_seeds_and_numbers_make_a_difference() -> None:
    drawn = {repr(nth_program(EVERYTHING, seed, number)) for seed in range(5) for number in range(10)}
    assert len(drawn) > 45
