"""Thresholds: loops end on how many components there are, and what to write for one that is to end on a value."""

from __future__ import annotations

import re

CONDITION = re.compile(r"(\w+)(\s+above\s+|\s+below\s+|\s*[<>]=?\s*)(\S+)")
NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[A-Za-z_]\w*")
GOES_ON = {"below": "ge", "<": "ge", "<=": "gt", "above": "le", ">": "le", ">=": "lt"}
"""The comparison that holds as long as a condition does not."""


def threshold_hint(condition: str, source: str) -> str | None:
    """What to write for a condition on a value, in a procedure of some text; None if it compares nothing.

    >>> threshold_hint("d below 0.1", "procedure p(x) -> x")
    'above and below count components; to end on a value, write e<ge(d, 0.1)> = 1 before and e empty here'
    """
    found = CONDITION.fullmatch(condition.strip())
    if found is None or NUMBER.fullmatch(found[3]) is None:
        return None
    words = set(re.findall(r"\w+", source))
    name = next(name for name in ("e", *(f"e{n}" for n in range(len(words) + 1))) if name not in words)
    mask = f"{name}<{GOES_ON[found[2].strip()]}({found[1]}, {found[3]})> = 1"
    return f"above and below count components; to end on a value, write {mask} before and {name} empty here"
