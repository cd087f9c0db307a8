"""Locating: where coordinates that are known are stored in levels that are not iterated (Chou 2018, section 4.4)."""

from __future__ import annotations

from ...reference.loops.plan import Placement
from ...reference.notation.syntax import Access
from ..ir import ir, logic
from ..ir.ir import INT, Expr, Name
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.flags import where_present
from ..scope.frame import Frame
from ..scope.terms import print_term
from ..storage.positions import At, Below, Positions, each


def place_level(frame: Frame, placement: Placement, positions: Positions, c: Expr, env: Env, out: Writer) -> Env:
    """The environment where a level stands, and the levels that were waiting for this loop have been found."""
    access, first = placement.active.access, placement.active.first
    env = env.place(access, first, positions, c)
    for k, coordinate in enumerate(placement.later, first + 1):
        c = print_term(coordinate, frame, env)
        positions, _ = locate_coordinate(frame, access, k, c, env, out)
        env = env.place(access, k, positions, c)
    return env


def locate_coordinate(frame: Frame, access: Access, k: int, c: Expr, env: Env, out: Writer) -> tuple[Positions, Expr]:
    """Where a coordinate is stored at level `k`, and whether it is there."""
    store = frame.tensors.stores[access.tensor]
    bound, parents, path = store.bounds[k], env.site.at(access, k), (*env.site.path(access, k), c)
    stem = f"p{access.tensor}{k + 1}"
    last = k == len(access.levels) - 1
    if isinstance(parents, At):
        parent = parents.p

        def locate(inner: Writer) -> list[Expr]:
            names = (stem, f"found{access.tensor}{k + 1}")
            q, found = bound.call("locate", (parent, path), inner, names)
            if store.present is not None and last:
                q = inner.hold(stem, q)
                found = logic.both(found, ir.Element(store.present, q))
            return [q, found]

        missing = (INT, stem, ir.ZERO), ("bool", f"found{access.tensor}{k + 1}", ir.FALSE)
        q, found = where_present(env.site.there(access), locate, missing, out)
        q = out.hold(stem, q)
        if found != ir.TRUE and not isinstance(found, Name):
            found = out.declare("const bool", f"found{access.tensor}{k + 1}", found)
        return At(q), found
    below = Below(parents, bound, path)
    if bound.level.full:
        return below, env.site.there(access)
    found = out.declare("bool", f"found{access.tensor}{k + 1}", ir.FALSE)
    each(below, out, lambda inner, _: inner.add(ir.Assign(found, ir.TRUE)))
    return below, found
