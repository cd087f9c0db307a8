"""Calls between the functions of a level: what they hand over, and what comes back.

A function gives the same number of results wherever it ends, a call hands over one argument a parameter, paths are as
long as what is taken of them, and no function calls itself. Python would find out while it runs, if at all.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

from msgspec import Struct

from ..errors import InternalError
from .level import Append, CoordinatePositionIteration, CoordinateValueIteration, Insert, Locate, Reset, Widen
from .restricted_flow import always_returns
from .restricted_parser import Restricted
from .restricted_syntax import (
    Call,
    Constant,
    Coordinate,
    Coordinates,
    Expression,
    Location,
    Negative,
    Return,
    Statement,
    Unpack,
    Variable,
    all_statements,
    expressions,
)

CAPABILITIES = (CoordinateValueIteration, CoordinatePositionIteration, Locate, Insert, Widen, Reset, Append)
HAND = "pass a path on, or write its coordinates, as in (p, i[-1])"


class Own(Struct, frozen=True):
    """What the texts of a level's functions may name: functions of the level, and fields that are truth values."""

    function: Callable[[str], Restricted]
    truths: frozenset[str]


def check_calls(f: Restricted, own: Own) -> None:
    """Refuse a function whose calls, parameters or results do not match. Raises CompileError, which shows where."""
    check_recursion(f, own, (f.name,))
    check_parameters(f)
    for call in calls(f):
        check_arguments(f, call, own)
    check_what_is_taken(f, own)
    check_results(f, own)


def calls(f: Restricted) -> Iterator[Call]:
    """The calls of a function."""
    return (e for e in expressions(f.body) if isinstance(e, Call))


def signature_of(function: str) -> inspect.Signature | None:
    """How a capability declares a level function; None for a function that only others call."""
    members = (vars(capability).get(function) for capability in CAPABILITIES)
    return next((inspect.signature(member) for member in members if member is not None), None)


def declared_results(function: str) -> tuple[str, ...] | None:
    """The Python types of the results that a capability declares; None where a function has as many as it likes.

    >>> declared_results("locate"), declared_results("insert_coord"), declared_results("helper")
    (('int', 'bool'), (), None)
    """
    signature = signature_of(function)
    if signature is None or signature.return_annotation.startswith("dict"):
        return None
    text = signature.return_annotation.removeprefix("tuple[").removesuffix("]")
    return () if text == "None" else tuple(text.split(", "))


def check_recursion(f: Restricted, own: Own, within: tuple[str, ...]) -> None:
    """Refuse a function that calls itself, by others or at once."""
    for call in calls(f):
        if call.function in within:
            raise f.text.error(call.place, f"{call.function} calls itself", "write a loop")
        check_recursion(own.function(call.function), own, (*within, call.function))


def check_parameters(f: Restricted) -> None:
    """Refuse a function that takes other arguments than its capability hands over."""
    signature = signature_of(f.name)
    wanted = f.parameters if signature is None else tuple(signature.parameters)[1:]
    if len(f.parameters) != len(wanted):
        why = f"{f.name} takes {in_words(len(wanted), 'argument')}, not {len(f.parameters)}"
        raise f.text.error(Location(), why, f"write {f.name}({', '.join(('self', *wanted))})")


def check_arguments(f: Restricted, call: Call, own: Own) -> None:
    """Refuse arguments that are too many or too few, and paths that are too short."""
    other = own.function(call.function)
    if len(call.arguments) != len(other.parameters):
        why = f"{other.name} takes {in_words(len(other.parameters), 'argument')}, not {len(call.arguments)}"
        raise f.text.error(call.place, why, f"write {other.name}({', '.join(other.parameters)})")
    for e, name in zip(call.arguments, other.parameters, strict=True):
        if isinstance(e, Coordinates) and len(e.elements) < (wanted := depth(other, name, own)):
            why = f"{other.name} takes {in_words(wanted, 'coordinate')} for {name}, not {len(e.elements)}"
            raise f.text.error(e.place, why, HAND)


def depth(f: Restricted, path: str, own: Own) -> int:
    """How many coordinates a path must have: as many as a function takes, or those functions that the path goes to."""
    reached = [place_in_path(e.index) for e in expressions(f.body) if isinstance(e, Coordinate) and e.of == path]
    for call in calls(f):
        other = own.function(call.function)
        pairs = zip(call.arguments, other.parameters, strict=False)
        reached += [depth(other, name, own) for e, name in pairs if isinstance(e, Variable) and e.name == path]
    return max(reached, default=0)


def place_in_path(index: Expression) -> int:
    """How many coordinates a path must have for one of them to be taken, from the front or from the end."""
    match index:
        case Constant(value=value):
            return value + 1
        case Negative(e=Constant(value=value)):
            return value
        case _:
            raise InternalError("coordinates of a path are taken by a number")


def check_what_is_taken(f: Restricted, own: Own) -> None:
    """Refuse a call as an expression unless the function has one result, and a call whose results are assigned to more
    or fewer variables."""
    whole = [e for s in all_statements(f.body) for e in taken_whole(s)]
    for call in calls(f):
        count = count_results(own.function(call.function), own)
        if count != 1 and not any(call is each for each in whole):
            why = "several results, which are assigned to as many variables" if count else "no result"
            raise f.text.error(call.place, f"{call.function} has {why}", "in expressions, call what has one result")
    for s in all_statements(f.body):
        match s:
            case Unpack(names=names, call=call) if (count := count_results(own.function(call.function), own)) != len(
                names
            ):
                why = f"{call.function} has {in_words(count, 'result')}, not {len(names)}"
                raise f.text.error(s.place, why, f"assign to {in_words(count, 'variable')}")
            case _:
                continue


def taken_whole(s: Statement) -> tuple[Expression, ...]:
    """The expression of which a statement takes all results, if there is one."""
    match s:
        case Unpack(call=call):
            return (call,)
        case Return(values=(e,), names=()):
            return (e,)
        case _:
            return ()


def in_words(count: int, what: str) -> str:
    """A number of things in words.

    >>> in_words(1, "result"), in_words(2, "result")
    ('1 result', '2 results')
    """
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def returns(f: Restricted) -> tuple[Return, ...]:
    """The `return` statements of a function, in the order of the text."""
    return tuple(s for s in all_statements(f.body) if isinstance(s, Return))


def count_results(f: Restricted, own: Own) -> int:
    """How many results a function has, by its first `return`; none if it has no `return`."""
    return next((given(s, own) for s in returns(f)), 0)


def given(s: Return, own: Own) -> int:
    """How many results a `return` gives: those of another function, or its own."""
    match s:
        case Return(values=(Call(function=function),), names=()):
            return count_results(own.function(function), own)
        case _:
            return len(s.values)


def check_results(f: Restricted, own: Own) -> None:
    """Refuse a function whose results are not those of the capability, or differ from one `return` to another."""
    types, count = declared_results(f.name), count_results(f, own)
    named = next((s.names for s in returns(f)), ())
    wanted = count if types is None else len(types)
    for s in returns(f):
        if given(s, own) != count or s.names != named:
            why = f"{f.name} has other results here than where it returns before"
            raise f.text.error(s.place, why, f"return {in_words(count, 'result')} everywhere")
        if count != wanted:
            why = f"{f.name} has {in_words(wanted, 'result')}, not {count}"
            raise f.text.error(s.place, why, f"return {in_words(wanted, 'result')}")
    if wanted and not always_returns(f.body):
        why = f"{f.name} may end without a result"
        raise f.text.error(f.body[-1].place, why, f"return {in_words(wanted, 'result')} here, too")
