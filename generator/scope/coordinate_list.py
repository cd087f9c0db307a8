"""Coordinate lists: which coordinates a dense workspace holds, as those note who fill it (Kjolstad 2019, section 5).

    if (w1_flag[pw1] != 1) {
        w1_flag[pw1] = 1;
        w1_crd[gn_atomic_add_int64(&w1_count[0], 1)] = (int32_t) j;
    }

Whoever clears the workspace goes through the list, and so does a loop over it alone, not through all coordinates that
there are. Those that merge it with others, or locate in it, read the flags.
"""

from __future__ import annotations

from msgspec import Struct

from ..ir import ir
from ..ir.ir import INT, Cast, Code, Element, Expr, Name


class CoordinateList(Struct, frozen=True):
    """A list of the coordinates that a workspace of one level holds, each once.

    `type` is the C type of coordinates, and `counter` an array of one element, which counts them. Threads append to a
    `shared` list side by side.
    """

    coordinates: Name
    counter: Name
    type: str
    shared: bool

    def stem(self, when: str) -> str:
        """The name of a variable that holds how many coordinates there are at some time."""
        return f"{self.counter.name.removesuffix('_count')}_{when}"

    @property
    def count(self) -> Expr:
        """How many coordinates there are."""
        return Element(self.counter, ir.ZERO)

    @property
    def start(self) -> Code:
        """What says that there are none."""
        return (ir.Assign(self.count, ir.ZERO),)

    def append(self, c: Expr) -> Code:
        """Note a coordinate that has not been there, as others may do at the same time."""
        stored = c if self.type == INT else Cast(self.type, c)
        if self.shared:
            place = ir.Call("gn_atomic_add_int64", (ir.Unary("&", self.count), ir.ONE))
            return (ir.Assign(Element(self.coordinates, place), stored),)
        last = ir.Assign(Element(self.coordinates, self.count), stored)
        return last, ir.Assign(self.count, ir.ONE, "+=")
