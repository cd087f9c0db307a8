"""Emission: the IR as a pycparser tree, and the tree as C text (the last stage).

Parsing the text gives the tree back; comments ride along as nodes that only the printer knows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from textwrap import fill
from threading import Lock
from typing import Any

from pycparser import c_ast, c_generator, c_parser

from . import ir
from .ir import Code, Expr, Function, Stmt

PREAMBLE = "".join(
    f"typedef int {name};"
    for name in (
        *(["int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "size_t", "bool"]),
        *(["gn_tensor", "gn_list"]),
    )
)
HOLE = "gn_hole_"
PARSING = Lock()
WIDTH, GLUE = 120, "\0"


class Comment(c_ast.Node):  # type: ignore[misc]
    """A comment as a statement."""

    __slots__ = ("coord", "text")
    attr_names = ("text",)

    def __init__(self, text: str) -> None:
        self.text, self.coord = text, None

    def children(self) -> tuple[()]:
        return ()

    def __iter__(self) -> Any:
        return iter(())


COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def is_unclear(n: Any, inner: Any) -> bool:
    """Whether compilers want parentheses around an operand: a comparison in a comparison, `&&` in `||`."""
    if not isinstance(inner, c_ast.BinaryOp):
        return False
    return inner.op in COMPARISONS if n.op in COMPARISONS else (n.op, inner.op) == ("||", "&&")


def is_atom(n: Any) -> bool:
    """Whether a term needs no parentheses anywhere."""
    return isinstance(n, c_ast.ID | c_ast.Constant | c_ast.ArrayRef | c_ast.FuncCall | c_ast.StructRef)


class Printer(c_generator.CGenerator):  # type: ignore[misc]
    """C text in this house's layout: no superfluous parentheses, comments kept."""

    def __init__(self) -> None:
        super().__init__(reduce_parentheses=True)

    def visit_Comment(self, n: Comment) -> str:
        return f"/* {n.text} */"

    def visit_TernaryOp(self, n: Any) -> str:
        joined = isinstance(n.cond, c_ast.BinaryOp) and n.cond.op in ("&&", "||")
        condition = self.parenthesize(n.cond, joined or isinstance(n.cond, c_ast.TernaryOp))
        then = self.parenthesize(n.iftrue, isinstance(n.iftrue, c_ast.TernaryOp))
        return f"{condition} ? {then} : {self.visit(n.iffalse)}"

    def parenthesize(self, n: Any, is_unclear: bool) -> str:
        """An expression, in parentheses where it would be unclear without."""
        text = str(self.visit(n))
        return f"({text})" if is_unclear else text

    def visit_BinaryOp(self, n: Any) -> str:
        if not any(is_unclear(n, each) for each in (n.left, n.right)):
            return str(super().visit_BinaryOp(n))
        return f"{self.operand(n, n.left)} {n.op} {self.operand(n, n.right)}"

    def operand(self, n: Any, inner: Any) -> str:
        """An operand of a term that has an unclear one."""
        binds = n.op == "||" and isinstance(inner, c_ast.BinaryOp | c_ast.UnaryOp)
        clear = is_atom(inner) or (binds and not is_unclear(n, inner))
        text = str(self.visit(inner))
        return text if clear else f"({text})"

    def visit_Label(self, n: Any) -> str:
        return f"{n.name}:;"

    def _generate_stmt(self, n: Any, add_indent: bool = False) -> str:
        if isinstance(n, Comment | c_ast.If | c_ast.For | c_ast.While):
            return f"{self._make_indent()}{self.visit(n)}\n"
        return str(super()._generate_stmt(n, add_indent))

    def visit_If(self, n: Any) -> str:
        text = f"if ({self.visit(n.cond)}) {self.print_block(n.iftrue)}"
        if n.iffalse is None:
            return text
        chained = isinstance(n.iffalse, c_ast.If)
        return f"{text} else {self.visit(n.iffalse) if chained else self.print_block(n.iffalse)}"

    def visit_For(self, n: Any) -> str:
        parts = [self.visit(part) if part is not None else "" for part in (n.init, n.cond, n.next)]
        return f"for ({'; '.join(parts)}) {self.print_block(n.stmt)}"

    def visit_While(self, n: Any) -> str:
        return f"while ({self.visit(n.cond)}) {self.print_block(n.stmt)}"

    def print_block(self, n: Any) -> str:
        """A block whose opening brace stands on the line before."""
        return str(self.visit_Compound(n)).strip()

    def visit_FuncDef(self, n: Any) -> str:
        self.indent_level = 0
        return f"{self.visit(n.decl)}\n{self.visit(n.body)}\n"


@cache
def parser() -> Any:
    """The C parser."""
    return c_parser.CParser()


def parse(text: str) -> Any:
    """The tree of a C text after the preamble. The parser keeps what it has seen, so one text is parsed at a time."""
    with PARSING:
        return parser().parse(PREAMBLE + text)


def parse_c(text: str) -> Any:
    """The tree of a C file without directives."""
    return c_ast.FileAST([d for d in parse(text).ext if not is_preamble(d)])


def is_preamble(d: Any) -> bool:
    return isinstance(d, c_ast.Typedef)


def without_directives(text: str) -> str:
    """C text without comments, preprocessor lines, and the macro that stands for an attribute."""
    text = re.sub(r"/\*.*?\*/|GN_APART ", "", text, flags=re.DOTALL)
    return re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)


def as_grammar(text: str) -> str:
    """C text as the parser wants it: no directives, and the keywords behind the macros `bool` and `complex`."""
    text = re.sub(r"\bbool\b", "_Bool", without_directives(text))
    return re.sub(r"\bcomplex\b", "_Complex", text)


@cache
def parse_spelling(template: str) -> Any:
    """The tree of an expression with holes."""
    text = re.sub(r"\{(\d)\}", rf"{HOLE}\1", template).replace(" complex)", " _Complex)")
    statement = parse(f"int f(void) {{ return {text}; }}")
    return statement.ext[-1].body.block_items[0].expr


def instantiate(node: Any, args: Sequence[Any] = ()) -> Any:
    """A copy of a tree, with arguments in the place of its holes."""
    if isinstance(node, list):
        return [instantiate(each, args) for each in node]
    if not isinstance(node, c_ast.Node):
        return node
    if args and isinstance(node, c_ast.ID) and node.name.startswith(HOLE):
        return args[int(node.name.removeprefix(HOLE))]
    made = object.__new__(type(node))
    for slot in node.__slots__:
        if slot != "__weakref__":
            value = getattr(node, slot)
            setattr(made, slot, instantiate(value, args) if isinstance(value, c_ast.Node | list) else value)
    return made


@cache
def variable_declaration(type: str) -> Any:
    """The declaration of a variable of some type."""
    element, bracket, count = type.partition("[")
    plain = element.replace("bool", "_Bool").replace("complex", "_Complex")
    return parse(f"{plain} gn_name{bracket}{count};").ext[-1]


def declaration(type: str, name: str, value: Any = None) -> Any:
    """`type name = value`"""
    found = instantiate(variable_declaration(type))
    found.name = name
    inner = found.type
    while not isinstance(inner, c_ast.TypeDecl):
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
            return c_ast.FuncCall(c_ast.ID(function), c_ast.ExprList([expression(a) for a in args]))
        case ir.Cast(type=type, operand=operand):
            return c_ast.Cast(typename(type), expression(operand))


def number(value: int) -> Any:
    """An integer constant; those beyond 32 bits say so."""
    if value < 0:
        return c_ast.UnaryOp("-", number(-value))
    return c_ast.Constant("int", str(value) if value < 2**31 else f"{value}LL")


def typename(type: str) -> Any:
    """A type as in a cast."""
    found = variable_declaration(type).type
    inner = instantiate(found)
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
        case ir.For(name=name, begin=begin, end=end, body=body, pragma=pragma, limit=limit):
            first = [declaration(ir.INT, name, expression(begin))]
            if limit:
                first.append(declaration(ir.INT, limit, expression(end)))
            start = c_ast.DeclList(first)
            test = c_ast.BinaryOp("<", c_ast.ID(name), c_ast.ID(limit) if limit else expression(end))
            step = c_ast.UnaryOp("p++", c_ast.ID(name))
            loop = c_ast.For(start, test, step, block(body))
            return [loop] if pragma is None else [c_ast.Pragma(pragma), loop]
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
            return [c_ast.Return(expression(value))]
        case ir.Comment(text=text):
            return [Comment(text)]


def critical(*code: Stmt) -> Stmt:
    """A block that one thread of a team runs at a time."""
    return ir.Region("omp critical", code)


def is_chained(orelse: Code) -> bool:
    """Whether a branch is one more `if`."""
    return len(orelse) == 1 and isinstance(orelse[0], ir.If)


def function(f: Function) -> Any:
    """The tree of a function."""
    parameters = c_ast.ParamList([declaration(type, name) for type, name in f.parameters])
    *words, kind = re.split(r"(?<=static) |(?<=inline) |(?<=GN_APART) ", f.type)
    head = declaration(kind, f.name)
    head.type = c_ast.FuncDecl(parameters, head.type)
    head.storage = [word for word in words if word != "inline"]
    head.funcspec = [word for word in words if word == "inline"]
    return c_ast.FuncDef(head, None, block(f.body))


def text(functions: Sequence[Function]) -> str:
    """C text of some functions."""
    return "\n".join(tidy(Printer().visit(function(f))) for f in functions)


def fold_line(line: str) -> str:
    """A line, continued on further ones after commas, semicolons and parts of conditions where it is long.

    A directive is one line, however long.
    """
    text = line.lstrip()
    if len(line) <= WIDTH or text.startswith("#"):
        return line
    margin = " " * (len(line) - len(text))
    glued = re.sub(r"(?<=[^,;?:|&]) ", GLUE, text)
    layout: dict[str, Any] = {"initial_indent": margin, "subsequent_indent": margin + " " * 8}
    return fill(glued, WIDTH, break_long_words=False, break_on_hyphens=False, **layout).replace(GLUE, " ")


def tidy(text: str) -> str:
    """Four spaces to a level, lines of some length, `bool` as users write it."""
    lines = (re.sub(r"^( +)", lambda m: m[1] * 2, line).rstrip() for line in text.splitlines())
    text = "\n".join(fold_line(line) for line in lines).replace("inline static", "static inline")
    return re.sub(r"\b_Complex\b", "complex", re.sub(r"\b_Bool\b", "bool", text)).strip() + "\n"
