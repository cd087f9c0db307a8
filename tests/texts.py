"""The C of kernels that nothing runs but the eye and the checked machine: it is generated, and not compiled."""

from typing import Any

from gnomon.generator.runtime.built import texts_of
from gnomon.generator.runtime.request import make_request
from gnomon.reference.schedule.settings import AUTO

SETTINGS = ("out", "semiring", "convert", "overflow")


def c_text(expression: str, /, *, schedule: str | None = AUTO, **given: Any) -> str:
    """What `gn.compile` with the same arguments has as its `source`."""
    settings = {name: given.pop(name) for name in SETTINGS if name in given}
    return texts_of(make_request(expression, given, schedule=schedule, **settings))[0]
