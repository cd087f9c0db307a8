"""The state of one execution: where its loops and accesses stand, and the tensors that it reads and writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ..algebra.scalars import caster, scalars
from ..errors import InternalError
from ..levels.level import Level
from ..loops.strategy import known
from ..notation.syntax import Access
from ..statement.provenance import Rank
from ..statement.statement import Assign, Forall, Program, Sequence, Statement, Where, indices
from ..statement.substitution import Background
from ..storage.assembly import Assembler
from ..storage.tensor import Tensor
from .trace import Trace

Run = Callable[[], None]


@dataclass
class Source:
    """A tensor that is read: bound levels, values, and for workspaces which values are present."""

    levels: tuple[Level, ...]
    values: list[Any]
    present: list[bool] | None = None


@dataclass(frozen=True)
class Context:
    """What encloses a statement: the loops, and the accesses whose positions are tuples of duplicates.

    `expanded` are the derived variables whose loops have become those over what they complete. The accesses in
    `optional` may be missing: those stand at no position then.
    """

    bound: tuple[str, ...] = ()
    many: frozenset[Access] = frozenset()
    fused: frozenset[Access] = frozenset()
    expanded: frozenset[str] = frozenset()
    optional: frozenset[Access] = frozenset()


@dataclass
class State:
    """The state of one execution: coordinates of the loops, positions of the accesses, tensors read and written."""

    program: Program
    coordinates: dict[str, int] = field(default_factory=dict)
    positions: dict[Access, list[Any]] = field(default_factory=dict)
    paths: dict[Access, list[tuple[int, ...]]] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    targets: dict[str, Assembler] = field(default_factory=dict)
    trace: Trace = field(default_factory=Trace)
    random: Random = field(default_factory=lambda: Random(0))

    def __post_init__(self) -> None:
        self.formats = self.program.formats
        self.extents = dict(self.program.extents)
        self.fills = self.program.fills
        self.dtypes = self.program.dtypes
        self.background = Background(self.fills, self.program.dtypes, self.extents)
        self.workspaces = {w.name: w for w in self.program.workspaces}
        self.provenance = self.program.provenance
        self.derivations = self.program.derivations
        self.scheduled = frozenset(indices(self.program.statement))

    @property
    def result_target(self) -> Access:
        """The access that the program assigns to."""
        return result_of(self.program.statement, self.program.result)

    def load(self, name: str, tensor: Tensor) -> None:
        """Make an operand readable; its level functions count their calls."""
        levels = tuple(self.trace.counted(level, f"{name}{k + 1}") for k, level in enumerate(tensor.bound_levels()))
        self.sources[name] = Source(levels, scalars(tensor.vals))
        for relation in self.provenance.relations:
            if isinstance(relation, Rank) and relation.tensor == name:
                self.extents[relation.rank] = tensor.extents[relation.level]

    def open(self, name: str, extents: list[int | None]) -> Assembler:
        """A fresh, empty tensor to write to."""
        settled = tuple(0 if n is None else n for n in extents)
        fill = caster(self.dtypes[name])(self.fills[name])
        self.targets[name] = Assembler(self.formats[name], settled, self.dtypes[name], fill)
        return self.targets[name]

    def standing_at(self, access: Access) -> tuple[list[Any], list[tuple[int, ...]]]:
        """Positions and coordinate paths of an access, by level; shared by all code that reads it."""
        depth = len(access.levels) + 1
        return self.positions.setdefault(access, [0] * depth), self.paths.setdefault(access, [()] * depth)

    def remembered(self) -> Run:
        """A function that puts coordinates and positions back to what they are now."""
        coordinates = dict(self.coordinates)
        held = [(lists, [list(each) for each in lists]) for lists in self.lists()]

        def restore() -> None:
            self.coordinates.clear()
            self.coordinates.update(coordinates)
            for lists, copies in held:
                for each, copy in zip(lists, copies, strict=True):
                    each[:] = copy

        return restore

    def lists(self) -> list[tuple[list[Any], list[tuple[int, ...]]]]:
        """Positions and paths of every access."""
        return [(self.positions[access], self.paths[access]) for access in self.positions]

    def standing(self, access: Access, context: Context) -> tuple[list[Any], int]:
        """The positions of an access, and how many levels of it the loops have found."""
        return self.standing_at(access)[0], known(access, context.bound, self.provenance)

    def is_known(self, variable: str, context: Context) -> bool:
        """Whether the loops give the coordinate of a variable."""
        return self.provenance.loops(variable, context.bound) is not None

    def recovery(self, variable: str, context: Context) -> Callable[[], int]:
        """The coordinate of a source variable from those of the loops."""
        loops = self.provenance.loops(variable, context.bound)
        coordinates = self.coordinates
        if loops is None:
            raise InternalError(f"the coordinate of {variable} is not known inside {context.bound}")
        if len(loops) == 1:
            return lambda: coordinates[variable]
        outer, inner = loops
        factor = next(s.factor for s in self.provenance.splits(variable) if s.outer == outer)
        return lambda: coordinates[outer] * factor + coordinates[inner]


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
