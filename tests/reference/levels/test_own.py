"""Level formats of users are refused where formats are made of them."""

from dataclasses import dataclass
from typing import ClassVar

import pytest
from gnomon.reference.errors import CompileError, FormatError
from gnomon.reference.levels.compressed import Compressed
from gnomon.reference.levels.level import Coordinates, Level, extent
from gnomon.reference.levels.offset import Offset
from gnomon.reference.levels.own import check_own, levels_above
from gnomon.reference.levels.restricted import parse_level_function
from gnomon.reference.storage.format import Format


@dataclass(frozen=True)
class Plain(Level):
    """One function is outside the language, with what calls it; Python can call both."""

    name: ClassVar[str] = "plain"

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        return self.half(p), True

    def half(self, p: int) -> int:
        return p // int("2")

    def coord_bounds(self, i: Coordinates) -> tuple[int, int]:
        return self.half(i[-1]), i[0]


@dataclass(frozen=True)
class PlainAndWrong(Plain):
    """A function that is in the language is wrong."""

    def pos_bounds(self, p: int) -> tuple[int, int]:
        return p  # type: ignore[return-value]


@dataclass(frozen=True)
class FarUp(Level):
    """A level that takes the coordinates of two levels above, where another function passes its path on."""

    name: ClassVar[str] = "far_up"

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        return self.passed(p, i), True

    def passed(self, p: int, i: Coordinates) -> int:
        return p + i[-2]

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        return i[-2] + i[1], True


@dataclass(frozen=True)
class Own(FarUp):
    """A level that takes its own coordinate and that of the level above."""

    def passed(self, p: int, i: Coordinates) -> int:
        return p


@dataclass(frozen=True, kw_only=True)
class Wanted(Level):
    """A level whose configuration has no default."""

    name: ClassVar[str] = "wanted"
    wraps: bool
    full: bool = True
    N: int = extent()

    def coord_bounds(self, i: Coordinates) -> tuple[int, int]:
        return 0, self.N if self.wraps else 0


def test_levels_may_have_to_be_configured() -> None:
    level = Wanted(wraps=True)
    check_own(level)
    assert str(Format([level])) == "wanted"


def test_what_python_alone_can_call_is_left_to_it() -> None:
    check_own(Plain())
    with pytest.raises(CompileError, match="half: int"):
        parse_level_function(Plain, "half")
    with pytest.raises(CompileError, match="pos_bounds has 2 results, not 1"):
        check_own(PlainAndWrong())


@dataclass(frozen=True)
class Misnamed(Level):
    """An extent that nobody would give it."""

    name: ClassVar[str] = "misnamed"
    width: int = extent()


@dataclass(frozen=True)
class Taken(Level):
    """A property that has the name of the next level's extent."""

    name: ClassVar[str] = "taken"
    M: int = 5


@pytest.mark.parametrize(
    ("kind", "why"), [(Misnamed, "width of misnamed levels is an extent"), (Taken, "M of taken levels is no extent")]
)
def test_extents_and_nothing_else_are_named_as_such(kind: type[Level], why: str) -> None:
    with pytest.raises(FormatError, match=why):
        check_own(kind())


@pytest.mark.parametrize(("kind", "count"), [(Plain, 0), (FarUp, 2), (Own, 1), (Offset, 2), (Compressed, 0)])
def test_functions_tell_how_many_levels_they_need_above(kind: type[Level], count: int) -> None:
    assert levels_above(kind()) == count
