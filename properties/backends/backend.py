"""Backends: other people's systems, behind one small protocol.

A backend is any object with a `name`, a `version`, and `supports` and `run`. It may also say what its programs may use
(`features`, so that hardly any is drawn in vain) and of which expressions they are (`expressions`), what it promises
besides values (`promises`), how a problem looks in its own terms (`script`), and get ready for several problems at once
(`prepare`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from ..programs.features import EVERYTHING, Features
from ..programs.problem import Problem

PROMISES = ("structure", "dtype")


class Refused(Exception):
    """A documented limitation: the backend says of a program that it does not evaluate it."""


class Crashed(Exception):
    """A program that the backend started has ended with a signal; `detail` is what it wrote before."""

    def __init__(self, signal: str, detail: str = "") -> None:
        super().__init__(signal, detail)
        self.signal = signal
        self.detail = detail


@runtime_checkable
class Backend(Protocol):
    """What campaigns and the conformance suite ask of a system.

    `supports` says whether the system is meant to evaluate a problem, `run` evaluates it: a gnomon tensor, a NumPy
    array, a SciPy sparse array, a number, or a `Result`. Either may raise `Refused` with the limitation's name. Any
    other exception is a finding, but for those about the machine, as of a full disk, which end a run.
    """

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    def supports(self, problem: Problem) -> bool: ...
    def run(self, problem: Problem) -> Any: ...


@runtime_checkable
class Batched(Protocol):
    """A backend that gets ready for several problems at once, as by compiling their kernels together."""

    def prepare(self, problems: Sequence[Problem]) -> None: ...


@runtime_checkable
class Reserving(Protocol):
    """A backend that reserves more addresses than there is memory, as the drivers of GPUs do."""

    @property
    def reserves_addresses(self) -> bool: ...


class Scripted:
    """A backend that runs a problem as a script in its own terms: the same text that a finding hands over.

    Subclasses set `features` and write `script`, which assigns `result` and imports nothing of gnomon.
    """

    features: Features = EVERYTHING
    promises: tuple[str, ...] = ()

    def supports(self, problem: Problem) -> bool:
        """Raises Refused with what the features lack."""
        lacking = self.features.lacks(problem)
        if lacking is not None:
            raise Refused(lacking)
        return True

    def script(self, problem: Problem) -> str:
        """A stand-alone program that assigns `result`. Raises Refused."""
        raise NotImplementedError

    def run(self, problem: Problem) -> Any:
        """What the script assigns to `result`."""
        space: dict[str, Any] = {}
        exec(compile(self.script(problem), f"<{type(self).__name__}>", "exec"), space)
        return space["result"]


def features_of(backend: Any) -> Features:
    """What programs for a backend may use: its `features`, or everything."""
    found = getattr(backend, "features", EVERYTHING)
    assert isinstance(found, Features)
    return found


def expressions_of(backend: Any) -> tuple[str, ...]:
    """The expressions of which programs for a backend are instances: its `expressions`, or none, for any."""
    found = getattr(backend, "expressions", ())
    if isinstance(found, str):
        raise TypeError(f"expected several expressions, but found {found!r} in expressions of {backend.name}")
    return tuple(found)


def promises_of(backend: Any) -> tuple[str, ...]:
    """What a backend promises besides values and shape: of "structure" and "dtype"."""
    return tuple(getattr(backend, "promises", ()))
