"""Settings: as values, as text, and what they say where others are silent."""

from __future__ import annotations

import pickle

import gnomon as gn
import pytest
from gnomon.reference.errors import ScheduleError
from gnomon.reference.schedule.schedule import Schedule, as_schedule
from gnomon.reference.schedule.settings import (
    AUTO,
    VALUES,
    Direction,
    Setting,
    Settings,
    Workspaces,
    direction_of,
    workspaces_of,
)

EVERY = (AUTO, *(f"{name}={value}" for name, values in VALUES.items() for value in values))


def settings(text: str) -> Settings:
    """The settings of a text."""
    return as_schedule(text).settings


@pytest.mark.parametrize("text", EVERY)
def test_every_setting_is_read_as_it_is_written(text: str) -> None:
    schedule = as_schedule(text)
    assert str(schedule) == text and schedule and not schedule.commands
    assert str(as_schedule(f"{text},unroll(i,2)")) == f"{text},unroll(i,2)"


@pytest.mark.parametrize(
    ("text", "direction", "workspaces"),
    [
        ("", None, Workspaces.OUTPUT),
        ("auto", Direction.AUTO, Workspaces.BOTH),
        ("auto,mask=push", Direction.PUSH, Workspaces.BOTH),
        ("workspaces=none,auto", Direction.AUTO, Workspaces.NONE),
        ("workspaces=both", None, Workspaces.BOTH),
        ("mask=pull", Direction.PULL, Workspaces.OUTPUT),
    ],
)
def test_auto_is_what_no_other_setting_says(text: str, direction: Direction | None, workspaces: Workspaces) -> None:
    assert (direction_of(settings(text)), workspaces_of(settings(text))) == (direction, workspaces)


def test_schedules_are_built_from_settings() -> None:
    built = gn.Schedule().auto().mask("pull").workspaces("output").unroll("i", 2)
    assert str(built) == "auto,mask=pull,workspaces=output,unroll(i,2)"
    assert built == as_schedule(str(built)) and hash(built) == hash(as_schedule(str(built)))
    assert pickle.loads(pickle.dumps(built)) == built
    assert Schedule(settings=(Setting("mask", "push"),)) == as_schedule("mask=push") != as_schedule("mask=pull")


def test_settings_of_another_kind_are_refused() -> None:
    with pytest.raises(ScheduleError, match="mask has no value 'up'"):
        gn.Schedule().mask("up")
    with pytest.raises(ScheduleError, match="mask is set twice"):
        gn.Schedule().mask("pull").mask("push")
    with pytest.raises(ScheduleError, match="is not a sequence of settings"):
        Schedule(settings=("mask=push",))  # type: ignore[arg-type]


def test_what_is_worked_out_keeps_what_forbids() -> None:
    asked, chosen = as_schedule("mask=push,workspaces=none,unroll(j,2)"), as_schedule("modes=flat,reorder(i,k,j)")
    done = asked.work_out(chosen)
    assert str(done) == "workspaces=none,modes=flat,reorder(i,k,j),unroll(j,2)"
    assert (done.chosen, done.own, done.source) == (1, asked.commands, asked.source)
    assert pickle.loads(pickle.dumps(done)).own == done.own
