"""Meetings: the state where several paths come together, and the values that are there one of several."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..solver import Term, z3
from .c_facts import Knowledge, is_term, number
from .c_memory import Array, Contents, List, Opaque, State


def merge_states(know: Knowledge, states: Iterable[State]) -> State | None:
    """The state where several meet; none if there are none."""
    found = list(states)
    if len(found) < 2:
        return found[0] if found else None
    here = know.guard()
    know.say(z3.Or([s.here for s in found]), here)
    common = [key for key in found[0].variables if all(key in s.variables for s in found)]
    variables = {key: merge_values(know, key, [(s.here, s.variables[key]) for s in found]) for key in common}
    for key in sorted({key for s in found for key in s.variables if "->" in key} - set(common)):
        told = [(s.here, s.variables[key]) for s in found if is_term(s.variables.get(key))]
        if told:
            variables[key] = know.fresh(key)
            for own, value in told:
                know.say(variables[key] == value, own)
    return State(here, variables)


def merge_values(know: Knowledge, stem: str, cases: list[tuple[Term, Any]]) -> Any:
    """A value that is one of several, each under a guard."""
    first = cases[0][1]
    if all(value is first or (is_term(value) and is_term(first) and value.eq(first)) for _, value in cases):
        return first
    if all(is_term(value) for _, value in cases):
        value = know.fresh(stem.rpartition(":")[2])
        for here, each in cases:
            know.say(value == number(each), here)
        return value
    if all(isinstance(value, Array) for _, value in cases):
        return joined_array(know, stem, [(here, value) for here, value in cases])
    return joined_other(know, stem, cases)


def joined_array(know: Knowledge, stem: str, cases: list[tuple[Term, Array]]) -> Array:
    """An array that is one of several."""
    kept = [value.contents for _, value in cases]
    contents: Contents = kept[0]
    if any(each is not contents for each in kept):
        contents = Opaque()
        if not any(isinstance(each, Opaque) for each in kept):
            contents = know.unknown(stem)
            contents.sources += [(here, value.contents) for here, value in cases]
    counted = None
    if all(value.counted is not None for _, value in cases):
        counted = merge_values(know, "counted", [(here, value.counted) for here, value in cases])
    length = merge_values(know, "length", [(here, value.length) for here, value in cases])
    return Array(length, contents, cases[0][1].type, any(value.frozen for _, value in cases), counted)


def joined_other(know: Knowledge, stem: str, cases: list[tuple[Term, Any]]) -> Any:
    """A list that is one of several; what differs otherwise is opaque."""
    if not all(isinstance(value, List) for _, value in cases):
        return Opaque()
    parts = []
    for name in ("coordinate", "position"):
        contents = know.unknown(stem)
        contents.sources += [(here, getattr(value, name)) for here, value in cases]
        parts.append(contents)
    return List(merge_values(know, "size", [(here, value.size) for here, value in cases]), parts[0], parts[1])
