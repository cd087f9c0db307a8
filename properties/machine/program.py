"""Programs: what a kernel and the support header declare, and how a function becomes what runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from .declarations import Declared
from .function import Body, Function, Home
from .residence import key, residents
from .scope import Scope
from .source import Unit, c_ast, header, kernel
from .statements import Statements


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
        self.functions[name] = Function(name, self.types.type(kind.type), parameters, node, unit, self.compile)

    def compile(self, function: Function, watched: bool) -> Body:
        """Compile a function; `watched` if teams run it."""
        scope = Scope(self.types, self.functions, function.unit, watched, residents(function.node))
        scope.result = function.result
        parameters: list[tuple[int, Home | None]] = []
        for name, type, declaration in function.parameters:
            variable = scope.declare(name, type, key(declaration), certain=True)
            home = Home(variable, scope.where(declaration)) if variable.resident else None
            parameters.append((variable.slot, home))
        run = Statements(scope).block(function.node.body)
        return Body(run, scope.slots, tuple(parameters))


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
