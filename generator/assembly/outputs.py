"""The outputs of a function: the result and its workspaces, by name."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field
from msgspec.structs import replace

from ..scope.frame import Frame
from .output import Output


class Outputs(Struct, frozen=True):
    """The tensors that some code of a function writes; `make` declares one.

    `covered` collects those whose every component is stored at its first visit, so that none need be set before;
    `parted` those that threads make parts of, for which room is made once these are counted.
    """

    frame: Frame
    make: Callable[[str, Frame], Output]
    made: dict[str, Output] = field(default_factory=dict)
    covered: set[str] = field(default_factory=set)
    parted: set[str] = field(default_factory=set)

    def __getitem__(self, name: str) -> Output:
        """A tensor, made when it is first needed if it might have been a thread's own."""
        if name not in self.made:
            self.made[name] = self.make(name, self.frame)
        return self.made[name]

    def find(self, name: str) -> Output | None:
        """The output of a name, if it has been used before."""
        return self.made.get(name)

    def replace_outputs(self, *outputs: Output) -> Outputs:
        """These outputs with some replaced or added; what the copy declares is not seen outside."""
        return replace(self, made={**self.made, **{output.name: output for output in outputs}})
