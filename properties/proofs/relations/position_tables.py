"""Position tables: what the interpreter finds in storage is what the proofs about loops take for granted (`walked.py`).

The functions of `numbers.py` run on real levels whose coordinates and segments are symbolic; positions are few.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, cast

from msgspec import Struct, field

from ....reference.execution import numbers
from ....reference.execution.state import Standing as Place
from ....reference.execution.state import State
from ....reference.levels.compressed import Compressed
from ....reference.levels.level import Level
from ....reference.levels.singleton import Singleton
from ....reference.loops.iteration_space import IterationSpace, Kept
from ....reference.loops.terms import Extent, Range
from ....reference.notation.syntax import Access
from ....reference.statement.provenance import Provenance
from ....reference.statement.relation import Pos
from ..obligation import Obligation
from ..solver import Term, z3
from ..verdict import Bounded, Proved, Verdict, together
from .symbolic import Execution, Integer, always, term_of

MOST = 3
FEW = f"up to {MOST} positions"
RULES = ("schedule.pos.recover", "schedule.coord.recover", "schedule.loop.completed")
VECTOR = Pos("i", "p", Access("A", ("i",), ("i",)), 0, 1)
MATRIX = Pos("j", "p", Access("A", ("i", "j"), ("i", "j")), 0, 2)
WINDOW = Range(Extent("begin"), Extent("end"))


class Source(Struct, frozen=True):
    """An operand that is read: its levels."""

    levels: tuple[Level, ...]


class Stand(Struct):
    """In the place of the state: one operand with an access that stands at some places, and a window."""

    sources: dict[str, Source]
    place: Place
    extents: dict[str, Any]
    tables: dict[Any, Any] = field(default_factory=dict)
    workspaces: tuple[str, ...] = ()

    def standing(self, access: Access) -> Place:
        """Where the access stands."""
        return self.place


def state(levels: Sequence[Level], places: Sequence[Any] = (), **extents: Any) -> State:
    """A state with an operand of these levels, whose access stands at the root and at these places below it."""
    depth = len(levels) + 1
    place = Place([0, *places] if places else [0] * depth, [()] * depth)
    return cast(State, Stand({"A": Source(tuple(levels))}, place, extents))


def rows(count: int) -> Level:
    """A level with so many coordinates."""
    return Compressed().bind({"pos": [0, count], "crd": list(range(count)), "N": MOST})


def segments_below(run: Execution, parents: int) -> tuple[Level, list[Integer]]:
    """A level with any segments below so many parents, and where those begin and end."""
    pos = [run.integer(f"pos{k}") for k in range(parents + 1)]
    run.assume(*[before.term <= after.term for before, after in pairwise(pos)])
    return Compressed().bind({"pos": pos, "crd": [], "N": MOST}), pos


def singletons_below(run: Execution, parents: int) -> tuple[Level, list[Integer]]:
    """A level that holds one coordinate for every parent, and where the segments begin and end."""
    held = [run.integer(f"c{k}") for k in range(parents)]
    return Singleton().bind({"crd": held, "N": MOST}), [Integer(z3.IntVal(p), run) for p in range(parents + 1)]


def coordinates(run: Execution, count: int) -> Term:
    """Whether what is found at a position is what is held there, and outside of them nothing."""
    held, p = [run.integer(f"c{k}") for k in range(count)], run.integer("p")
    levels = [Compressed().bind({"pos": [0, count], "crd": held, "N": MOST})]
    found = numbers.coordinates_at(VECTOR, cast(int, p), state(levels))
    if found is None:
        return z3.Or(p.term < 0, p.term >= count)
    return z3.Or(*[z3.And(p.term == k, term_of(found["i"]) == c.term) for k, c in enumerate(held)])


def gaps(run: Execution, count: int) -> Term:
    """Whether what is found at a position is what is held there, and nothing where the level is padded."""
    held, p = [run.integer(f"c{k}") for k in range(count)], run.integer("p")
    levels = [rows(count), Singleton(padded=True).bind({"crd": held, "N": MOST})]
    run.assume(p.term >= 0, p.term < count)
    found = numbers.coordinates_at(MATRIX, cast(int, p), state(levels))
    if found is None:
        return z3.Or(*[z3.And(p.term == k, c.term == -1) for k, c in enumerate(held)])
    here = [z3.And(p.term == k, term_of(found["j"]) == c.term, c.term != -1) for k, c in enumerate(held)]
    return z3.And(z3.Or(*here), term_of(found["i"]) == p.term)


def segments(run: Execution, parents: int) -> Term:
    """Whether the positions below a root are those of all its children's children, and a position counts from the
    first of them."""
    columns, pos = segments_below(run, parents)
    q = run.integer("q")
    stand = state([rows(parents), columns], (0, q))
    begin, end = numbers.segment(MATRIX, stand)
    space = IterationSpace(Provenance(of_schedule=(MATRIX,)), ("i", "j"))
    counted = term_of(numbers.number(space.value("p"), stand)) == q.term - term_of(begin)
    return z3.And(under(pos, range(parents), q) == inside(q, begin, end), counted)


def branchless(run: Execution, parents: int) -> Term:
    """Whether the positions below a root, through a level that has one child for every parent, are its children's."""
    columns, _ = singletons_below(run, parents)
    begin, end = numbers.segment(MATRIX, state([rows(parents), columns]))
    return z3.And(term_of(begin) == 0, term_of(end) == parents)


def consecutive(run: Execution, parents: int) -> Term:
    """Whether the positions below some consecutive parents are those of each of them."""
    columns, pos = segments_below(run, parents)
    q = run.integer("q")
    pairs = [(first, last) for last in range(parents + 1) for first in range(last + 1)]
    found = [numbers.below((columns,), first, last) for first, last in pairs]
    return z3.And(*[under(pos, range(*pair), q) == inside(q, *ends) for pair, ends in zip(pairs, found, strict=True)])


Columns = Callable[[Execution, int], tuple[Level, list[Integer]]]


def keeps(columns: Columns, run: Execution, parents: int) -> Term:
    """Whether a walk over parents keeps to those below which positions lie in a window."""
    level, pos = columns(run, parents)
    q = z3.Int("any")
    begin, end = run.integer("begin"), run.integer("end")
    stand = state([rows(parents), level], begin=begin, end=end)
    base, _ = numbers.segment(MATRIX, stand)
    belongs = z3.And(q >= begin.term + term_of(base), q < end.term + term_of(base))
    narrowed = Kept(MATRIX, WINDOW)

    def agrees(p: int) -> Term:
        lies = z3.Exists([q], z3.And(belongs, pos[p].term <= q, q < pos[p + 1].term))
        return z3.BoolVal(numbers.is_kept(narrowed, 0, p, stand)) == lies

    return z3.And(*map(agrees, range(parents)))


def last(columns: Columns, run: Execution, parents: int) -> Term:
    """Whether a walk over the last level that is counted keeps to the positions in a window."""
    level, pos = columns(run, parents)
    begin, end, q = (run.integer(name) for name in ("begin", "end", "q"))
    found = []
    for p in range(parents):
        stand = state([rows(parents), level], (p, 0), begin=begin, end=end)
        row = Pos("j", "p", MATRIX.access, 1, 2)
        is_kept = numbers.is_kept(Kept(row, WINDOW), 1, cast(int, q), stand)
        found.append(z3.BoolVal(is_kept) == inside(Integer(q.term - pos[p].term, run), begin, end))
    return z3.And(*found)


def under(pos: Sequence[Integer], parents: Sequence[int], q: Integer) -> Term:
    """Whether a position lies below one of some parents."""
    return z3.Or(*[inside(q, pos[p], pos[p + 1]) for p in parents])


def inside(q: Integer, begin: Any, end: Any) -> Term:
    """Whether a position lies in a range."""
    return z3.And(term_of(begin) <= q.term, q.term < term_of(end))


def few(claim: Callable[[Execution, int], Term]) -> Verdict:
    """The verdict on all numbers of positions that are looked at."""
    names = ("p", "begin", "end", "q", *(f"{stem}{k}" for stem in ("c", "pos") for k in range(MOST)))
    shown = {name: z3.Int(name) for name in names}
    found = together(always(partial(of_count, claim, count), show=shown) for count in range(MOST + 1))
    return Bounded(FEW) if isinstance(found, Proved) else found


def of_count(claim: Callable[[Execution, int], Term], count: int, run: Execution) -> Term:
    """A claim about so many positions."""
    return claim(run, count)


CLAIMS: dict[str, tuple[str, Callable[[Execution, int], Term]]] = {
    "coordinate": ("The coordinate of a position is the one that is stored there.", coordinates),
    "gaps": ("Where a padded level stores nothing, no coordinate is found.", gaps),
    "segment": (
        "The positions below where an access stands are those of all its children, counted from the first.",
        segments,
    ),
    "branchless": ("Levels with one child for every parent have as many positions as these.", branchless),
    "consecutive": ("The positions below consecutive parents are those of each of them.", consecutive),
    "kept": (
        "A walk keeps to a position exactly if positions below it lie in the window.",
        partial(keeps, segments_below),
    ),
    "kept.branchless": (
        "So it does through a level with one child for every parent.",
        partial(keeps, singletons_below),
    ),
    "last": (
        "At the last level that is counted, a walk keeps to the positions in the window.",
        partial(last, segments_below),
    ),
}


def obligations() -> tuple[Obligation, ...]:
    """What is taken for granted of storage."""
    return tuple(
        Obligation(f"relations.tables.{id}", said, partial(few, claim), RULES) for id, (said, claim) in CLAIMS.items()
    )
