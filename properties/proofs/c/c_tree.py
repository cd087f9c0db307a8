"""Trees of generated C: kernels parsed back, and what their parts say of names.

The text of a kernel is parsed as it stands, with its pragmas, so that every place keeps the line that it has there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from ....generator.ir import emission, printing
from ....generator.ir.c_trees import c_ast as c_ast

Node = Any
"""A node of pycparser."""


class Kernel(Struct, frozen=True):
    """The functions of a kernel by name, in the order of the text."""

    functions: Mapping[str, Node]

    def entry_point(self, mode: str) -> str:
        """The name of the function on tensors that a mode has, whatever the prefix is."""
        return next(name for name in self.functions if name.endswith(mode))


def parse(text: str) -> Kernel:
    """The trees of a kernel's functions.

    >>> list(parse("/* one */ int f(int64_t n) { return n; }").functions)
    ['f']
    """
    tree = emission.parse(blank_comments(text))
    return Kernel({each.decl.name: each for each in tree.ext if isinstance(each, c_ast.FuncDef)})


def blank_comments(text: str) -> str:
    """C text as the parser wants it: comments and inclusions are gone, lines are where they were."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.DOTALL)
    text = re.sub(r"^\s*#\s*(?!pragma).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\bbool\b", "_Bool", text)
    return re.sub(r"\bcomplex\b", "_Complex", text).replace("GN_NO_LIST", "{0}").replace("GN_APART ", "")


def print_node(node: Node) -> str:
    """A part of a tree as C text, on one line."""
    return re.sub(r"\s+", " ", str(printing.Printer().visit(node))).strip()


def line(node: Node) -> int:
    """The line of a part of a kernel's text."""
    return int(node.coord.line) if node.coord is not None else 0


def all_nodes(node: Node) -> Iterator[Node]:
    """A tree and all its parts, each before what it consists of."""
    open_ = [node]
    while open_:
        each = open_.pop()
        yield each
        open_ += [child for _, child in reversed(each.children())]


def c_type(decl: Node) -> str:
    """The type of a declaration: `int64_t`, `double *`, `double []`, `int64_t **`."""
    kind, suffix = decl.type, ""
    while not isinstance(kind, c_ast.TypeDecl):
        if isinstance(kind, c_ast.PtrDecl):
            suffix += "*"
        elif isinstance(kind, c_ast.ArrayDecl):
            suffix += "[]"
        kind = kind.type
    plain = " ".join(kind.type.names)
    return f"{plain} {suffix}" if suffix else plain


def parameters(function: Node) -> list[Node]:
    """The declarations of a function's parameters."""
    given = function.decl.type.args
    return [] if given is None else list(given.params)


def base(node: Node) -> str | None:
    """The variable that a place is, or is a part of: `w` of `w.size`, `x[i]` and `*w`; None for what a tensor holds."""
    match node:
        case c_ast.ID():
            return str(node.name)
        case c_ast.ArrayRef():
            return base(node.name)
        case c_ast.StructRef():
            return base(node.name) if node.type == "." else None
        case c_ast.UnaryOp(op="*" | "&"):
            return base(node.expr)
        case _:
            return None


def rename(node: Node, names: Mapping[str, str]) -> Node:
    """An expression with other variables in the place of some."""
    copy = emission.copy(node)
    for part in all_nodes(copy):
        if isinstance(part, c_ast.ID):
            part.name = names.get(part.name, part.name)
    return copy


class Changes(Struct, frozen=True):
    """What a piece of code may change: variables themselves, and the contents of arrays and lists."""

    variables: frozenset[str]
    contents: frozenset[str]


def changes(node: Node) -> Changes:
    """What running a piece of code may change; whatever a call is given by its address may change altogether.

    >>> found = changes(parse("int f(void) { a = b; c[a] = 1; g(&d); e++; }").functions["f"])
    >>> sorted(found.variables), sorted(found.contents)
    (['a', 'd', 'e'], ['c', 'd'])
    """
    variables: set[str] = set()
    contents: set[str] = set()
    for part in all_nodes(node):
        match part:
            case c_ast.Assignment():
                changed = [part.lvalue]
            case c_ast.UnaryOp(op="p++" | "++" | "p--" | "--"):
                changed = [part.expr]
            case c_ast.FuncCall():
                args = [] if part.args is None else part.args.exprs
                for arg in args:
                    name = base(arg)
                    if name is not None and (isinstance(arg, c_ast.UnaryOp) or not is_pure(part)):
                        contents.add(name)
                        if isinstance(arg, c_ast.UnaryOp) or is_free(part):
                            variables.add(name)
                continue
            case _:
                continue
        for place in changed:
            name = base(place)
            if name is not None:
                (variables if isinstance(place, c_ast.ID) else contents).add(name)
                if isinstance(place, c_ast.UnaryOp):
                    variables.add(name)
    return Changes(frozenset(variables), frozenset(contents))


def is_pure(call: Node) -> bool:
    """Whether a call changes nothing that it is handed by value: arithmetic of the support header and of C."""
    name = call.name.name
    return name not in ("memset", "memcpy", "free", "gn_place", "gn_swap") and (name.startswith("gn_") or name in PURE)


def is_free(call: Node) -> bool:
    return bool(call.name.name == "free")


def relevant(function: Node) -> frozenset[str]:
    """The variables on which an index, a condition, a length, or what another function is given depends.

    >>> body = "{ for (int64_t i = a[0]; i < n; i++) { t += b[i]; } d = n; }"
    >>> sorted(relevant(parse(f"int f(int64_t n) {body}").functions["f"]))
    ['a', 'i', 'n']
    """
    found: set[str] = set()
    flows: list[tuple[str, set[str]]] = []
    for part in all_nodes(function.body):
        match part:
            case c_ast.ArrayRef(subscript=subscript):
                found |= names(subscript)
            case c_ast.If(cond=cond) | c_ast.While(cond=cond) | c_ast.For(cond=cond) | c_ast.TernaryOp(cond=cond):
                found |= names(cond)
            case c_ast.FuncCall(name=c_ast.ID(name="gn_resize"), args=args):
                found |= names(args.exprs[1])
            case c_ast.FuncCall(args=args) if args is not None and part.name.name != "free":
                if not is_pure(part) or any(isinstance(a, c_ast.UnaryOp) and a.op == "&" for a in args.exprs):
                    found |= names(args)
            case c_ast.Return(expr=expr) if expr is not None:
                found |= names(expr)
            case c_ast.Decl(name=name, init=init) if init is not None:
                flows.append((name, names(init)))
            case c_ast.Assignment(lvalue=lvalue, rvalue=rvalue):
                if isinstance(lvalue, c_ast.UnaryOp) or is_count(lvalue):
                    found |= names(rvalue)
                else:
                    flows.append((str(base(lvalue)), names(rvalue)))
            case _:
                pass
    while more := {n for target, sources in flows if target in found for n in sources} - found:
        found |= more
    return frozenset(found)


def is_fill(s: Node) -> bool:
    """Whether a statement declares the counter of the positions that an iteration fills: `pC_own = pC + C_first[i]`."""
    match s:
        case c_ast.Decl(init=c_ast.BinaryOp(op="+", left=c_ast.ID(), right=c_ast.ArrayRef(name=c_ast.ID(name=first)))):
            return str(s.name).endswith("_own") and str(first).endswith("_first")
        case _:
            return False


def is_count(field: Node) -> bool:
    """Whether a field of a tensor says how long an array is."""
    return base(field) is None and ("length[" in (text := print_node(field)) or text.endswith("size"))


def names(code: Node) -> set[str]:
    """The names in some code."""
    return {part.name for part in all_nodes(code) if isinstance(part, c_ast.ID)}


ANALYTIC = ("abs", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan")
ROUNDED = ("sqrt", "cbrt", "floor", "ceil", "pow", "real", "imag", "conj")
PURE = frozenset(f"{c}{name}{f}" for name in (*ANALYTIC, *ROUNDED) for c in ("", "c", "f") for f in ("", "f"))
