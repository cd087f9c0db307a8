"""Slices: the part of some code that decides how far a counter grows, and that growth as a function of its inputs.

Two loops with the same slice let their counters grow alike where they begin with the same inputs: the loop of
`assemble` that appends coordinates and that of `compute` that appends values. A slice leaves out what happens where
memory is not to be had: growth is that of a run in which nothing fails.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from msgspec import Struct

from ..solver import Term, z3
from .c_contracts import CONTRACTS, ORDERING
from .c_facts import is_term
from .c_memory import Array, Constant, Contents, List, Unknown, Unset, Value
from .c_tree import Node, all_nodes, base, c_ast, changes, print_node, rename

STATUS = frozenset({"status", "GN_OK"})
MEMORY = frozenset({"gn_zeros", "gn_room", "gn_resize", "gn_push", *ORDERING})
GLOBAL = frozenset({"GN_INDEX_MAX", "INT64_MAX", "NULL", "true", "false"})


class Slice(Struct, frozen=True):
    """A slice in a spelling of its own, what it is for in that, and the variables that it begins with, in order."""

    text: str
    counter: str
    inputs: tuple[str, ...]


def slice_loop(code: Node, counter: str) -> Slice | None:
    """The slice of a piece of code for a variable; None where nothing in it changes the variable.

    Where it makes no difference where it begins, a counter is none of the inputs.

    >>> from gnomon.properties.proofs.c.c_tree import parse
    >>> body = parse("int f(int64_t n) { for (int64_t i = 0; i < n; i++) { x[p] = 1.0; p++; } }").functions["f"].body
    >>> slice_loop(body.block_items[0], "p")
    Slice(text='for (int64_t v0 = 0; v0 < v1; v0++) { v2++; }', counter='v2', inputs=('n',))
    """
    kept = keep_what_matters(code, counter)
    if kept is None:
        return None
    names: dict[str, str] = {}
    for name in declared_names(kept):
        if name not in GLOBAL | STATUS:
            names.setdefault(name, f"v{len(names)}")
    own = {part.name for part in all_nodes(kept) if isinstance(part, c_ast.Decl)}
    free = {counter} if is_shifted(kept, counter) else set()
    inputs = [name for name in names if name not in own | free]
    return Slice(print_node(rename_variables(kept, names)), names[counter], tuple(inputs))


def keep_what_matters(code: Node, counter: str) -> Node | None:
    """A piece of code without what makes no difference to a variable; None where nothing in it changes that."""
    matters = {counter}
    while (kept := reduce_code(code, matters)) is not None:
        more = matters | read_variables(kept)
        if more == matters:
            break
        matters = more
    return kept


def declared_names(code: Node) -> list[str]:
    """The variables that occur in some code and that it declares, in order."""
    aside: set[int] = set()
    found: list[str] = []
    for part in all_nodes(code):
        match part:
            case c_ast.FuncCall(name=name) | c_ast.StructRef(field=name):
                aside.add(id(name))
            case c_ast.Decl(name=name):
                found.append(name)
            case c_ast.ID(name=name) if id(part) not in aside:
                found.append(name)
            case _:
                pass
    return found


def rename_variables(code: Node, names: Mapping[str, str]) -> Node:
    """Code with other names for its variables."""
    copy = rename(code, names)
    for part in all_nodes(copy):
        if isinstance(part, c_ast.Decl) and part.name in names:
            part.name = names[part.name]
            kind = part.type
            while not isinstance(kind, c_ast.TypeDecl):
                kind = kind.type
            kind.declname = part.name
    return copy


def reduce_code(s: Node, matters: set[str]) -> Node | None:
    """A statement without what changes nothing that matters; None if nothing is left."""
    match s:
        case c_ast.Compound(block_items=items):
            kept: list[Node] = []
            later: set[str] = set()
            for item in reversed(items or []):
                each = reduce_code(item, matters)
                unread = isinstance(item, c_ast.Decl) and item.name not in later
                if each is not None and not unread:
                    kept.insert(0, each)
                    later.update(names_in(each))
            return c_ast.Compound(kept) if kept else None
        case c_ast.If(cond=cond, iftrue=then, iffalse=orelse):
            if "status" in names_in(cond) and set(names_in(cond)) <= STATUS:
                return reduce_code(then, matters) if cond.op == "==" else None
            yes = reduce_code(then, matters)
            no = None if orelse is None else reduce_code(orelse, matters)
            return None if yes is None and no is None else c_ast.If(cond, yes or c_ast.Compound([]), no)
        case c_ast.For(init=init, cond=cond, next=next_, stmt=body):
            inner = reduce_code(body, matters)
            return None if inner is None else c_ast.For(init, cond, next_, inner)
        case c_ast.While(cond=cond, stmt=body):
            inner = reduce_code(body, matters)
            return None if inner is None else c_ast.While(cond, inner)
        case c_ast.Decl(name=name):
            return s if name in matters else None
        case c_ast.Goto() | c_ast.Label() | c_ast.Pragma() | c_ast.EmptyStatement():
            return None
        case _:
            found = changes(s)
            return s if (found.variables | found.contents) & matters - STATUS else None


def names_in(code: Node | None) -> list[str]:
    """The variables that occur in some code."""
    return [] if code is None else declared_names(code)


def read_variables(code: Node | None) -> set[str]:
    """The variables that what is left of some code depends on."""
    return set(names_in(code)) - STATUS - GLOBAL


def is_shifted(code: Node, counter: str) -> bool:
    """Whether where a counter begins makes no difference: it is only counted, kept, and compared with what was kept."""
    marks = {counter}
    fine: set[int] = set()
    for part in all_nodes(code):
        match part:
            case c_ast.Decl(init=c_ast.ID(name=name) as init) if name == counter:
                marks.add(part.name)
                fine.add(id(init))
            case _:
                pass
    for part in all_nodes(code):
        match part:
            case (
                c_ast.UnaryOp(op="p++", expr=c_ast.ID() as expr) | c_ast.Assignment(op="+=", lvalue=c_ast.ID() as expr)
            ):
                fine.add(id(expr))
            case c_ast.BinaryOp(op="<" | "==" | "!=", left=c_ast.ID() as a, right=c_ast.ID() as b):
                if a.name in marks and b.name in marks:
                    fine |= {id(a), id(b)}
            case _:
                pass
    return all(id(part) in fine for part in all_nodes(code) if isinstance(part, c_ast.ID) and part.name in marks)


def growth(found: Slice, values: Mapping[str, Value]) -> Term | None:
    """How far a counter grows, as a term over the inputs; None if these have no name."""
    tags, terms = [found.text, found.counter], []
    for name in found.inputs:
        value = values.get(name)
        if is_term(value):
            terms.append(value)
            continue
        if isinstance(value, List):
            terms.append(value.size)
            tag = [tag_of(value.coordinate), tag_of(value.position)]
        else:
            tag = [tag_of(value.contents) if isinstance(value, Array) else None]
        if None in tag:
            return None
        tags.append(f"{tag}")
    key = hashlib.sha256("\n".join(tags).encode()).hexdigest()
    whole = z3.IntSort()
    if not terms:
        return z3.Int(f"growth {key}")
    return z3.Function(f"growth {key}", *[whole] * len(terms), whole)(*terms)


def tag_of(contents: Contents) -> str | None:
    """A name for the contents of an array; None for what has been written to since it had one."""
    match contents:
        case Unset():
            return "not set"
        case Unknown(at=at):
            return str(at.name())
        case Constant(value=value):
            return f"all {value}"
        case _:
            return None


def is_unaffected(code: Node) -> bool:
    """Whether some code does the same where something fails: nothing in it asks, and only operators report.

    >>> from gnomon.properties.proofs.c.c_tree import parse
    >>> bodies = ("x = gn_add_int64(x, y, &status);", "if (status) x++;", "gn_push(&l, x, y, &status);")
    >>> [is_unaffected(parse(f"int f(void) {{ {body} }}").functions["f"]) for body in bodies]
    [True, False, False]
    """
    for part in all_nodes(code):
        match part:
            case c_ast.If(cond=cond) | c_ast.While(cond=cond) | c_ast.For(cond=cond):
                if "status" in names_in(cond):
                    return False
            case c_ast.FuncCall(name=c_ast.ID(name=name)) if name in CONTRACTS:
                if "status" in names_in(part):
                    return False
            case _:
                pass
    return True


def goes_on(code: Node) -> bool:
    """Whether some code can fail only where there is no memory, or where an operator has no value.

    What it counts is then as if that had not happened: it would go on if there were memory, and it does go on without a
    value, on which no count is taken to depend.
    """
    for part in all_nodes(code):
        match part:
            case c_ast.Assignment(lvalue=c_ast.ID(name="status"), rvalue=c_ast.ID(name="GN_OK")):
                pass
            case c_ast.Assignment(lvalue=c_ast.ID(name="status")) | c_ast.Return():
                return False
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=args) if args is not None:
                told = any(isinstance(a, c_ast.UnaryOp) and a.op == "&" and base(a) == "status" for a in args.exprs)
                if told and name in CONTRACTS and name not in MEMORY:
                    return False
            case _:
                pass
    return True


def counter_variables(code: Node) -> frozenset[str]:
    """The variables that some code only counts upward, one at a time."""
    up, other = set(), set()
    for part in all_nodes(code):
        match part:
            case c_ast.UnaryOp(op="p++", expr=c_ast.ID(name=name)):
                up.add(name)
            case c_ast.Assignment(lvalue=c_ast.ID(name=name)):
                other.add(name)
            case c_ast.UnaryOp(op="&", expr=c_ast.ID(name=name)):
                other.add(name)
            case c_ast.Decl(name=name):
                other.add(name)
            case _:
                pass
    return frozenset(up - other)


def append_counters(code: Node) -> frozenset[str]:
    """The variables at which some code stores and which it only counts upward."""
    places: set[str] = set()
    for part in all_nodes(code):
        if isinstance(part, c_ast.Assignment) and isinstance(part.lvalue, c_ast.ArrayRef):
            places |= set(names_in(part.lvalue.subscript))
    return frozenset(places) & counter_variables(code)
