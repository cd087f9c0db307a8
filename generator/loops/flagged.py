"""Flagged merges: of many operands, in one loop with one body, in which an absent operand is an empty fiber."""

from __future__ import annotations

from functools import reduce

from ..ir import extremes, ir, logic
from ..ir.ir import INT
from ..ir.writer import Writer
from .alongside import meet
from .cases import Round
from .cursor import start
from .merging import Merge
from .seeking import followers, seek
from .visit import Visit


def coiterate_flagged(visit: Visit, out: Writer) -> None:
    """The merge of many: one loop to the least coordinate at any iterator, in which an absent one is empty.

    The extent is one more, where what the loops around have found leaves every coordinate something to do.
    """
    course, strategy = visit.course, visit.course.strategy
    walks = [course.walk(p, out, merges=True) for p in course.loop.coiterated]
    merge = Merge(strategy, course.env.site.flags, tuple((w, start(w, out)) for w in walks))
    ahead = None if strategy.depends else visit.ahead(walks)
    if ahead is not None:
        ahead(out.hold(f"{course.index}_most", merge.visits()), out)
    extent_ = merge.extent(*course.reach(out), out) if strategy.depends else None
    left, inner = merge.has_more(extent_), out.inner()
    seek_leader(visit, merge, inner)
    heads = merge.heads(inner)
    least = reduce(extremes.smaller, heads if extent_ is None else [*heads, extent_.head])
    counter = inner.declare(f"const {INT}", course.index, least, natural=True)
    standing = [logic.compare("==", head, counter) for head in heads]
    merged = [(*each, there) for each, there in zip(merge.iterators, standing, strict=True)]
    meet(visit, merged, counter, Round(frozenset(a.access for a in strategy.coiterated)), inner)
    if extent_ is not None:
        inner.add(ir.Assign(extent_.place, ir.add(counter, ir.ONE)))
    out.add(ir.While(left, inner.code))


def seek_leader(visit: Visit, merge: Merge, out: Writer) -> None:
    """Move iterators whose fibers the loops around repeat to the coordinate of one that each visit needs."""
    cursors = {walk.fiber.active: cursor for walk, cursor in merge.iterators}
    leader, following = followers(visit.course, cursors)
    if leader is None or not following:
        return
    first = cursors[leader]
    c = ir.sub(first.coordinate(first.place, out), first.walk.fiber.base)
    for cursor in (cursors[a] for a in following):
        inner = out.inner()
        seek(cursor, ir.add(c, cursor.walk.fiber.base), inner)
        out.add(ir.If(cursor.alive, inner.code))
