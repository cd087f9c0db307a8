"""Templates: schedules without fixed sizes (Senanayake 2020, section 6)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from msgspec import field
from msgspec.structs import replace

from ...noted import Noted
from ..command import Command
from ..schedule import Schedule
from ..settings import Settings


class Purpose(Enum):
    """What a split is for, and the sizes to try, the one to begin with first."""

    TILE = (32, 16, 8)
    TILE_OF_POSITIONS = (8, 16, 32)
    SHARE_OF_COORDINATES = (64, 16, 256)
    ROWS_OF_A_SLICE = (4096, 1024, 256)
    SHARE_OF_POSITIONS = (2048, 512, 8192)
    SHARE_OF_A_BLOCK = (1024, 512, 2048)
    SHARE_OF_A_WARP = (128, 64, 256)
    WARPS_OF_A_BLOCK = (8, 4, 16)
    THREADS_OF_A_BLOCK = (256, 128, 512)
    LANES_OF_A_WARP = (32,)
    COMPONENTS_OF_A_THREAD = (4, 2, 8)


class Template(Noted, frozen=True):
    """Commands in which the sizes of splits are open: `purposes` says what each is for, by its inner variable, and
    `reason` why it may be fast, if there is more to say. `settings` are what is left of a schedule's."""

    notes = frozenset({"reason"})

    commands: tuple[Command, ...]
    purposes: Mapping[str, Purpose] = field(default_factory=dict)
    reason: str = ""
    settings: Settings = ()

    def __str__(self) -> str:
        return ",".join((*map(str, self.settings), *map(self.print_command, self.commands)))

    def print_command(self, command: Command) -> str:
        """A command with `*` for a size that is open."""
        return str(replace(command, args=(*command.args[:-1], "*")) if command.name == "split" else command)

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes to begin with, by inner variable."""
        return {inner: purpose.value[0] for inner, purpose in self.purposes.items()}

    def schedule(self, sizes: Mapping[str, int] | None = None) -> Schedule:
        """The schedule with some sizes, by inner variable; the others are those to begin with.

        >>> from gnomon.reference.schedule.schedule import as_schedule
        >>> template = Template(as_schedule("split(i,i0,i1,1)").commands, {"i1": Purpose.TILE})
        >>> print(template, template.schedule(), template.schedule({"i1": 4}))
        split(i,i0,i1,*) split(i,i0,i1,32) split(i,i0,i1,4)
        """
        wanted = self.sizes | dict(sizes or {})
        return Schedule(tuple(with_size(command, wanted) for command in self.commands), settings=self.settings)


def with_size(command: Command, sizes: Mapping[str, int]) -> Command:
    """A command with the size that is given for the inner variable of its split, if one is."""
    match command.name, command.args:
        case "split", (variable, outer, str(inner), _) if inner in sizes:
            return replace(command, args=(variable, outer, inner, sizes[inner]))
        case _:
            return command
