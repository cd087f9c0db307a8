"""Inline: what fills a workspace in the place of what reads it, which `precompute` undoes (Kjolstad 2019)."""

from __future__ import annotations

from ..algebra.operator import Operator
from ..errors import ScheduleError
from ..notation.elaboration import rename
from ..notation.syntax import Access, Expr, mask_reads
from ..statement.statement import Assign, Forall, Sequence, Statement, Where, assignments, indices, reads
from .parts import through
from .section import peel_loops


def inline_workspace(s: Where) -> Statement:
    """The statement without the workspace: the loops of the producer around the consumer.

    Before: `y(i) = f(w) where w: ∀j w += e`. After: `∀j y(i) += f(e)`. Precondition: `f` distributes over the
    reduction, which nothing checks here. Raises ScheduleError unless the producer is one nest of loops, one assignment
    reads the workspace, and the consumer has loops over the variables of the workspace themselves.
    """
    chain, leaf = peel_loops(s.producer)
    reading = [each for each in assignments(s.consumer) if any(a.tensor == s.workspace for a in reads(each))]
    if (
        not isinstance(leaf, Assign)
        or leaf.mask is not None
        or len(reading) != 1
        or any(a.tensor == s.workspace for a in mask_reads(reading[0].mask))
    ):
        raise ScheduleError(
            f"the workspace {s.workspace} stays: it is not filled by one assignment and read by one",
            hint="name loops inside its producer or its consumer only",
            rule="schedule.workspaces",
        )
    read = next(a for a in reads(reading[0]) if a.tensor == s.workspace)
    derived = [v for v in read.indices if v not in indices(s.consumer)]
    if derived:
        raise ScheduleError(
            f"the workspace {s.workspace} stays: what reads it counts by {', '.join(derived)} in parts",
            hint="name loops inside its producer or its consumer only, or reorder before the loops are split",
            rule="schedule.workspaces",
        )
    value: Expr = leaf.value
    names = dict(zip(leaf.target.indices, read.indices, strict=True))
    for old, new in names.items():
        value = rename(value, old, new)
    made = Inlining(read, value, leaf.operator).apply(s.consumer)
    for loop in reversed(chain):
        made = Forall(names.get(loop.index, loop.index), made, loop.tags)
    return made


class Inlining:
    """What is read, what stands for it, and the reduction that this was under."""

    def __init__(self, read: Access, value: Expr, operator: Operator | None) -> None:
        self.read, self.value, self.operator = read, value, operator

    def apply(self, s: Statement) -> Statement:
        """A statement with the value in the place of what it reads, without the loops that the producer has."""
        match s:
            case Forall(index=index, body=body, tags=tags):
                inner = self.apply(body)
                return inner if index in self.read.indices else Forall(index, inner, tags)
            case Where(consumer=consumer, producer=producer, workspace=workspace):
                return Where(self.apply(consumer), self.apply(producer), workspace)
            case Sequence(statements=statements):
                return Sequence(tuple(self.apply(each) for each in statements))
            case Assign():
                return self.assign(s)

    def assign(self, s: Assign) -> Assign:
        """An assignment with the value in the place of what it reads."""
        if self.read not in reads(s):
            return s
        if s.operator is not None and self.operator is not None and s.operator.name != self.operator.name:
            raise ScheduleError(
                f"the workspace {self.read.tensor} stays: it is filled by {self.operator.name} and read under "
                f"{s.operator.name}",
                hint="name loops inside its producer or its consumer only",
                rule="schedule.workspaces",
            )
        return Assign(s.target, through(s.value, self.read, self.value), s.operator or self.operator, s.mask)
