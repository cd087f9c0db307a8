"""The text of a level function, as far as its translation must know it beforehand."""

from __future__ import annotations

import ast
from functools import cache

from ...reference.levels.restricted import Restricted


@cache
def returns(text: Restricted) -> bool:
    """Whether a function has results."""
    return any(isinstance(n, ast.Return) and n.value is not None for n in ast.walk(text.tree))


@cache
def is_straight(text: Restricted) -> bool:
    """Whether a function assigns and then returns, without branches or loops."""
    *before, last = text.body
    return isinstance(last, ast.Return) and all(
        isinstance(s, ast.Assign) and not isinstance(s.targets[0], ast.Subscript) for s in before
    )


def results(s: ast.Return) -> list[ast.expr]:
    """The expressions that are returned."""
    match s.value:
        case None:
            return []
        case ast.Tuple(elts=elements):
            return elements
        case ast.Dict(values=values):
            return values
        case other:
            return [other]


@cache
def written(text: Restricted) -> frozenset[str]:
    """The storage fields whose elements a function writes."""
    targets = (n for n in ast.walk(text.tree) if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store))
    return frozenset(n.value.attr for n in targets if isinstance(n.value, ast.Attribute))


def hoisted(text: Restricted) -> list[str]:
    """Variables first assigned inside a branch or loop, which must be declared before it."""
    seen: set[str] = set()
    found: dict[str, None] = {}

    def walk(body: list[ast.stmt], top: bool) -> None:
        for s in body:
            match s:
                case ast.Assign(targets=[ast.Name(id=name)]):
                    if not top and name not in seen:
                        found[name] = None
                    seen.add(name)
                case ast.If(body=then, orelse=orelse):
                    walk(then, False)
                    walk(orelse, False)
                case ast.While(body=inner) | ast.For(body=inner):
                    walk(inner, False)
                case _:
                    pass

    walk(text.body, True)
    return list(found)
