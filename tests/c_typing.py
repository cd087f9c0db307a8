"""Typing: the type in which each expression of a kernel is computed, which must be one that its statement has.

C has ideas of its own: constants are `int`, narrow integers become `int` in every operator, and operands of different
types meet in one that neither may have. All of it is refused here but for what loses nothing: a constant beside an
operand that has a type, narrow integers that go back at once, 32-bit indices and flags beside 64-bit indices, and
comparisons with zero.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from gnomon.generator.ir import emission, printing
from gnomon.properties.machine.library import LIBRARY
from gnomon.properties.machine.source import c_ast, header, inside
from gnomon.properties.machine.types import Boolean, Complex, Floating, Integer
from gnomon.properties.machine.types import Type as Machine
from msgspec import Struct, field

WHOLE = tuple(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64))
NARROW = ("_Bool", "int8_t", "int16_t", "uint8_t", "uint16_t")
FLOATING = ("float", "double")
NUMBERS = (*WHOLE, "_Bool", *FLOATING, "float _Complex", "double _Complex", "int", "size_t")
INDICES = {("int32_t", "int64_t"), ("_Bool", "int64_t")}
ARITHMETIC = ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^")
CONSTANTS = {
    **{"INFINITY": "floating", "NAN": "floating", "NULL": "void *", "true": "_Bool", "false": "_Bool"},
    "GN_INDEX_MAX": "int32_t",
}


class Plain(Struct, frozen=True):
    """An integer constant of no type but C's."""

    value: int

    def __str__(self) -> str:
        return f"the constant {self.value}"


class Widened(Struct, frozen=True):
    """What C computes with narrow integers, in `int`."""

    of: str

    def __str__(self) -> str:
        return f"{self.of} widened to int"


Type = str | Plain | Widened
"""The name of a C type, or what has none that a statement could have; `floating` is any floating type, `any` what has
been refused already."""


@cache
def signatures() -> Mapping[str, tuple[str, tuple[str, ...]]]:
    """The result and the parameters of each function that kernels call."""
    found = {name: (named(r.result), tuple(map(named, r.parameters))) for name, r in LIBRARY.items()}
    for node in header().tree.ext:
        if isinstance(node, c_ast.FuncDef):
            found[node.decl.name] = signature(node.decl)
    for bits in (8, 16, 32, 64):
        for sign in ("", "u"):
            found[f"{sign.upper()}INT{bits}_C"] = (f"{sign}int{bits}_t", (f"{sign}int{bits}_t",))
    return found


@cache
def fields() -> Mapping[str, str]:
    """The types of the fields of the structs."""
    structs = [each.type.type for each in header().tree.ext if isinstance(each, c_ast.Typedef)]
    return {d.name: written(d) for s in structs if isinstance(s, c_ast.Struct) for d in s.decls or ()}


def signature(decl: Any) -> tuple[str, tuple[str, ...]]:
    """The result and the parameters of a function."""
    given = [] if decl.type.args is None else [p for p in decl.type.args.params if isinstance(p, c_ast.Decl)]
    return written(decl.type), tuple(written(p) for p in given)


def written(node: Any) -> str:
    """The type of a declaration as a name; arrays are pointers."""
    inner, stars = node.type, ""
    while isinstance(inner, c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.TypeDecl):
        stars += "" if isinstance(inner, c_ast.TypeDecl) else "*"
        inner = inner.type
    words = sorted(getattr(inner, "names", ()), reverse=True)
    words = [w for w in words if w != "_Complex"] + [w for w in words if w == "_Complex"]
    return " ".join(words) + (f" {stars}" if stars else "")


def named(type: Machine) -> str:
    """A type of the machine as a name."""
    match type:
        case Integer(bits=bits, signed=signed):
            return f"{'' if signed else 'u'}int{bits}_t"
        case Boolean():
            return "_Bool"
        case Floating(bits=bits):
            return "float" if bits == 32 else "double"
        case Complex(bits=bits):
            return "float _Complex" if bits == 32 else "double _Complex"
        case _:
            return "void *"


def parse_c(text: str) -> Any:
    """The tree of a C file without directives."""
    return c_ast.FileAST([d for d in emission.parse(text).ext if not isinstance(d, c_ast.Typedef)])


def without_directives(text: str) -> str:
    """C text without comments, preprocessor lines, and the macro that stands for an attribute."""
    text = re.sub(r"/\*.*?\*/|GN_APART ", "", text, flags=re.DOTALL)
    return re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)


def as_grammar(text: str) -> str:
    """C text as the parser wants it: no directives, and the keywords behind the macros `bool` and `complex`."""
    text = re.sub(r"\bbool\b", "_Bool", without_directives(text))
    return re.sub(r"\bcomplex\b", "_Complex", text)


def untyped(text: str) -> list[str]:
    """What a kernel computes in a type that its statement does not have, each with the expression and why.

    >>> untyped("double f(double x) { return 100000 * 100000 * x; }")
    ['100000 * 100000: the constant 100000 beside the constant 100000']
    >>> untyped("int64_t f(int64_t x) { return INT64_C(100000) * 100000 * x; }")
    []
    """
    tree = parse_c(as_grammar(text))
    functions = {**signatures()}
    found: list[str] = []
    for node in tree.ext:
        if isinstance(node, c_ast.FuncDef):
            functions[node.decl.name] = signature(node.decl)
            found += Typing(functions, functions[node.decl.name][0]).function(node)
    return found


class Typing(Struct):
    """The types of one function: those of its variables where the walk stands, and what is wrong so far."""

    functions: Mapping[str, tuple[str, tuple[str, ...]]]
    result: str
    variables: list[dict[str, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def function(self, node: Any) -> list[str]:
        """What is wrong in a function."""
        given = [] if node.decl.type.args is None else node.decl.type.args.params
        self.variables.append({p.name: written(p) for p in given if isinstance(p, c_ast.Decl)})
        self.statement(node.body)
        return self.wrong

    def refuse(self, node: Any, why: str) -> None:
        """Note what is wrong with an expression."""
        self.wrong.append(f"{printing.Printer().visit(node)}: {why}")

    def statement(self, node: Any) -> None:
        """A statement, and what is inside it."""
        match node:
            case c_ast.Compound() | c_ast.For():
                self.variables.append({})
                for part in inside(node):
                    self.statement(part)
                self.variables.pop()
            case c_ast.Decl(name=name, init=init):
                self.variables[-1][name] = written(node)
                if init is not None and not isinstance(init, c_ast.InitList | c_ast.ID):
                    self.stores(written(node), init)
            case c_ast.Return(expr=expr) if expr is not None:
                self.stores(self.result, expr)
            case c_ast.If() | c_ast.While() | c_ast.DeclList():
                for part in inside(node):
                    self.statement(part)
            case c_ast.Label() | c_ast.Goto() | c_ast.Pragma() | c_ast.EmptyStatement() | c_ast.Return():
                return
            case c_ast.Break() | c_ast.Continue():
                return
            case _:
                self.type(node)

    def type(self, node: Any) -> Type:
        """The type of an expression; the parts that are wrong are noted."""
        match node:
            case c_ast.Constant():
                return constant(node)
            case c_ast.ID(name=name):
                return self.named(name)
            case c_ast.ArrayRef(name=base, subscript=index):
                self.index(index)
                return pointed(self.type(base))
            case c_ast.StructRef(name=base, field=c_ast.ID(name=name)):
                self.type(base)
                return fields()[name]
            case c_ast.UnaryOp(op="sizeof"):
                return "size_t"
            case c_ast.UnaryOp(op=sign, expr=inner):
                return self.unary(node, sign, self.type(inner))
            case c_ast.BinaryOp(op=sign, left=left, right=right):
                return self.binary(node, sign, self.type(left), self.type(right))
            case c_ast.TernaryOp(cond=test, iftrue=then, iffalse=orelse):
                self.type(test)
                return self.met(node, self.type(then), self.type(orelse))
            case c_ast.Cast(to_type=to, expr=inner):
                return self.cast(node, written(to), self.type(inner))
            case c_ast.Assignment(op=sign, lvalue=left, rvalue=right):
                return self.assigned(node, sign, self.type(left), right)
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=args):
                return self.call(name, [] if args is None else list(args.exprs))
            case _:
                self.refuse(node, f"{type(node).__name__} is not known")
                return "void"

    def named(self, name: str) -> Type:
        """The type of a name."""
        scope = next((scope for scope in reversed(self.variables) if name in scope), None)
        if scope is not None:
            return scope[name]
        whole = next((f"{w.lower()}_t" for w in (name[:-4],) if name.endswith(("_MIN", "_MAX"))), "int")
        return CONSTANTS.get(name, whole)

    def index(self, node: Any) -> None:
        """A subscript."""
        found = self.type(node)
        if isinstance(found, Widened) or (isinstance(found, str) and found not in WHOLE):
            self.refuse(node, f"an index that is {found}")

    def unary(self, node: Any, sign: str, inner: Type) -> Type:
        """`-`, `!`, `&`, `*`, and steps."""
        if sign == "&":
            return f"{inner} *"
        if sign == "*":
            return pointed(inner)
        if sign == "!":
            return "_Bool"
        if isinstance(inner, Plain):
            return Plain(-inner.value) if sign == "-" else inner
        return Widened(inner) if sign == "-" and isinstance(inner, str) and inner in NARROW else inner

    def binary(self, node: Any, sign: str, left: Type, right: Type) -> Type:
        """Two operands and what is between them."""
        if sign in ("&&", "||"):
            return "_Bool"
        if isinstance(left, str) and left.endswith("*"):
            return left if sign in ARITHMETIC else "_Bool"
        if sign in ("<<", ">>"):
            return left
        found = self.met(node, left, right)
        if sign not in ARITHMETIC:
            return "_Bool"
        return Widened(found) if isinstance(found, str) and found in NARROW else found

    def met(self, node: Any, left: Type, right: Type) -> Type:
        """The type in which two operands meet."""
        match left, right:
            case ("any", _) | (_, "any"):
                return "any"
            case (Plain(), Plain()) if isinstance(node, c_ast.TernaryOp) or node.op in ("!=", "=="):
                return left
            case (str(), str()) if left == right:
                return left
            case (str(), str()) if (left, right) in INDICES or (right, left) in INDICES:
                return "int64_t"
            case (str() as kind, Plain(value=value)) | (Plain(value=value), str() as kind) if holds(kind, value):
                return kind
            case (str() as kind, Plain(value=0)) if isinstance(node, c_ast.BinaryOp) and node.op in ("!=", "=="):
                return kind
            case ("floating", str() as kind) | (str() as kind, "floating") if kind in FLOATING:
                return kind
            case (Widened(of="_Bool"), Plain(value=0)) if isinstance(node, c_ast.BinaryOp) and node.op == "!=":
                return "_Bool"
            case _:
                self.refuse(node, f"{left} beside {right}")
                return "any"

    def cast(self, node: Any, to: str, inner: Type) -> Type:
        """A conversion that is written: narrow integers go back to what they were."""
        if isinstance(inner, Widened) and inner.of != to:
            self.refuse(node, f"{inner}, but made {to}")
        if isinstance(inner, Plain) and to in WHOLE and not holds(to, inner.value):
            self.refuse(node, f"{inner}, which {to} does not hold")
        return to

    def assigned(self, node: Any, sign: str, place: Type, value: Any) -> Type:
        """A store, maybe of what is combined with what is there."""
        assert isinstance(place, str)
        if sign == "=":
            self.stores(place, value)
        else:
            found = self.binary(node, sign[:-1], place, self.type(value))
            if found not in (place, Widened(place), "any"):
                self.refuse(node, f"{found} stored as {place}")
        return place

    def stores(self, place: str, node: Any) -> None:
        """What is stored in a place, or handed to a parameter: it has the type already, or is a constant that fits."""
        found = self.type(node)
        match found:
            case Plain(value=value):
                fits = holds(place, value)
            case Widened():
                fits = False
            case "floating":
                fits = place in FLOATING
            case _:
                pointers = place.endswith("*") and found.endswith("*")
                fits = found == place or pointers or (found, place) in INDICES or found not in NUMBERS
        if not fits:
            self.refuse(node, f"{found} where {place} is meant")

    def call(self, name: str, args: list[Any]) -> Type:
        """A call: arguments have the types of the parameters."""
        known = self.functions.get(name)
        if known is None:
            for arg in args:
                self.type(arg)
            return "void *"
        for place, arg in zip(known[1], args, strict=True):
            self.stores(place, arg)
        return known[0]


def constant(node: Any) -> Type:
    """The type of a constant."""
    text = node.value.lower()
    if "int" not in node.type:
        return "float" if text.endswith("f") else "double"
    return "int64_t" if text.endswith("l") else Plain(int(text, 0))


def holds(kind: str, value: int) -> bool:
    """Whether a type of integers holds a constant."""
    if kind in ("_Bool", "int", "size_t"):
        return value in (0, 1) if kind == "_Bool" else 0 <= value < 2**31
    if kind not in WHOLE:
        return False
    info = np.iinfo(kind.removesuffix("_t"))
    return bool(info.min <= value <= info.max)


def pointed(kind: Type) -> str:
    """What a pointer points to."""
    return str(kind).removesuffix("*").rstrip()
