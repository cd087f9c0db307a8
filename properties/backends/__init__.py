"""Other people's systems, to be checked against the reference.

In reading order: `backend` (the protocol), `result` and `outcome` (what comes of a problem), `worker` (each backend in
a process with limits). `own`: gnomon's reference and C. The systems, with what translates to them: `numpy_einsum`;
`scipy_sparse`, `scipy_terms`, `scipy_values`; `pydata_sparse`, `pydata_terms`; `graphblas`, `graphblas_terms`;
`tensora`; `taco`. What they share: `spelling` and `ssa` (names and numbers in scripts), `totality` (where being absent
is being a number), `notation` (where sums stand that are not written).
"""

from __future__ import annotations

import importlib
from typing import Any

from ...reference.errors import GnomonError
from .backend import PROMISES, Backend, Crashed, Refused
from .outcome import judge
from .result import Result, result_of

NAMES = {
    "reference": "gnomon.properties.backends.own:Reference",
    "c": "gnomon.properties.backends.own:GeneratedC",
    "einsum": "gnomon.properties.backends.numpy_einsum:Einsum",
    "scipy": "gnomon.properties.backends.scipy_sparse:SciPy",
    "sparse": "gnomon.properties.backends.pydata_sparse:PydataSparse",
    "tensora": "gnomon.properties.backends.tensora:Tensora",
    "graphblas": "gnomon.properties.backends.graphblas:GraphBLAS",
    "taco": "gnomon.properties.backends.taco:Taco",
}


class BackendError(GnomonError):
    """A backend that is not known, or that does not load."""


def loaded(spec: str) -> Any:
    """The backend of a name, or at `MODULE:OBJECT`: an instance, or a class that is called without arguments.

    Raises BackendError.
    """
    place = NAMES.get(spec, spec)
    module, colon, attribute = place.partition(":")
    if not colon:
        raise BackendError(f"unknown backend {spec!r}", hint=f"known: {', '.join(NAMES)}; or MODULE:OBJECT")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        hint = "pip install 'gnomon[backends]' brings those of Python" if spec in NAMES else None
        raise BackendError(f"backend {spec} does not load: {error}", hint=hint) from None
    backend = found() if isinstance(found, type) else found
    if not isinstance(backend, Backend):
        raise BackendError(
            f"{spec} is a {type(backend).__name__}, not a backend",
            hint="a backend has name, version, supports(problem) and run(problem)",
        )
    unknown = set(getattr(backend, "promises", ())) - set(PROMISES)
    if unknown:
        raise BackendError(f"{spec} promises {', '.join(sorted(unknown))}", hint=f"known: {', '.join(PROMISES)}")
    return backend


__all__ = ["NAMES", "Backend", "BackendError", "Crashed", "Refused", "Result", "judge", "loaded", "result_of"]
