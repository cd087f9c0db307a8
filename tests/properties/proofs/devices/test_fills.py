"""What is counted is what is filled, and kernels that count something else are refuted."""

from __future__ import annotations

import pytest
from gnomon.properties.proofs.c.c_launches import parse_both
from gnomon.properties.proofs.devices.devices import FILLING, fills_counts, texts_of
from gnomon.properties.proofs.devices.fills import agreement
from gnomon.properties.proofs.verdict import Proved, Refuted, Unknown, Verdict


def changed(name: str, right: str, wrong: str, count: int = 1) -> Verdict:
    """The verdict on a golden kernel with another text."""
    made = texts_of(name)
    assert right in made.device + made.host
    return agreement(parse_both(made.host.replace(right, wrong), made.device.replace(right, wrong, count)))


@pytest.mark.every(2)
@pytest.mark.parametrize("name", FILLING)
def test_iterations_fill_what_they_have_counted(name: str) -> None:
    assert fills_counts(name) == Proved()


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("mul_rows", "pC2_own++;", "pC2_own++; pC2_own++;"),
        ("mul_rows", "C2_first[i + 1] = pC2_own", "C2_first[i] = pC2_own"),
        ("mul_rows", "pC2 + C2_first[i];", "pC2 + C2_first[i + 1];"),
        ("spgemm_rows", "w1_count[0]++;", "w1_count[0]++; w1_count[0]++;"),
        ("spgemm_lists", "pC2_own += w1_end;", "pC2_own += w1_end + 1;"),
        ("spgemm_lists", "w1_flag[w1_crd[n]] = 0;", "w1_flag[w1_crd[n]] = 1;"),
        ("spgemm_lists", "n < w1_before", "n < 0"),
        ("spgemm_lists", "my_seen == 0 &&", "my_seen != 0 &&"),
        ("scale_fibers", "if (pC3_own_begin < pC3_own)", "if (pC3_own_begin < 1)"),
        ("scale_fibers", "int64_t i_begin_2 = A1_pos[0]", "int64_t i_begin_2 = A1_pos[1]"),
    ],
)
def test_other_counts_are_refuted(name: str, right: str, wrong: str) -> None:
    assert isinstance(changed(name, right, wrong), Refuted)


def test_what_is_not_noted_is_unknown() -> None:
    assert isinstance(changed("mul_rows", "C2_first[i + 1] = pC2_own;", ""), Unknown)
    assert isinstance(changed("mul_rows", "= pC2 + C2_first[i];", "= pC2;", 3), Unknown)
