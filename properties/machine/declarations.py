"""Declarations: the types that pycparser's trees stand for, and what a file declares beside functions."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import field

from ...reference.errors import Unsupported
from .source import c_ast
from .types import BOOL, DOUBLE, FLOAT, VOID, Array, Complex, Floating, Integer, Pointer, Struct, Type

WORDS: dict[tuple[str, ...], Type] = {
    ("_Bool",): BOOL,
    ("void",): VOID,
    ("float",): FLOAT,
    ("double",): DOUBLE,
    ("_Complex", "float"): Complex(32),
    ("_Complex", "double"): Complex(64),
}
BITS = {"char": 8, "short": 16, "int": 32, "long": 64}
NAMED: dict[str, Type] = {f"int{bits}_t": Integer(bits, True) for bits in (8, 16, 32, 64)}
NAMED |= {f"uint{bits}_t": Integer(bits, False) for bits in (8, 16, 32, 64)}
NAMED |= {"size_t": Integer(64, False), "uintptr_t": Integer(64, False), "ptrdiff_t": Integer(64, True)}


class Declared(msgspec.Struct):
    """The types, the constants and the functions of elsewhere that a file knows by name."""

    types: dict[str, Type] = field(default_factory=lambda: dict(NAMED))
    constants: dict[str, int] = field(default_factory=dict)
    prototypes: set[str] = field(default_factory=set)

    def add(self, node: Any) -> None:
        """Take a declaration that is no function's."""
        match node:
            case c_ast.Typedef(name=name, type=inner):
                self.types[name] = self.type(inner, name)
            case c_ast.Decl(type=c_ast.Enum(values=values)):
                for place, each in enumerate(values.enumerators):
                    self.constants[each.name] = place if each.value is None else whole(each.value)
            case c_ast.Decl(name=name, type=c_ast.FuncDecl()):
                self.prototypes.add(name)
            case _:
                raise Unsupported(f"a declaration of kind {type(node).__name__} outside functions")

    def type(self, node: Any, name: str = "") -> Type:
        """The type that a tree stands for; `name` is for a struct that has none."""
        match node:
            case c_ast.TypeDecl(type=inner) | c_ast.Typename(type=inner):
                return self.type(inner, name)
            case c_ast.IdentifierType(names=words):
                return self.type_of_words(words)
            case c_ast.PtrDecl(type=inner):
                return Pointer(self.type(inner))
            case c_ast.ArrayDecl(type=inner, dim=count):
                return Array(self.type(inner), self.number(count))
            case c_ast.Struct(decls=members) if members is not None:
                return Struct(name, tuple((m.name, self.type(m.type)) for m in members))
            case _:
                raise Unsupported(f"a type of kind {type(node).__name__}")

    def type_of_words(self, words: list[str]) -> Type:
        """The type that some words name.

        >>> str(Declared().type_of_words(["unsigned", "short", "int"])), str(Declared().type_of_words(["int64_t"]))
        ('uint16_t', 'int64_t')
        """
        if len(words) == 1 and words[0] in self.types:
            return self.types[words[0]]
        found = WORDS.get(tuple(sorted(words)))
        if found is not None:
            return found
        if not set(words) <= {"signed", "unsigned", *BITS}:
            raise Unsupported(f"the type {' '.join(words)}")
        sized = [word for word in words if word in ("char", "short", "long")]
        return Integer(BITS[sized[0] if sized else "int"], "unsigned" not in words)

    def number(self, node: Any) -> int:
        """A constant number of elements."""
        if isinstance(node, c_ast.ID) and node.name in self.constants:
            return self.constants[node.name]
        return whole(node)


def whole(node: Any) -> int:
    """An integer constant."""
    if not isinstance(node, c_ast.Constant) or "int" not in node.type:
        raise Unsupported(f"a constant of kind {type(node).__name__}")
    return int(node.value.rstrip("uUlL"), 0)


def literal(node: Any) -> tuple[Type, int | float]:
    """The type and the value of a constant (C11, 6.4.4)."""
    text = node.value
    match node.type:
        case "float" | "double" | "long double":
            parse = float.fromhex if text.lower().startswith("0x") else float
            return Floating(32 if text[-1] in "fF" else 64), parse(text.rstrip("fFlL"))
        case kind if "int" in kind:
            value, suffix = whole(node), text.lower().lstrip("0123456789x")
            decimal = not text.startswith("0") or value == 0
            return smallest(value, unsigned="u" in suffix, long="l" in suffix, decimal=decimal), value
        case kind:
            raise Unsupported(f"a constant of type {kind}: {text}")


def smallest(value: int, *, unsigned: bool, long: bool, decimal: bool) -> Integer:
    """The first type that holds an integer constant (C11, 6.4.4.1)."""
    for bits in (64,) if long else (32, 64):
        for signed in (False,) if unsigned else (True,) if decimal else (True, False):
            found = Integer(bits, signed)
            if found.low <= value <= found.high:
                return found
    raise Unsupported(f"the constant {value}")
