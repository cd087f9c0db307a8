"""The state of one execution: where its loops and accesses stand, and the tensors that it reads and writes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ..algebra.scalars import caster, scalars
from ..levels.iterators import Positions
from ..levels.level import Level
from ..notation.syntax import Access
from ..notation.types import least_dtype
from ..statement.relation import Pos, Rank
from ..statement.statement import Assign, Forall, Program, Sequence, Statement, Where
from ..statement.substitution import background_of
from ..storage.assembly import Assembler
from ..storage.tensor import Tensor
from .trace import Trace

Run = Callable[[], None]
Table = tuple[list[int], list[tuple[int, ...]]]
"""Positions, and the coordinates that they hold."""


class Source(Struct):
    """A tensor that is read: bound levels, values, and for workspaces which are `present`, if that is known of each,
    and which have been `stored`."""

    levels: tuple[Level, ...]
    values: list[Any]
    present: list[bool] | None = None
    stored: list[bool] | None = None


class Standing(Struct):
    """Where the loops have put an access: its position at each level, and the coordinates that led there.

    Positions of duplicates that are visited together are tuples; a missing access stands at None.
    """

    positions: list[Any]
    paths: list[tuple[int, ...]]


class State(Struct, dict=True):
    """The state of one execution: coordinates of the loops, positions of the accesses, tensors read and written."""

    program: Program
    coordinates: dict[str, int] = field(default_factory=dict)
    standings: dict[Access, Standing] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    targets: dict[str, Assembler] = field(default_factory=dict)
    trace: Trace = field(default_factory=Trace)
    random: Random = field(default_factory=lambda: Random(0))
    tables: dict[tuple[Pos, Positions], Table] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.formats = self.program.formats
        self.extents = dict(self.program.extents)
        self.fills = self.program.fills
        self.dtypes = self.program.dtypes
        self.background = replace(background_of(self.program), extents=self.extents)
        self.workspaces = self.program.workspace
        self.provenance = self.program.provenance

    @property
    def result_target(self) -> Access:
        """The access that the program assigns to."""
        return result_of(self.program.statement, self.program.result)

    def load(self, name: str, tensor: Tensor) -> None:
        """Make an operand readable; its level functions count their calls."""
        levels = tuple(self.trace.instrument(level, f"{name}{k + 1}") for k, level in enumerate(tensor.bound_levels()))
        self.sources[name] = Source(levels, scalars(tensor.vals))
        for relation in self.provenance.of_formats:
            if isinstance(relation, Rank) and relation.tensor == name:
                self.extents[relation.rank] = tensor.extents[relation.level]

    def open(self, name: str, extents: list[int | None]) -> Assembler:
        """A fresh, empty tensor to write to.

        The fill of a workspace need not fit in its dtype: nobody reads what stands where nothing has been stored.
        """
        settled = tuple(0 if n is None else n for n in extents)
        fill, dtype = self.fills[name], self.dtypes[name]
        if name not in self.workspaces or least_dtype(dtype, fill) == dtype:
            fill = caster(dtype)(fill)
        self.targets[name] = Assembler(self.formats[name], settled, dtype, fill)
        return self.targets[name]

    def standing(self, access: Access) -> Standing:
        """Where an access stands; shared by all that read it."""
        if access not in self.standings:
            depth = len(access.levels) + 1
            self.standings[access] = Standing([0] * depth, [()] * depth)
        return self.standings[access]

    def is_missing(self, access: Access, known: int) -> bool:
        """Whether the loops, which have found so many levels of an access, have found it missing."""
        return self.standing(access).positions[known] is None

    def remember(self) -> Run:
        """A function that puts coordinates and positions back to what they are now."""
        coordinates = dict(self.coordinates)
        held = [(s, list(s.positions), list(s.paths)) for s in self.standings.values()]

        def restore() -> None:
            self.coordinates.clear()
            self.coordinates.update(coordinates)
            for standing, positions, paths in held:
                standing.positions[:] = positions
                standing.paths[:] = paths

        return restore


def result_of(s: Statement, name: str) -> Access:
    """The access through which a statement writes a tensor."""
    match s:
        case Assign(target=target):
            return target
        case Forall(body=body):
            return result_of(body, name)
        case Where(consumer=consumer):
            return result_of(consumer, name)
        case Sequence(statements=statements):
            return result_of(statements[-1], name)
