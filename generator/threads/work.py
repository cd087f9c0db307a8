"""Work: how much a loop on threads has to do, and whether waking a team of threads for it pays, and can be done.

The innermost iterations of `C(i,j) = A(i,k) * B(k,j)` with a sparse `A` are estimated by what is stored:

    const bool i_pays = gn_pays((double) A_size * B2_dimension);
    #pragma omp parallel if (i_pays)

Sparse operands that share variables are taken to be independent of one another, as in estimates of the size of a join:
the components of both, divided by the extents that they share; and each is read once. What only reads workspaces is
taken to have less to do than what fills them. An iteration that looks into a sparse workspace takes the time of
several. Where each thread has a workspace as large as the extents of its variables, there has to be room for as many:

    const bool i_pays = gn_pays(…) && gn_fits((double) B2_dimension);
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

import numpy as np

from ...reference.levels.level import Widen
from ...reference.statement.statement import Assign, Forall, assignments, reads
from ..ir import extremes, ir, logic
from ..ir.ir import Binary, Expr, Name
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.extents import dimension
from ..scope.frame import Frame
from ..values.values import constant

LOOKED_UP = 3.0
"""How many iterations one takes the time of that looks into a sparse workspace."""


def pays(frame: Frame, s: Forall, workspaces: Sequence[str], env: Env, out: Writer) -> Name:
    """Declare whether a loop has enough to do for a team, and there is room for the workspaces that each thread has."""
    leaves = list(assignments(s))
    first = [leaf for leaf in leaves if any(a.tensor not in frame.facts.workspaces for a in reads(leaf))]
    total = reduce(plus, [part for leaf in first or leaves for part in visits(frame, leaf, env)])
    fit = [ir.Call("gn_fits", (count,)) for count in rooms(frame, leaves, workspaces)]
    return out.declare("const bool", f"{s.index}_pays", logic.both(ir.Call("gn_pays", (total,)), *fit))


def rooms(frame: Frame, leaves: Sequence[Assign], workspaces: Sequence[str]) -> Iterator[Expr]:
    """How many components workspaces have, each once, that do not grow with what they hold."""
    targets = {leaf.target.tensor: leaf.target for leaf in leaves if leaf.target.tensor in workspaces}
    for name, target in targets.items():
        if target.indices and not any(isinstance(level, Widen) for level in frame.facts.formats[name].levels):
            extents: list[Expr] = [ir.Cast("double", dimension(frame, v)) for v in target.indices]
            yield reduce(times, extents)


def visits(frame: Frame, leaf: Assign, env: Env) -> list[Expr]:
    """How often an assignment runs each time that the loops around are there, in parts that are to be added."""
    found = [a for a in dict.fromkeys(reads(leaf)) if a.tensor not in frame.facts.workspaces]
    sparse = [a for a in found if is_sparse(frame, a.tensor)]
    known = {v for a in [*found, leaf.target] for v in a.indices if env.site.space.loops(v) is not None}
    stored: list[Expr] = []
    for access in sparse:
        shared = [dimension(frame, v) for v in dict.fromkeys(access.indices) if v in known]
        components: Expr = ir.Cast("double", frame.tensors.size(access.tensor))
        stored.append(reduce(over, shared, components))
        known |= set(access.indices)
    others = [v for v in dict.fromkeys(v for a in [*found, leaf.target] for v in a.indices) if v not in known]
    joined = reduce(times, [*stored, *(ir.Cast("double", dimension(frame, v)) for v in others)] or [ir.ONE])
    workspaces = frame.facts.workspaces.keys() & {leaf.target.tensor, *(a.tensor for a in reads(leaf))}
    looked_up = constant(LOOKED_UP, np.dtype("float64"))
    whole = times(looked_up, joined) if any(is_sparse(frame, name) for name in workspaces) else joined
    return [whole, *stored] if len(stored) > 1 else [whole]


def is_sparse(frame: Frame, name: str) -> bool:
    """Whether a level of a tensor leaves coordinates out."""
    return not frame.facts.formats[name].is_whole


def plus(left: Expr, right: Expr) -> Expr:
    """left + right"""
    return Binary("+", left, right)


def times(left: Expr, right: Expr) -> Expr:
    """left * right"""
    return Binary("*", left, right)


def over(left: Expr, right: Expr) -> Expr:
    """left / right, where right is an extent, which may be 0"""
    return Binary("/", left, ir.Cast("double", extremes.larger(ir.ONE, right)))
