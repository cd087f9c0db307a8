"""Leaders: levels of one extent, read from the first of them."""

from __future__ import annotations

from gnomon.generator.scope.leaders import Place, leading_levels
from gnomon.reference.notation.parser import parse
from gnomon.reference.notation.syntax import accesses
from gnomon.reference.storage.named_formats import format_of


def leaders(text: str, **formats: str) -> dict[Place, Place]:
    """The levels of operands that are read from another one."""
    read = tuple(accesses(parse(text).value))
    orders = {access.tensor: len(access.indices) for access in read}
    found = leading_levels(read, {name: format_of(given, orders[name]) for name, given in formats.items()})
    return {place: leader for place, leader in found.items() if place != leader}


def test_levels_of_one_variable_have_one_extent() -> None:
    assert leaders("C(i,j) = A(i,k) * B(k,j) * x(k)", A="CSR", B="CSC", x="dense") == {
        ("B", 1): ("A", 1),
        ("x", 0): ("A", 1),
    }


def test_a_tensor_that_is_read_twice_has_one_extent_for_both_variables() -> None:
    assert leaders("C(i,k) = A(i,j) * A(j,k) * B(k,i)", A="CSR", B="dense,dense") == {
        ("A", 1): ("A", 0),
        ("B", 0): ("A", 0),
        ("B", 1): ("A", 0),
    }
    assert leaders("y(i) = x(i) * A(j,i) + A(i,k) * z(k)", x="dense", A="CSR", z="dense") == {
        ("A", 0): ("x", 0),
        ("A", 1): ("x", 0),
        ("z", 0): ("x", 0),
    }


def test_blocks_count_blocks() -> None:
    assert leaders("y(i) = A(i,j) * B(i,j) * x(j)", A="BCSR(2,3)", B="BCSR(4,3)", x="dense") == {("B", 1): ("A", 1)}
