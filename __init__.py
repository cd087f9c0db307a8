"""gnomon: an executable reference for sparse tensor algebra.

`evaluate` computes, `compile` makes a C kernel, `check` compares with the denotation, `conform` does so
with somebody else's system, `prove` proves rules of the specification, `read` and `tensor` make tensors.

>>> import gnomon as gn
>>> A = gn.tensor([[0, 1], [1, 0]], [2.0, 3.0], (2, 2), "CSR")
>>> gn.evaluate("C(i,j) = A(i,k) * A(k,j)", A=A, out="CSR").to_numpy().tolist()
[[6.0, 0.0], [0.0, 6.0]]
"""

from .api import (
    check,
    compile,
    conform,
    evaluate,
    from_scipy,
    prove,
    prove_level,
    prove_statement,
    read,
    tensor,
    trace,
    write,
)
from .reference.algebra.semirings import semiring
from .reference.errors import GnomonError, ScheduleWarning
from .reference.files.dictionaries import from_dict, from_numpy, to_dict
from .reference.schedule.schedule import Schedule
from .reference.storage.format import Format
from .reference.storage.named_formats import format_of
from .reference.storage.spec import Spec, spec
from .reference.storage.tensor import Tensor

__all__ = [
    "Format",
    "GnomonError",
    "Schedule",
    "ScheduleWarning",
    "Spec",
    "Tensor",
    "check",
    "compile",
    "conform",
    "evaluate",
    "format_of",
    "from_dict",
    "from_numpy",
    "from_scipy",
    "prove",
    "prove_level",
    "prove_statement",
    "read",
    "semiring",
    "spec",
    "tensor",
    "to_dict",
    "trace",
    "write",
]
