"""Vectors by their entries, and denotations of expressions on tensors."""

import gnomon as gn
from gnomon.properties.programs.problem import table
from gnomon.reference.denotation.denote import Denotation
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.storage.tensor import Tensor


def vector(entries: dict[int, float], n: int = 4, fill: float = 0.0, format: str = "SparseVector") -> Tensor:
    return gn.tensor([list(entries)], list(entries.values()), (n,), format, fill=fill, dtype="float64")


def denoted(source: str, semiring: str | None = None, out: object = "Dense", **operands: Tensor) -> Denotation:
    ready = prepare(source, operands, out=out, semiring=semiring)  # type: ignore[arg-type]
    return Denotation(ready.resolved, {name: table(t) for name, t in ready.operands.items()})
