"""The reference, which remembers its results, and what stands for a suite that nobody may draw."""

from typing import Any, ClassVar

from gnomon.properties.backends.own import Reference
from gnomon.properties.programs.problem import Problem
from gnomon.reference.storage.tensor import Tensor


class Remembering(Reference):
    """The reference, which runs each program of the suite once."""

    results: ClassVar[dict[int, Tensor]] = {}

    def run(self, problem: Problem) -> Any:
        if id(problem) not in self.results:
            self.results[id(problem)] = super().run(problem)
        return self.results[id(problem)]


def undrawn() -> None:
    raise AssertionError("the suite is drawn before the arguments are looked at")
