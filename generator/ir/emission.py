"""Emission: the IR as a pycparser tree, and text of it (the last stage)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Any

from ...reference.errors import InternalError
from . import ir
from .c_trees import c_ast, parser
from .ir import LANES, Code, Expr, Function, Stmt
from .printing import Comment, Printer, tidy
from .spelling import spelling, variable

TYPES = re.compile(r"\b(?:u?int(?:8|16|32|64)_t|size_t|bool|gn_tensor|gn_list)\b")
"""Names that the parser has to know for types."""
HOLE = "gn_hole_"
PARSING = Lock()
MOST_UNROLLED = 65534
WARP, PART_OF_WARP = "GN_WARP", "GN_PART_OF_WARP"
BARRIERS: dict[ir.Scope, str] = {"block": "__syncthreads", "warp": "__syncwarp"}
SHUFFLES = {"xor": "__shfl_xor_sync", "from": "__shfl_sync"}


def parse(text: str) -> Any:
    """The tree of a C text, behind declarations of the types that the text names. The parser has a state, so one text
    is parsed at a time."""
    declared = "".join(f"typedef int {name};" for name in sorted(set(TYPES.findall(text))))
    with PARSING:
        return parser().parse(declared + text)


@cache
def parse_spelling(template: str) -> Any:
    """The tree of an expression with holes."""
    text = re.sub(r"\{(\d)\}", rf"{HOLE}\1", template).replace(" complex)", " _Complex)")
    known = spelling(text)
    if known is not None:
        return known
    statement = parse(f"int f(void) {{ return {text}; }}")
    return statement.ext[-1].body.block_items[0].expr


@cache
def fields(kind: Any) -> tuple[str, ...]:
    """What the nodes of a kind hold."""
    return tuple(slot for slot in kind.__slots__ if slot != "__weakref__")


def shallow(node: Any) -> Any:
    """A copy of a node, with the same children."""
    made = object.__new__(type(node))
    for slot in fields(node.__class__):
        setattr(made, slot, getattr(node, slot))
    return made


def copy(node: Any) -> Any:
    """A copy of a tree."""
    if isinstance(node, list):
        return [copy(each) for each in node]
    if not isinstance(node, c_ast.Node):
        return node
    made = object.__new__(type(node))
    for slot in fields(node.__class__):
        setattr(made, slot, copy(getattr(node, slot)))
    return made


def instantiate(node: Any, args: Sequence[Any]) -> Any:
    """A tree with arguments in the place of its holes. Parts without a hole are shared with other trees."""
    if isinstance(node, list):
        return [instantiate(each, args) for each in node]
    if isinstance(node, c_ast.ID) and node.name.startswith(HOLE):
        return args[int(node.name.removeprefix(HOLE))]
    if not isinstance(node, c_ast.Node) or not has_hole(node):
        return node
    made = object.__new__(type(node))
    for slot in fields(node.__class__):
        setattr(made, slot, instantiate(getattr(node, slot), args))
    return made


@cache
def has_hole(node: Any) -> bool:
    """Whether there is a hole in the tree of a spelling, which nobody changes."""
    if isinstance(node, c_ast.ID):
        return bool(node.name.startswith(HOLE))
    return any(has_hole(child) for _, child in node.children())


@cache
def variable_declaration(type: str) -> Any:
    """The declaration of a variable of some type."""
    element, bracket, count = type.partition("[")
    plain = element.replace("bool", "_Bool").replace("complex", "_Complex")
    known = None if bracket else variable(plain, "gn_name")
    return known or parse(f"{plain} gn_name{bracket}{count};").ext[-1]


def declaration(type: str, name: str, value: Any = None) -> Any:
    """`type name = value`"""
    found = inner = shallow(variable_declaration(type))
    found.name = name
    while not isinstance(inner, c_ast.TypeDecl):
        inner.type = shallow(inner.type)
        inner = inner.type
    inner.declname = name
    found.init = value
    return found


def expression(e: Expr) -> Any:
    """The tree of an expression."""
    match e:
        case ir.Name(name=name):
            return c_ast.ID(name)
        case ir.Int(value=value):
            return number(value)
        case ir.Spelled(template=template, args=()):
            return parse_spelling(template)
        case ir.Spelled(template=template, args=args):
            return instantiate(parse_spelling(template), [expression(a) for a in args])
        case ir.Element(array=array, index=index):
            return c_ast.ArrayRef(expression(array), expression(index))
        case ir.Binary(operator=operator, left=left, right=right):
            return c_ast.BinaryOp(operator, expression(left), expression(right))
        case ir.Unary(operator=operator, operand=operand):
            return c_ast.UnaryOp(operator, expression(operand))
        case ir.Choice(condition=condition, then=then, orelse=orelse):
            return c_ast.TernaryOp(expression(condition), expression(then), expression(orelse))
        case ir.Call(function=function, args=args):
            return call(function, *map(expression, args))
        case ir.Shuffle(way=way, value=value, lane=lane, lanes=lanes):
            return call(SHUFFLES[way], warp(lanes), expression(value), expression(lane))
        case ir.Vote(value=value, lanes=lanes):
            return call("__any_sync", warp(lanes), expression(value))
        case ir.Cast(type=type, operand=operand):
            return c_ast.Cast(typename(type), expression(operand))


def number(value: int) -> Any:
    """An integer constant; those beyond 32 bits say so."""
    if value < 0:
        return c_ast.UnaryOp("-", number(-value))
    return c_ast.Constant("int", str(value) if value < 2**31 else f"{value}LL")


@cache
def typename(type: str) -> Any:
    """A type as in a cast."""
    found = variable_declaration(type).type
    inner = copy(found)
    return c_ast.Typename(None, [], None, abstract_type(inner))


def abstract_type(type: Any) -> Any:
    """A type without the name it declares."""
    inner = type
    while not isinstance(inner, c_ast.TypeDecl):
        inner = inner.type
    inner.declname = None
    return type


def block(code: Code) -> Any:
    """The tree of a block."""
    return c_ast.Compound([node for s in code for node in statement(s)])


def statement(s: Stmt) -> list[Any]:
    """The trees of a statement."""
    match s:
        case ir.Declare(type=type, name=name, value=value):
            return [declaration(type, name, None if value is None else expression(value))]
        case ir.Assign(target=target, value=value, operator=operator):
            if operator == "+=" and value == ir.ONE:
                return [c_ast.UnaryOp("p++", expression(target))]
            return [c_ast.Assignment(operator, expression(target), expression(value))]
        case ir.If(condition=condition, then=then, orelse=orelse):
            other = None if not orelse else statement(orelse[0])[0] if is_chained(orelse) else block(orelse)
            return [c_ast.If(expression(condition), block(then), other)]
        case ir.While(condition=condition, body=body):
            return [c_ast.While(expression(condition), block(body))]
        case ir.For(name=name, begin=begin, end=end, body=body, limit=limit):
            first = [declaration(ir.INT, name, expression(begin))]
            if limit:
                first.append(declaration(ir.INT, limit, expression(end)))
            start = c_ast.DeclList(first)
            test = c_ast.BinaryOp("<", c_ast.ID(name), c_ast.ID(limit) if limit else expression(end))
            step = statement(ir.Assign(ir.Name(name), s.step, "+="))[0]
            pragma = s.pragma if s.unroll == 1 else f"GCC unroll {min(s.unroll, MOST_UNROLLED)}"
            return [*([] if pragma is None else [c_ast.Pragma(pragma)]), c_ast.For(start, test, step, block(body))]
        case ir.Region(pragma=pragma, body=body, when=when):
            said = [] if pragma is None else [pragma if when is None else f"{pragma} if ({when.name})"]
            return [*map(c_ast.Pragma, said), block(body)]
        case ir.Atomic(update=update, dtype=dtype):
            alone = update.operator != "=" and not dtype.startswith("complex")
            return [c_ast.Pragma("omp atomic"), *statement(update)] if alone else statement(critical(update))
        case ir.Do(expression=e):
            return [expression(e)]
        case ir.Jump(kind="goto", label=label):
            return [c_ast.Goto(label)]
        case ir.Jump(kind=kind):
            return [c_ast.Break() if kind == "break" else c_ast.Continue()]
        case ir.Label(name=name):
            return [c_ast.Label(name, c_ast.EmptyStatement())]
        case ir.Return(value=value):
            return [c_ast.Return(None if value is None else expression(value))]
        case ir.Comment(text=text):
            return [Comment(text)]
        case ir.Launch():
            return [launch(s)]
        case ir.Shared(type=type, name=name, count=count):
            return [in_shared_memory(declaration(f"{type}[{count}]", name))]
        case ir.Barrier(scope=scope, lanes=lanes):
            return [call(BARRIERS[scope], *([warp(lanes)] if scope == "warp" else []))]
        case ir.Kernel(name=name):
            raise InternalError(f"the kernel {name} stands among statements of C")


def warp(lanes: int) -> Any:
    """The mask of the threads of a warp: all 32 that CUDA calls so, or some of them side by side."""
    return c_ast.ID(WARP) if lanes == LANES else call(PART_OF_WARP, number(lanes))


def launch(s: ir.Launch) -> Any:
    """The block that launches a kernel: through the addresses of its arguments."""
    addresses = [c_ast.Cast(typename("void *"), c_ast.UnaryOp("&", c_ast.ID(each.name))) for each in s.args]
    arguments = declaration(f"void *[{len(addresses)}]", "arguments", c_ast.InitList(addresses))
    kernel = c_ast.Cast(typename("const void *"), c_ast.ID(s.name))
    sizes = (expression(s.blocks), number(s.threads))
    status = c_ast.UnaryOp("&", c_ast.ID("status"))
    return c_ast.Compound([arguments, call("gn_launch", kernel, *sizes, c_ast.ID("arguments"), status)])


def in_shared_memory(declared: Any) -> Any:
    """A declaration of what a block has in common."""
    declared.storage = ["__shared__"]
    return declared


def call(function: str, *args: Any) -> Any:
    """The tree of a call."""
    return c_ast.FuncCall(c_ast.ID(function), c_ast.ExprList(list(args)))


def critical(*code: Stmt) -> Stmt:
    """A block that one thread of a team runs at a time."""
    return ir.Region("omp critical", code)


def is_chained(orelse: Code) -> bool:
    """Whether a branch is one more `if`."""
    return len(orelse) == 1 and isinstance(orelse[0], ir.If)


SPECIFIER = r"(?<=static) |(?<=inline) |(?<=GN_APART) |(?<=__device__) |(?<=GN_KERNEL) |(?<=\)) "
"""What stands after a word about a function that is not its type."""


def function(f: Function) -> Any:
    """The tree of a function."""
    return c_ast.FuncDef(head(f), None, block(f.body))


def head(f: Function) -> Any:
    """The tree of what stands before the body of a function."""
    parameters = c_ast.ParamList([declaration(type, name) for type, name in f.parameters])
    *words, kind = re.split(SPECIFIER, f.type)
    found = declaration(kind, f.name)
    found.type = c_ast.FuncDecl(parameters, found.type)
    found.storage = [word for word in words if word != "inline"]
    found.funcspec = [word for word in words if word == "inline"]
    return found


def text(functions: Sequence[Function]) -> str:
    """C text of some functions."""
    return "\n".join(tidy(Printer().visit(function(f))) for f in functions)


def text_of(e: Expr) -> str:
    """C text of an expression."""
    return str(Printer().visit(expression(e)))


def prototype(f: Function) -> str:
    """C text that declares a function."""
    return tidy(f"{Printer().visit(head(f)).strip()};")
