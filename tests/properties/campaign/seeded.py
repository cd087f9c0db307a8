"""Backends with faults of our own: `seeded:Faults_027` is the reference with the faults 0, 2 and 7."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from gnomon.properties.backends.result import Result, result_of
from gnomon.properties.programs.features import PLAIN
from gnomon.properties.programs.problem import Problem
from gnomon.reference.execution.evaluate import execute
from gnomon.reference.levels.level import Append
from gnomon.reference.storage.named_formats import format_of
from gnomon.reference.storage.tensor import Tensor
from msgspec.structs import replace

CSR = format_of("CSR")
Fault = tuple[Callable[[Problem], bool], Callable[[Problem, Result], Result]]


def operands(problem: Problem, holds: Callable[[Tensor], bool]) -> bool:
    return any(holds(tensor) for tensor in problem.operands.values())


def repeated(tensor: Tensor) -> bool:
    coords, _ = tensor.components()
    return len({tuple(i) for i in coords.T.tolist()}) < coords.shape[1]


def in_last_row(tensor: Tensor) -> bool:
    return tensor.format == CSR and bool((tensor.components()[0][0] == tensor.shape[0] - 1).any())


def is_hollow(tensor: Tensor) -> bool:
    return tensor.order > 0 and not tensor.nnz and isinstance(tensor.format.levels[-1], Append)


def shifted(problem: Problem, result: Result) -> Result:
    return replace(result, values=result.values + 7.25)


def refuse(message: str) -> Callable[[Problem, Result], Result]:
    def fail(problem: Problem, result: Result) -> Result:
        raise ValueError(message.format(problem=problem, number=hash(problem.source) % 10**9))

    return fail


FAULTS: tuple[Fault, ...] = (
    (lambda p: operands(p, lambda t: repeated(t) and t.order == 2), shifted),
    (lambda p: operands(p, in_last_row), shifted),
    (lambda p: " + " in p.source and operands(p, is_hollow), shifted),
    (lambda p: operands(p, lambda t: t.fill != 0), shifted),
    (lambda p: "<!" in p.source, shifted),
    (lambda p: "min(" in p.source and ", " in p.source and "min(k" in p.source, shifted),
    (lambda p: re.search(r"\((\w),\1|,(\w),\2", p.source) is not None, refuse("a diagonal")),
    (lambda p: "max(" in p.source, refuse("/var/lib/tmp{number}_q/kernel.c:{number}: maximum")),
    (lambda p: str(p.out) == "DCSR", refuse("no 'DCSR'")),
    (lambda p: operands(p, lambda t: t.order == 3 and t.format.levels[0].name == "hashed"), shifted),
)


def shown(problem: Problem) -> set[int]:
    """The faults that a program meets."""
    return {n for n, (meets, _) in enumerate(FAULTS) if meets(problem)}


class Faults:
    """The reference with some of the faults."""

    version, promises = "1", ("structure",)
    features = replace(PLAIN, orders=(0, 1, 2, 3), specials=False, empties=False, many=False)

    def __init__(self, chosen: str) -> None:
        self.name = f"faults {chosen}"
        self.chosen = [int(digit) for digit in chosen]

    def supports(self, problem: Problem) -> bool:
        return True

    def run(self, problem: Problem) -> Result:
        found = result_of(execute(problem.source, problem.operands, out=problem.out, convert="auto").result)
        if not np.size(found.values):
            found = replace(found, values=np.asarray(found.values, float))
        for n in self.chosen:
            meets, spoil = FAULTS[n]
            if meets(problem):
                found = spoil(problem, found)
        return found


def __getattr__(name: str) -> Any:
    if name.startswith("Faults_"):
        return Faults(name.removeprefix("Faults_"))
    raise AttributeError(name)
