"""Lists of coordinates as those see them who only count: how many coordinates there are.

What is stored in a list, and in which order, tells nothing of that. Where a list is emptied, so are the flags of all
that it holds, which are all that are set (`devices.lists`):

    w1_crd[gn_atomic_add_int64(&w1_count[0], 1)] = j;          w1_count[0]++;
    for (n = 0; n < w1_end; n++) w1_flag[w1_crd[n]] = 0;       w1_flag holds zeros
    w1_count[0] = 0;                                           w1_count holds nothing
"""

from __future__ import annotations

from collections.abc import Mapping

from ..c.c_lists import counter_at
from ..c.c_tree import Node, c_ast


def without_lists(items: tuple[Node, ...], lists: Mapping[str, str]) -> tuple[Node, ...]:
    """Statements that count what is noted, and note nothing."""
    found: list[Node] = []
    for s in items:
        match s:
            case c_ast.FuncCall(name=c_ast.ID(name=name)) if name.startswith("gn_sort_"):
                pass
            case c_ast.Assignment(lvalue=c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=place)) if name in lists:
                counter = counter_at(place)
                found += [c_ast.UnaryOp("p++", counter)] if isinstance(place, c_ast.FuncCall) else []
            case c_ast.If(cond=cond, iftrue=then, iffalse=orelse):
                parts = (None if part is None else block(part, lists) for part in (then, orelse))
                found.append(c_ast.If(cond, *parts))
            case c_ast.For(init=init, cond=cond, next=next, stmt=body):
                found.append(c_ast.For(init, cond, next, block(body, lists), s.coord))
            case _:
                found.append(s)
    return tuple(found)


def block(code: Node, lists: Mapping[str, str]) -> Node:
    """The same of a block."""
    return c_ast.Compound(list(without_lists(tuple(code.block_items or ()), lists)))


def cleared_arrays(s: Node, lists: Mapping[str, str]) -> tuple[str, ...]:
    """The arrays that hold nothing after a statement which empties a list: its counter, or what it leads to."""
    match s:
        case c_ast.Assignment(
            op="=",
            lvalue=c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=c_ast.Constant(value="0")),
            rvalue=c_ast.Constant(value="0"),
        ):
            return (name,) if name in lists.values() else ()
        case c_ast.If(iftrue=c_ast.Compound(block_items=[only]), iffalse=None):
            return cleared_arrays(only, lists)
        case c_ast.For(stmt=c_ast.Compound(block_items=stores)):
            arrays = [array_at_coordinate(each, lists) for each in stores]
            return tuple(each for each in arrays if each is not None) if None not in arrays else ()
        case _:
            return ()


def array_at_coordinate(s: Node, lists: Mapping[str, str]) -> str | None:
    """The array in which a statement sets what belongs to a coordinate of a list."""
    match s:
        case c_ast.Assignment(
            op="=",
            lvalue=c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=c_ast.ArrayRef(name=c_ast.ID(name=crd))),
            rvalue=c_ast.Constant() | c_ast.ID(),
        ) if crd in lists:
            return str(name)
        case _:
            return None
