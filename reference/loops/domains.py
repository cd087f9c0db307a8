"""The domains of loops: what their merge lattices say, as terms of an index tree (COMET, section III).

A lattice is a monotone formula of which operands hold something (`presence.py`): where each of several must, their
levels intersect; where any may, they unite; where nothing must, the domain is dense. Masks are told apart from
operands. A loop over a derived variable that stands for loops over several original ones has their domains nested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from ..notation.syntax import Access, Mask
from ..statement.domain import Dense, Domain, Masked, Nested, Sparse, Temporary, Union, intersection, union
from ..statement.statement import Assign, Forall, Program, Sequence, Statement, Where
from ..statement.substitution import Background, reads_of
from .fusing import strategies
from .presence import Every, Presence, Some, remains, survey
from .strategy import Strategy


def domains(program: Program) -> Iterator[Domain]:
    """The domain of every loop of a program, producers before the consumers that read them."""
    return domains_inside(program, program.statement, ())


def domains_inside(program: Program, s: Statement, bound: tuple[str, ...]) -> Iterator[Domain]:
    """The domains of the loops of a statement inside other loops."""
    match s:
        case Forall(index=index, body=body):
            found = list(strategies(program, s, bound))
            counted = [each for each in found if each.index != index or len(found) == 1]
            parts = tuple(Lookup(program, each).domain() for each in counted)
            yield parts[0] if len(parts) == 1 else Nested(parts)
            yield from domains_inside(program, body, (*bound, *(each.index for each in found)))
        case Where(consumer=consumer, producer=producer):
            yield from domains_inside(program, producer, bound)
            yield from domains_inside(program, consumer, bound)
        case Sequence(statements=statements):
            for each in statements:
                yield from domains_inside(program, each, bound)
        case Assign():
            return


class Lookup(Struct, frozen=True):
    """The domain of one loop with its strategy."""

    program: Program
    strategy: Strategy

    @property
    def background(self) -> Background:
        """What stands for a missing access."""
        return self.strategy.lattice.background

    def domain(self) -> Domain:
        """Where there is something to do."""
        lattice = self.strategy.lattice
        return self.of_statement(lattice.body, {a: self.of_access(a) for a in lattice.sparse})

    def of_access(self, access: Access) -> Domain:
        """The coordinates that an operand of the loop holds."""
        active = next(a for a in self.strategy.active if a.access == access)
        if access.tensor in self.program.workspace:
            return Temporary(access.tensor)
        return Sparse(access.tensor, active.first + 1, active.level.name)

    def of_statement(self, s: Statement, known: Mapping[Access, Domain]) -> Domain:
        """The coordinates at which a statement has something to do, where each of some accesses has a domain."""
        match s:
            case Assign(mask=mask):
                base = of_presence(remains(replace(s, mask=None), frozenset(known), self.background), known)
                if mask is None or not self.limits(mask, known):
                    return base
                return Masked(self.of_mask(mask, known), base, mask.complement)
            case Forall(body=body):
                return self.of_statement(body, known)
            case Where(consumer=consumer, producer=producer, workspace=workspace):
                filled = self.of_statement(producer, known)
                made = dict.fromkeys(reads_of(consumer, workspace), filled)
                return self.of_statement(consumer, {**known, **made})
            case Sequence(statements=statements):
                return union(*(self.of_statement(each, known) for each in statements))

    def limits(self, mask: Mask, known: Mapping[Access, Domain]) -> bool:
        """Whether a mask keeps the loop from coordinates.

        A complement does where it excludes whatever is stored, and where a component is found in this loop: a fiber
        that the mask holds may still have room beside what it holds.
        """
        if self.of_mask(mask, known) == Dense():
            return False
        return not mask.complement or (mask.structural and all(map(self.is_found, mask.reads)))

    def is_found(self, access: Access) -> bool:
        """Whether the loop comes to the components of an access."""
        last = len(self.program.formats[access.tensor].levels)
        return any(a.access == access and a.last == last for a in self.strategy.active)

    def of_mask(self, mask: Mask, known: Mapping[Access, Domain]) -> Domain:
        """The coordinates that a mask may hold."""
        return of_presence(survey(mask.value, frozenset(known), self.background).present, known)


def of_presence(formula: Presence, known: Mapping[Access, Domain]) -> Domain:
    """The coordinates at which a formula of operands holds."""
    match formula:
        case True:
            return Dense()
        case False:
            return Union(())
        case Access():
            return known[formula]
        case Every(parts=parts):
            return intersection(*(of_presence(part, known) for part in parts))
        case Some(parts=parts):
            return union(*(of_presence(part, known) for part in parts))
