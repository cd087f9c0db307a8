"""Functions of level formats: random texts of restricted Python that end and stay within bounds, on every argument.

A text is a class with an array of five elements, an extent and two properties, and functions that call those before
them. `f(p, i)` takes a number and a path of two coordinates, and has a number and a truth value for results;
`put(p, i)` has none, and stores what it computes. Numbers are cut to size where they are assigned, arrays are indexed
modulo their length, and loops count.
"""

from __future__ import annotations

import linecache
from functools import partial
from hashlib import sha256
from typing import Any

from hypothesis import strategies as st

from ...reference.levels.level import Level

NUMBERS, TRUTHS = ("a", "b", "c"), ("t", "u")
HEAD = '''from dataclasses import dataclass

from ...reference.levels.level import Coordinates, Ints, Level, array, extent


@dataclass(frozen=True)
class Drawn(Level):
    """A level whose functions were drawn."""

    crd: Ints = array()
    N: int = extent()
    step: int = 3
    wraps: bool = True
'''
PARAMETERS = {
    "turned": ("p: int",),
    "chosen": ("p: int", "t: bool", "i: Coordinates"),
    "pair": ("p: int", "i: Coordinates"),
    "f": ("p: int", "i: Coordinates"),
    "put": ("p: int", "i: Coordinates"),
}
"""The functions of a text, each of which may call those before it."""


def level_of(text: str) -> Level:
    """The level that a text defines, whose source can be read as if it stood in a file."""
    name = f"<level functions {sha256(text.encode()).hexdigest()}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"__name__": __name__, "__package__": __package__}
    exec(compile(text, name, "exec", dont_inherit=True), space)
    made: Level = space["Drawn"]()
    return made


@st.composite
def level_functions(draw: st.DrawFn) -> str:
    """Texts of the functions of a level."""
    return HEAD + "".join(draw(functions(name)) for name in PARAMETERS)


@st.composite
def functions(draw: st.DrawFn, name: str) -> str:
    """The text of one of the functions."""
    known = tuple(PARAMETERS)[: tuple(PARAMETERS).index(name)]
    body = Body(draw, known, "i: Coordinates" in PARAMETERS[name], name)
    first = [f"{each} = {draw(st.sampled_from(('0', '1', '-2', 'p % 3')))}" for each in NUMBERS]
    truths = ("p > 1", "self.wraps and p != 2")
    first += [f"{each} = {draw(st.sampled_from(truths))}" for each in TRUTHS if f"{each}: bool" not in PARAMETERS[name]]
    last = body.leave() if name != "put" or draw(st.booleans()) else body.statement((), 0)[0]
    lines = [*first, *body.block((), 2), last]
    head = f"def {name}({', '.join(('self', *PARAMETERS[name]))}):"
    return "\n".join(["", f"    {head}", *(f"        {line}" for line in lines), ""])


class Body:
    """The statements of a function as they are drawn, of which loops count with variables of their own."""

    def __init__(self, draw: st.DrawFn, known: tuple[str, ...], has_path: bool, name: str) -> None:
        self.draw, self.known, self.has_path, self.name = draw, known, has_path, name

    def one_of(self, *choices: str) -> str:
        """One of some words."""
        return self.draw(st.sampled_from(choices))

    def block(self, counters: tuple[str, ...], depth: int) -> list[str]:
        """Some statements; a counter is assigned by its loop alone."""
        lines: list[str] = []
        for _ in range(self.draw(st.integers(1, 3))):
            lines += self.statement(counters, depth)
        return lines

    def statement(self, counters: tuple[str, ...], depth: int) -> list[str]:
        """A statement, indented where it has parts."""
        free = [name for name in ("p", *NUMBERS) if name not in counters]
        kinds = ["number", "number", "truth", "pass"] + ["pair"] * ("pair" in self.known)
        kinds += ["store", "store"] * (self.name == "put")
        kinds += ["if", "if else", "for", "while", "return"] * bool(depth)
        match self.one_of(*kinds):
            case "number":
                return [f"{self.one_of(*free)} = {self.number(2)} % 1000"]
            case "truth":
                return [f"{self.one_of(*TRUTHS)} = {self.truth(2)}"]
            case "store":
                return [f"self.crd[{self.number(1)} % 5] = {self.number(2)} % 1000"]
            case "pair":
                return [f"{self.one_of(*free)}, {self.one_of(*TRUTHS)} = self.pair({self.number(1)}, {self.path()})"]
            case "if":
                return [f"if {self.truth(2)}:", *indent(self.block(counters, depth - 1))]
            case "if else":
                then, other = (indent(self.block(counters, depth - 1)) for _ in range(2))
                return [f"if {self.truth(2)}:", *then, "else:", *other]
            case "for":
                counter = f"k{len(counters)}"
                begin, end = self.one_of("", "1, ", "-2, "), self.one_of("4", "self.step", "self.N")
                inner = indent(self.block((*counters, counter), depth - 1))
                return [f"for {counter} in range({begin}{end}):", *inner]
            case "while":
                counter = self.one_of(*free)
                inner = [*self.block((*counters, counter), depth - 1), f"{counter} = {counter} - 1"]
                return [f"{counter} = {counter} % 5", f"while {counter} > 0:", *indent(inner)]
            case "return":
                return [f"if {self.truth(1)}:", *indent([self.leave()])]
            case _:
                return ["pass"]

    def leave(self) -> str:
        """A `return` with the results of the function."""
        match self.name:
            case "turned":
                return f"return {self.number(2)} % 1000"
            case "chosen":
                return f"return {self.truth(2)}"
            case "put":
                return "return"
            case "f" if self.draw(st.booleans()):
                return f"return self.pair({self.number(1)}, {self.path()})"
            case _:
                return f"return {self.number(2)} % 1000, {self.truth(1)}"

    def path(self) -> str:
        """A path of two coordinates."""
        written = f"({self.number(1)}, {self.number(0)})"
        return self.one_of("i", written) if self.has_path else written

    def number(self, depth: int) -> str:
        """An expression for a number."""
        simple = ["p", *NUMBERS, "0", "2", "7", "-4", "self.N", "self.step"] + ["i[0]", "i[-1]"] * self.has_path
        if not depth:
            return self.one_of(*simple)
        one = partial(self.number, depth - 1)
        kinds = ["simple", "sum", "product", "divided", "rest", "negative", "extreme", "choice", "element"]
        match self.one_of(*kinds, *["turned"] * ("turned" in self.known)):
            case "sum":
                return f"({one()} {self.one_of('+', '-')} {one()})"
            case "product":
                return f"({one()} % 13 * ({one()} % 11))"
            case "divided":
                return f"({one()} // {self.one_of('1', '2', '5', 'self.step')})"
            case "rest":
                return f"({one()} % {self.one_of('1', '2', '5', 'self.N')})"
            case "negative":
                return f"(-{one()})"
            case "extreme":
                return f"{self.one_of('min', 'max')}({one()}, {one()}, {self.number(0)})"
            case "choice":
                return f"({one()} if {self.truth(depth - 1)} else {one()})"
            case "element":
                return f"self.crd[{one()} % 5]"
            case "turned":
                return f"self.turned({one()})"
            case _:
                return self.one_of(*simple)

    def truth(self, depth: int) -> str:
        """An expression for a truth value."""
        simple = [*TRUTHS, "True", "False", "self.wraps"]
        kinds = ["simple", "compared", "compared", "chain"] + ["not", "and", "or", "choice"] * bool(depth)
        below = max(depth - 1, 0)
        match self.one_of(*kinds, *["chosen"] * ("chosen" in self.known and depth > 0)):
            case "compared":
                return f"({self.number(below)} {self.one_of('<', '<=', '>', '>=', '==', '!=')} {self.number(below)})"
            case "chain":
                return f"({self.number(below)} <= {self.number(below)} < {self.number(below)})"
            case "not":
                return f"(not {self.truth(below)})"
            case "and" | "or" as word:
                return f"({self.truth(below)} {word} {self.truth(below)})"
            case "choice":
                return f"({self.truth(below)} if {self.truth(below)} else {self.truth(below)})"
            case "chosen":
                return f"self.chosen({self.number(below)}, {self.truth(0)}, {self.path()})"
            case _:
                return self.one_of(*simple)


def indent(lines: list[str]) -> list[str]:
    """Lines one step further in."""
    return [f"    {line}" for line in lines]
