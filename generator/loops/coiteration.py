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

from collections.abc import Collection, Mapping, Sequence
from functools import reduce

from msgspec import Struct

from ...reference.loops.strategy import Active
from ...reference.notation.syntax import Access
from ..ir import extremes, ir, logic, traversal
from ..ir.ir import INT, Expr
from ..ir.writer import Writer
from .cases import Round, is_least
from .course import Course
from .cursor import Cursor, Head, SeekEnd, start_merging, step_over
from .fused import merged_keys
from .locating import place_level
from .merging import cursor_step, visits
from .seeking import is_far_longer, seek, seek_end, sought, unequal
from .visit import Visit


def coiterate(visit: Visit, out: Writer) -> None:
    """The multi-way merge of Figure 9. Only the last round may be left early: the next one would begin there."""
    course = visit.course
    walks = {p.active: course.walk(p, out, merges=True) for p in course.loop.coiterated}
    cursors = {a: start_merging(w, out) for a, w in walks.items()}
    ahead = visit.ahead(list(walks.values()))
    if ahead is not None:
        ahead(visits(course.strategy.rounds(), cursors), out)
    code = rounds(visit, cursors, sought(course, cursors), out)
    for longer, other in unequal(course, cursors):
        code = (ir.If(is_far_longer(cursors[longer], cursors[other]), rounds(visit, cursors, {longer}, out), code),)
    out.add(*code)


def rounds(visit: Visit, cursors: Mapping[Active, Cursor], seeking: Collection[Active], out: Writer) -> ir.Code:
    """The rounds of a merge, one after another, in which some of the cursors seek."""
    points, code = visit.course.strategy.rounds(), out.inner()
    for merged in points:
        inner = code.inner()
        merge(visit, [cursors[a] for a in sorted(merged, key=seeking.__contains__)], seeking, inner)
        body = inner.code if merged is points[-1] else traversal.without_breaks(inner.code)
        code.add(ir.While(logic.both(*[cursors[a].alive for a in merged]), body))
    return code.code


class Standing(Struct, frozen=True):
    """A cursor, what it stands at, and the loop's coordinate there."""

    cursor: Cursor
    head: Head
    c: Expr

    @property
    def active(self) -> Active:
        """The access, and its level."""
        return self.cursor.walk.fiber.active


def merge(
    visit: Visit,
    waiting: Sequence[Cursor],
    seeking: Collection[Active],
    out: Writer,
    standing: tuple[Standing, ...] = (),
) -> None:
    """One round of a merge, cursor by cursor. A seeking cursor is first moved to the coordinate of the first cursor,
    where its fiber may end."""
    if not waiting:
        visit_least(visit, standing, out)
        return
    cursor, *rest = waiting
    if cursor.walk.fiber.active not in seeking:
        merge(visit, rest, seeking, out, (*standing, stand(visit.course, cursor, out, step_over)))
        return
    seek(cursor, ir.add(standing[0].c, cursor.walk.fiber.base), out)
    inner = out.inner()
    merge(visit, rest, seeking, inner, (*standing, stand(visit.course, cursor, inner, seek_end)))
    out.add(ir.If(cursor.alive, inner.code))


def stand(course: Course, cursor: Cursor, out: Writer, to_end: SeekEnd) -> Standing:
    """What a cursor stands at."""
    head, fiber = cursor.head(out, to_end), cursor.walk.fiber
    c = ir.sub(head.c, fiber.base)
    return Standing(cursor, head, c if c == head.c else out.hold(f"{course.index}{fiber.active.access.tensor}", c))


def visit_least(visit: Visit, standing: Sequence[Standing], out: Writer) -> None:
    """The least coordinate that cursors stand at, the case that applies, the steps."""
    course = visit.course
    least = reduce(extremes.smaller, [s.c for s in standing])
    counter = least if len(standing) == 1 else out.declare(f"const {INT}", course.index, least, natural=True)
    own = {s.active.access: s.c for s in standing}
    compared: Mapping[Access, Expr] = own
    if course.strategy.merges_tuples and len(standing) > 1:
        compared = merged_keys(course.frame, course.index, [(s.cursor, s.head.c) for s in standing], out)
    conditions = {a: is_least(a, compared, counter) for a in own}
    env = course.inside(counter, course.env.partly())
    for s in standing:
        env = place_level(course.frame, s.cursor.walk.fiber.placement, s.head.positions, s.head.c, env, out)
    some = frozenset(own) if all(s.active.is_sparse for s in standing) else frozenset()
    steps = {s.active.access: cursor_step(s.cursor, conditions[s.active.access], s.head.next) for s in standing}
    sparse = {a: step_ for a, step_ in steps.items() if a in course.sparse}
    visit.finish(out, env, conditions, Round(some, sparse, own if len(own) == 2 else {}))
    for access, step_ in steps.items():
        if access not in course.sparse:
            out.add(*step_(None))
