"""Formats made from parts: what they refuse."""

import gnomon as gn
import pytest
from gnomon.reference.errors import FormatError


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
