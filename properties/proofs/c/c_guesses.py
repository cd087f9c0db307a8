"""Guesses about the numbers that a state holds: variables, lengths, sizes, elements of arrays and of lists.

A guess is a formula over names of these numbers, so that it is built once and instantiated in many states.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ..solver import Term, z3
from .c_facts import Knowledge, is_term
from .c_memory import Array, Contents, List, Opaque, Value

Variables = Mapping[str, Value]
Name = tuple[str, str]
"""A number that a state holds, by kind and key: a variable, an array's first element or length, a list's size."""
INDEX, ELEMENT, LISTED = z3.Int("index"), z3.Int("element"), z3.Int("listed")
"""In guesses about arrays: an index, the element there, and the element of another array at one less than that."""


def now(name: Name) -> Term:
    """A number in the state that a guess is about."""
    return z3.Int(f"now {name}")


def old(name: Name) -> Term:
    """A number before the loop."""
    return z3.Int(f"old {name}")


class Candidate(Struct, frozen=True, eq=False):
    """A guess about numbers; about every element of an array or list, if there is one in `of`.

    `listed` is the array whose elements `LISTED` are. `multiplied`: numbers are multiplied in the formula.
    """

    key: object
    formula: Term
    names: frozenset[Name]
    of: Name | None = None
    listed: str | None = None
    multiplied: bool = False


def contents_of(name: Name, variables: Variables) -> Contents:
    """The contents that a name stands for: of an array, or of one side of a list."""
    part, key = name
    value = variables.get(key)
    if isinstance(value, List):
        return value.coordinate if part == "coordinate" else value.position
    return value.contents if isinstance(value, Array) else Opaque()


def number(know: Knowledge, name: Name, variables: Variables) -> Term | None:
    """What a number is in a state."""
    kind, key = name
    value = variables.get(key)
    match kind:
        case "variable":
            return value if is_term(value) else None
        case "length" if isinstance(value, Array):
            return value.length
        case "first" if isinstance(value, Array):
            found = know.read_element(value.contents, z3.IntVal(0))
            return found if is_term(found) else None
        case "counted" if isinstance(value, Array):
            return value.counted
        case "size" if isinstance(value, List):
            return value.size
        case "last":
            array, _, place = key.partition(" at ")
            held, index = variables.get(array), variables.get(place)
            if isinstance(held, Array) and is_term(index):
                found = know.read_element(held.contents, index)
                return found if is_term(found) else None
        case _:
            pass
    return None
