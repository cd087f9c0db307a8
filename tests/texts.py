"""The C of kernels that nothing runs but the eye and the checked machine: it is generated, and not compiled."""

from typing import Any

from gnomon.generator.runtime.built import texts_of
from gnomon.generator.runtime.request import make_request
from gnomon.reference.schedule.settings import AUTO


def c_text(
    expression: str, /, *, semiring: str | None = None, schedule: str | None = AUTO, **formats_and_settings: Any
) -> str:
    """What `gn.compile` with the same arguments has as its `source`."""
    settings = {name: formats_and_settings.pop(name) for name in ("out", "overflow") if name in formats_and_settings}
    request = make_request(expression, formats_and_settings, semiring_name=semiring, schedule=schedule, **settings)
    return texts_of(request)[0]
