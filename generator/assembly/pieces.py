"""Pieces: parts of one fiber of a result that several threads append at the same time.

Tiles of positions cut rows into pieces. Each component is in one of them, and what connects pieces to their parent says
how many positions each has, so that nothing but the sum has to be kept from harm:

    #pragma omp atomic
    A2_pos[i + 1] += (int32_t) (pA2_own - pA2_own_begin);
"""

from __future__ import annotations

from ..ir import ir
from ..ir.ir import Expr, Name
from ..ir.writer import Writer
from ..storage.level_functions import Bound


def connect_meanwhile(bound: Bound, parent: Expr, begin: Expr, end: Expr, out: Writer) -> None:
    """Connect a piece of a fiber to its parent, while other threads may connect other pieces. Additions are atomic."""
    edges = out.inner()
    bound.call("append_edges", (parent, begin, end), edges)
    for s in edges.code:
        added = added_by(s)
        out.add(s if added is None else ir.Atomic(added, "add", dtype_of(added.target, bound)))


def adds(bound: Bound) -> bool:
    """Whether `append_edges` of a level adds to the elements that the function changes, and does nothing else."""
    edges, p = Writer(), Name("p", True)
    bound.call("append_edges", (p, Name("begin", True), Name("end", True)), edges)
    return all(added_by(s) is not None for s in edges.code)


def added_by(s: ir.Stmt) -> ir.Assign | None:
    """A statement that adds to an element, as an update; None if a statement does not."""
    match s:
        case ir.Assign(target=ir.Element() as target, value=value, operator="="):
            kind, value = (value.type, value.operand) if isinstance(value, ir.Cast) else ("", value)
            rest = without(target, value)
            return None if rest is None else ir.Assign(target, ir.Cast(kind, rest) if kind else rest, "+=")
        case _:
            return None


def without(term: Expr, total: Expr) -> Expr | None:
    """What is added to a term in a sum that begins with it; None if a sum does not."""
    match total:
        case ir.Binary(operator="+", left=left, right=right) if left == term:
            return right
        case ir.Binary(operator="+" | "-" as sign, left=left, right=right):
            rest = without(term, left)
            return None if rest is None else (ir.add if sign == "+" else ir.sub)(rest, right)
        case _:
            return None


def dtype_of(target: Expr, bound: Bound) -> str:
    """The dtype of the array of a level in which an element is."""
    assert isinstance(target, ir.Element)
    return next(bound.types[name] for name, e in bound.fields.items() if e == target.array).removesuffix("_t")
