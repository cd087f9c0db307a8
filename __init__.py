"""gnomon: an executable reference for sparse tensor algebra.

`evaluate` computes, `compile` makes a C kernel, `check` compares with the denotation, `conform` does so
with somebody else's system, `prove` proves rules of the specification, `read` and `tensor` make tensors.
`procedure` and `run` are for several assignments in loops, `graph` has algorithms made of them.

>>> import gnomon as gn
>>> A = gn.tensor([[0, 1], [1, 0]], [2.0, 3.0], (2, 2), "CSR")
>>> gn.evaluate("C(i,j) = A(i,k) * A(k,j)", A=A, out="CSR").to_numpy().tolist()
[[6.0, 0.0], [0.0, 6.0]]
"""

from typing import TYPE_CHECKING, Any

from .api import (
    check,
    check_run,
    compile,
    conform,
    evaluate,
    from_scipy,
    procedure,
    prove,
    prove_level,
    prove_semiring,
    prove_statement,
    run,
    trace,
)
from .properties.proofs.operators.own_operators import operator, semiring, text
from .reference.errors import GnomonError, ScheduleWarning
from .reference.files.dictionaries import from_dict, from_numpy, to_dict
from .reference.storage.format import Format
from .reference.storage.named_formats import format_of
from .reference.storage.packing import tensor
from .reference.storage.spec import Spec, spec
from .reference.storage.tensor import Tensor

if TYPE_CHECKING:
    from .reference.files.suffix import read, write
    from .reference.schedule.schedule import Schedule

__all__ = [
    "Format",
    "GnomonError",
    "Schedule",
    "ScheduleWarning",
    "Spec",
    "Tensor",
    "check",
    "check_run",
    "compile",
    "conform",
    "evaluate",
    "format_of",
    "from_dict",
    "from_numpy",
    "from_scipy",
    "graph",
    "operator",
    "procedure",
    "prove",
    "prove_level",
    "prove_semiring",
    "prove_statement",
    "read",
    "run",
    "semiring",
    "spec",
    "tensor",
    "text",
    "to_dict",
    "trace",
    "write",
]


def __getattr__(name: str) -> Any:
    """What is loaded when it is first used: graph algorithms, files, schedules as values."""
    match name:
        case "graph":
            from .generator.graphs import graph

            return graph
        case "read" | "write":
            from .reference.files import suffix

            return getattr(suffix, name)
        case "Schedule":
            from .reference.schedule.schedule import Schedule

            return Schedule
        case _:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, those too that are not loaded yet."""
    return [*globals(), *(name for name in __all__ if name not in globals())]
