"""Segmented folds: the generated one gives each segment's first lane the whole of it, others do not."""

from collections.abc import Callable

import pytest
from gnomon.generator.ir import ir
from gnomon.properties.proofs.devices import segments
from gnomon.properties.proofs.devices.segments import PATH, of_warps
from gnomon.properties.proofs.verdict import Proved, Refuted, Verdict, together
from msgspec.structs import replace


def changed(change: Callable[[ir.Stmt], ir.Stmt], monkeypatch: pytest.MonkeyPatch) -> Verdict:
    """What is found of folds of which each statement is changed."""
    fold = segments.fold_segments

    def fold_wrongly(*args: object) -> ir.Expr:
        out = args[-1]
        first = fold(*args)
        out.body[:] = map(change, out.body)
        return first

    monkeypatch.setattr(segments, "fold_segments", fold_wrongly)
    return together(of_warps(8, PATH[:1]))


@pytest.mark.every(2)
@pytest.mark.parametrize("lanes", [2, 32, 8])
def test_what_is_generated_is_whole(lanes: int) -> None:
    assert together(v for n in (1, 2) for v in of_warps(lanes, PATH[:n])) == Proved()


def test_a_step_less_loses_the_ends_of_long_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    def shorten(s: ir.Stmt) -> ir.Stmt:
        return replace(s, end=ir.Int(2)) if isinstance(s, ir.For) else s

    assert isinstance(changed(shorten, monkeypatch), Refuted)


def test_the_last_lane_has_no_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def goes_around(s: ir.Stmt) -> ir.Stmt:
        match s:
            case ir.Declare(name="further", value=ir.Binary(operator="&&", right=same)):
                return replace(s, value=same)
            case _:
                return s

    assert isinstance(changed(goes_around, monkeypatch), Refuted)
