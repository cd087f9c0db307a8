"""Scopes: what a name stands for where code is compiled, and the frame that a call of the function has.

A frame is a list: the run's state, what the function returns, and a slot for each variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .fault import Where
from .residence import Key
from .source import Unit
from .types import Type

if TYPE_CHECKING:
    from .program import Program

STATE, RESULT, FIRST = 0, 1, 2
Frame = list[Any]
Code = Callable[[Frame], Any]


@dataclass(frozen=True, slots=True)
class Value:
    """A compiled expression: its type, the code that gives its value, and the value if it is a constant."""

    type: Type
    run: Code
    constant: int | float | None = None


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable: `resident` ones are blocks of memory, `certain` ones always hold a value where they are read."""

    name: str
    slot: int
    type: Type
    resident: bool
    certain: bool


class Scope:
    """Where code is compiled: the program, the file, the names around; `watched` code tells teams what it reaches."""

    def __init__(self, program: Program, unit: Unit, watched: bool, resident: frozenset[Key]) -> None:
        self.program, self.unit, self.watched, self.resident = program, unit, watched, resident
        self.names: list[dict[str, Variable]] = [{}]
        self.slots = FIRST
        self.here = unit.where(0)
        self.result: Type | None = None

    def declare(self, name: str, type: Type, key: Key, *, certain: bool, memory: bool = False) -> Variable:
        """A new variable of the innermost scope."""
        made = Variable(name, self.slots, type, memory or key in self.resident, certain)
        self.slots += 1
        self.names[-1][name] = made
        return made

    def temporary(self) -> int:
        """A slot without a name."""
        self.slots += 1
        return self.slots - 1

    def find(self, name: str) -> Variable | None:
        """The variable that a name stands for."""
        return next((scope[name] for scope in reversed(self.names) if name in scope), None)

    @contextmanager
    def inner(self) -> Iterator[dict[str, Variable]]:
        """A scope inside; what is declared there."""
        self.names.append({})
        yield self.names[-1]
        self.names.pop()

    def where(self, node: Any) -> Where:
        """The line of a node, or of the last that had one."""
        if node.coord is not None and node.coord.line != self.here.line:
            self.here = self.unit.where(node.coord.line)
        return self.here

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Code that threads or lanes run."""
        before, self.watched = self.watched, True
        yield
        self.watched = before
