"""Named semirings: any `<add>_<multiply>` of declared operators (GraphBLAS names; COMET, section III).

Inside a semiring presence is structural: multiply over the intersection of what is present, add over what is present,
absent is the identity of the add. The last entry of a name like `plus_times` is `times`; `plus` and `times` are the
field's names for `add` and `mul`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import SemiringError
from .operator import Operator
from .operators import OPERATORS, structural
from .spellings import ALIASES, FIELD_NAMES

KNOWN = (
    ("plus_times", "ordinary sums of products"),
    ("min_plus", "shortest paths"),
    ("max_plus", "longest (critical) paths"),
    ("min_times", "least products"),
    ("max_times", "most probable paths"),
    ("min_max", "paths whose worst edge is best"),
    ("max_min", "widest paths"),
    ("or_and", "reachability"),
    ("xor_and", "sums of products modulo two"),
    ("plus_pair", "how many pairs meet (triangle counting)"),
    ("any_pair", "whether any pair meets"),
    ("plus_first", "sums of the left operand where the right is present"),
    ("plus_second", "sums of the right operand where the left is present"),
    ("min_first", "least left operand (parents in a search)"),
    ("min_second", "least right operand"),
    ("max_first", "largest left operand"),
    ("max_second", "largest right operand"),
    ("any_first", "any left operand"),
    ("any_second", "any right operand"),
)


@dataclass(frozen=True, slots=True)
class Semiring:
    """A semiring: its name and its two structural operators."""

    name: str
    add: Operator
    multiply: Operator
    plain_add: Operator


def semiring(name: str | Semiring) -> Semiring:
    """The semiring of that name; a semiring is itself. Raises SemiringError if there is none.

    >>> semiring("min_plus").add, semiring("min_plus").multiply
    (min, add)
    """
    if isinstance(name, Semiring):
        return name
    if not isinstance(name, str):
        raise not_a_semiring(name)
    first, _, second = name.partition("_")
    add, multiply = (OPERATORS.get(ALIASES.get(part, part)) for part in (first, second))
    known = ", ".join(known for known, _ in KNOWN)
    if add is None or multiply is None:
        raise SemiringError(f"unknown semiring {name!r}", hint=f"write <add>_<multiply>, for example one of {known}")
    if add.reduction is None or add.left_identity is None:
        raise SemiringError(
            f"semiring {name!r}: {first} cannot add: it is not declared associative and commutative with an identity",
            hint=f"known semirings: {known}",
        )
    if multiply.arity != 2:
        raise SemiringError(f"semiring {name!r}: {second} takes one operand, a multiply takes two")
    return Semiring(name, *structural(add, multiply), add)


def field_name(operator: Operator) -> str:
    """The field's name for an operator of a semiring.

    >>> field_name(OPERATORS["add"]), field_name(OPERATORS["min"])
    ('plus', 'min')
    """
    return FIELD_NAMES.get(operator.name, operator.name)


def semiring_name(given: str | Semiring | None) -> str | None:
    """The name of a semiring, given as its name or as itself. Raises SemiringError for one that has no such name."""
    if given is None or isinstance(given, str):
        return given
    if not isinstance(given, Semiring):
        raise not_a_semiring(given)
    named = semiring(given.name)
    if (given.add.name, given.multiply.name) != (named.add.name, named.multiply.name):
        raise SemiringError(f"{given.name!r} is the name of another semiring", hint="write gn.semiring(name)")
    return given.name


def not_a_semiring(given: Any) -> SemiringError:
    """The error for something that names no semiring."""
    return SemiringError(
        f"expected the name of a semiring, but found {given!r}", hint="write for example semiring='min_plus'"
    )
