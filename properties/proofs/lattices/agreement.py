"""Agreement of statements: whether one does the same as another where some accesses are missing.

Both are walked side by side down to their assignments. What a reading says of assignments is its own: by the fill
rule (`lattice_rule.py`) or in numbers (`lattice_values.py`).
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from ....reference.notation.syntax import Access
from ....reference.statement.statement import Assign, Forall, Sequence, Statement, Where
from ....reference.statement.substitution import Background, reads_of, substitute_statement
from ..solver import Term, z3


class Place(Struct, frozen=True):
    """Where in a statement an access is read: the producers around it. Each is at coordinates of its own."""

    producers: tuple[str, ...] = ()

    def inside(self, producer: str) -> Place:
        return Place((*self.producers, producer))

    def name(self, access: Access) -> str:
        """The access as it is printed, with the producers that it is read in."""
        text = f"{access.tensor}({','.join(access.indices)})" if access.indices else access.tensor
        return " in ".join((text, *reversed(self.producers)))

    def present(self, access: Access) -> Term:
        """Whether the access holds a component there."""
        return z3.Bool(f"{self.name(access)} present")


OUTSIDE = Place()


class Reading(Protocol):
    """What a kind of proof says of assignments, where the accesses in `missing` hold nothing."""

    def is_idle(self, leaf: Assign, missing: frozenset[Access], place: Place) -> Term:
        """Whether the assignment leaves its target as it is."""
        ...

    def agrees(self, leaf: Assign, other: Assign, missing: frozenset[Access], place: Place) -> Term:
        """Whether another assignment does the same; that reads nothing missing."""
        ...


class Comparison(Struct):
    """The comparison of statements by a reading; `given` is what holds of the workspaces on the way.

    Which producers have nothing to do, and which of several statements in order are left, is taken from the
    substitution; that it is so is for the solver.
    """

    reading: Reading
    background: Background
    missing: frozenset[Access]
    given: list[Term] = field(default_factory=list)

    def agree(self, s: Statement, other: Statement | None, place: Place = OUTSIDE) -> Term:
        """Whether `other` does what `s` does; nothing if it is None."""
        match s, other:
            case Assign(), None:
                return self.reading.is_idle(s, self.missing, place)
            case Assign(), Assign():
                same = s.target == other.target and s.operator is other.operator
                return self.reading.agrees(s, other, self.missing, place) if same else z3.BoolVal(False)
            case Forall(body=body), None:
                return self.agree(body, None, place)
            case Forall(body=body), Forall(body=inner):
                same = s.index == other.index and s.tags == other.tags
                return self.agree(body, inner, place) if same else z3.BoolVal(False)
            case Where(consumer=consumer, producer=producer, workspace=workspace), Where() if (
                other.workspace == workspace
            ):
                self.link(s, place)
                produced = self.agree(producer, other.producer, place.inside(workspace))
                return z3.And(produced, self.agree(consumer, other.consumer, place))
            case Where(consumer=consumer, producer=producer, workspace=workspace), _:
                if substitute_statement(producer, self.missing, self.background) is None:
                    idle = self.agree(producer, None, place.inside(workspace))
                    unread = replace(self, missing=self.missing | reads_of(consumer, workspace))
                    return z3.And(idle, unread.agree(consumer, other, place))
                self.link(s, place)
                return self.agree(consumer, other, place)
            case Sequence(statements=statements), _:
                return self.in_order(statements, other, place)
            case _:
                return z3.BoolVal(False)

    def link(self, s: Where, place: Place) -> None:
        """A component of a workspace is present only if its producer has something to do at some coordinates."""
        for access in reads_of(s.consumer, s.workspace):
            inner = place.inside(f"{s.workspace} for {place.name(access)}")
            self.given.append(z3.Implies(place.present(access), self.active(s.producer, inner)))

    def active(self, s: Statement, place: Place) -> Term:
        """Whether some assignment of a statement has something to do."""
        match s:
            case Assign():
                return z3.Not(self.reading.is_idle(s, self.missing, place))
            case Forall(body=body):
                return self.active(body, place)
            case Where(consumer=consumer):
                self.link(s, place)
                return self.active(consumer, place)
            case Sequence(statements=statements):
                return z3.Or([self.active(each, place) for each in statements])

    def in_order(self, statements: tuple[Statement, ...], other: Statement | None, place: Place) -> Term:
        """Statements in order against what is left of them."""
        if other is None:
            return z3.And([self.agree(s, None, place) for s in statements])
        left = list(other.statements) if isinstance(other, Sequence) else [other]
        kept = [substitute_statement(s, self.missing, self.background) is not None for s in statements]
        if sum(kept) != len(left):
            return z3.BoolVal(False)
        counterparts = [left.pop(0) if stays else None for stays in kept]
        return z3.And([self.agree(s, o, place) for s, o in zip(statements, counterparts, strict=True)])
