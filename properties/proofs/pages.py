"""The page of the specification that lists every obligation, with what came of it.

`python -m gnomon.properties.proofs.pages FOLDER` proves everything and writes it anew into a folder; nobody types it.
Times are left out, since they differ from run to run. Beside the rules, the site of the specification says what of
this is theirs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

import click

from .command import attempt_watched
from .obligation import Obligation
from .prover import Outcome, in_order
from .topic import Rules
from .verdict import STATUSES, Bounded, Unknown, detail, status

LISTED = "proofs.md"
MOST = 4


def summary(found: Mapping[str, str]) -> str:
    """Ids with their statuses, or, if there are many, the families that they are of with how many have which.

    >>> summary({"a.b.x": "proved", "a.b.y": "bounded"})
    '`a.b.x` proved, `a.b.y` bounded'
    >>> summary({f"a.b.{n}": "proved" for n in range(9)} | {"a.c.1": "bounded"})
    '`a.b` 9 proved, `a.c` 1 bounded'
    """
    depth = max(id.count(".") for id in found) + 1
    while depth > 1 and len({family(id, depth) for id in found}) > MOST:
        depth -= 1
    parts = []
    for name, ids in groupby(sorted(found, key=lambda id: family(id, depth)), key=lambda id: family(id, depth)):
        words = [found[id] for id in ids]
        counts = [(words.count(word), word) for word in STATUSES if word in words]
        whole = name in found and len(words) == 1
        parts.append(f"`{name}` " + (words[0] if whole else " ".join(f"{n} {word}" for n, word in counts)))
    return ", ".join(parts)


def family(id: str, depth: int) -> str:
    """The first words of an id."""
    return ".".join(id.split(".")[:depth])


def listing(obligations: Sequence[Obligation], outcomes: Sequence[Outcome]) -> str:
    """The page of all obligations, a table for each family."""
    found = {o.id: o for o in outcomes}
    text = [
        "# Proofs",
        "",
        "What `gnomon prove` attempts, and what comes of it. How to read it: [proofs](../proofs.md).",
        "",
    ]
    for name, members in groupby(obligations, key=lambda o: family(o.id, 1)):
        text += [f"## {name}", "", "| id | statement | status |", "|---|---|---|"]
        text += [row(o, found[o.id]) for o in members] + [""]
    return "\n".join(text)


def row(obligation: Obligation, outcome: Outcome) -> str:
    """An obligation as a line of a table: with its bound or what is missing, but without witnesses."""
    said = status(outcome.verdict)
    if isinstance(outcome.verdict, Bounded | Unknown):
        said += f": {detail(outcome.verdict)}"
    return f"| `{obligation.id}` | {cell(obligation.statement)} | {cell(said)} |"


def documented_obligations(text: str) -> dict[str, tuple[str, str]]:
    r"""The statement and the status of each obligation that the page of all of them lists, by id.

    >>> documented_obligations("| `a.b` | one \\| two | bounded: up to 4 |")
    {'a.b': ('one | two', 'bounded')}
    """
    found = {}
    for line in text.splitlines():
        cells = [part.strip().replace("\\|", "|") for part in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 3 and cells[0].startswith("`"):
            found[cells[0].strip("`")] = (cells[1], cells[2].partition(":")[0])
    return found


def cell(text: str) -> str:
    """A text in a table."""
    return text.replace("|", "\\|").replace("\n", " ")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
def main(folder: Path) -> None:
    """Prove everything and write it into a page in FOLDER."""
    obligations = Rules().obligations()
    report = in_order(obligations, attempt_watched(Rules(), obligations, None))
    (folder / LISTED).write_text(listing(obligations, report.outcomes))
    click.echo(f"wrote the proofs of {len(obligations)} obligations into {folder}")


if __name__ == "__main__":
    main()
