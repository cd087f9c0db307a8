"""Many kernels at once: their sources in one C file, compiled together, for differential tests.

A kernel alone costs a start of the compiler; in a file with others it costs little more than its own lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import count
from pathlib import Path
from typing import TypeVar

import msgspec

from ...generator.ir.verifier import verify_passes
from ...generator.ir.vocabulary import Purpose
from ...generator.kernel_source import print_functions, stages
from ...generator.runtime.cache import digest
from ...generator.runtime.compiler import Compiler
from ...generator.runtime.library import Library
from ...generator.runtime.request import OVERFLOW
from ...generator.runtime.runner import Runner, arity
from ...generator.runtime.structs import Struct
from ...generator.source import IN_PLACE, Source
from ...generator.storage.layout import Layout
from ...reference.errors import GnomonError, InternalError, MeaningError, Unsupported
from ...reference.loops.plan import Planner
from ...reference.loops.verifier import verify_plan
from ...reference.procedure.run import is_same
from ...reference.schedule.preparation import Prepared
from ...reference.statement.verifier import verify_program
from ...reference.storage.spec import Spec
from ...reference.storage.tensor import Tensor
from ..programs.problem import Problem
from .check import compare, compare_storage, components

QUICK = ("-std=c11", "-O0", "-w")
STRICT = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror")
BATCH = 40
Item = TypeVar("Item")
HELPER = re.compile(r"^static inline .*?(\w+)\(", re.MULTILINE)


class KernelText(msgspec.Struct, frozen=True):
    """The text of a kernel, whose functions begin with a name, and what it is generated from."""

    ready: Prepared
    source: Source
    text: str
    name: str


class Case(KernelText, frozen=True):
    """A problem with its kernel."""

    problem: Problem


def source_of(ready: Prepared, overflow: str = OVERFLOW[0]) -> Source:
    """What the kernel of a prepared problem is generated from."""
    program = ready.program
    layouts = {program.previous if n == program.result else n: Layout.of(t) for n, t in ready.arguments.items()}
    format = program.formats[program.result]
    layouts[program.result] = Layout.uniform(format, ready.resolved.dtype, ready.resolved.fill, ready.index.name)
    own, checks = frozenset(ready.text.coordinate_places), overflow == "check"
    return Source(program, layouts, tuple(ready.arguments), ready.source, coordinates=own, checks=checks)


def cases(
    problems: Sequence[Problem],
    refused: list[str],
    modes: tuple[Purpose, ...] = ("evaluate",),
    overflow: str = OVERFLOW[0],
) -> Iterator[Case]:
    """The problems that are accepted and have a meaning; what C refuses of them goes to `refused`, with the reason.

    Whatever else the reference raises while it runs is no reason to leave a problem out, and is raised here.
    """
    number = count()
    for problem in problems:
        if not has_meaning(problem):
            continue
        try:
            yield generate_case(problem, f"k{next(number)}_", modes, overflow)
        except Unsupported as error:
            refused.append(f"{error.message}: {problem.source}")


def has_meaning(problem: Problem) -> bool:
    """Whether a problem is accepted and can be evaluated on its data."""
    try:
        ready = problem.ready
    except GnomonError:
        return False
    try:
        return problem.execution.program is ready.program
    except MeaningError:
        return False


def generate_case(
    problem: Problem, name: str, modes: tuple[Purpose, ...] = ("evaluate",), overflow: str = OVERFLOW[0]
) -> Case:
    """A problem with its kernel, whose functions begin with a name, verified after every pass; one that can works in
    place too. Raises Unsupported."""
    verify_program(problem.ready.lowered)
    verify_plan(Planner(verify_program(problem.ready.program)).root())
    source = source_of(problem.ready, overflow)
    modes = (*modes, IN_PLACE) if source.works_in_place else modes
    last = verify_passes(stages(source, name, modes))
    return Case(problem.ready, source, separate_helpers(print_functions(source, last), name), name, problem)


def separate_helpers(text: str, name: str) -> str:
    """A source whose helper functions have names of their own."""
    helpers = "|".join(sorted(set(HELPER.findall(text))))
    return re.sub(rf"\b(?:{helpers})\b", rf"{name}\g<0>", text) if helpers else text


def build_library(
    batch: Sequence[KernelText], folder: Path, compiler: Compiler, flags: Sequence[str] = QUICK
) -> Library:
    """The kernels compiled into one library."""
    text = "\n".join(kernel.text for kernel in batch)
    path = folder / f"{digest(text, *flags)}.c"
    path.write_text(text)
    compiler.build(path, path.with_suffix(".so"), flags)
    names = [f"{kernel.name}evaluate" for kernel in batch]
    in_place = [f"{kernel.name}{IN_PLACE}" for kernel in batch]
    return Library(path.with_suffix(".so"), names, [arity(kernel.source) for kernel in batch], in_place)


def runner_of(kernel: KernelText, library: Library) -> Runner:
    """The functions of a kernel."""
    return Runner(library, kernel.source.layouts[kernel.source.program.result], kernel.name, packed_spec(kernel))


def packed_spec(kernel: KernelText) -> Spec | None:
    """What the result of a kernel is converted to after it is assembled; None if it is assembled as requested."""
    packed = kernel.source.program.packed
    return None if packed is None else Spec(packed, index=kernel.ready.index)


def run(kernel: KernelText, library: Library) -> Tensor:
    """The result of a kernel, in place too if that can be. Raises MeaningError where it has none, InternalError where
    these differ."""
    runner = runner_of(kernel, library)
    result = runner.evaluate(kernel.ready.arguments, kernel.ready.resolved.shape, "the result")
    if runner.works_in_place and not is_same(run_in_place(kernel, runner), result):
        raise InternalError(f"in place, {kernel.ready.text} gives another result")
    return result


def run_in_place(kernel: KernelText, runner: Runner) -> Tensor:
    """The result of a kernel that goes on from a copy of the previous contents of its result."""
    name, operands = kernel.source.program.result, dict(kernel.ready.arguments)
    operands[name] = deepcopy(operands[name])
    structs = {each: Struct.of(tensor) for each, tensor in operands.items()}
    return runner.update(operands[name], structs[name], [*structs.values()], "the result")


def batches(every: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """What is to be compiled in order, as much at a time as is compiled together."""
    return (every[n : n + BATCH] for n in range(0, len(every), BATCH))


def run_all(every: Sequence[Case], folder: Path, compiler: Compiler, flags: Sequence[str]) -> int:
    """How many of some cases have a result, compiled and run in batches."""
    ran = 0
    for batch in batches(every):
        library = build_library(batch, folder, compiler, flags)
        for case in batch:
            try:
                run(case, library)
            except MeaningError:
                continue
            ran += 1
    return ran


def check_case(case: Case, library: Library) -> None:
    """Raise DisagreementError where the reference or a kernel gives something else than the expression means, in values
    or structure."""
    check_reference(case)
    hold(case, run(case, library), "c")


def check_reference(case: Case) -> None:
    """Raise DisagreementError where the result of the reference is not what the expression means."""
    hold(case, case.problem.execution.result, "reference")


def hold(case: Case, got: Tensor, engine: str) -> None:
    """Raise DisagreementError where the result of an engine is not what the expression means."""
    problem = case.problem
    stored = components(got, problem.execution, engine)
    for i in problem.denotation.points():
        compare(problem.denotation.point(i), problem.execution, got.format, stored, i, engine)
    compare_storage(problem.denotation, problem.execution, got.format, stored, engine)
