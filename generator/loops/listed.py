"""Listed coordinates: a loop over a workspace goes through the list of what is there, where one has been noted.

    const int64_t w1_end = w1_count[0];
    for (int64_t n = 0; n < w1_end; n++) {
        const int64_t j = w1_crd[n];
        … w_vals[j] …
    }

The list is in order where the loop needs that (`cuda/listing.py`).
"""

from __future__ import annotations

from ..ir import ir, logic
from ..ir.ir import INT, Element, Expr, Name
from ..ir.writer import Writer
from ..scope.coordinate_list import CoordinateList
from ..storage.positions import At
from .iteration import Body
from .walk import Walk


def coordinate_list(walk: Walk) -> CoordinateList | None:
    """The list that the walk over a level may go through: nothing but coordinates bounds it."""
    listed = walk.fiber.frame.tensors.stores[walk.fiber.active.access.tensor].listed
    return listed if walk.places is None and not walk.fiber.many else None


def iterate_listed(walk: Walk, listed: CoordinateList, out: Writer, visit: Body) -> ir.For:
    """Write the loop over the places of a list."""
    inner = out.inner()
    n = Name(inner.fresh("n"), True)
    stored: Expr = Element(listed.coordinates, n)
    c = inner.declare(f"const {INT}", walk.fiber.coordinate_name(), stored, natural=True)
    p = walk.fiber.bound_level.call("locate", (walk.fiber.parent, (*walk.fiber.path, c)), inner)[0]
    admitted = walk.fiber.holds(ir.TRUE, p)
    if walk.window is not None:
        begin, end = walk.window
        admitted = logic.both(admitted, logic.compare(">=", c, begin), logic.compare("<", c, end))
    body = inner.inner()
    visit(body, c, At(p))
    if admitted != ir.TRUE:
        inner.add(ir.If(logic.negate(admitted), (ir.Jump("continue"),)))
    inner.add(*body.code)
    count = logic.choice(walk.fiber.env.site.there(walk.fiber.active.access), listed.count, ir.ZERO)
    return out.loop(n.name, ir.ZERO, out.hold(listed.stem("end"), count), inner.code)
