"""Printing: a pycparser tree as C text. Parsing the text gives the tree back.

Comments ride along as nodes that only the printer knows.
"""

from __future__ import annotations

import re
from textwrap import fill
from typing import Any

from .c_trees import c_ast, c_generator

WIDTH, GLUE = 120, "\0"
WORDS = ((re.compile(r"_Bool(?<!\w_Bool)\b"), "bool"), (re.compile(r"_Complex(?<!\w_Complex)\b"), "complex"))
"""For each keyword of C the word that users write. A pattern begins with its keyword, so that a search skips to it."""


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
        return f"{condition} ? {then} : {self.parenthesize(n.iffalse, False)}"

    def parenthesize(self, n: Any, is_unclear: bool) -> str:
        """A part of a choice, in parentheses where it would be unclear without, or a comma would end it."""
        text = str(self.visit(n))
        return f"({text})" if is_unclear or isinstance(n, c_ast.ExprList) else text

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
    lines = (" " * (len(line) - len(line.lstrip(" "))) + line.rstrip() for line in text.splitlines())
    text = "\n".join(map(fold_line, lines)).replace("inline static", "static inline")
    for keyword, word in WORDS:
        text = keyword.sub(word, text)
    return text.strip() + "\n"
