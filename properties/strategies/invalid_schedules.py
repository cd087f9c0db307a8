"""Schedules whose preconditions fail: on certain programs, or on the data."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec.structs import replace

from ...reference.errors import ScheduleError
from ...reference.storage.named_formats import format_of
from ..programs.features import Features
from .invalid_commands import NEEDS
from .invalid_program import FLOAT, Mistake, Operand, Written, ones
from .tensors import tensors

PROGRAMS = {
    "rows": ("y(i) = A(i,j) * x(j)", {"A": "CSR", "x": "Dense"}, "Dense"),
    "cells": ("y(i) = A(i,j) * x(j)", {"A": "RowMajor", "x": "Dense"}, "Dense"),
    "scaled": ("C(i,j) = A(i,j) * 2", {"A": "RowMajor"}, "CSR"),
    "union": ("C(i,j) = A(i,j) + B(i,j)", {"A": "CSR", "B": "CSR"}, "RowMajor"),
    "nonlinear": ("y(i) = sqrt(sum(j, A(i,j)))", {"A": "RowMajor"}, "Dense"),
    "two sums": ("y(i) = sqrt(sum(j, A(i,j))) * sqrt(sum(k, B(i,k)))", {"A": "CSR", "B": "CSR"}, "Dense"),
    "product": ("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR", "B": "CSR"}, "CSR"),
    "cubes": ("C(i,j) = T(j,k,i)", {"T": "CSF"}, "RowMajor"),
    "blocks": ("C(i,j) = A(i,j) * 2", {"A": "BCSR(2,2)"}, "RowMajor"),
    "hashed": ("y(i) = A(i,j) * x(j)", {"A": "HashRows", "x": "Dense"}, "Dense"),
    "unordered": ("y(i) = v(i)", {"v": "compressed(unordered)"}, "SparseVector"),
}
"""Sources, formats of operands and of the result, for commands that need certain loops."""

POSITIONS = "collapse(i,j,f),pos(f,p,A(i,j))"

SCHEDULED = {
    "a reorder past a reduction that does not distribute": (
        r"reorder cannot move j outward: sqrt\(w\) does not distribute over the sum",
        (("nonlinear", "reorder(j,i)"),),
    ),
    "a reorder of loops that are not nested": (
        "reorder needs loops inside one another, but those over .* are not",
        (("two sums", "reorder(j,k)"), ("two sums", "reorder(k,j)")),
    ),
    "a level reached before the one above it": (
        "can only be reached through the ones above it",
        (("rows", "reorder(j,i)"), ("hashed", "reorder(j,i)")),
    ),
    "a result appended to by positions that are not sorted": (
        r"p counts positions of v, whose level 1 \(compressed\) is not sorted",
        (("unordered", "pos(i,p,v(i))"),),
    ),
    "a collapse of loops that are not directly nested": (
        r"collapse needs \w directly nested in \w, but it is not",
        (
            ("rows", "collapse(j,i,f)"),
            ("rows", "split(j,u,v,2),collapse(i,v,f)"),
            ("two sums", "collapse(j,k,f)"),
        ),
    ),
    "a collapse of one loop": (
        "collapse needs two loops, but [ij] is one",
        (("rows", "collapse(i,i,f)"), ("union", "collapse(j,j,f)")),
    ),
    "a collapse of positions": (
        "collapse needs coordinates, but p counts positions",
        (("rows", "pos(j,p,A(i,j)),collapse(i,p,f)"),),
    ),
    "positions in a union": (
        "pos on a union: .* has no component",
        (("union", "pos(j,p,A(i,j))"), ("union", "pos(i,p,B(i,j))")),
    ),
    "positions of positions": (
        "pos needs coordinates, but p counts positions already",
        (("rows", "pos(j,p,A(i,j)),pos(p,q,A(i,j))"),),
    ),
    "positions of the parts of a split": (
        "pos needs coordinates, but [uf] counts the parts of a split",
        (
            ("rows", "split(j,u,v,2),pos(u,p,A(i,j))"),
            ("rows", "divide(j,u,v,2),pos(u,p,A(i,j))"),
            ("rows", "split(j,u,v,2),split(u,a,b,2),collapse(b,v,f),pos(f,p,A(i,j))"),
        ),
    ),
    "positions of what the operand does not store": (
        "does not store .* one after the other",
        (
            ("rows", "pos(i,p,x(j))"),
            ("cells", "reorder(j,i),collapse(j,i,f),pos(f,p,A(i,j))"),
        ),
    ),
    "positions below a parent that is not known": (
        "below .*, which the loops around do not give",
        (
            ("cells", "reorder(j,i),pos(j,p,A(i,j))"),
            ("cubes", "pos(i,u,T(j,k,i)),divide(j,v,w,2),reorder(k,u,w)"),
        ),
    ),
    "a command on a parallel loop": (
        "i is parallel: no command may follow parallelize on the same loop",
        (
            ("rows", "parallelize(i,CPUThread,NoRaces),split(i,u,v,2)"),
            ("rows", "parallelize(i,CPUThread,NoRaces),unroll(i,2)"),
            ("rows", "parallelize(i,CPUThread,NoRaces),parallelize(i,CPUThread,NoRaces)"),
        ),
    ),
    "a race without a race strategy": (
        "cannot be parallel with NoRaces: several of its iterations write one component",
        (
            ("rows", "parallelize(j,CPUThread,NoRaces)"),
            ("rows", f"{POSITIONS},parallelize(p,CPUThread,NoRaces)"),
        ),
    ),
    "a reduction of one loop in another": (
        "(Temporary|ParallelReduction) needs the racing reduction to be over p itself",
        (
            ("rows", f"{POSITIONS},parallelize(p,CPUThread,Temporary)"),
            ("rows", f"{POSITIONS},parallelize(p,CPUThread,ParallelReduction)"),
        ),
    ),
    "a parallel loop that merges": (
        "j cannot be parallel: its loop merges A, B step by step",
        (
            ("union", "parallelize(j,CPUThread,NoRaces)"),
            ("union", "parallelize(j,CPUThread,Atomics)"),
        ),
    ),
    "warps without a constant number of iterations": (
        r"cannot run on \w+: the number of its iterations is not a constant",
        (
            ("rows", "parallelize(i,GPUWarp,NoRaces)"),
            ("rows", "split(i,u,v,2),parallelize(u,GPUWarp,NoRaces)"),
        ),
    ),
    "a unit inside itself": (
        "i cannot run on CPUThread: a loop around it or inside it does already",
        (("rows", "parallelize(j,CPUThread,Atomics),parallelize(i,CPUThread,NoRaces)"),),
    ),
    "a thread outside a block": (
        r"v cannot run on \w+: no loop around it runs on GPUBlock",
        (
            ("rows", "split(i,u,v,2),parallelize(v,GPUThread,NoRaces)"),
            ("rows", "split(i,u,v,2),parallelize(v,GPUWarp,NoRaces)"),
        ),
    ),
    "a precompute over loops that do not stand around the part": (
        r"precompute needs loops over \w around ",
        (
            ("rows", "precompute(A(i,j)*x(j),{z},{zw},t)"),
            ("rows", "precompute(A(i,j)*x(j),{i},{iw},t),precompute(x(j),{i},{iv},u)"),
        ),
    ),
    "a hoist of what is no workspace": (
        r"there is no workspace \w+",
        (
            ("rows", "hoist(t)"),
            ("rows", "precompute(x(j),{j},{jw},t),hoist(x)"),
        ),
    ),
    "a hoist out of loops that are needed": (
        r"t cannot be filled further out: (the loop over i around it is needed there|no loop is around it)",
        (
            ("rows", "precompute(A(i,j),{j},{jw},t),hoist(t)"),
            ("rows", "precompute(x(j),{j},{jw},t),hoist(t),hoist(t)"),
        ),
    ),
    "a precompute over positions": (
        "a workspace needs a known number of values, but that of p depends on what is stored",
        (("rows", f"{POSITIONS},precompute(A(i,j)*x(j),{{p}},{{pw}},t)"),),
    ),
    "a precompute over what a format derives": (
        "a workspace cannot count by ji: the format of an operand derives it",
        (("blocks", "precompute(A(i,j),{ji},{jw},t)"),),
    ),
    "a precompute over coordinates of positions": (
        "a workspace cannot count by c: its values are coordinates that only positions give",
        (("rows", f"{POSITIONS},split(p,u,v,2),coord(v,c),precompute(x(j),{{c}},{{cw}},t)"),),
    ),
    "a workspace that is not inserted into": (
        r"the workspace t cannot be stored as .*: level 1 \(compressed\) is not inserted into",
        (
            ("rows", "precompute(A(i,j)*x(j),{j},{jw},t,SparseVector)"),
            ("rows", "precompute(A(i,j)*x(j),{j},{jw},t,compressed(unordered))"),
        ),
    ),
    "a workspace whose map is no order": (
        "the workspace t cannot be stored as .*: its map is no order of the variables",
        (("rows", "precompute(A(i,j)*x(j),{j},{jw},t,dense,dense; (i)->(i//2,i%2))"),),
    ),
    "a workspace whose format does not exist": (
        "unknown (level )?format '[fF]oo'",
        (
            ("rows", "precompute(A(i,j)*x(j),{j},{jw},t,foo)"),
            ("rows", "precompute(A(i,j)*x(j),{j},{jw},t,Foo)"),
        ),
    ),
    "a workspace in a format of another order": (
        "stores tensors of order 2, but this one has order 1",
        (
            ("rows", "precompute(A(i,j)*x(j),{j},{jw},t,CSR)"),
            ("rows", "precompute(A(i,j)*x(j),{j},{jw},t,RowMajor)"),
        ),
    ),
    "a name that a workspace has": ("the statement already has a workspace w", (("nonlinear", "split(i,w,v,2)"),)),
    "a variable that indexes a workspace": (
        "v cannot be transformed any more: the workspace t is indexed by it",
        (("rows", "split(j,u,v,3),precompute(A(i,j)*x(j),{v},{vw},t),split(v,a,b,2)"),),
    ),
}
"""What messages say, and commands that certain programs refuse."""


def on(says: str, texts: tuple[tuple[str, str], ...]) -> Mistake:
    """A schedule that a certain program refuses."""

    def write(draw: st.DrawFn, features: Features) -> Written:
        name, schedule = draw(st.sampled_from(texts))
        return replace(certain(draw, features, name), schedule=schedule)

    return Mistake(ScheduleError, says, write, NEEDS)


def certain(draw: st.DrawFn, features: Features, name: str, least: int = 1) -> Written:
    """A program of the table, on tensors of up to three coordinates a mode."""
    source, stored, out = PROGRAMS[name]
    extents = {v: draw(st.integers(least, 3)) for v in "ijk"}
    operands: dict[str, Operand] = {}
    for operand, format in stored.items():
        at = source.index(f"{operand}(") + len(operand) + 1
        shape = tuple(extents[v] for v in source[at : source.index(")", at)].split(","))
        operands[operand] = draw(tensors(shape, format=format_of(format, len(shape)), features=features))
    return Written(source, operands, out)


def wrong_bound(draw: st.DrawFn, features: Features) -> Written:
    """A bound on coordinates that does not hold."""
    found = certain(draw, features, "cells")
    extent = found.operands["A"].shape[0]
    more = draw(st.integers(1, 3))
    bounds = [
        f"{extent + more},max_exact",
        f"{extent - 1},max_constraint",
        f"{more},min_exact",
        f"{more},min_constraint",
        f"{extent + more},divisible",
        f"{extent + more},MaxExact",
    ]
    return replace(found, schedule=f"bound(i,b,{draw(st.sampled_from(bounds))})")


def wrong_bound_of_positions(draw: st.DrawFn, features: Features) -> Written:
    """A bound on positions, which is checked when the loop runs."""
    found = certain(draw, features, "rows")
    extents = found.operands["A"].shape
    full = {"A": replace(ones(extents, FLOAT), format="CSR"), "x": ones(extents[1:], FLOAT)}
    size = extents[0] * extents[1] + draw(st.sampled_from([-1, 1, 2]))
    return replace(found, operands=full, schedule=f"{POSITIONS},bound(p,b,{size},max_exact)")


def ignored_race(draw: st.DrawFn, features: Features) -> Written:
    """A race on the data at hand that a schedule says there is not."""
    found = certain(draw, features, "cells", least=2)
    extents = found.operands["A"].shape
    full = {"A": ones(extents, FLOAT), "x": ones(extents[1:], FLOAT)}
    tiles = f"{POSITIONS},split(p,u,v,1),parallelize(u,CPUThread,IgnoreRaces)"
    return replace(
        found, operands=full, schedule=draw(st.sampled_from(["parallelize(j,CPUThread,IgnoreRaces)", tiles]))
    )


def large_workspace(draw: st.DrawFn, features: Features) -> Written:
    """A dense workspace that would not fit in memory."""
    extent = draw(st.integers(10_001, 10**6))
    one = tensors((extent, extent), format=format_of("COO", 2), features=replace(features, hollow=True))
    return Written("C(i,j) = A(i,j)", {"A": draw(one)}, "COO", schedule="precompute(A(i,j),{i,j},{iw,jw},w,Dense)")


BOUND = r"ranges from \d+ to -?\d+, for which \w+ \d+"
RACE = r"iterations \w = \d+ and \w = \d+ both write y\(\d+\), but \w is parallel with IgnoreRaces"
WORKSPACE = r"the workspace w of shape .* needs \d+ positions"
SCHEDULES = {
    **{mistake: on(says, texts) for mistake, (says, texts) in SCHEDULED.items()},
    "a bound that does not hold": Mistake(ScheduleError, f"{BOUND} does not hold", wrong_bound, NEEDS),
    "a bound that does not hold on positions": Mistake(
        ScheduleError, f"{BOUND} is wrong", wrong_bound_of_positions, NEEDS
    ),
    "a race that was said not to happen": Mistake(ScheduleError, RACE, ignored_race, NEEDS),
    "a workspace too large to store": Mistake(ScheduleError, WORKSPACE, large_workspace, NEEDS),
}
