"""The text of a schedule, in TACO's command-line syntax: commands one after another, separated by commas or spaces, and
before them settings, which TACO does not have.

schedule ::= (setting ','?)* (command ','?)*
setting  ::= 'auto' | NAME '=' NAME
command  ::= NAME '(' (path ',')? argument (',' argument)* ')'
path     ::= '{' (INTEGER (',' INTEGER)*)? '}'
argument ::= NAME | INTEGER | '{' NAME (',' NAME)* '}' | expression
"""

from __future__ import annotations

import re
from typing import NamedTuple

from msgspec import Struct

from ..errors import ParseError
from ..nearest import nearest
from ..notation.syntax import Access, Expr
from ..span import Span
from ..statement.printed import parse_printed
from ..statement.tags import STRATEGIES, UNITS
from .command import FORMS, SIDES, Argument, Command, Kind
from .halide import halide_hint
from .parts import with_complex_numbers
from .path import Path
from .settings import AUTO, VALUES, Setting, Settings, find_repetition

ALIASES = {"fuse": "collapse"}
CLOSING = {"(": ")", "{": "}"}
INSTEAD = {
    "NotParallel": "leave parallelize out: a loop without it is serial",
    "assemble": "leave it out: how a result is assembled follows from its format, on threads too",
    "mergeby": "leave it out: how a loop merges its operands follows from their formats",
    "bound": "name the loop that is bounded, b in bound(i,b,16,max_exact)",
}
"""What there is instead of what TACO's command line takes and is not read."""
NAMES = (*FORMS, *ALIASES)
DIRECTIONS = {"up": "divide", "down": "split"}
DIGITS = 40


class Piece(Struct, frozen=True):
    """A piece of a schedule's text."""

    text: str
    span: Span


class Written(NamedTuple):
    """What a text denotes: settings, then commands."""

    settings: Settings
    commands: tuple[Command, ...]


def read_schedule(text: str) -> Written:
    """The settings and commands that a text denotes. Raises ParseError with a caret under the text.

    Expressions may be as statements print them, with conversions such as `float64(x(i))`.

    >>> [str(c) for c in read_schedule("split(i,i0,i1,32), fuse(i1,j,f) parallelize(i0,CPUThread,NoRaces)").commands]
    ['split(i,i0,i1,32)', 'collapse(i1,j,f)', 'parallelize(i0,CPUThread,NoRaces)']
    >>> [str(s) for s in read_schedule("mask=push, workspaces=both, reorder(i,k,j)").settings]
    ['mask=push', 'workspaces=both']
    """
    reader = Reader(text)
    settings, found = list[Setting](), list[Command]()
    at = reader.skip(0)
    while at < len(text):
        setting, end = reader.setting(at)
        if setting is None:
            command, end = reader.command(at)
            found.append(command)
        elif found:
            what = f"{setting} stands behind a command"
            raise reader.fail(what, Span(at, end), f"write {setting} first: {setting},{found[0].name}(...)")
        else:
            settings.append(setting)
        at = reader.skip(end)
        if at < len(text) and text[at] == ",":
            at = reader.skip(at + 1)
    twice = find_repetition(settings)
    if twice is not None:
        assert twice.span is not None
        raise reader.fail(f"{twice.name} is set twice", twice.span, "set it once")
    return Written(tuple(settings), tuple(found))


class Reader(Struct, frozen=True):
    """Reads commands out of one text."""

    text: str

    def skip(self, at: int) -> int:
        """The next place that is not blank."""
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        return at

    def fail(self, message: str, span: Span, hint: str | None) -> ParseError:
        """The error at a place."""
        return ParseError(message, hint=hint, source=self.text, span=span, rule="schedule.text.refused")

    def setting(self, at: int) -> tuple[Setting | None, int]:
        """The setting that starts at a place, and where it ends; None if none starts there."""
        match = re.compile(r"([A-Za-z_]\w*)\s*=\s*(\w*)").match(self.text, at)
        if match is None:
            word = re.compile(r"[A-Za-z_]\w*(?!\w|\s*\()").match(self.text, at)
            return self.bare_setting(word) if word is not None else (None, at)
        name, value = match.groups()
        if name not in VALUES:
            near = nearest(name, VALUES)
            hint = f"did you mean {near[0]}={value or VALUES[near[0]][0]}?" if near else f"set {' or '.join(VALUES)}"
            if name == AUTO:
                raise self.fail("auto takes no value", Span(at, match.end()), "write auto")
            raise self.fail(f"{name} is no setting", Span(*match.span(1)), hint)
        if not value:
            raise self.fail(f"expected a value of {name}", Span(at, match.end()), f"write one of {known_values(name)}")
        part, hint = Piece(value, Span(*match.span(2))), f"write one of {known_values(name)}"
        return Setting(name, self.one_of(part, VALUES[name], hint), Span(at, match.end())), match.end()

    def bare_setting(self, word: re.Match[str]) -> tuple[Setting | None, int]:
        """The setting that a word without a value is, and where it ends; None if that is none."""
        span = Span(*word.span())
        if word[0] in VALUES:
            raise self.fail(f"expected a value of {word[0]}", span, f"write one of {known_values(word[0])}")
        return (Setting(AUTO, span=span), span.stop) if word[0] == AUTO else (None, span.start)

    def command(self, at: int) -> tuple[Command, int]:
        """The command that starts at a place, and where it ends."""
        match = re.compile(r"[A-Za-z_]\w*").match(self.text, at)
        if match is None:
            what = f"expected a command, but found {self.text[at]!r}"
            hint = f"leave it out, or write a command such as {FORMS['split'].example}"
            raise self.fail(what, Span(at, at + 1), hint)
        name, opening = match[0], self.skip(match.end())
        form = FORMS.get(ALIASES.get(name, name))
        if form is None:
            near = nearest(name, (*NAMES, AUTO, *VALUES))
            known = f"did you mean {near[0]}?" if near else f"use {', '.join(NAMES)}"
            hint = INSTEAD.get(name) or halide_hint(name, self.text[at:]) or known
            if name in VALUES:
                hint = f"it is a setting: write one of {known_values(name)}"
            raise self.fail(f"{shorten(name)} is not a scheduling command", Span(at, match.end()), hint)
        if opening >= len(self.text) or self.text[opening] != "(":
            raise self.fail(f"expected '(' after {name}", Span(at, match.end()), f"write {form.example}")
        parts, end = self.parts(opening, f"write {form.example}")
        span = Span(at, end)
        path, parts = self.path(parts)
        name, parts = plain(name, parts)
        return Command(name, self.arguments(name, parts, span), span, path), end

    def path(self, parts: list[Piece]) -> tuple[Path | None, list[Piece]]:
        """The path with which arguments begin, if they do, and the others."""
        if not parts or not parts[0].text.startswith("{"):
            return None, parts
        ways = re.fullmatch(r"\{\s*([0-9]{1,9}(?:\s*,\s*[0-9]{1,9})*)?\s*\}", parts[0].text)
        if ways is None:
            what = f"expected a path, but found {shorten(parts[0].text)!r}"
            raise self.fail(what, parts[0].span, "write the way at each branch, 0 or 1: {0,1}")
        return tuple(map(int, re.findall("[0-9]+", ways[0]))), parts[1:]

    def parts(self, opening: int, hint: str) -> tuple[list[Piece], int]:
        """The arguments between brackets, and the place after them."""
        open_, start, found = [], opening + 1, []
        for at in range(opening, len(self.text)):
            sign = self.text[at]
            if sign in CLOSING:
                open_.append(CLOSING[sign])
            elif sign in CLOSING.values() and sign != open_.pop():
                raise self.fail(f"{sign!r} closes nothing", Span(at, at + 1), hint)
            if not open_ or (len(open_) == 1 and sign == ","):
                found.append(self.trim(start, at))
                start = at + 1
            if not open_:
                return found if any(piece.text for piece in found) else [], at + 1
        raise self.fail("expected ')'", Span(len(self.text), len(self.text) + 1), hint)

    def trim(self, start: int, stop: int) -> Piece:
        """A piece of the text without blanks around it."""
        text = self.text[start:stop]
        start += len(text) - len(text.lstrip())
        return Piece(text.strip(), Span(start, max(start + 1, start + len(text.strip()))))

    def arguments(self, name: str, parts: list[Piece], span: Span) -> tuple[Argument, ...]:
        """The arguments of a command, each of its kind."""
        form = FORMS[name]
        kinds = form.of(len(parts))
        if kinds is None:
            hint = INSTEAD.get(name, f"write {form.example}")
            raise self.fail(f"{name} does not take {len(parts)} arguments", span, hint)
        hint = f"write {form.example}"
        return tuple(self.argument(kind, part, hint) for kind, part in zip(kinds, parts, strict=True))

    def argument(self, kind: Kind, part: Piece, hint: str) -> Argument:
        """An argument of some kind; `hint` says how its command is written."""
        match kind:
            case Kind.NAME | Kind.LOOP | Kind.LIMIT:
                return self.variable(part, hint)
            case Kind.SIZE:
                return self.number(part, hint)
            case Kind.NAMES:
                return self.names(part)
            case Kind.OPERANDS:
                return self.number(part, hint) if re.fullmatch(r"[+-]?\d+", part.text) else self.expression(part, hint)
            case Kind.EXPRESSION:
                return self.expression(part, hint)
            case Kind.ACCESS:
                return self.access(part, hint)
            case Kind.UNIT:
                return self.one_of(part, UNITS, hint)
            case Kind.STRATEGY:
                return self.one_of(part, STRATEGIES, hint)
            case Kind.SIDE:
                return self.one_of(part, SIDES, hint)
            case Kind.FORMAT:
                return part.text

    def variable(self, part: Piece, hint: str) -> str:
        """A name."""
        if not part.text.isidentifier():
            raise self.fail(f"expected a name, but found {part.text!r}", part.span, hint)
        return part.text

    def number(self, part: Piece, hint: str) -> int:
        """An integer."""
        if not re.fullmatch(r"[+-]?\d+", part.text):
            raise self.fail(f"expected an integer, but found {shorten(part.text)!r}", part.span, hint)
        if len(part.text) > DIGITS:
            what = f"expected an integer of at most {DIGITS} digits, but found {shorten(part.text)!r}"
            raise self.fail(what, part.span, hint)
        return int(part.text)

    def names(self, part: Piece) -> tuple[str, ...]:
        """`{i,j}`, `{}`, or a single name."""
        inner = part.text.removeprefix("{").removesuffix("}").strip()
        found = tuple(name.strip() for name in inner.split(",")) if inner or part.text[:1] != "{" else ()
        if not all(name.isidentifier() for name in found):
            raise self.fail(f"expected names in braces, but found {part.text!r}", part.span, "write {i,j}")
        return found

    def one_of(self, part: Piece, known: tuple[str, ...], hint: str) -> str:
        """One of some words."""
        if part.text not in known:
            near = nearest(part.text, known)
            hint = INSTEAD.get(part.text, f"did you mean {near[0]}?" if near else hint)
            raise self.fail(f"{part.text!r} is none of {', '.join(known)}", part.span, hint)
        return part.text

    def expression(self, part: Piece, hint: str) -> Expr:
        """A part of the assigned value."""
        try:
            return with_complex_numbers(parse_printed(part.text))
        except ParseError as error:
            where = part.span if error.span is None else shift(error.span, part.span.start - len("x = "))
            raise self.fail(error.message, where, error.hint or hint) from None

    def access(self, part: Piece, hint: str) -> Access:
        """An operand with its variables."""
        found = self.expression(part, hint)
        if not isinstance(found, Access):
            raise self.fail(f"expected an operand such as A(i,j), but found {part.text!r}", part.span, hint)
        return found


def plain(name: str, parts: list[Piece]) -> tuple[str, list[Piece]]:
    """A command under its own name: `fuse` is collapse, and a split in the direction `up` divides.

    The direction stands behind the factor, or before it. The commas of a format, as in `hashed,hashed`, do not separate
    arguments.
    """
    directions = [part for part in parts[3:] if part.text.lower() in DIRECTIONS]
    if name == "split" and len(parts) == 5 and len(directions) == 1:
        return DIRECTIONS[directions[0].text.lower()], [part for part in parts if part is not directions[0]]
    kinds = FORMS[name].kinds if name in FORMS else ()
    most = len(kinds)
    if kinds and kinds[-1] is Kind.FORMAT and len(parts) > most:
        first, last = parts[most - 1], parts[-1]
        format = ",".join(p.text for p in parts[most - 1 :])
        return name, [*parts[: most - 1], Piece(format, Span(first.span.start, last.span.stop))]
    return ALIASES.get(name, name), parts


def known_values(name: str) -> str:
    """The values of a setting, as they are written."""
    return ", ".join(f"{name}={value}" for value in VALUES[name])


def shorten(text: str) -> str:
    """A text, or the beginning of one that is too long to show."""
    return text if len(text) <= 24 else f"{text[:20]}..."


def shift(span: Span, by: int) -> Span:
    """A span further on in a text."""
    return Span(max(0, span.start + by), max(1, span.stop + by))
