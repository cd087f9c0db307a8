"""Idioms: functions of other languages that are none here, and what says the same."""

from __future__ import annotations

from ..algebra.dtypes import NAMES
from .misspellings import MASKED

IDIOMS = {
    **dict.fromkeys(("where", "if", "select", "ifelse", "choose"), MASKED),
    "relu": "write max({}, 0)",
    **dict.fromkeys(("mean", "average", "avg"), "write sum(i, x(i)) / n, and pass n=..., how many there are"),
    "norm": "write sqrt(sum(i, x(i) * x(i)))",
}


def idiom(name: str, argument: str = "x(i)") -> str | None:
    """What to write for a function of one argument that is none here; None if nothing is known of it.

    >>> idiom("relu", "x(i) - 1"), idiom("spam")
    ('write max(x(i) - 1, 0)', None)
    """
    if name in NAMES:
        return (
            "operands are converted to the dtype that they share; "
            f'pass out=gn.spec(FORMAT, dtype="{name}") for a result of it, or convert the operands before'
        )
    found = IDIOMS.get(name)
    return None if found is None else found.format(argument)
