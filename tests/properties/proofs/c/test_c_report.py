"""The report on random programs: the same programs for the same number, and numbers that add up."""

import json

from click.testing import CliRunner
from gnomon.properties.proofs.c.c_report import draw_problems, main


def test_the_same_number_gives_the_same_programs() -> None:
    assert [p.source for p in draw_problems(4, 3)] == [p.source for p in draw_problems(4, 3)]


def test_the_report_counts_accesses_and_kernels() -> None:
    done = CliRunner().invoke(main, ["--examples", "2", "--seed", "3", "--seconds", "2", "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert 0 <= found["accesses_proved"] <= found["accesses"]
    assert found["kernels_proved"] + len(found["open"]) == found["kernels"] <= 2
