"""Named semirings: any `<add>_<multiply>` of declared operators (GraphBLAS names; COMET, section III).

Inside a semiring presence is structural: multiply over the intersection of what is present, add over what is present,
absent is the identity of the add. The last entry of a name like `plus_times` is `times`; `plus` and `times` are the
field's names for `add` and `mul`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ..errors import SemiringError
from .operator import Operator
from .operators import OPERATORS, structural
from .positional import PLACES, POSITIONAL, Place
from .scalars import abbreviate
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
    ("min_firstj", "least column of the left operand"),
    ("plus_secondi1", "sums of rows of the right operand, counted from one"),
    ("any_secondi", "the row of any right operand (parents in a search)"),
)


class Semiring(Struct, frozen=True):
    """A semiring: its name and its two structural operators, with those that they are made of."""

    name: str
    add: Operator
    multiply: Operator
    plain_add: Operator
    plain_multiply: Operator

    @property
    def is_declared(self) -> bool:
        """Whether its operators are gnomon's own."""
        return not (self.plain_add.source or self.plain_multiply.source)

    @property
    def source(self) -> str:
        """Python that gives it: its name, unless a user has declared one of its operators."""
        if self.is_declared:
            return repr(self.name)
        add, multiply = (o.source or repr(field_name(o)) for o in (self.plain_add, self.plain_multiply))
        return f"gn.semiring(add={add}, multiply={multiply})"

    @property
    def place(self) -> Place | None:
        """The place that its products are, if they are places."""
        return PLACES.get(self.plain_multiply.name)

    def __str__(self) -> str:
        return self.name


def semiring(name: str | Semiring, operators: Mapping[str, Operator] = OPERATORS) -> Semiring:
    """The semiring of that name; a semiring is itself. Raises SemiringError if there is none.

    >>> semiring("min_plus").add, semiring("min_plus").multiply
    (min, add)
    """
    if isinstance(name, Semiring):
        return name
    if not isinstance(name, str):
        raise not_a_semiring(name)
    first, _, second = name.partition("_")
    add = operators.get(ALIASES.get(first, first))
    multiply = POSITIONAL.get(second, operators.get(ALIASES.get(second, second)))
    if add is None or multiply is None:
        known = ", ".join(known for known, _ in KNOWN)
        raise SemiringError(
            f"unknown semiring {abbreviate(name)}",
            hint=f"write <add>_<multiply>, for example one of {known}",
            rule="semiring.names",
        )
    return combine(add, multiply, name)


def semiring_or_none(given: str | Semiring | None) -> Semiring | None:
    """A semiring, given as its name or as itself, where there need be none. Raises SemiringError."""
    return None if given is None else semiring(given)


def operator_of(given: str | Operator) -> Operator:
    """The operator of a name; an operator is itself. Raises SemiringError if there is none."""
    found = given if isinstance(given, Operator) else None
    if isinstance(given, str):
        found = POSITIONAL.get(given, OPERATORS.get(ALIASES.get(given, given)))
    if found is None:
        hint = f"write gn.operator('f(a,b) = ...'), or one of {', '.join(map(field_name, OPERATORS.values()))}"
        raise SemiringError(
            f"expected an operator or the name of one, but found {abbreviate(given)}",
            hint=hint,
            rule="semiring.construction",
        )
    return found


def combine(add: Operator, multiply: Operator, name: str | None = None) -> Semiring:
    """The semiring of two operators. Raises SemiringError where one of them cannot have its part in it."""
    name = f"{field_name(add)}_{field_name(multiply)}" if name is None else name
    first, _, second = name.partition("_")
    if add.reduction is None or add.left_identity is None:
        known = ", ".join(known for known, _ in KNOWN)
        raise SemiringError(
            f"semiring {name!r}: {first} cannot add: it is not declared associative and commutative with an identity",
            hint=f"declare that it is, if it is so: {add.source}" if add.source else f"known semirings: {known}",
            rule="semiring.construction",
        )
    if multiply.arity != 2:
        raise SemiringError(
            f"semiring {name!r}: {second} takes one operand, a multiply takes two", rule="semiring.construction"
        )
    return Semiring(name, *structural(add, multiply), add, multiply)


def field_name(operator: Operator) -> str:
    """The field's name for an operator of a semiring.

    >>> field_name(OPERATORS["add"]), field_name(OPERATORS["min"])
    ('plus', 'min')
    """
    return FIELD_NAMES.get(operator.name, operator.name)


def semiring_name(given: str | Semiring | None) -> str | Semiring | None:
    """The name of a semiring, given as its name or as itself; one that a user has made is itself. Raises SemiringError
    for what is none."""
    if given is None or isinstance(given, str):
        return given
    if not isinstance(given, Semiring):
        raise not_a_semiring(given)
    if not given.is_declared:
        return given
    named = semiring(given.name)
    if (given.add.name, given.multiply.name) != (named.add.name, named.multiply.name):
        raise SemiringError(
            f"{given.name!r} is the name of another semiring", hint="write gn.semiring(name)", rule="semiring.names"
        )
    return given.name


def not_a_semiring(given: Any) -> SemiringError:
    """The error for something that names no semiring."""
    return SemiringError(
        f"expected the name of a semiring, but found {abbreviate(given)}",
        hint="write for example semiring='min_plus'",
        rule="error.python",
    )
