"""Split and divide: one loop becomes two (Senanayake 2020, sections 3.3 and 4; Figure 10)."""

from __future__ import annotations

from ..notation.extent import LONGEST
from ..statement.relation import Derivation, Divide, Split, parents
from ..statement.statement import Forall, Program
from .nests import change_loops, derive, fresh, positive, refuse_large_factor
from .path import Path

MOST_PARTS = 10**6


def split(program: Program, path: Path, variable: str, outer: str, inner: str, size: int) -> Program:
    """Tiles of `size`: the inner loop has that many values.

    Before: `∀i s`. After: `∀i0 ∀i1 s`, with `i = i0 * size + i1`. Precondition: the size is positive. It need not
    divide the extent. Law: every `i` is `(i // size) * size + i % size` and no other pair gives it.
    """
    refuse_large_factor("size of a split", size)
    return split_loop(program, path, variable, Split(variable, outer, inner, size), outer, inner)


def check_size(program: Program, path: Path, variable: str, outer: str, inner: str, size: int) -> None:
    """Refuse a size that is not positive."""
    positive("size of a split", size)


def divide(program: Program, path: Path, variable: str, outer: str, inner: str, parts: int) -> Program:
    """`parts` tiles: the outer loop has that many values (a split in the direction *up*).

    Before: `∀i s`. After: `∀i0 ∀i1 s`, with `i = i0 * width + i1` and `width` the extent over the parts, rounded up.
    Precondition: the number of parts is positive. There may be more parts than values: where these count tiles, tiles
    beyond the last are counted too.
    """
    divided = count_divisions(program, variable)
    refuse_large_factor("number of parts", parts * divided, MOST_PARTS, MOST_PARTS // divided)
    step = tile(program, variable)
    refuse_large_factor(f"number of parts, of which each has a tile of {step} or more", parts, max(1, LONGEST // step))
    return split_loop(program, path, variable, Divide(variable, outer, inner, parts), outer, inner)


def check_parts(program: Program, path: Path, variable: str, outer: str, inner: str, parts: int) -> None:
    """Refuse a number of parts that is not positive."""
    positive("number of parts", parts, MOST_PARTS)


def count_divisions(program: Program, variable: str) -> int:
    """The number of parts into which the commands so far have divided a variable."""
    relation = program.provenance.derivation_of(variable)
    if relation is None:
        return 1
    own = relation.parts if isinstance(relation, Divide) and variable == relation.outer else 1
    return own * max(count_divisions(program, parent) for parent in parents(relation))


def tile(program: Program, variable: str) -> int:
    """How many values of an original variable one value of a variable stands for at most, divided ones aside."""
    relation = program.provenance.derivation_of(variable)
    if relation is None:
        return 1
    own = relation.factor if isinstance(relation, Split) and variable == relation.outer else 1
    return own * max(tile(program, parent) for parent in parents(relation))


def split_loop(program: Program, path: Path, variable: str, relation: Derivation, outer: str, inner: str) -> Program:
    """The program with the loop over a variable split into an outer and an inner one, by a relation."""
    fresh(program, (outer, inner))
    made = change_loops(program, path, variable, lambda s: Forall(outer, Forall(inner, s.body)))
    return derive(made, relation)
