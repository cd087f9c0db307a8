"""Rules as they are stated in the chapters of the specification: a block of Markdown each, with a name that stays.

    :::{rule} denote.missing.operand
    :code: reference/denotation/denote.py:apply_operator
    :tests: tests/reference/denotation/test_denote.py

    A missing operand acts as identity or annihilator only where its fill is that.
    :::

The first word of a name says the chapter, the others say what the rule is about. `code` names the functions, classes or
constants that are the rule, and `tests` the files that check it. A rule that no case of the conformance suite can
exercise says why as `no-case`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

CHAPTERS = {
    "notation": "notation",
    "type": "types",
    "operator": "operators",
    "semiring": "operators",
    "denote": "denotation",
    "mask": "masks",
    "level": "levels",
    "format": "formats",
    "statement": "statements",
    "loop": "loops",
    "schedule": "schedules",
    "execute": "execution",
    "code": "code",
    "procedure": "procedures",
    "file": "files",
    "error": "errors",
}
"""The folder of the chapter that rules are in whose names begin with a word."""

BLOCK = re.compile(
    r"^:::\{rule\} (?P<name>\S+)\n(?P<options>(?::[a-z-]+:[^\n]*\n)*)\n(?P<text>.*?)^:::$", re.MULTILINE | re.DOTALL
)
OPTION = re.compile(r"^:([a-z-]+): *(.*)$", re.MULTILINE)


class Place(Struct, frozen=True):
    """A file of this project, by its path from the root, or something that is defined in it, by name."""

    path: str
    symbol: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.symbol}" if self.symbol else self.path

    def is_in(self, root: Path) -> bool:
        """Whether it is there."""
        file = root / self.path
        if not self.symbol or not file.is_file():
            return file.is_file()
        words = r"(?:(?:async )?def|class|static inline \S+|#define) ", r"", r"(?:[\w.]+, )*"
        pattern = "|".join(rf"^\s*{word}{re.escape(self.symbol)}\b" for word in words)
        return re.search(pattern, file.read_text(), re.MULTILINE) is not None


class StatedRule(Struct, frozen=True):
    """A rule: its name, the page that states it, its text in Markdown, and the places of its code and its tests."""

    name: str
    page: Path
    text: str
    code: tuple[Place, ...]
    tests: tuple[Place, ...]
    no_case: str = ""


def chapter_of(name: str) -> str:
    """The folder of the chapter that a rule is in, by its name.

    >>> chapter_of("denote.missing.operand")
    'denotation'
    """
    return CHAPTERS[name.partition(".")[0]]


def rules_of(folder: Path) -> tuple[StatedRule, ...]:
    """Every rule that the pages of a folder state, by page and as they follow one another."""
    return tuple(rule for page in sorted(folder.rglob("*.md")) for rule in rules_in(page.read_text(), page))


def rules_in(text: str, page: Path) -> Iterator[StatedRule]:
    """The rules of a page.

    >>> text = ":::{rule} mask.merge\\n:code: a.py:f b.py\\n:tests: t.py\\n\\nWords.\\n:::\\n"
    >>> [(rule.name, *map(str, rule.code), rule.text) for rule in rules_in(text, Path("masks.md"))]
    [('mask.merge', 'a.py:f', 'b.py', 'Words.')]
    """
    for block in BLOCK.finditer(text):
        options = dict(OPTION.findall(block["options"]))
        code, tests = (places(options.get(name, "")) for name in ("code", "tests"))
        yield StatedRule(block["name"], page, block["text"].strip(), code, tests, options.get("no-case", ""))


def places(text: str) -> tuple[Place, ...]:
    """The places of an option, with blanks between them."""
    return tuple(Place(*part.split(":")) for part in text.split())
