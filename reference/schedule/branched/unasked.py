"""What a kernel follows unasked: products taken apart, masks that pull, operands copied, or the linear nest."""

from __future__ import annotations

from collections.abc import Mapping

from ...statement.statement import Program
from ...storage.tensor import Tensor
from ..autoschedule.unasked import AUTO, default_schedule
from ..schedule import Schedule, as_schedule
from .choice import Choice
from .directions import choose_directions
from .inputs import choose_copies
from .products import choose_products


def choice_for(program: Program) -> Choice | None:
    """The choice that a kernel of a program has; None if there is nothing to choose."""
    return choose_products(program) or choose_directions(program) or choose_copies(program)


def choose_schedule(
    given: str | Schedule | None, program: Program, operands: Mapping[str, Tensor] | None = None
) -> Schedule:
    """A schedule for a program: the one that is given or, for `"auto"`, the one that a kernel follows unasked, on
    operands if there are any.

    Raises ParseError with a caret under the text.
    """
    if given != AUTO:
        return as_schedule(given)
    choice = choice_for(program)
    if choice is None:
        return default_schedule(program)
    return (choice.finalists[0] if operands is None else choice.at(operands)).schedule


def unasked_schedules(program: Program) -> tuple[Schedule, ...]:
    """The schedules that a kernel may follow unasked, none of which is without commands."""
    choice = choice_for(program)
    every = (default_schedule(program),) if choice is None else tuple(each.schedule for each in choice.finalists)
    return tuple(each for each in every if each.commands)
