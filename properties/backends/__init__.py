"""Other people's systems, to be checked against the reference.

In reading order: `backend` (the protocol), `result` and `outcome` (what comes of a problem), `worker` (each backend in
a process with limits). `own`: gnomon's reference and C; `devices`: its kernels for GPUs. The systems, with what
translates to them: `numpy_einsum`; `scipy_sparse`, `scipy_terms`, `scipy_operations`, `scipy_arrays`, `scipy_values`;
`pydata_sparse`, `pydata_terms`; `graphblas`, `graphblas_terms`, `graphblas_objects`; `tensora`; `taco`. What they
share: `spelling` and `ssa` (names and numbers in scripts), `totality` (where being absent is being a number),
`notation` (where sums stand that are not written).
"""

from __future__ import annotations

from typing import Any

from ...reference.errors import GnomonError
from ..command_line.user_object import WHERE, user_object
from .backend import PROMISES, Backend, Crashed, Refused, promises_of
from .outcome import judge, outcome_of_exception
from .result import Result, result_of

NAMES = {
    "reference": "gnomon.properties.backends.own:Reference",
    "c": "gnomon.properties.backends.own:GeneratedC",
    "compile": "gnomon.properties.backends.own:Compiled",
    "cuda": "gnomon.properties.backends.devices:OnGpu",
    "emulated": "gnomon.properties.backends.devices:Emulated",
    "machine": "gnomon.properties.backends.devices:Machine",
    "einsum": "gnomon.properties.backends.numpy_einsum:Einsum",
    "scipy": "gnomon.properties.backends.scipy_sparse:SciPy",
    "sparse": "gnomon.properties.backends.pydata_sparse:PydataSparse",
    "tensora": "gnomon.properties.backends.tensora:Tensora",
    "graphblas": "gnomon.properties.backends.graphblas:GraphBLAS",
    "taco": "gnomon.properties.backends.taco:Taco",
}


class BackendError(GnomonError):
    """A backend that is not known, or that does not load."""


def load(spec: Any) -> Any:
    """The backend of a name, or at `MODULE:OBJECT`, or the object that is given; a class is called without arguments.

    Raises BackendError for what is not known, does not load or is no backend, whatever its code does.
    """
    named = isinstance(spec, str)
    place = NAMES.get(spec, spec) if named else f":{getattr(spec, '__name__', type(spec).__name__)}"
    _, colon, attribute = place.partition(":")
    if not colon:
        raise BackendError(f"unknown backend {spec!r}", hint=f"known: {', '.join(NAMES)}; or MODULE:OBJECT")
    name = spec if named else attribute
    try:
        found = user_object(place) if named else spec
        backend = found() if isinstance(found, type) else found
        complaint = misfit(backend)
    except (Exception, SystemExit) as error:
        known = named and spec in NAMES
        hint = "pip install 'gnomon[backends]' brings those of Python" if known else WHERE if named else None
        raise BackendError(f"backend {name} does not load: {outcome_of_exception(error).detail}", hint=hint) from None
    if complaint is not None:
        raise BackendError(
            f"{name} is not a backend: {complaint}",
            hint="a backend has name, version, supports(problem) and run(problem), and may promise structure and dtype",
        )
    return backend


def misfit(backend: Any) -> str | None:
    """Why an object is no backend, if it is none."""
    lacking = [member for member in ("name", "version", "supports", "run") if not hasattr(backend, member)]
    if lacking:
        return f"a {type(backend).__name__} without {', '.join(lacking)}"
    for member in ("name", "version"):
        value = getattr(backend, member)
        if not isinstance(value, str):
            return f"its {member} is {value!r}, not a text"
    for member in ("supports", "run"):
        if not callable(getattr(backend, member)):
            return f"its {member} cannot be called"
    promises = promises_of(backend)
    unknown = [promise for promise in promises if promise not in PROMISES]
    return f"it promises {unknown[0]}" if unknown else None


__all__ = [
    "NAMES",
    "Backend",
    "BackendError",
    "Crashed",
    "Refused",
    "Result",
    "judge",
    "load",
    "promises_of",
    "result_of",
]
