"""gnomon itself as backends: the reference, and the C that it generates, compiled for many problems at once."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np

from ...generator.runtime.kernel import Kernel
from ...generator.runtime.library import Library
from ...generator.runtime.request import Request, chosen_compiler, make_request
from ...generator.runtime.teams import set_team
from ...reference.errors import GnomonError, ScheduleError, Unsupported
from ...reference.execution.evaluate import execute
from ...reference.storage.spec import Spec
from ...reference.storage.tensor import Tensor
from ..differential.batch import QUICK, Case, build_library, generate_case, run
from ..programs.problem import Problem, index_of, script
from .backend import Refused
from .outcome import without_names

TEAM = 3
"""How many threads share loops out: more than two, so that one stands between others."""

C = TypeVar("C")
L = TypeVar("L")


class Own:
    """What all of them have in common."""

    version = version("gnomon")
    promises = ("structure", "dtype")

    def supports(self, problem: Problem) -> bool:
        """Everything."""
        return True

    def script(self, problem: Problem) -> str:
        """A script that checks a problem by every engine."""
        return script(problem.text, problem.operands, problem.out, problem.semiring, str(problem.schedule))


class Reference(Own):
    """Reference execution."""

    name = "reference"

    def run(self, problem: Problem) -> Tensor:
        """The result, by the interpreter. Raises Refused for what is not built, MeaningError where there is none."""
        try:
            return execute(
                problem.text,
                problem.operands,
                out=problem.out,
                semiring=problem.semiring,
                convert="auto",
                schedule=problem.schedule,
            ).result
        except Unsupported as error:
            raise Refused(error.message) from None


class Compiled(Own):
    """Kernels as users have them: each compiled for formats, whatever the extents are, as it ships, and then called."""

    name = "compile"

    def run(self, problem: Problem) -> Tensor:
        """The result of a call. Raises Refused for what is not built, MeaningError where there is none."""
        computed = problem.text.coordinate_places
        given = {name: tensor for name, tensor in problem.operands.items() if name not in computed}
        try:
            result = Kernel(self.request(problem, given)).run(given)
        except Unsupported as error:
            raise Refused(without_names(error.message)) from None
        except ScheduleError:
            raise Refused("the schedule is legal for some extents alone") from None
        result.validate()
        return result

    def request(self, problem: Problem, given: Mapping[str, Tensor]) -> Request:
        """What is asked for: a kernel for the formats of the operands that are given, of any extents."""
        specs = {
            name: Spec(tensor.format, dtype=tensor.dtype, index=np.dtype(index_of(tensor)), fill=tensor.fill)
            for name, tensor in given.items()
        }
        ring, schedule = problem.semiring, problem.schedule
        return make_request(problem.text, specs, out=problem.out, semiring=ring, convert="auto", schedule=schedule)


class Kernels(Own, ABC, Generic[C, L]):
    """Kernels of several problems, which are made ready together."""

    def __init__(self) -> None:
        self.ready: dict[int, tuple[C, L] | Exception] = {}

    @cached_property
    def folder(self) -> Path:
        """Where libraries lie as long as this lives."""
        made = tempfile.mkdtemp()
        weakref.finalize(self, shutil.rmtree, made, ignore_errors=True)
        return Path(made)

    @abstractmethod
    def generate(self, problem: Problem, name: str) -> C:
        """A problem with its kernel, whose functions begin with a name. Raises Unsupported."""

    @abstractmethod
    def build(self, batch: Sequence[C]) -> L:
        """What runs the kernels of several problems."""

    @abstractmethod
    def evaluate(self, case: C, library: L) -> Tensor:
        """The result of a problem by its kernel."""

    def prepare(self, problems: Sequence[Problem]) -> None:
        """Make the kernels of the problems ready, which replace those that were."""
        made: dict[int, C] = {}
        self.ready = {}
        for n, problem in enumerate(problems):
            try:
                made[id(problem)] = self.generate(problem, f"k{n}_")
            except Unsupported as error:
                self.ready[id(problem)] = Refused(without_names(error.message))
            except GnomonError as error:
                self.ready[id(problem)] = error
        if made:
            library = self.build(list(made.values()))
            self.ready |= {key: (case, library) for key, case in made.items()}

    def run(self, problem: Problem) -> Tensor:
        """The result, by the kernel. Raises Refused for what is not built."""
        if id(problem) not in self.ready:
            self.prepare([problem])
        found = self.ready[id(problem)]
        if isinstance(found, Exception):
            raise found
        result = self.evaluate(*found)
        result.validate()
        return result


class GeneratedC(Kernels[Case, Library]):
    """Generated C: the kernels of several problems in one library. Loops on threads have a team of `TEAM`, however
    little there is to do."""

    name = "c"

    def generate(self, problem: Problem, name: str) -> Case:
        return generate_case(problem, name)

    def build(self, batch: Sequence[Case]) -> Library:
        library = build_library(batch, self.folder, chosen_compiler(), (*QUICK, "-DGN_SHARE=0"))
        set_team(library.functions, TEAM)
        return library

    def evaluate(self, case: Case, library: Library) -> Tensor:
        return run(case, library)
