"""The public functions of gnomon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .reference.errors import ExpressionError
from .reference.evaluate import Execution, execute
from .reference.files.suffix import read, write
from .reference.format import Format
from .reference.spec import Spec
from .reference.tensor import Tensor, tensor

if TYPE_CHECKING:
    from .properties.check import Report


def evaluate(
    expression: str,
    *,
    out: str | Format | Spec | None = None,
    semiring: str | None = None,
    convert: str | None = None,
    **operands: Any,
) -> Tensor:
    """The value of an expression on tensors, by reference execution.

    Operands are tensors, NumPy arrays, SciPy sparse matrices or numbers, by name. `out` is the format of the result
    (dense if left out) or a `spec`. `semiring` gives `+`, `*` and sums another meaning. `convert="auto"` allows copies
    where storage orders contradict each other. Raises a GnomonError that says what is wrong and what to write.

    >>> import gnomon as gn
    >>> A = gn.tensor([[0, 0, 1], [0, 2, 1]], [1.0, 2.0, 3.0], (2, 3), "CSR")
    >>> gn.evaluate("y(i) = A(i,j) * x(j)", A=A, x=[1.0, 10.0, 100.0]).to_numpy().tolist()
    [201.0, 30.0]
    """
    return trace(expression, out=out, semiring=semiring, convert=convert, **operands).result


def trace(
    expression: str,
    *,
    out: str | Format | Spec | None = None,
    semiring: str | None = None,
    convert: str | None = None,
    **operands: Any,
) -> Execution:
    """As `evaluate`, with everything that led to the result: the problem, the statement, the trace."""
    return execute(expression, operands, out=out, semiring_name=semiring, convert=convert)


def check(
    expression: str,
    *,
    out: str | Format | Spec | None = None,
    semiring: str | None = None,
    convert: str | None = None,
    **operands: Any,
) -> Report:
    """Compare reference execution with the denotation in exact arithmetic, point by point.

    Raises DisagreementError with the first difference. Values agree within a computed forward error bound, and the
    structure of sparse results is the one that the expression means.

    >>> import gnomon as gn
    >>> print(gn.check("a = x(i) * y(i)", x=[0.1, 0.2], y=[3.0, 4.0]))
    1 of 1 points agree (every point)
    """
    from .properties.check import check as compare

    return compare(expression, operands, out=out, semiring_name=semiring, convert=convert)


def from_scipy(matrix: Any) -> Tensor:
    """A SciPy sparse matrix or array as a tensor in the same format."""
    from .reference.files.scipy_arrays import from_scipy as convert
    from .reference.files.scipy_arrays import is_scipy

    if not is_scipy(matrix):
        raise ExpressionError(f"{type(matrix).__name__} is not a SciPy sparse matrix", hint="use gn.tensor(...)")
    return convert(matrix)


__all__ = ["check", "evaluate", "from_scipy", "read", "tensor", "trace", "write"]
