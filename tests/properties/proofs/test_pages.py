"""The page of all obligations is generated, and says what is so."""

from pathlib import Path

import pytest
from gnomon.properties.proofs.catalogue import catalogue
from gnomon.properties.proofs.obligation import Obligation
from gnomon.properties.proofs.pages import LISTED, documented_obligations, listing
from gnomon.properties.proofs.prover import Outcome
from gnomon.properties.proofs.verdict import Bounded, Proved, Unknown, Verdict, status
from hypothesis import settings

SPEC = Path(__file__).parents[3] / "docs" / "spec"
LISTING = (SPEC / LISTED).read_text()
SAID = documented_obligations(LISTING)
CATALOGUE = {o.id: o for o in catalogue()}
SAMPLE: dict[str, Verdict] = {"a.x": Proved(), "a.y": Bounded("up to 4"), "b.z": Unknown("a|b")}
OBLIGATIONS = [Obligation(id, f"{id} | holds", lambda v=v: v, ("mask.merge",)) for id, v in SAMPLE.items()]  # type: ignore[misc]
OUTCOMES = [Outcome(id, "", v, 0.1) for id, v in SAMPLE.items()]


def test_the_listing_can_be_read_back() -> None:
    found = documented_obligations(listing(OBLIGATIONS, OUTCOMES))
    assert found == {o.id: (o.statement, status(SAMPLE[o.id])) for o in OBLIGATIONS}


def test_the_page_lists_every_obligation_with_its_statement() -> None:
    """`make proofs` writes it anew."""
    assert {id: said for id, (said, _) in SAID.items()} == {
        id: o.statement.replace("\n", " ") for id, o in CATALOGUE.items()
    }


DEEP = settings.default.max_examples > 1000
OFTEN = ("operators", "semirings", "levels")
"""Families that ask the same of many: of each such question, every third one is proved."""


def questions() -> dict[str, list[str]]:
    """The quick obligations, those that ask the same of several operators, semirings or levels together."""
    found: dict[str, list[str]] = {}
    for id in (id for id, o in CATALOGUE.items() if not o.slow):
        family, _, question = id.split(".", 2) if id.startswith(OFTEN) else (id, "", "")
        found.setdefault(f"{family} {question}", []).append(id)
    return found


@pytest.mark.parametrize("id", [id for alike in questions().values() for id in alike[:: 1 if DEEP else 3]])
def test_quick_obligations_are_proved_and_the_pages_say_so(id: str) -> None:
    """Of lists of coordinates and of graphs a few are looked at, so what is said of them is bounded."""
    found = status(CATALOGUE[id].prove())
    assert found == SAID[id][1] == ("bounded" if id.startswith(("relations.tables.", "procedures.")) else "proved")
