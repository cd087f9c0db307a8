"""One thread for all: what the lanes of a warp do together in an iteration, as one thread would do it alone.

Loops that lanes share out go over everything. What lanes fold, or vote on, all of them have combined (`devices.folds`):
a flag of each lane's own is the flag of all, and values, on which no count depends, stay as they are. Each lane stands
for the first, which alone stores.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from ..c.c_tree import Node, all_nodes, c_ast, names

LANE, OWN_FLAG, FLAG = "threadIdx", "_own_present", "_present"
MEETINGS = ("__shfl", "__any", "__sync")
"""What lanes do together, by how its name begins."""


def by_one_thread(items: tuple[Node, ...]) -> tuple[Node, ...]:
    """Statements of a warp as one thread would run them."""
    found: list[Node] = []
    for n, s in enumerate(items):
        match s:
            case c_ast.Decl(name=name) if is_lane(s):
                return (*found, *over_all_lanes(name, items[n + 1 :]))
            case c_ast.If(cond=cond, iftrue=then, iffalse=None):
                rest = without_leader(cond)
                inner = by_one_thread(tuple(then.block_items or ()))
                found += inner if rest is None else (c_ast.If(flags_of_all(rest), c_ast.Compound(list(inner)), None),)
            case c_ast.For(stmt=c_ast.Compound(block_items=inner)) if not folds(s):
                body = c_ast.Compound(list(by_one_thread(tuple(inner or ()))))
                found.append(c_ast.For(s.init, s.cond, s.next, body, s.coord))
            case _ if not folds(s):
                found.append(flags_of_all(s))
            case _:
                pass
    return tuple(found)


def is_lane(s: Node) -> bool:
    """Whether a variable is the number of a lane."""
    return isinstance(s, c_ast.Decl) and s.init is not None and LANE in names(s.init) and "const" in s.quals


def over_all_lanes(name: str, rest: tuple[Node, ...]) -> tuple[Node, ...]:
    """What lanes that there are do, as a loop over them, and what follows."""
    match rest:
        case (c_ast.If(cond=c_ast.BinaryOp(op="<", left=c_ast.ID(name=lane)) as there, iftrue=then), *after) if (
            lane == name
        ):
            first = c_ast.DeclList([number(name, "0")])
            body = c_ast.Compound(list(by_one_thread(tuple(then.block_items or ()))))
            loop = c_ast.For(first, there, c_ast.UnaryOp("p++", c_ast.ID(name)), body)
            return (loop, *by_one_thread(tuple(after)))
        case _:
            return by_one_thread(rest)


def number(name: str, value: str) -> Any:
    """The declaration of a whole number."""
    type = c_ast.TypeDecl(name, [], None, c_ast.IdentifierType(["int64_t"]))
    return c_ast.Decl(name, [], [], [], [], type, c_ast.Constant("int", value), None)


def without_leader(condition: Node) -> Node | None:
    """A condition of which it does not matter whether a thread is the first; None if nothing else does."""
    match condition:
        case c_ast.BinaryOp(op="&&", left=left, right=right) if without_leader(left) is None:
            return without_leader(right)
        case c_ast.BinaryOp(op="==", left=left) if LANE in names(left):
            return None
        case _:
            return condition


def folds(s: Node) -> bool:
    """Whether a statement folds what lanes have, or begins or ends that."""
    match s:
        case c_ast.Assignment(lvalue=c_ast.ID(name=name), rvalue=c_ast.BinaryOp(op="||", right=c_ast.ID(name=own))):
            return bool(own.endswith(OWN_FLAG) and name.endswith(FLAG))
        case c_ast.Decl(name=name) if name.endswith(OWN_FLAG):
            return True
        case c_ast.For(stmt=c_ast.Compound(block_items=[first, *_])):
            return folds(first)
        case c_ast.Decl(init=c_ast.FuncCall() as call) | c_ast.Assignment(rvalue=c_ast.FuncCall() as call):
            return bool(call.name.name.startswith(MEETINGS))
        case c_ast.FuncCall(name=c_ast.ID(name=name)):
            return bool(name.startswith(MEETINGS))
        case _:
            return False


def flags_of_all(s: Node) -> Node:
    """A statement in which the flag of a lane's own is that of all."""
    changed = deepcopy(s)
    for each in all_nodes(changed):
        if isinstance(each, c_ast.ID) and each.name.endswith(OWN_FLAG):
            each.name = each.name.removesuffix(OWN_FLAG) + FLAG
    return changed
