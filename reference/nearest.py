"""Words that somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, known: Iterable[str], count: int = 1) -> list[str]:
    """The known words closest to a word, upper and lower case being alike; never the word itself.

    >>> nearest("Sqrt", ["sin", "sqrt"]), nearest("sqrt", ["sqrt"])
    (['sqrt'], [])
    """
    by_case = {each.lower(): each for each in known if each != word}
    return [by_case[found] for found in get_close_matches(word.lower(), by_case, count)]
