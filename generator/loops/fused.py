"""Fused co-iteration: chains of levels are merged by all their coordinates at once (fused iterators, Chou 2018, section
4.4, of several operands).

    while (pA2 < pA1_segend && pB2 < pB1_segend) {
        const int64_t jA = A2_crd[pA2];  …
        const int64_t jkA = jA * 4294967296 + A3_crd[pA2];  …
        if (jkA == jkB) { …  pA2++;  pB2++; } else { pA2 += jkA <= jkB;  pB2 += jkB <= jkA; }
    }

Of longer chains the first numbers that differ decide. The loops inside stand at coordinates that have been compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ...reference.notation.syntax import Access
from ..ir import ir, logic
from ..ir.ir import INT, Expr
from ..ir.writer import Writer
from ..scope.frame import Frame
from ..storage.level_functions import Bound
from ..storage.positions import At
from .cursor import Cursor
from .locating import place_level
from .visit import Visit

BEYOND_INDEX = 2**32
"""More than any coordinate that an index array of 32 bits stores."""


class Tuple(Struct, frozen=True):
    """The coordinates at which a cursor stands, of the levels that are merged at once."""

    access: Access
    variables: tuple[str, ...]
    bounds: tuple[Bound, ...]
    coordinates: tuple[Expr, ...]

    @classmethod
    def of(cls, frame: Frame, cursor: Cursor, c: Expr, out: Writer) -> Tuple:
        """The tuple of a cursor that stands at a coordinate: the levels below have one child, at the same position."""
        fiber, p = cursor.walk.fiber, cursor.place
        access, first = fiber.active.access, fiber.active.first
        bounds, path = frame.tensors.stores[access.tensor].bounds, (*fiber.path, c)
        for bound in bounds[first + 1 :]:
            path = (*path, bound.call("pos_access", (p, path), out)[0])
        return cls(access, access.levels[first:], bounds[first:], path[first:])

    def number(self, part: slice, out: Writer) -> Expr:
        """The coordinates of a part as one number."""
        found, *deeper = self.coordinates[part]
        for c in deeper:
            found = ir.add(ir.mul(found, ir.Int(BEYOND_INDEX)), c)
        return out.hold("".join(self.variables[part]) + self.access.tensor, found)


def merged_keys(frame: Frame, index: str, heads: Sequence[tuple[Cursor, Expr]], out: Writer) -> Mapping[Access, Expr]:
    """Numbers by which two cursors at some coordinates are compared: they are ordered as whole tuples are."""
    first, second = (Tuple.of(frame, cursor, c, out) for cursor, c in heads)
    pairs = [(first.number(part, out), second.number(part, out)) for part in parts(first, second)]
    one, other = pairs.pop()
    for a, b in reversed(pairs):
        differ = logic.compare("!=", a, b)
        one, other = logic.choice(differ, a, one), logic.choice(differ, b, other)
    own = ((first.access, one), (second.access, other))
    return {access: out.hold(f"{index}{access.tensor}_first", number) for access, number in own}


def parts(first: Tuple, second: Tuple) -> Iterator[slice]:
    """The levels of each number: two of them, or one where an index array has 64 bits."""
    k = 0
    while k < len(first.bounds):
        bounds = (*first.bounds[k : k + 2], *second.bounds[k : k + 2])
        end = k + (1 if any("int64_t" in bound.types.values() for bound in bounds) else 2)
        yield slice(k, end)
        k = end


def follow(visit: Visit, out: Writer) -> None:
    """A loop inside a fused one: the coordinate of the tuple at which both operands stand."""
    course = visit.course
    walks = [course.walk(placement, out, merges=False) for placement in course.loop.coiterated]
    places = [out.hold(f"p{walk.fiber.stem}", walk.bounds(out)[0]) for walk in walks]
    level = walks[0].fiber.bound_level.call("pos_access", (places[0], walks[0].fiber.path), out)[0]
    index = out.declare(f"const {INT}", course.index, ir.sub(level, walks[0].fiber.base), natural=True)
    env = course.inside(index, course.env.partly())
    for walk, p in zip(walks, places, strict=True):
        env = place_level(course.frame, walk.fiber.placement, At(p), ir.add(index, walk.fiber.base), env, out)
    visit.finish(out, env, {walk.fiber.active.access: ir.TRUE for walk in walks})
