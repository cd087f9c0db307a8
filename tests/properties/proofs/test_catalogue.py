"""The catalogue: every obligation asks something, of hypotheses that can be met and of ranges that hold something.

An obligation is attempted as far as its first question that is open; how the question is answered is no matter here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from depth import DEEP
from gnomon.properties.proofs import solver
from gnomon.properties.proofs.c.c_facts import Knowledge
from gnomon.properties.proofs.catalogue import catalogue
from gnomon.properties.proofs.devices.devices import LISTING
from gnomon.properties.proofs.levels import instances, level_formats
from gnomon.properties.proofs.levels.level_formats import obligations_of
from gnomon.properties.proofs.obligation import Obligation
from gnomon.properties.proofs.solver import Nothing, Term, search, z3
from gnomon.properties.proofs.verdict import Proved, Verdict, together
from gnomon.reference.levels import LEVELS
from gnomon.reference.levels.singleton import Singleton
from msgspec import Struct

EVERY: dict[str, int] = {} if DEEP else {"levels": 19, "c": 13, "devices": 13, "relations.stepped": 3}
"""Of families whose hypotheses are long, these are looked at in every so many obligations."""
QUICK = () if DEEP else ("lattices", "relations.chains", "c")
"""Families with slow obligations that are long before they come to a question."""
QUICKLY = 0.3
prove, decide = instances.prove, solver.decide


class Open(BaseException):
    """A question was asked that could be answered either way."""


class Doors(Struct):
    """Every way to ask the solver: the attempt stops at a question that is open.

    Its goal is no constant, and its hypotheses, where these are `met`, do not contradict one another.
    """

    met: bool = True

    def decide(self, goal: Term, *, given: Iterable[Term] = (), **_: Any) -> Verdict:
        if not z3.is_true(goal) and not (self.met and isinstance(search(given, {}, seconds=QUICKLY), Nothing)):
            raise Open
        return Proved()

    def exhibit(self, conditions: Iterable[Term], show: Mapping[str, Term], **_: Any) -> Verdict:
        raise Open

    def prove(self, goal: Term, given: Iterable[Term] = (), **_: Any) -> Verdict:
        if z3.is_true(goal) or (self.met and isinstance(prove(z3.BoolVal(False), given, rounds=1), Proved)):
            return Proved()
        raise Open

    def holds(self, know: Knowledge, here: Term, goal: Term) -> bool:
        if not self.met or know.check(here) != z3.unsat:
            raise Open
        return True


@pytest.fixture
def doors(monkeypatch: pytest.MonkeyPatch) -> Doors:
    """Doors that are watched wherever proofs use them."""
    watch = Doors()
    watched = ((decide, watch.decide), (solver.exhibit, watch.exhibit), (prove, watch.prove))
    for module in [module for name, module in sys.modules.items() if name.startswith("gnomon.properties.proofs")]:
        for door, watcher in watched:
            if getattr(module, door.__name__, None) is door:
                monkeypatch.setattr(module, door.__name__, watcher)
    monkeypatch.setattr(Knowledge, "holds", lambda know, here, goal: watch.holds(know, here, goal))
    monkeypatch.setattr(level_formats, "has_segments", lambda level: True)
    return watch


def is_open(obligation: Obligation) -> bool:
    """Whether an obligation asks a question that is open."""
    try:
        obligation.prove()
    except Open:
        return True
    return False


LONELY = {
    f"levels.{label}.{name}"
    for label in ("singleton_padded", *(kind.name for kind in LEVELS if kind().branchless))
    for name in ("ordered", "unique")
}
"""That siblings are ordered and unique says nothing where every parent has one child at most."""
SETTLED = LONELY | {"levels.dense.full", *(f"devices.{name}.notes" for name in LISTING)}
"""Nothing is left to ask: the next says that `locate` finds everything, and the text of `locate` says so itself; and
texts of kernels say which steps they take."""


def families() -> dict[str, list[Obligation]]:
    """The obligations by family."""
    found: dict[str, list[Obligation]] = {}
    for o in catalogue():
        name = ".".join(o.id.split(".")[: 2 if o.id.startswith("relations") else 1])
        if not (o.slow and name in QUICK) and o.id not in SETTLED:
            found.setdefault(name, []).append(o)
    return found


FAMILIES = families()


@pytest.mark.every(2)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_obligation_asks_what_is_open(doors: Doors, family: str) -> None:
    step = EVERY.get(family, 1)
    assert [o.id for o in FAMILIES[family][::step] if not is_open(o)] == []


def test_every_obligation_on_levels_has_a_goal(doors: Doors) -> None:
    doors.met = False
    asked = [o for o in FAMILIES["levels"] if not o.id.endswith(".inhabited")][:: 1 if DEEP else 5]
    assert [o.id for o in asked if not is_open(o)] == []


def test_lonely_children_have_no_siblings_to_compare(doors: Doors) -> None:
    of_one = [o for o in obligations_of(Singleton()) if o.id in LONELY]
    assert len(of_one) == 2 and not any(map(is_open, of_one))


x, f = z3.Int("x"), z3.Function("f", z3.IntSort(), z3.IntSort())
NOTHING: dict[str, Callable[[Doors], Verdict]] = {
    "no question": lambda doors: Proved(),
    "nothing to ask about": lambda doors: together(doors.decide(x > n) for n in range(0)),
    "a contradiction": lambda doors: doors.decide(x > 0, given=[x > 1, x < 1]),
    "a constant": lambda doors: doors.decide(z3.BoolVal(True), given=[x > 1]),
    "a contradiction of instances": lambda doors: doors.prove(f(0) > 0, [z3.ForAll([x], f(x) < 0), f(0) > 1]),
}


@pytest.mark.parametrize("name", NOTHING)
def test_what_asks_nothing_is_found_out(doors: Doors, name: str) -> None:
    assert not is_open(Obligation("a.b", name, lambda: NOTHING[name](doors)))
    assert is_open(Obligation("a.b", "", lambda: doors.decide(x > 0, given=[x > 1])))


def test_the_doors_are_those_that_proofs_use() -> None:
    """Whoever takes another way to the solver is named here, with what is asked there."""
    ways = {
        "levels.instances": "proved",
        "schedules.schedule_visits": "of a schedule that is given",
    }
    users = {
        name.removeprefix("gnomon.properties.proofs.")
        for name, module in sys.modules.items()
        if name.startswith("gnomon.properties.proofs.") and getattr(module, "search", None) is solver.search
    }
    assert users - {"solver"} <= ways.keys()
