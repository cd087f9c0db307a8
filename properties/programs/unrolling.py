"""Unrolling: a procedure on operands as the straight line of problems that its run comes to.

What a procedure means is what those mean, each on the tensors that its names stand for by then.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct, field

from ...reference.errors import DtypeError, MeaningError, SemiringError, Unsupported
from ...reference.procedure.run import run_procedure
from ...reference.procedure.syntax import Procedure, Step
from ...reference.storage.named_formats import dense
from ...reference.storage.spec import Spec
from ...reference.storage.tensor import Tensor
from .problem import Problem


class Ended(Exception):
    """Nothing comes after this step: there is no result to go on with."""


class Line(Struct):
    """An engine for procedures that keeps every step as a problem, and goes on with what the reference gives."""

    problems: list[Problem] = field(default_factory=list)

    def __call__(self, step: Step, operands: Mapping[str, Tensor], out: Spec | None, *, spent: bool = False) -> Tensor:
        """A step, kept. Raises Ended, or Unsupported for what no problem says: a result's dtype, a user's semiring."""
        order = len(step.text.target.indices)
        if out is not None and out.dtype is not None:
            raise Unsupported(f"a problem does not say the dtype of its result: {step.text}")
        if step.semiring is not None and not step.semiring.is_declared:
            raise Unsupported(f"a problem has gnomon's own semirings, not {step.semiring}: {step.text}")
        format = dense(order) if out is None else out.format_for(order)
        problem = Problem(step.statement, operands, format, None if step.semiring is None else str(step.semiring))
        try:
            result = problem.execution.result
        except (DtypeError, MeaningError, SemiringError):
            raise Ended from None
        except Exception as error:
            self.problems.append(problem)
            raise Ended from error
        self.problems.append(problem)
        return result


def unroll(procedure: Procedure, operands: Mapping[str, Any]) -> tuple[Problem, ...]:
    """The problems that a run comes to, up to the first step that has no meaning on its data, or in the dtypes that it
    has come to, left out, or that the reference does not run. Raises what `run_procedure` raises of the procedure
    itself, and Unsupported.

    >>> from gnomon.reference.procedure.parser import parse_procedure
    >>> twice = parse_procedure("procedure twice(x) -> x\\n  repeat\\n    x(i) = x(i) + x(i)\\n  until 2 steps")
    >>> [(each.source, each.operands["x_before"].vals.tolist()) for each in unroll(twice, {"x": [1, 2]})]
    [('x(i) = x_before(i) + x_before(i)', [1, 2]), ('x(i) = x_before(i) + x_before(i)', [2, 4])]
    """
    line = Line()
    with suppress(Ended):
        run_procedure(procedure, operands, line)
    return tuple(line.problems)
