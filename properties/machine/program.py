"""Programs: the functions of a kernel and of the support header, each compiled when it is first called."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from .declarations import Declared
from .fault import Where
from .memory import Block
from .residence import key, residents
from .scope import Code, Scope, Variable
from .source import Unit, c_ast, header, kernel
from .state import State
from .statements import Statements
from .types import Type


@dataclass(frozen=True, slots=True)
class Home:
    """The memory of a parameter or a variable whose address is taken."""

    variable: Variable
    where: Where

    def block(self, value: Any, state: State) -> Block:
        """New memory that holds a value."""
        name, kind = self.variable.name, self.variable.type
        return Block(name, kind, [value], self.where, made=state.makers())


@dataclass(frozen=True, slots=True)
class Body:
    """A compiled function: what runs, the size of its frame, and the slot and the home of each parameter."""

    run: Code
    slots: int
    parameters: tuple[tuple[int, Home | None], ...]


@dataclass
class Function:
    """A function: its result, its parameters (name, type, declaration), its tree."""

    name: str
    result: Type
    parameters: tuple[tuple[str, Type, Any], ...]
    node: Any
    unit: Unit
    program: Program
    bodies: dict[bool, Body] = field(default_factory=dict)

    @property
    def head(self) -> Where:
        """The line where it begins, which stands for the whole."""
        return self.unit.where(self.node.coord.line)

    def body(self, watched: bool) -> Body:
        """The compiled function; `watched` if teams run it."""
        if watched not in self.bodies:
            self.bodies[watched] = self.compiled(watched)
        return self.bodies[watched]

    def compiled(self, watched: bool) -> Body:
        """Compile the function."""
        scope = Scope(self.program, self.unit, watched, residents(self.node))
        scope.result = self.result
        parameters: list[tuple[int, Home | None]] = []
        for name, type, declaration in self.parameters:
            variable = scope.declare(name, type, key(declaration), certain=True)
            home = Home(variable, scope.where(declaration)) if variable.resident else None
            parameters.append((variable.slot, home))
        run = Statements(scope).block(self.node.body)
        return Body(run, scope.slots, tuple(parameters))


@dataclass
class Program:
    """What a file and the files it includes declare."""

    types: Declared = field(default_factory=Declared)
    functions: dict[str, Function] = field(default_factory=dict)

    def add(self, unit: Unit) -> None:
        """Take the declarations of a file."""
        for node in unit.tree.ext:
            if isinstance(node, c_ast.FuncDef):
                self.define(node, unit)
            elif not isinstance(node, c_ast.Pragma):
                self.types.add(node)

    def define(self, node: Any, unit: Unit) -> None:
        """Take a function."""
        kind = node.decl.type
        given = [] if kind.args is None else [p for p in kind.args.params if isinstance(p, c_ast.Decl)]
        parameters = tuple((p.name, self.types.type(p.type), p) for p in given)
        name = node.decl.name
        self.functions[name] = Function(name, self.types.type(kind.type), parameters, node, unit, self)


@cache
def support(defines: tuple[tuple[str, str], ...] = ()) -> Program:
    """The support header as a program."""
    made = Program()
    made.add(header(defines))
    return made


def program(text: str, file: str = "kernel", defines: tuple[tuple[str, str], ...] = ()) -> Program:
    """A kernel with the support header; `defines` are macros that stand before it."""
    base = support(defines)
    made = Program(Declared(dict(base.types.types), dict(base.types.constants)), dict(base.functions))
    made.add(kernel(text, file, defines))
    return made
