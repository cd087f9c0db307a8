"""Obligations on kernels: every access is proved to be in range, or a run refutes it (`c_safety`, `c_runs`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ....generator.kernel_source import generate
from ....generator.runtime.request import Request, make_request
from ....generator.runtime.sources import request_source
from ....reference.algebra.semirings import Semiring
from ....reference.notation.text import Text
from ...programs.kernels import KERNELS
from ..obligation import Obligation
from ..verdict import Proved, Verdict
from .c_laws import laws
from .c_runs import wrong_run
from .c_safety import safety

QUICK = frozenset(("spmv_coo", "spmv_csr", "spmv_dcsr", "spmv_dia", "spmv_ell", "spmv_hash", "spmm_csr", "mttkrp_coo"))
SECONDS = 200.0


def of_golden(name: str) -> Verdict:
    """Whether all accesses of a golden kernel are proved."""
    return of_request(KERNELS[name]())


def of_request(request: Request) -> Verdict:
    """Whether all accesses of the kernel that is asked for are proved; where not all are, runs may refute it."""
    source = request_source(request, request.resolve_without_shapes())
    text = generate(source)
    verdict = safety(text, source, SECONDS).verdict
    return verdict if isinstance(verdict, Proved) else wrong_run(text, source, request) or verdict


def obligations_on(
    expression: str | Text,
    formats: Mapping[str, str],
    schedule: str | None,
    *,
    out: str | None,
    semiring: str | Semiring | None,
    convert: str | None,
) -> tuple[Obligation, ...]:
    """That the kernel of an expression stays inside its arrays. Raises GnomonError where there is no such kernel."""
    request = make_request(expression, formats, out=out, schedule=schedule, semiring=semiring, convert=convert)
    request_source(request, request.resolve_without_shapes())
    said = "Every access of the generated kernel to an array is within it."
    return (Obligation("c.kernel", said, partial(of_request, request), ("code.meaning",), slow=True),)


def obligations() -> tuple[Obligation, ...]:
    """An obligation for every golden kernel, after the laws that they use."""
    kernels = [
        Obligation(
            f"c.{name}",
            f"Every access of the golden kernel {name} to an array is within it.",
            partial(of_golden, name),
            ("code.meaning",),
            slow=name not in QUICK,
        )
        for name in KERNELS
    ]
    return (*laws(), *kernels)
