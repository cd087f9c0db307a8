"""Co-iteration: the multi-way merge of Figure 9 (Chou 2018).

A `while` loop for every lattice point, and in it a case for every point below, chosen by
comparing coordinates:

    while (pA2 < pA2_end && pB2 < pB2_end) {
        const int64_t jA = A2_crd[pA2];  …  const int64_t j = min(jA, jB);
        if (jA == j && jB == j) { …  pA2++;  pB2++; } else if (jA == j) { …  pA2++; } else { …  pB2++; }
    }

Two coordinates are compared with each other rather than with the lesser one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...reference.notation.syntax import Access
from ..ir import extremes, ir, logic, traversal
from ..ir.ir import INT, Expr
from ..ir.writer import Writer
from .cases import Round, is_least
from .cursor import Cursor, Head, start
from .fused import merged_keys
from .locating import place_level
from .merging import cursor_step, visits
from .visit import Visit
from .walk import Walk


def coiterate(visit: Visit, out: Writer) -> None:
    """The multi-way merge of Figure 9. Only the last round may be left early: the next one would begin there."""
    course = visit.course
    walks = {p.active: course.walk(p, out, merges=True) for p in course.loop.coiterated}
    cursors = {a: start(w, out) for a, w in walks.items()}
    points = course.strategy.rounds()
    ahead = visit.ahead(list(walks.values()))
    if ahead is not None:
        ahead(visits(points, cursors), out)
    for merged in points:
        inner = out.inner()
        merge(visit, [(walks[a], cursors[a]) for a in merged], inner)
        body = inner.code if merged is points[-1] else traversal.without_breaks(inner.code)
        out.add(ir.While(logic.both(*[cursors[a].alive for a in merged]), body))


def merge(visit: Visit, merged: Sequence[tuple[Walk, Cursor]], out: Writer) -> None:
    """One round of a merge: the least coordinate, the case that applies, the steps."""
    course = visit.course
    heads: list[tuple[Walk, Cursor, Head, Expr]] = []
    for walk, cursor in merged:
        head = cursor.head(out)
        c = ir.sub(head.c, walk.fiber.base)
        stem = f"{course.index}{walk.fiber.active.access.tensor}"
        heads.append((walk, cursor, head, c if c == head.c else out.hold(stem, c)))
    least = heads[0][3]
    for _, _, _, c in heads[1:]:
        least = extremes.smaller(least, c)
    counter = least if len(heads) == 1 else out.declare(f"const {INT}", course.index, least, natural=True)
    own = {w.fiber.active.access: c for w, _, _, c in heads}
    compared: Mapping[Access, Expr] = own
    if course.strategy.merges_tuples and len(heads) > 1:
        compared = merged_keys(course.frame, course.index, [(cursor, head.c) for _, cursor, head, _ in heads], out)
    conditions = {a: is_least(a, compared, counter) for a in own}
    env = course.inside(counter, course.env.partly())
    for walk, _, head, _ in heads:
        env = place_level(course.frame, walk.fiber.placement, head.positions, head.c, env, out)
    every = frozenset(w.fiber.active.access for w, _, _, _ in heads)
    some = every if all(w.fiber.active.is_sparse for w, _, _, _ in heads) else frozenset()
    steps = {w.fiber.active.access: cursor_step(c, conditions[w.fiber.active.access], h.next) for w, c, h, _ in heads}
    sparse = {a: step_ for a, step_ in steps.items() if a in course.sparse}
    visit.finish(out, env, conditions, Round(some, sparse, own if len(own) == 2 else {}))
    for access, step_ in steps.items():
        if access not in course.sparse:
            out.add(*step_(None))
