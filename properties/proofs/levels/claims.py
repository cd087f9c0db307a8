"""Claims: what is said of a level's storage, in the syntax of level functions and a little more.

A claim is a function over a level that yields violations, or that returns whether something holds: `Level.violations`,
and what is declared of loops and of levels that are appended to (`declared.py`). It assigns, loops over ranges and
branches; it yields `Violation(...)` or returns False where something does not hold; at its end it may return a
condition, or `all` of one over a range. It may hand over to other claims by `yield from`, take the `len` of an array
and a column of it, use conditions on a range of an array (`reference/levels/invariants.py`), and name `before`, the
level as it was when the function was called that the claim is about.

    yield Violation("crd", p, "...")      return False
    return all(e for n in range(k))       for n in range(k): if not e: return False
    before.crd, len(self.crd)             variables of these names
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NoReturn

from msgspec import Struct

from ....reference.levels.invariants import covers, distinct
from ....reference.levels.restricted_parser import Parser, Text, location_of, read_source
from ....reference.levels.restricted_syntax import (
    Block,
    Call,
    Constant,
    Expression,
    For,
    If,
    Negation,
    Pass,
    Return,
    Statement,
    Variable,
)

COLUMN, DISTINCT, COVERS = "every element of a column", "distinct", "covers"
"""What claims call and level functions do not: names that are no functions of a level."""
CONDITIONS: Mapping[Callable[..., Any], str] = {distinct: DISTINCT, covers: COVERS}
COMPLAINTS = ("complaints",)
"""The name of a result that is what another claim complains of."""


class Claim(Struct, frozen=True, eq=False):
    """A claim: its parameters, its statements, and the claims of its module that it hands over to."""

    parameters: tuple[str, ...]
    body: Block
    others: Mapping[str, Callable[..., Any]]


@cache
def claim(function: Callable[..., Any]) -> Claim:
    """A claim, parsed once. Raises CompileError for what is none."""
    parser = ClaimParser(
        read_source(function, getattr(function, "__name__", "the function")), inspect.unwrap(function).__globals__
    )
    return Claim(parser.parameters, parser.block(parser.text.body), parser.others)


def before(array: str) -> str:
    """The variable that stands for an array as it was."""
    return f"before.{array}"


def length(array: str) -> str:
    """The variable that stands for the length of an array."""
    return f"len(self.{array})"


class ClaimParser(Parser):
    """From the tree of a claim's text to restricted Python."""

    def __init__(self, text: Text, names: Mapping[str, Any]) -> None:
        super().__init__(text)
        self.parameters = tuple(a.arg for a in text.tree.args.args if a.arg != "self")
        self.variables |= set(self.parameters)
        self.names = names
        self.conditions = {n: CONDITIONS[f] for n, f in names.items() if inspect.isfunction(f) and f in CONDITIONS}
        self.others: dict[str, Callable[..., Any]] = {}

    def statement(self, s: ast.stmt) -> Statement:
        """A statement of a claim."""
        place = location_of(s)
        match s:
            case ast.Expr(value=ast.Yield()):
                return Return((Constant(False),), place=place)
            case ast.Expr(value=ast.YieldFrom(value=ast.Call() as call)):
                return Return((self.parse_claim_call(call),), COMPLAINTS, place=place)
            case ast.Return(value=ast.Call(func=ast.Name("all"), args=[ast.GeneratorExp() as each])):
                return self.for_each(each)
            case ast.Expr(value=ast.Constant() | ast.YieldFrom(value=ast.Tuple(elts=[]))):
                return Pass(place=place)
            case ast.Assign(targets=[ast.Name()]) | ast.If() | ast.Return(value=ast.expr()) | ast.Pass():
                return super().statement(s)
            case ast.For(target=ast.Name(), iter=ast.Call(func=ast.Name("range"))):
                return super().statement(s)
            case _:
                self.unreadable(s)

    def unreadable(self, node: ast.AST) -> NoReturn:
        """Raise CompileError for what no formula can be made of."""
        self.refuse(node, f"an invariant cannot be read as a formula: {ast.unparse(node)}")

    def for_each(self, each: ast.GeneratorExp) -> Statement:
        """The loop that returns False where not all hold."""
        match each:
            case ast.GeneratorExp(
                elt=said,
                generators=[
                    ast.comprehension(
                        target=ast.Name(id=name), iter=ast.Call(func=ast.Name("range"), args=args), ifs=[]
                    )
                ],
            ):
                begin, end = [Constant(0)] * (2 - len(args)) + [self.expression(a) for a in args]
                refusal = If(Negation(self.expression(said)), (Return((Constant(False),)),), ())
                return For(name, begin, end, (refusal,), place=location_of(each))
            case _:
                self.unreadable(each)

    def parse_claim_call(self, call: ast.Call) -> Call:
        """A call of another claim: of the level, or of the claim's module."""
        match call.func:
            case ast.Attribute(value=ast.Name("self"), attr=name):
                pass
            case ast.Name(id=own) if inspect.isfunction(other := self.names.get(own)):
                name = f"{other.__module__}.{own}"
                self.others[name] = other
            case _:
                self.unreadable(call)
        return Call(name, self.expressions(call.args), place=location_of(call))

    def expression(self, e: ast.expr) -> Expression:
        """An expression of a claim."""
        place = location_of(e)
        match e:
            case ast.Attribute(value=ast.Name("before"), attr=name):
                return Variable(before(name), place=place)
            case ast.Call(func=ast.Name("len"), args=[ast.Attribute(value=ast.Name("self"), attr=name)]):
                return Variable(length(name), place=place)
            case ast.Subscript(
                value=array, slice=ast.Slice(lower=ast.expr() as first, upper=None, step=ast.expr() as step)
            ):
                return Call(COLUMN, self.expressions((array, first, step)), place=place)
            case ast.Call(func=ast.Name(id=name), args=args) if name in self.conditions:
                return Call(self.conditions[name], self.expressions(args), place=place)
            case _:
                return super().expression(e)
