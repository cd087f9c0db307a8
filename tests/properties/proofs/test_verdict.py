"""Verdicts: only what is proved counts as proved."""

import pytest
from gnomon.properties.proofs.verdict import (
    STATUSES,
    Bounded,
    Proved,
    Refuted,
    Unknown,
    Verdict,
    detail,
    of_each,
    status,
    together,
)
from hypothesis import given
from hypothesis import strategies as st

VERDICTS: list[Verdict] = [Proved(), Refuted((("a", "1"),)), Bounded("up to 4"), Unknown("time")]
verdicts = st.sampled_from(VERDICTS)


@given(st.lists(verdicts, min_size=1))
def test_several_things_are_as_proved_as_the_least_proved_of_them(found: list[Verdict]) -> None:
    ranks = ["refuted", "unknown", "bounded", "proved"]
    assert status(together(found)) == min((status(v) for v in found), key=ranks.index)


def test_nothing_to_prove_is_not_proved() -> None:
    assert together([]) == Unknown("nothing was asked")
    assert of_each([]) == Proved()


@pytest.mark.parametrize("verdict", VERDICTS, ids=status)
def test_every_verdict_has_a_word(verdict: Verdict) -> None:
    assert status(verdict) in STATUSES
    assert isinstance(detail(verdict), str)
