"""Contractions: products of a few operands under sums, each by a branched schedule of its space (SparseAuto, section
4)."""

from __future__ import annotations

import dataclasses
from collections import Counter

from hypothesis import reject
from hypothesis import strategies as st
from msgspec.structs import replace

from ...reference.algebra.operators import ADD, MUL
from ...reference.errors import ScheduleError
from ...reference.notation.printer import pretty
from ...reference.notation.syntax import Access, Assignment, free_variables
from ...reference.notation.text import as_text
from ...reference.schedule.branched.contraction import Contraction, contraction_of
from ...reference.schedule.branched.graph import Branch
from ...reference.schedule.branched.realisation import realise
from ...reference.schedule.branched.space import branched_schedules, operand_orders
from ...reference.schedule.schedule import Schedule
from ..programs.features import EVERYTHING, Features
from ..programs.problem import Problem
from .expressions import Expressions
from .formats import RESULTS, formats
from .programs import dtypes, means, places, rings, without_sums
from .typed_parts import Part, reduce

VARIABLES = "ijklmn"
EXTENTS = (2, 3, 1, 4, 3)
COUNTS = (3, 4, 3, 2, 5, 4)
WIDE = ("float64", "int64", "float32", "complex128", "uint64")
ORDER, ORDERS = 3, (2, 1, 2, 3)


@st.composite
def contractions(draw: st.DrawFn, features: Features = EVERYTHING) -> Problem:
    """Products of two to five operands over up to six variables, with some of them summed over, in any formats and
    semirings; by a structure of their space if there is one. A variable that one operand alone has is kept if there is
    room, since its sum stands inside the product.

    Most have one dtype that their sums have too, and fill 0: conversions end a chain of operands, and what does not
    annihilate is not taken apart. They shrink towards three operands with one variable, by the linear nest.
    """
    drawn = draw(bare_contractions(features))
    try:
        contraction = contraction_of(drawn.ready.lowered)
    except ScheduleError:
        return drawn
    return drawn.with_schedule(draw(structures(drawn, contraction)))


@st.composite
def bare_contractions(draw: st.DrawFn, features: Features) -> Problem:
    """As `contractions`, without schedules."""
    features = draw(narrowed_features(features))
    extents = {v: draw(st.sampled_from(EXTENTS)) for v in VARIABLES}
    ring = draw(rings(features))
    made = Expressions(draw, features, extents, draw(dtypes(features, ring)), ring)
    multiply, add = (MUL, ADD) if ring is None else (ring.multiply, ring.add)
    count = draw(st.sampled_from(COUNTS))
    there = VARIABLES[: draw(st.sampled_from((count, count + 1, count - 1)))]
    parts = [made.leaf(draw(chosen(there))) for _ in range(count)]
    value: Part | None = parts[0]
    for part in parts[1:]:
        value = None if value is None else made.combine(multiply, MUL, (value, part))
    used = Counter(v for part in parts for v in free_variables(part.term))
    target = draw(targets(used))
    for v in sorted(used):
        if v not in target and value is not None:
            value = reduce(add, v, value, extents[v], ADD)
    if value is None:
        reject()
    assignment = Assignment(Access("R", target), value.term)
    out = draw(formats(len(target), features.results or RESULTS))
    drawn = Problem(pretty(assignment), made.operands, out, None if ring is None else ring.name, target=features.target)
    bare = dataclasses.replace(drawn, text=as_text(pretty(replace(assignment, value=without_sums(value.term)))))
    return draw(places(bare if means(bare, assignment) else drawn, features))


@st.composite
def narrowed_features(draw: st.DrawFn, features: Features) -> Features:
    """Features of products that can mostly be taken apart."""
    features = replace(features, orders=tuple(o for o in features.orders if 0 < o <= ORDER))
    if draw(st.integers(0, 4)) == 4:
        return features
    kept = tuple(name for name in features.dtypes if name in WIDE) or features.dtypes
    return replace(features, fills=False, mixed=False, diagonals=False, dtypes=kept)


@st.composite
def targets(draw: st.DrawFn, used: Counter[str]) -> tuple[str, ...]:
    """The variables of a result, those that one operand alone has among them as far as there is room."""
    alone = [v for v in sorted(used) if used[v] == 1][:ORDER]
    others = draw(st.lists(st.sampled_from(sorted(used)), max_size=ORDER, unique=True))
    return tuple(draw(st.permutations([*alone, *(v for v in others if v not in alone)][:ORDER])))


@st.composite
def chosen(draw: st.DrawFn, there: str) -> tuple[str, ...]:
    """The variables of an operand, in any order."""
    return tuple(draw(st.permutations(there))[: draw(st.sampled_from(ORDERS))])


@st.composite
def structures(draw: st.DrawFn, problem: Problem, contraction: Contraction) -> Schedule:
    """The commands of one structure of a contraction's space, for one order of its operands; mostly of one that
    branches."""
    order = draw(st.sampled_from(list(operand_orders(contraction))))
    space = list(branched_schedules(contraction, orders=[order]))
    branching = [each for each in space if isinstance(each.graph, Branch)]
    pool = branching if branching and draw(st.integers(0, 3)) < 3 else space
    found = draw(st.sampled_from(pool))
    return Schedule(realise(problem.ready.lowered, contraction, found).commands)
