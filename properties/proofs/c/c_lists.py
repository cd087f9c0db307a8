"""Lists of coordinates in kernels for GPUs, and the counters by which threads take places there (`devices.lists`)."""

from __future__ import annotations

from .c_tree import Node, all_nodes, base, c_ast

TAKE = "gn_atomic_add_int64"
"""What adds to a counter and says what it was before."""


def lists_in(code: Node) -> dict[str, str]:
    """The lists of some code, each with its counter: what is stored at a place that the counter gives."""
    found: dict[str, str] = {}
    for part in all_nodes(code):
        match part:
            case c_ast.Assignment(lvalue=c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=place)):
                counter = counter_at(place)
                found |= {} if counter is None else {name: str(base(counter))}
            case _:
                pass
    return found


def counter_at(place: Node) -> Node | None:
    """The counter that gives a place, which is read, or goes on by one at once; None for another place."""
    match place:
        case c_ast.FuncCall(
            name=c_ast.ID(name=name), args=c_ast.ExprList(exprs=[c_ast.UnaryOp(expr=expr), c_ast.Constant(value="1")])
        ):
            return counter_at(expr) if name == TAKE else None
        case c_ast.ArrayRef(name=c_ast.ID(), subscript=c_ast.Constant(value="0")):
            return place
        case _:
            return None
