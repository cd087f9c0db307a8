"""Rules and cases: what a system is asked to show for each rule of the specification."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from msgspec import Struct

from ...reference.schedule.schedule import as_schedule
from ...reference.storage.format import Format
from ...reference.storage.named_formats import format_of
from ...reference.storage.packing import tensor
from ...reference.storage.tensor import Tensor
from ..programs.problem import Problem

Cell = tuple[str, str]
Shows = Callable[[Problem, frozenset[Cell]], bool]


class Case(Struct, frozen=True):
    """A problem that exercises a rule: its result is compared, or it must be refused.

    `needs` as in `Rule`.
    """

    id: str
    rule: str
    problem: Problem
    refused: bool = False
    needs: tuple[str, ...] = ()


class Rule(Struct, frozen=True, dict=True):
    """A rule of the specification (docs/spec), by name, in a few words.

    `shows` says which random programs exercise it; `typed` and `refused` are problems by hand, the latter without a
    meaning, which no system may give a result for; `found` finds schedules for problems by hand. `needs` are the
    promises of a backend ("structure", "dtype") without which its results say nothing about the rule.
    """

    id: str
    what: str
    shows: Shows | None = None
    typed: tuple[Problem, ...] = ()
    refused: tuple[Problem, ...] = ()
    needs: tuple[str, ...] = ()
    found: Callable[[], tuple[Problem, ...]] = tuple

    @cached_property
    def meant(self) -> tuple[Problem, ...]:
        """The problems that have a meaning, without those that are drawn."""
        return self.typed + self.found()


def cells(*wanted: Cell) -> Shows:
    """Programs that reach any of these cells of the coverage table."""
    return lambda problem, reached: not reached.isdisjoint(wanted)


def both(*parts: Shows) -> Shows:
    """Programs that do all of that."""
    return lambda problem, reached: all(part(problem, reached) for part in parts)


def section(name: str) -> Shows:
    """Programs that reach any cell of a section."""
    return lambda problem, reached: any(part == name for part, _ in reached)


def sparse_result(problem: Problem, reached: frozenset[Cell]) -> bool:
    """Programs whose result does not store everything."""
    return bool(problem.out.levels) and not problem.out.dense_leaves


def every_program(problem: Problem, reached: frozenset[Cell]) -> bool:
    """Every program."""
    return True


def problem_of(
    source: str,
    out: str = "Dense",
    semiring: str | None = None,
    schedule: str = "",
    **operands: Tensor,
) -> Problem:
    """A problem by hand."""
    order = source.replace("<", "(").partition("=")[0].partition("(")[2].partition(")")[0]
    modes = len([name for name in order.split(",") if name.strip()])
    return Problem(source, operands, format_of(out, modes) if modes else Format(()), semiring, as_schedule(schedule))


def matrix(rows: list[list[float]], format: str = "CSR", dtype: str = "float64", fill: float = 0) -> Tensor:
    """A matrix of which the components other than 0 are stored."""
    found = [(i, j, v) for i, row in enumerate(rows) for j, v in enumerate(row) if v != 0]
    coords = [[i for i, _, _ in found], [j for _, j, _ in found]]
    return tensor(coords, [v for _, _, v in found], (len(rows), len(rows[0])), format, dtype=dtype, fill=fill)


def vector(entries: dict[int, float], n: int = 4, format: str = "SparseVector", **settings: object) -> Tensor:
    """A vector of some components."""
    dtype = settings.pop("dtype", "float64")
    return tensor([list(entries)], list(entries.values()), (n,), format, dtype=dtype, **settings)  # type: ignore[arg-type]
