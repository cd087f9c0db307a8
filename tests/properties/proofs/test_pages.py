"""Pages: what the specification says of proofs is generated, and is so."""

from pathlib import Path

import pytest
from gnomon.properties.proofs.catalogue import catalogue
from gnomon.properties.proofs.obligation import Obligation
from gnomon.properties.proofs.pages import LISTED, annotate, documented_obligations, listing, write_pages
from gnomon.properties.proofs.prover import Outcome
from gnomon.properties.proofs.verdict import Bounded, Proved, Unknown, Verdict, status
from hypothesis import settings

SPEC = Path(__file__).parents[3] / "docs" / "spec"
LISTING = (SPEC / LISTED).read_text()
SAID = documented_obligations(LISTING)
CATALOGUE = {o.id: o for o in catalogue()}
SAMPLE: dict[str, Verdict] = {"a.x": Proved(), "a.y": Bounded("up to 4"), "b.z": Unknown("a|b")}
OBLIGATIONS = [Obligation(id, f"{id} | holds", lambda v=v: v, ("page 2",)) for id, v in SAMPLE.items()]  # type: ignore[misc]
OUTCOMES = [Outcome(id, "", v, 0.1) for id, v in SAMPLE.items()]


def test_a_rule_is_followed_by_its_proofs_and_other_lines_are_left_alone() -> None:
    text = "# Title\n\n1. First.\n2. Second. · proofs: old\ntext"
    said = "`a.x` proved, `a.y` bounded, `b.z` unknown"
    assert annotate(text, "page", OBLIGATIONS, OUTCOMES) == f"# Title\n\n1. First.\n2. Second. · proofs: {said}\ntext"
    assert annotate(text, "other", OBLIGATIONS, OUTCOMES) == text.replace(" · proofs: old", "")


def test_the_listing_can_be_read_back() -> None:
    found = documented_obligations(listing(OBLIGATIONS, OUTCOMES))
    assert found == {o.id: (o.statement, status(SAMPLE[o.id])) for o in OBLIGATIONS}


def test_the_pages_list_every_obligation_with_its_statement() -> None:
    """`make proofs` writes them anew."""
    assert {id: said for id, (said, _) in SAID.items()} == {
        id: o.statement.replace("\n", " ") for id, o in CATALOGUE.items()
    }


def test_the_pages_say_of_each_rule_what_the_listing_says() -> None:
    words = {status(v): v for v in (Proved(), Bounded(""), Unknown(""))}
    outcomes = [Outcome(id, "", words[SAID[id][1]], 0.0) for id in CATALOGUE]
    for path, text in write_pages(SPEC, list(CATALOGUE.values()), outcomes).items():
        if path.name != LISTED:
            assert path.read_text() == text, path.name


def test_every_rule_that_is_proved_is_a_rule() -> None:
    rules = {
        f"{path.stem} {line.partition('.')[0]}"
        for path in SPEC.glob("*.md")
        for line in path.read_text().splitlines()
        if line.partition(".")[0].isdigit()
    }
    assert {rule for o in CATALOGUE.values() for rule in o.rules} <= rules


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
