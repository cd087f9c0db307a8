"""Teams: who runs iterations of a loop side by side, and in which tensors they meet (Senanayake 2020, section 4)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from ...reference.schedule.races import races
from ...reference.statement.statement import Forall, Program
from ...reference.statement.tags import Parallel, Unroll
from ..ir import ir, logic
from ..ir.grid import THREAD
from ..ir.ir import LANES, Expr


class Team(Struct, frozen=True):
    """How a loop over a variable runs: its tag, and the tensors of which several iterations write one component."""

    variable: str
    tag: Parallel
    racing: frozenset[str]


class Group(Struct, frozen=True):
    """The threads of a block, or of a warp, that run the code here together, each the same, with the same variables.

    What they compute all of them have; one of them stores it. A block has so many `threads`, and its warps so many
    `lanes`; `depth` loops stand around what they run.
    """

    scope: ir.Scope
    threads: int
    depth: int
    lanes: int = LANES

    @property
    def size(self) -> int:
        """How many threads they are."""
        return self.lanes if self.scope == "warp" else self.threads

    @property
    def rank(self) -> Expr:
        """The number of a thread among them."""
        return ir.mod(THREAD, ir.Int(self.lanes)) if self.scope == "warp" else THREAD

    @property
    def warps(self) -> int:
        """How many warps a block has."""
        return self.threads // self.lanes

    @property
    def warp(self) -> Expr:
        """The number of a thread's warp in its block."""
        return ir.floordiv(THREAD, ir.Int(self.lanes))

    @property
    def leads(self) -> Expr:
        """Whether a thread is the one that stores."""
        return logic.compare("==", self.rank, ir.ZERO)


class Teams(Struct, frozen=True):
    """Who runs the code here, and loops to come, by index: teams of `threads`, `vectors` of lanes, `unrolled` bodies,
    and on the `units` of a GPU.

    `atomic` are the results that several threads update. `shared` are the teams that iterations of loops around have
    been handed out to, outermost first; they `meet` where they may update one component. On a GPU, a `group` of threads
    may run the code; of the tensors that are `combined` by atomic updates, those become atomic that several iterations
    of loops around update. Where each thread runs whatever it comes to `alone`, loops on units inside are loops like
    others. Whatever is appended to a result that threads may fill `together` is appended in one place.
    """

    threads: Mapping[str, Team] = field(default_factory=dict)
    vectors: Mapping[str, Team] = field(default_factory=dict)
    unrolled: Mapping[str, int] = field(default_factory=dict)
    units: Mapping[str, Team] = field(default_factory=dict)
    atomic: frozenset[str] = frozenset()
    shared: tuple[Team, ...] = ()
    meets: bool = False
    group: Group | None = None
    combined: frozenset[str] = frozenset()
    alone: bool = False
    together: frozenset[str] = frozenset()

    @property
    def stores(self) -> Expr:
        """Whether a thread here is the one that stores what is computed."""
        return ir.TRUE if self.group is None else self.group.leads


def team(program: Program, s: Forall, bound: tuple[str, ...], *units: str) -> Team | None:
    """The team of a loop on one of some units; None if it has none."""
    for tag in s.tags:
        if isinstance(tag, Parallel) and tag.unit in units:
            return Team(s.index, tag, frozenset(race.leaf.target.tensor for race in races(program, s, bound)))
    return None


def unroll_factor(s: Forall) -> int | None:
    """How often the body of a loop is to be repeated a round."""
    return next((tag.factor for tag in s.tags if isinstance(tag, Unroll)), None)
