"""Procedures on symbolic tensors: the presence of each component is a term, and so is the value.

A step is read by the rule of semirings alone (`semiring.presence`): multiply where both are present, add over
what is present. Steps without a semiring have to be copies, expressions in masks comparisons of what has the fill of
`min_plus`. Loops are unrolled.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from itertools import product

from msgspec import Struct, field

from ....reference.algebra.operator import Operator
from ....reference.algebra.semirings import Semiring
from ....reference.errors import InternalError
from ....reference.notation.reinterpretation import in_meaning
from ....reference.notation.syntax import Access, Apply, Assignment, Expr, Fill, Literal, Mask, Reduce, is_coordinate
from ....reference.procedure.syntax import Node, Procedure, Repeat, Step, Stop
from ..operators.carriers import Reals
from ..operators.operator_terms import apply
from ..solver import Term, z3

NUMBERS = Reals()
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


class Cell(Struct, frozen=True):
    """A component: whether it is present, and its value if it is."""

    present: Term
    value: Term


ABSENT = Cell(z3.BoolVal(False), NUMBERS.constant(0))
Cells = Mapping[tuple[int, ...], Cell]
Where = Mapping[str, int]


def number(value: float) -> Cell:
    """A number that is there."""
    return Cell(z3.BoolVal(True), NUMBERS.constant(value))


def either(condition: Term, yes: Cell, no: Cell) -> Cell:
    """One cell or another."""
    return Cell(z3.If(condition, yes.present, no.present), z3.If(condition, yes.value, no.value))


def add(operator: Operator, left: Cell, right: Cell) -> Cell:
    """What is present of two, or both added."""
    both = apply(operator, (left.value, right.value), NUMBERS)
    value = z3.If(z3.And(left.present, right.present), both, z3.If(left.present, left.value, right.value))
    return Cell(z3.Or(left.present, right.present), value)


class SymbolicRun(Struct):
    """A run on tensors whose modes all have one extent: what the names stand for now.

    A loop that chooses among loops, by conditions of which nothing is known, runs any of them in each round. So they
    must do the same, and steps beside them nothing: `agree` are the claims that they do.
    """

    extent: int
    values: dict[str, Cells]
    agree: list[Term] = field(default_factory=list)

    def run(self, procedure: Procedure, rounds: int) -> list[dict[str, Cells]]:
        """What the names stand for after each round of the only loop, or of the loops that it chooses among."""
        found: list[dict[str, Cells]] = []
        for node in procedure.body:
            match node:
                case Step():
                    self.step(node)
                case Repeat(body=body):
                    for _ in range(rounds):
                        self.round(body)
                        found.append(dict(self.values))
                case Stop():
                    raise InternalError("no loop is here to stop")
        return found

    def round(self, body: tuple[Node, ...]) -> None:
        """A round of a loop, or of each of the loops inside."""
        loops = [node.body for node in body if isinstance(node, Repeat)]
        if not loops:
            self.block(body)
            return
        before = dict(self.values)
        self.block(tuple(node for node in body if isinstance(node, Step)))
        self.compare(before)
        runs = [SymbolicRun(self.extent, dict(before)) for _ in loops]
        for run, loop in zip(runs, loops, strict=True):
            run.block(loop)
        self.values = runs[0].values
        for run in runs[1:]:
            self.compare(run.values)

    def compare(self, values: Mapping[str, Cells]) -> None:
        """Claim that names stand for the same now, if they did before."""
        for name, cells in [(name, cells) for name, cells in values.items() if name in self.values]:
            self.agree += [same_cells(self.values[name][i], cell) for i, cell in cells.items()]

    def block(self, body: tuple[Node, ...]) -> None:
        """The steps of a loop that has no other inside."""
        for node in body:
            if not isinstance(node, Step):
                raise InternalError("a loop in the second loop is not unrolled")
            self.step(node)

    def step(self, step: Step) -> None:
        """A step: its target stands for the result."""
        held = {own: self.values[name] for own, name in step.operands if name in self.values}
        ring = step.semiring
        term = in_meaning(step.statement.assignment, ring, None)
        assignment, indices = SymbolicAssignment(term, ring, held, self.extent), term.target.indices
        self.values[step.target] = {
            i: assignment.at(dict(zip(indices, i, strict=True)))
            for i in product(range(self.extent), repeat=len(indices))
        }


def same_cells(one: Cell, other: Cell) -> Term:
    """Whether two components are the same."""
    return z3.And(one.present == other.present, z3.Implies(one.present, one.value == other.value))


class SymbolicAssignment(Struct, frozen=True):
    """An assignment over symbolic operands, in a semiring or not."""

    term: Assignment
    ring: Semiring | None
    operands: Mapping[str, Cells]
    extent: int

    def at(self, where: Where) -> Cell:
        """What is assigned at a coordinate."""
        a = self.term
        value = self.expression(a.value, where)
        before = ABSENT
        if a.target.tensor in self.operands:
            before = self.expression(a.target, where)
        if a.operator is not None:
            value = add(a.operator, before, value)
        return either(self.admits(a.mask, where), value, before if a.merge else ABSENT)

    def admits(self, mask: Mask | None, where: Where) -> Term:
        """Whether the mask lets a coordinate through."""
        if mask is None:
            return z3.BoolVal(True)
        held = self.mask_value(mask.value, where)
        inside = held.present if mask.structural else z3.And(held.present, held.value != NUMBERS.constant(0))
        return z3.Not(inside) if mask.complement else inside

    def mask_value(self, e: Expr, where: Where) -> Cell:
        """What a mask is of: a component, or a comparison, which is there where one of its sides is."""
        match e:
            case Apply(operator=operator, args=(left, right)) if operator.name in COMPARISONS:
                return self.comparison(operator, self.expression(left, where), self.expression(right, where))
            case Apply():
                raise InternalError(f"{e} is no comparison")
            case _:
                return self.expression(e, where)

    def comparison(self, operator: Operator, left: Cell, right: Cell) -> Cell:
        """A comparison: what is absent is beyond all numbers, as the fill of `min_plus` is."""
        least, none = NUMBERS.constant(0), NUMBERS.constant(1)
        beyond = apply(operator, (none, least), NUMBERS), apply(operator, (least, none), NUMBERS)
        both = apply(operator, (left.value, right.value), NUMBERS)
        value = z3.If(z3.And(left.present, right.present), both, z3.If(right.present, *beyond))
        return Cell(z3.Or(left.present, right.present), value)

    def expression(self, e: Expr, where: Where) -> Cell:
        """An expression at the coordinates of its variables."""
        match e:
            case Access(indices=(variable,)) if is_coordinate(e):
                return number(where[variable])
            case Access(tensor=tensor, indices=indices):
                return self.operands[tensor][tuple(where[v] for v in indices)]
            case Apply(operator=operator, args=(left, right)) if self.ring is not None:
                a, b = self.expression(left, where), self.expression(right, where)
                if operator is self.ring.add:
                    return add(operator, a, b)
                return Cell(z3.And(a.present, b.present), apply(operator, (a.value, b.value), NUMBERS))
            case Reduce(operator=operator, index=index, body=body):
                parts = [self.expression(body, {**where, index: c}) for c in range(self.extent)]
                return reduce(lambda a, b: add(operator, a, b), parts)
            case Apply() | Literal() | Fill():
                raise InternalError(f"{e} is no expression of a semiring")
