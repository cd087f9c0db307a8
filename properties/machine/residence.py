"""Residence: which variables of a function must live in memory, where pointers and other threads reach them.

All others are slots of a frame. Arrays and structs live in memory anyway.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .directives import Directive, group_directives
from .source import c_ast, inside

Key = tuple[int, str]


def key(node: Any, name: str = "") -> Key:
    """What identifies a variable: its declaration, or the directive's statement with its name."""
    return id(node), name


def residents(function: Any) -> frozenset[Key]:
    """The variables whose address is taken, or which threads or lanes share and one of them assigns to."""
    found = Residence()
    found.declare(function.decl.type.args.params if function.decl.type.args is not None else ())
    found.visit(function.body)
    return frozenset(found.resident)


class Residence:
    """A walk over a function that knows what is declared where."""

    def __init__(self) -> None:
        self.scopes: list[dict[str, tuple[Key, int]]] = [{}]
        self.depth = 0
        self.resident: set[Key] = set()

    def declare(self, declarations: Iterable[Any]) -> None:
        """Variables of the innermost scope."""
        for d in declarations:
            if isinstance(d, c_ast.Decl):
                self.scopes[-1][d.name] = (key(d), self.depth)

    def find(self, name: str) -> tuple[Key, int] | None:
        """A variable, and how many teams are around its declaration."""
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    def visit(self, node: Any) -> None:
        """What stands in a node."""
        match node:
            case c_ast.Compound(block_items=items):
                self.scopes.append({})
                for each, statement in group_directives(items or ()):
                    self.enter_directive(each, statement)
                self.scopes.pop()
                return
            case c_ast.For():
                self.scopes.append({})
                self.parts(node)
                self.scopes.pop()
                return
            case c_ast.Decl():
                self.parts(node)
                self.declare([node])
                return
            case c_ast.UnaryOp(op="&", expr=c_ast.ID(name=name)):
                self.address(name)
            case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--", expr=c_ast.ID(name=name)):
                self.assign(name)
            case c_ast.Assignment(lvalue=c_ast.ID(name=name)):
                self.assign(name)
            case _:
                pass
        self.parts(node)

    def parts(self, node: Any) -> None:
        """What stands in the parts of a node."""
        for part in inside(node):
            self.visit(part)

    def enter_directive(self, each: Directive | None, statement: Any) -> None:
        """A statement and the directive before it."""
        if each is None or not each.is_team:
            self.visit(statement)
            return
        self.depth += 1
        self.scopes.append({name: (key(statement, name), self.depth) for _, name in each.reductions})
        self.visit(statement)
        self.scopes.pop()
        self.depth -= 1

    def address(self, name: str) -> None:
        """A variable whose address is taken."""
        found = self.find(name)
        if found is not None:
            self.resident.add(found[0])

    def assign(self, name: str) -> None:
        """A variable that is assigned to, perhaps by several threads."""
        found = self.find(name)
        if found is not None and found[1] < self.depth:
            self.resident.add(found[0])
