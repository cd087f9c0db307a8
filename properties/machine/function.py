"""Functions, as calls see them: types, a tree, and what runs, which is compiled when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from .fault import Where
from .frame import Code, Variable
from .memory import Block
from .source import Unit
from .state import State
from .types import Type


class Home(Struct, frozen=True):
    """The memory of a parameter or a variable whose address is taken."""

    variable: Variable
    where: Where

    def block(self, value: Any, state: State) -> Block:
        """New memory that holds a value."""
        name, kind = self.variable.name, self.variable.type
        return Block(name, kind, [value], self.where, made=state.makers())


class Body(Struct, frozen=True):
    """A compiled function: what runs, the size of its frame, and the slot and the home of each parameter."""

    run: Code
    slots: int
    parameters: tuple[tuple[int, Home | None], ...]


class Function(Struct):
    """A function: its result, its parameters (name, type, declaration), its tree, and what compiles it."""

    name: str
    result: Type
    parameters: tuple[tuple[str, Type, Any], ...]
    node: Any
    unit: Unit
    compile: Callable[[Function, bool], Body]
    bodies: dict[bool, Body] = field(default_factory=dict)

    @property
    def head(self) -> Where:
        """The line where it begins, which stands for the whole."""
        return self.unit.where(self.node.coord.line)

    def body(self, watched: bool) -> Body:
        """The compiled function; `watched` if teams run it."""
        if watched not in self.bodies:
            self.bodies[watched] = self.compile(self, watched)
        return self.bodies[watched]
