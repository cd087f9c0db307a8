"""Formats made from parts: what they refuse."""

from dataclasses import dataclass

import gnomon as gn
import pytest
from gnomon.reference.errors import CompileError, FormatError
from gnomon.reference.levels.dense import Dense
from gnomon.reference.levels.level import Coordinates


@pytest.mark.parametrize(
    ("levels", "settings", "message"),
    [
        (None, {}, "expected levels, but found None"),
        (5, {}, "expected levels, but found 5"),
        (b"ds", {}, "expected levels"),
        ([1, 2], {}, "expected a level, but found 1"),
        (["dense", None], {}, "expected a level, but found None"),
        (["dense", "compressed"], {"mode_order": [None, 1]}, "mode order"),
        (["dense", "compressed"], {"mode_order": 5}, "mode order"),
        (["dense", "compressed"], {"mode_order": ["a", "b"]}, "mode order"),
        (["dense", "compressed"], {"mode_order": [0.0, 1.0]}, "mode order"),
        (["dense", "compressed"], {"mode_order": [0, 10**400]}, "not a permutation"),
        (["dense", "compressed"], {"map": 3}, "expected a map, but found 3"),
        (["dense", "compressed"], {"map": b"(i,j)->(j,i)"}, "expected a map"),
        (["dense", "compressed"], {"name": 3}, "expected a name, but found 3"),
        (["dense"] * 33, {}, "at most 32"),
        ("ds:1,0", {"mode_order": [0, 1]}, "mode_order is given too"),
        ("ds", {"mode_order": [0, 10**9999]}, "not a permutation"),
    ],
)
def test_wrong_parts_are_refused(levels: object, settings: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        gn.Format(levels, **settings)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Unfinished(Dense):
    """A level one of whose functions may end without a result."""

    def pos_bounds(self, p: int) -> tuple[int, int]:
        if p > 0:
            return p, p + 1  # type: ignore[return]


@dataclass(frozen=True)
class Below(Dense):
    """A level that takes a coordinate of the level above the one above."""

    def coord_bounds(self, i: Coordinates) -> tuple[int, int]:
        return i[-2], self.N


def test_levels_of_users_are_refused_with_their_text() -> None:
    with pytest.raises(CompileError, match="pos_bounds may end without a result"):
        gn.Format(["dense", Unfinished()])


def test_levels_of_users_stand_where_they_find_the_coordinates_that_they_take() -> None:
    assert gn.Format(["dense", "dense", Below()]).order == 3
    with pytest.raises(FormatError, match="takes the coordinates of 2 levels above, and there are 1"):
        gn.Format(["dense", Below()])
