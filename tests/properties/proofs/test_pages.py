"""The page of all obligations is generated, and says what is so."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from depth import DEEP
from gnomon.properties.proofs.catalogue import catalogue
from gnomon.properties.proofs.obligation import Obligation
from gnomon.properties.proofs.pages import LISTED, documented_obligations, listing
from gnomon.properties.proofs.prover import Outcome
from gnomon.properties.proofs.verdict import Bounded, Proved, Unknown, Verdict, status

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


OFTEN = ("operators", "semirings", "levels", "devices")
"""Families that ask the same of many, which are named in the middle: `levels.compressed.ordered`."""
OF_EACH = (
    *("c.phases", "lattices", "relations.races.sound", "relations.races.needed", "relations.races.strategy"),
    *("relations.reorder.interchange", "relations.reorder.moves"),
)
"""Families that ask one thing of each kernel, program, strategy or operator."""
STEP = 1 if DEEP else 5
"""Of each such question, the first one and every fifth after it are proved."""


def question(id: str) -> str:
    """What is asked, without of what; the id itself where that is asked of one thing only."""
    family, *named = id.split(".", 2)
    if family in OFTEN and len(named) == 2:
        return f"{family} {named[1]}"
    return next((each for each in OF_EACH if id.startswith(f"{each}.")), id)


def questions() -> dict[str, list[str]]:
    """The quick obligations, those together that ask the same."""
    found: dict[str, list[str]] = {}
    for id in (id for id, o in CATALOGUE.items() if not o.slow):
        found.setdefault(question(id), []).append(id)
    return found


def chosen() -> Iterator[str]:
    """All of them in deep runs; else every 14th, and the first one about each relation and about phases."""
    seen = set[str]()
    for n, id in enumerate(id for alike in questions().values() for id in alike[::STEP]):
        about = ".".join(id.split(".")[:2])
        first = about.startswith(("relations.", "c.phases")) and about not in seen
        seen.add(about)
        if DEEP or n % 14 == 0 or first:
            yield id


@pytest.mark.parametrize("id", list(chosen()))
def test_quick_obligations_are_proved_and_the_pages_say_so(id: str) -> None:
    """Of lists of coordinates and of graphs a few are looked at, so what is said of them is bounded."""
    found = status(CATALOGUE[id].prove())
    assert found == SAID[id][1] == ("bounded" if id.startswith(("relations.tables.", "procedures.")) else "proved")
