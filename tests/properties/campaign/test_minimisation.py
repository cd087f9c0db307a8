"""Seeded faults: a campaign reports each of them by a program that meets no other."""

from pathlib import Path

import pytest
from gnomon.properties.backends.worker import Limits
from gnomon.properties.campaign.campaign import Campaign, run
from gnomon.properties.campaign.examination import Plan
from gnomon.properties.campaign.executors import Inline
from hypothesis import settings

IS_DEEP = settings().max_examples > 1000
CHOSEN, SEED, EXAMPLES = ("0123456789", 5, 2000) if IS_DEEP else ("34", 2, 40)


def test_every_seeded_fault_is_reported_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = str(Path(__file__).parent)
    monkeypatch.setenv("PYTHONPATH", folder)
    monkeypatch.syspath_prepend(folder)
    from seeded import shown

    campaign = Campaign(Plan(f"seeded:Faults_{CHOSEN}", SEED, Limits(seconds=60.0)))
    run(campaign, EXAMPLES, Inline, 1)
    wanted = {int(digit) for digit in CHOSEN}
    met = [shown(finding.problem) & wanted for finding in campaign.findings]
    assert {n for found in met if len(found) == 1 for n in found} == wanted
    assert not campaign.unexplained()
