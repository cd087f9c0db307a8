"""Teams: who runs iterations of a loop side by side, and in which tensors they meet (Senanayake 2020, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...reference.schedule.races import races
from ...reference.statement.statement import Forall, Program
from ...reference.statement.tags import Parallel, Unroll


@dataclass(frozen=True)
class Team:
    """How a loop over a variable runs: its tag, and the tensors of which several iterations write one component."""

    variable: str
    tag: Parallel
    racing: frozenset[str]


@dataclass(frozen=True)
class Teams:
    """Who runs the code here, and loops to come, by index: teams of `threads`, `vectors` of lanes, `unrolled` bodies.

    `atomic` are the results that several threads update, to whom the values of the variable `shared` are handed out;
    they `meet` where they may update one component.
    """

    threads: Mapping[str, Team] = field(default_factory=dict)
    vectors: Mapping[str, Team] = field(default_factory=dict)
    unrolled: Mapping[str, int] = field(default_factory=dict)
    atomic: frozenset[str] = frozenset()
    shared: str = ""
    meets: bool = False


def team(program: Program, s: Forall, bound: tuple[str, ...], unit: str) -> Team | None:
    """The team of a loop on a unit; None if it has none."""
    for tag in s.tags:
        if isinstance(tag, Parallel) and tag.unit == unit:
            return Team(s.index, tag, frozenset(race.leaf.target.tensor for race in races(program, s, bound)))
    return None


def unroll_factor(s: Forall) -> int | None:
    """How often the body of a loop is to be repeated a round."""
    return next((tag.factor for tag in s.tags if isinstance(tag, Unroll)), None)
