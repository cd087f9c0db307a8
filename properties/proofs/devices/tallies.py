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
from ..c.c_tree import Node, base, c_ast, names
from .one_thread import LANE, without_leader


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


def cleared_arrays(s: Node, lists: Mapping[str, str], held: Mapping[str, Node]) -> tuple[str, ...]:
    """The arrays that hold nothing after a statement which empties a list, as the leader of a group may for all: the
    counter, or what all of the list leads to. Variables were declared to be what is `held`."""
    match s:
        case c_ast.Assignment(
            op="=",
            lvalue=c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=c_ast.Constant(value="0")),
            rvalue=c_ast.Constant(value="0"),
        ):
            return (name,) if name in lists.values() else ()
        case c_ast.If(cond=cond, iftrue=c_ast.Compound(block_items=[only]), iffalse=None):
            return cleared_arrays(only, lists, held) if without_leader(cond) is None else ()
        case c_ast.For(
            init=c_ast.DeclList(decls=[c_ast.Decl(name=n, init=begin)]),
            cond=c_ast.BinaryOp(op="<", left=c_ast.ID(), right=c_ast.ID(name=end)),
            stmt=c_ast.Compound(block_items=stores),
        ) if begins_at_rank(begin):
            counter = base(held[end]) if end in held else None
            arrays = [array_at_coordinate(each, n) for each in stores]
            wholes = [array for array in arrays if array and lists.get(array[1]) == counter]
            return tuple(name for name, _ in wholes) if counter and len(wholes) == len(arrays) else ()
        case _:
            return ()


def begins_at_rank(begin: Node) -> bool:
    """Whether a loop begins with 0, or with the number of a thread in its group."""
    return (isinstance(begin, c_ast.Constant) and begin.value == "0") or LANE in names(begin)


def array_at_coordinate(s: Node, n: str) -> tuple[str, str] | None:
    """The array in which a statement sets to 0 what belongs to the n-th coordinate of a list, and the list; values are
    of no matter."""
    match s:
        case c_ast.Assignment(
            op="=",
            lvalue=c_ast.ArrayRef(
                name=c_ast.ID(name=name), subscript=c_ast.ArrayRef(name=c_ast.ID(name=crd), subscript=c_ast.ID(name=at))
            ),
            rvalue=c_ast.Constant(value=value) | c_ast.ID(name=value),
        ) if at == n and (value in ("0", "false") or name.endswith("_vals")):
            return name, crd
        case _:
            return None
