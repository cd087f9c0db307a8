"""Memory as a kernel sees it: variables, arrays of some length with contents, scratch lists, tensors.

An array's contents are known as facts about its elements, which hold at every index and are said of those that are
read. No two names stand for one array: operands and results are `restrict`, and what a function has allocated is its
own; an array that is copied by its pointer may be read by both names but is frozen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from ..solver import Term

Fact = Callable[[Term], Term]
"""What holds of the element at an index."""


class Opaque(Struct, frozen=True):
    """A value that no index depends on: a floating-point number, a component."""


class Unknown(Struct, eq=False):
    """Contents that are an unknown function of the index, with facts about an element or about two, under a guard each.

    `sources`: under a guard, these are the same as other contents.
    """

    at: Any
    facts: list[tuple[Term, Fact]] = field(default_factory=list)
    pairs: list[Callable[[Term, Term], Term]] = field(default_factory=list)
    sources: list[tuple[Term, Contents]] = field(default_factory=list)


class Unset(Unknown):
    """Contents that are not set yet: anything, on which nothing depends that is counted."""


class Stored(Struct, frozen=True, eq=False):
    """Contents after an element was written."""

    before: Contents
    index: Term
    value: Term


class Constant(Struct, frozen=True, eq=False):
    """Contents that are one number everywhere."""

    value: int


class Shared(Struct, frozen=True, eq=False):
    """Contents into which other threads may store meanwhile: anything at every read."""


class Listed(Shared, frozen=True, eq=False):
    """What threads note in a list: anything below an extent, as what is stored has to be."""

    extent: Term


class Coordinates(Shared, frozen=True, eq=False):
    """Coordinates, and -1 where there is none, as what is stored has to be."""


class Counter(Shared, frozen=True, eq=False):
    """How many coordinates a list holds: anything up to an extent (`devices.lists`)."""

    extent: Term


class Reordered(Struct, frozen=True, eq=False):
    """The first `size` elements of other contents in another order."""

    before: Contents
    size: Term
    place: Any


Contents = Unknown | Stored | Constant | Shared | Reordered | Opaque


class Array(Struct, frozen=True, eq=False):
    """An array with room for `length` elements of a type. An array that is not there has length 0.

    `frozen`: other names stand for it too. `counted`: the unknown number of its elements that are not zero.
    """

    length: Term
    contents: Contents
    type: str
    frozen: bool = False
    counted: Term | None = None


class List(Struct, frozen=True, eq=False):
    """A scratch list: pairs of a coordinate and a position."""

    size: Term
    coordinate: Contents
    position: Contents


class Address(Struct, frozen=True, eq=False):
    """The address of a variable, by its key."""

    key: str


class Place(Struct, frozen=True, eq=False):
    """The address of an element of an array: the text of the element, the array, and the index."""

    node: Any
    array: Array
    index: Term


class Tensor(Struct, frozen=True):
    """A tensor that a function is given. Its fields are variables that are called as they are spelled: `A->size`."""

    name: str


Value = Any
"""A term, an array, a list, an address, a place, a tensor, several addresses, or something opaque."""


class State(Struct):
    """What holds at a place: a guard that is true there, and the variables by their keys."""

    here: Term
    variables: dict[str, Value]

    def copy(self, here: Term) -> State:
        """The same variables under another guard."""
        return State(here, dict(self.variables))
