"""Pieces of fibers: a statement that adds to an element is found, and becomes an update."""

from gnomon.generator.assembly.pieces import added_by
from gnomon.generator.ir import ir
from gnomon.generator.ir.ir import Cast, Element, Int, Name


def test_an_update_is_what_is_added() -> None:
    place, p, q = Element(Name("pos"), Int(3)), Name("p", True), Name("q", True)
    added = Cast("int32_t", ir.sub(ir.add(place, p), q))
    assert added_by(ir.Assign(place, added)) == ir.Assign(place, Cast("int32_t", ir.sub(p, q)), "+=")
    assert added_by(ir.Assign(place, ir.sub(p, q))) is None and added_by(ir.Assign(place, place)) is None
    assert added_by(ir.Assign(p, ir.add(p, q))) is None
