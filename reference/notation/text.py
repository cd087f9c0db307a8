"""Texts: an expression as somebody has written it, which is parsed once, whoever asks for the term."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ..algebra.operator import Operator
from ..algebra.operators import OPERATORS
from ..algebra.semirings import Semiring, semiring_name, semiring_or_none
from ..errors import ExpressionError
from .coordinates import terms
from .elaboration import distinct
from .parser import parse
from .reinterpretation import with_sums_in
from .syntax import Access, Assignment, accesses, free_variables, is_coordinate, mask_reads

Named = TypeVar("Named")


class Text(Struct, frozen=True, dict=True):
    """An expression as text; `operators` are the functions that it may use beside gnomon's own, by name; `ring` a
    semiring whose products are places of operands."""

    source: str
    operators: Mapping[str, Operator] | None = None
    ring: Semiring | None = None

    def in_ring(self, ring: Semiring | None) -> Text:
        """The text in a semiring, which reads index variables as values where products are places of operands.

        >>> from gnomon.reference.algebra.semirings import semiring
        >>> Text("y(i) = A(i,j) * x(j)").in_ring(semiring("min_firstj")).coordinates
        ('j',)
        """
        placed = None if ring is None or ring.place is None else ring
        return self if placed == self.ring else replace(self, ring=placed)

    @cached_property
    def written(self) -> Assignment:
        """The expression as a term. Raises ParseError."""
        return parse(self.source, OPERATORS if self.operators is None else {**OPERATORS, **self.operators})

    @cached_property
    def assignment(self) -> Assignment:
        """The expression as a term, where products are places with these in their stead: then also SemiringError and
        ExpressionError are raised."""
        return self.written if self.ring is None else with_sums_in(self.written, self.ring, self.source)

    @property
    def target(self) -> Access:
        """What is assigned to."""
        return self.assignment.target

    @cached_property
    def reads(self) -> tuple[Access, ...]:
        """The accesses on the right and in the mask, each once, in order of appearance.

        Every reduction is over a variable of its own: others of the same name may have other extents.
        """
        value = self.assignment.value
        value = distinct(value, {*free_variables(value), *self.target.indices})
        return tuple(dict.fromkeys([*accesses(value), *mask_reads(self.assignment.mask)]))

    @cached_property
    def inputs(self) -> tuple[Access, ...]:
        """The accesses of tensors that somebody passes: all that the text reads but coordinates of index variables."""
        return tuple(access for access in self.reads if access.tensor not in self.coordinates)

    def of_operands(self, named: Mapping[str, Named]) -> dict[str, Named]:
        """What is said of tensors by name, but of the result, unless there is no meaning without its previous contents.

        >>> Text("y(i) = x(i)").of_operands({"x": "d", "y": "s"}), Text("y(i)<y(i)> = x(i)").of_operands({"y": "s"})
        ({'x': 'd'}, {'y': 's'})
        """
        kept = self.assignment.needs_contents
        return {name: said for name, said in named.items() if kept or name != self.target.tensor}

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """The index variables that are used as values."""
        return tuple(dict.fromkeys(access.tensor for access in terms(self.assignment) if is_coordinate(access)))

    @cached_property
    def coordinate_places(self) -> dict[str, tuple[tuple[str, int], ...]]:
        """The index variables that are used as values, each with the operands and modes from which to take its extent,
        one for each scope.

        Raises ExpressionError for a variable that indexes no operand, or that is a tensor's name, too.

        >>> Text("y(i) = A(i,j) * j").coordinate_places
        {'j': (('A', 1),)}
        """
        for access in terms(self.assignment):
            if access.tensor in self.coordinates and not is_coordinate(access):
                message = f"{access.tensor} is both a tensor and an index variable whose value is used"
                raise ExpressionError(
                    message,
                    hint="rename one of them",
                    source=self.source,
                    span=access.span,
                    rule="notation.coordinates.extent",
                )
        own = {name: [access for access in self.reads if access.tensor == name] for name in self.coordinates}
        return {name: tuple(self.place_of(access) for access in found) for name, found in own.items()}

    def place_of(self, access: Access) -> tuple[str, int]:
        """An operand, and its mode, that has the variable at which a coordinate is read."""
        (variable,) = access.indices
        may_have_contents = self.assignment.operator is not None or self.assignment.needs_contents
        for other in (*self.inputs, *((self.target,) if may_have_contents else ())):
            if variable in other.indices:
                return other.tensor, other.indices.index(variable)
        raise ExpressionError(
            f"{access.tensor} is used as a value but indexes no operand, so its extent is not known",
            hint=f"{access.tensor} stands for its own coordinates: index an operand by it, too, as in "
            f"{access.tensor} + 0 * x({access.tensor}); a scalar or tensor needs another name",
            source=self.source,
            span=access.span,
            rule="notation.coordinates.extent",
        )

    def coordinate_extents(self, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
        """The extents of the variables that are used as values, for operands of some shapes.

        Operands that are missing, or of another order than the text says, are left to those who look for them. Raises
        ExpressionError where a name has different extents in different reductions.
        """
        found = dict[str, int]()
        for name, places in self.coordinate_places.items():
            for extent in (shapes[tensor][mode] for tensor, mode in places if mode < len(shapes.get(tensor, ()))):
                if found.setdefault(name, extent) != extent:
                    raise ExpressionError(
                        f"{name} is used as a value with extents {found[name]} and {extent}",
                        hint="rename it in one of the reductions",
                        source=self.source,
                        rule="notation.coordinates.extent",
                    )
        return found

    def __str__(self) -> str:
        return self.source

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process the text alone goes: terms hold functions."""
        return restore_text, (self.source, self.operators, semiring_name(self.ring))


def restore_text(source: str, operators: Mapping[str, Operator] | None, ring: str | Semiring | None) -> Text:
    """A text that has come from another process."""
    return Text(source, operators, semiring_or_none(ring))


def as_text(expression: str | Text) -> Text:
    """An expression as a text that may have been parsed already. Nothing is parsed yet.

    >>> text = as_text("y(i) = A(i,j) * x(j)")
    >>> as_text(text) is text
    True
    >>> [access.tensor for access in text.reads]
    ['A', 'x']
    """
    return expression if isinstance(expression, Text) else Text(expression)
