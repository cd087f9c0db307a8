"""Programs: what a kernel and the support header declare, and how a function becomes what runs."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from msgspec import Struct, field

from ...generator.runtime.emulation import entries
from .declarations import Declared
from .device import DEVICE
from .function import Body, Function, Home
from .residence import key, residents
from .runtime import HOST, Kernel
from .scope import Scope
from .source import Unit, c_ast, device, device_header, header, host, host_header, kernel, lending, runtime_header
from .statements import Statements
from .vocabulary import PLAIN, Vocabulary

KEPT = 8
"""Programs that are kept, since one is run again and again: in other orders, or on other operands."""


class Program(Struct):
    """What a file and the files it includes declare."""

    types: Declared = field(default_factory=Declared)
    functions: dict[str, Function] = field(default_factory=dict)
    vocabulary: Vocabulary = PLAIN

    def copy(self) -> Program:
        """A program that more can be added to."""
        declared = Declared(dict(self.types.types), dict(self.types.constants), set(self.types.prototypes))
        return Program(declared, dict(self.functions), self.vocabulary)

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
        resident = residents(function.node)
        scope = Scope(self.types, self.functions, function.unit, watched, resident, self.vocabulary)
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


@lru_cache(KEPT)
def program(text: str, file: str = "kernel", defines: tuple[tuple[str, str], ...] = ()) -> Program:
    """A kernel with the support header; `defines` are macros that stand before it."""
    base = support(defines)
    made = base.copy()
    made.add(kernel(text, file, defines))
    return made


@cache
def device_support() -> Program:
    """The support headers of kernels on devices as a program."""
    made = Program(vocabulary=DEVICE)
    for unit in (header(), device_header()):
        made.add(unit)
    return made


@cache
def host_support() -> Program:
    """The support headers of their hosts as a program."""
    made = Program(vocabulary=HOST)
    for unit in (header(), runtime_header(), host_header(), lending()):
        made.add(unit)
    return made


@lru_cache(KEPT)
def host_program(text: str) -> Program:
    """The host's text of a kernel on devices with what it includes."""
    made = host_support().copy()
    made.add(host(text))
    return made


@lru_cache(KEPT)
def kernels(text: str) -> dict[str, Kernel]:
    """The kernels of a device's text, with the most threads that their blocks may have."""
    made = device_support().copy()
    made.add(device(text))
    return {each.name: Kernel(made.functions[each.name], each.threads) for each in entries(text)}
