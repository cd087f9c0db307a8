"""Spelling: the trees of declarations and expressions that kernels spell again and again, made without the parser.

To load the parser takes longer than to make all of them.
"""

from __future__ import annotations

import re
from typing import Any

from .c_trees import c_ast

CHAIN = r"[A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*|\[\d+\])*"
VARIABLE = re.compile(r"(const )?(\w+)(?: (\*)(restrict| )?)?")
LINKS = re.compile(r"(->|\.)(\w+)|\[(\d+)\]")
BINARY = re.compile(rf"({CHAIN}) (\+|-|\*|/|<|<=|==|!=|&&|\|\|) ({CHAIN})")
ADDRESS, REAL = re.compile(rf"&({CHAIN})"), re.compile(r"(-)?(\d+\.\d+)(f)?")
PLACES = re.compile(CHAIN)


def variable(type: str, name: str) -> Any:
    """The declaration of a variable of a type that is one word, or of a pointer to one; None for other types.

    >>> variable("const int32_t *restrict", "crd").type.quals, variable("unsigned int", "n")
    (['restrict'], None)
    """
    found = VARIABLE.fullmatch(type)
    if found is None:
        return None
    const, word, star, restrict = found.groups()
    quals = ["const"] if const else []
    declared = c_ast.TypeDecl(name, quals, None, c_ast.IdentifierType([word]))
    if star:
        declared = c_ast.PtrDecl(["restrict"] if restrict == "restrict" else [], declared)
    return c_ast.Decl(name, quals, [], [], [], declared, None, None)


def spelling(text: str) -> Any:
    """The tree of an expression that is a number, a place, its address, or two places with an operator between them;
    None for others.

    >>> spelling("A->level[1].extent").field.name, spelling("f(x)")
    ('extent', None)
    """
    if PLACES.fullmatch(text):
        return place(text)
    if found := BINARY.fullmatch(text):
        return c_ast.BinaryOp(found[2], place(found[1]), place(found[3]))
    if found := ADDRESS.fullmatch(text):
        return c_ast.UnaryOp("&", place(found[1]))
    if found := REAL.fullmatch(text):
        number = c_ast.Constant("float" if found[3] else "double", found[2] + (found[3] or ""))
        return c_ast.UnaryOp("-", number) if found[1] else number
    return None


def place(text: str) -> Any:
    """The tree of a variable, its fields and their elements."""
    start = re.match(r"\w+", text)
    assert start is not None
    tree = c_ast.ID(start[0])
    for arrow, field, number in LINKS.findall(text):
        index = c_ast.Constant("int", number)
        tree = c_ast.StructRef(tree, arrow, c_ast.ID(field)) if field else c_ast.ArrayRef(tree, index)
    return tree
