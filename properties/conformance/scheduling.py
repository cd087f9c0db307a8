"""Rules about schedules: relations, loops, preconditions, generated code, autoscheduling."""

from __future__ import annotations

from dataclasses import replace

from ...reference.schedule.autoschedule.ranking import rank
from ...reference.schedule.branched.contraction import Contraction, contraction_of
from ...reference.schedule.branched.graph import Branch
from ...reference.schedule.branched.realisation import realise
from ...reference.schedule.branched.search import compare, search
from ...reference.schedule.branched.space import Found, branched_schedules
from ...reference.schedule.branched.unasked import unasked_schedules
from ...reference.schedule.schedule import Schedule, as_schedule
from ..programs.problem import Problem
from .meaning import DENSE, A, B, X, Y
from .rule import Cell, Rule, both, cells, matrix, problem_of, section, sparse_result

SQUARE = matrix([[0, 1, 0], [2, 0, 0], [0, 3, 4]], "CSR")
SPMV = problem_of("y(i) = A(i,j) * x(j)", A=A, x=DENSE)
SCALED = problem_of("y(i) = A(i,j) * 2 * x(j)", A=A, x=DENSE)
SUM = problem_of("s = A(i,j)", A=A)
ADDITION = problem_of("C(i,j) = A(i,j) + D(i,j)", "CSR", A=A, D=A)
PRODUCT = problem_of("C(i,j) = A(i,k) * B(k,j)", "CSR", A=A, B=B)
DOUBLE = problem_of("y(i) = x(i) + x(i)", x=DENSE)
ROWS = problem_of("C(i,j) = A(i,k) * B(k,j)", A=A, B=B.convert("RowMajor"))
UNION = problem_of("y(i) = X(i) + Y(i)", X=X, Y=Y)
CHAIN = problem_of("C(i,l) = D(i,j) * E(j,k) * F(k,l)", D=A, E=B, F=A.convert("Dense"))
MATRICES = problem_of(CHAIN.source, D=A.convert("Dense"), E=B.convert("Dense"), F=A.convert("Dense"))
MERGED = problem_of(SPMV.source, A=A, x=DENSE.convert("SparseVector"))
DOTS = problem_of(PRODUCT.source, "CSR", A=A, B=B.convert("CSC"))
MASKED = problem_of("C(i,j)<$M(i,j)> = A(i,k) * B(k,j)", "CSR", A=A, B=B.convert("Dense"), M=SQUARE)
EXCLUDED = problem_of("C(i,j)<!$M(i,j)> = A(i,k) * B(k,j)", "CSR", A=A, B=B, M=SQUARE)
KEPT = problem_of("C(i,j)<M(i,j),merge> = A(i,k) * B(k,j)", "CSR", A=A, B=B, M=SQUARE, C=SQUARE)
PULLED = problem_of(MASKED.source, "CSR", A=A, B=B.convert("CSC"), M=SQUARE)
ROWS_MASKED = problem_of("C(i,j)<$M(i,j)> = A(i,j) * A(i,j)", "CSR", A=A, M=SQUARE)
FUSED = "reorder(i,j,k,l),loopfuse({},2,left,t)"
GAPS = problem_of("C(i,k) = A(i,j) * D(j,k)", "CSR", A=A, D=B.convert("Dense"))
ROW = "precompute(A(i,j)*D(j,k),{k},{k},w)"
GUSTAVSON = "reorder(i,k,j),precompute(A(i,k)*B(k,j),{j},{jw},w)"
TILES = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)"


def by(problem: Problem, schedule: str) -> Problem:
    """The problem with a schedule."""
    return replace(problem, schedule=as_schedule(schedule))


def several(problem: Problem, found: frozenset[Cell]) -> bool:
    """Programs with three commands or more."""
    return len(problem.schedule.commands) > 2


def templates(problem: Problem) -> tuple[Problem, ...]:
    """The problem by the first schedules that the autoscheduler finds, in tiles of two."""
    found = rank(problem.ready.lowered)[:4]
    return tuple(replace(problem, schedule=t.schedule(dict.fromkeys(t.purposes, 2))) for t in found)


def structures(problem: Problem) -> tuple[Problem, ...]:
    """The problem by some of its branched schedules, from all over their space."""
    contraction = contraction_of(problem.ready.lowered)
    every = [each for each in branched_schedules(contraction) if isinstance(each.graph, Branch)]
    return tuple(by_structure(problem, contraction, each) for each in every[:: max(1, len(every) // 4)])


def left_structures(problem: Problem) -> tuple[Problem, ...]:
    """The problem by the branched schedules that no other one dominates."""
    contraction = contraction_of(problem.ready.lowered)
    groups = compare(search(contraction)).left.groups
    return tuple(by_structure(problem, contraction, each) for own in groups for each in own.schedules[:1])


def unasked_structures(problem: Problem) -> tuple[Problem, ...]:
    """The problem by the schedules among which a kernel chooses."""
    return tuple(replace(problem, schedule=each) for each in unasked_schedules(problem.ready.lowered))


def by_structure(problem: Problem, contraction: Contraction, found: Found) -> Problem:
    """The problem by a branched schedule."""
    return replace(problem, schedule=Schedule(realise(problem.ready.lowered, contraction, found).commands))


THREADS = cells(("parallel units", "CPUThread"))
SCHEDULED = section("commands")
RULES = (
    Rule("schedule.split.recover", "splits and divisions", cells(("commands", "split"), ("commands", "divide"))),
    Rule("schedule.collapse.recover", "collapses", cells(("commands", "collapse"))),
    Rule("schedule.pos.recover", "positions", cells(("commands", "pos")), (by(SPMV, TILES),)),
    Rule(
        "schedule.coord.recover",
        "coordinates of positions",
        cells(("commands", "coord")),
        (by(SUM, f"{TILES},coord(p1,g)"),),
    ),
    Rule("schedule.bound.recover", "bounds", cells(("commands", "bound")), (by(SPMV, "bound(j,b,4,max_exact)"),)),
    Rule("schedule.relation", "recovery", several),
    Rule(
        "schedule.extent",
        "tails",
        cells(("commands", "split")),
        (by(SPMV, "split(j,j0,j1,3)"), by(SPMV, "split(i,i0,i1,2)")),
    ),
    Rule("schedule.loop.derived", "ranges", SCHEDULED, (by(SPMV, "split(i,i0,i1,2),split(i1,i2,i3,1)"),)),
    Rule("schedule.loop.completed", "merging inside tiles", several, (by(ADDITION, "split(j,j0,j1,2)"),)),
    Rule("schedule.loop.visits", "visits", SCHEDULED),
    Rule("schedule.loop.parallel", "iterations in any order", THREADS),
    Rule(
        "schedule.split.requires",
        "split: sizes",
        cells(("commands", "split")),
        refused=(by(SPMV, "split(i,i0,i1,0)"), by(SPMV, "divide(i,i0,i1,0)")),
    ),
    Rule(
        "schedule.collapse.requires",
        "collapse: nesting",
        cells(("commands", "collapse")),
        refused=(by(SPMV, "collapse(j,i,f)"),),
    ),
    Rule(
        "schedule.pos.requires",
        "pos: what is stored",
        cells(("commands", "pos")),
        refused=(by(UNION, "pos(i,p,X(i))"),),
    ),
    Rule(
        "schedule.coord.requires", "coord: positions", cells(("commands", "coord")), refused=(by(SPMV, "coord(i,g)"),)
    ),
    Rule(
        "schedule.reorder.requires",
        "reorder: storage and reductions",
        cells(("commands", "reorder")),
        refused=(by(SPMV, "reorder(j,i)"),),
    ),
    Rule(
        "schedule.precompute.requires",
        "precompute: what is there",
        cells(("commands", "precompute")),
        (
            by(SPMV, "precompute(A(i,j)*x(j),{i},{iw},w)"),
            by(SPMV, "precompute(A(i,j)*x(j),{},{},w)"),
            by(SCALED, "precompute(A(i,j)*x(j),{j},{j},w)"),
        ),
        refused=(by(SPMV, "precompute(B(i,j),{j},{jw},w)"),),
    ),
    Rule(
        "schedule.bound.requires",
        "bound and unroll",
        cells(("commands", "unroll"), ("commands", "bound")),
        refused=(by(SPMV, "bound(j,b,7,max_exact)"), by(SPMV, "unroll(i,0)")),
    ),
    Rule(
        "schedule.parallelize.requires",
        "parallelize: last",
        THREADS,
        refused=(by(SPMV, "parallelize(i,CPUThread,NoRaces),split(i,i0,i1,2)"),),
    ),
    Rule("schedule.race", "races", section("race strategies"), refused=(by(SUM, "parallelize(i,CPUThread,NoRaces)"),)),
    Rule("schedule.unit", "units", section("parallel units"), refused=(by(SPMV, "parallelize(i,GPUThread,NoRaces)"),)),
    Rule("schedule.reach", "levels below their parents", several, refused=(by(PRODUCT, "reorder(k,i)"),)),
    Rule(
        "schedule.names",
        "names",
        SCHEDULED,
        refused=(by(SPMV, "split(i,j,i1,2)"), by(SPMV, "unroll(i,2),split(i,i0,i1,2)")),
    ),
    Rule("code.schedule", "the same result", SCHEDULED),
    Rule(
        "code.threads",
        "threads",
        THREADS,
        (by(SPMV, "parallelize(i,CPUThread,NoRaces)"), by(SPMV, f"{TILES},parallelize(p0,CPUThread,Atomics)")),
    ),
    Rule(
        "code.appended",
        "sparse results on threads",
        both(THREADS, sparse_result),
        (by(ADDITION, "parallelize(i,CPUThread,NoRaces)"), by(PRODUCT, "parallelize(i,CPUThread,NoRaces)")),
        needs=("structure",),
    ),
    Rule(
        "code.lanes",
        "lanes",
        cells(("parallel units", "CPUVector")),
        (
            by(DOUBLE, "split(i,i0,b,3),parallelize(b,CPUVector,NoRaces)"),
            by(ROWS, "split(j,j0,b,4),reorder(i,j0,k,b),parallelize(b,CPUVector,NoRaces)"),
        ),
    ),
    Rule("schedule.auto.template", "templates", typed=(*templates(SPMV), *templates(PRODUCT))),
    Rule("schedule.auto.cuts", "collapsed templates", typed=templates(SUM)),
    Rule("schedule.auto.arrangement", "arrangements", typed=templates(ADDITION)),
    Rule("schedule.auto.tuning", "nothing is chosen unasked", typed=(SPMV, PRODUCT)),
    Rule(
        "schedule.staging",
        "workspaces for results",
        both(SCHEDULED, sparse_result),
        (by(PRODUCT, "reorder(i,k,j)"), by(PRODUCT, GUSTAVSON), by(PRODUCT, "split(k,k0,k1,2)")),
        needs=("structure",),
    ),
    Rule(
        "schedule.path",
        "paths",
        section("paths"),
        (by(CHAIN, f"{FUSED},split({{0}},j,a,b,2)"), by(CHAIN, f"{FUSED},reorder({{1}},l,k)")),
        refused=(by(CHAIN, f"{FUSED},split({{0,1}},j,a,b,2)"), by(CHAIN, f"{FUSED},unroll({{1}},j,2)")),
    ),
    Rule(
        "schedule.loopfuse",
        "loopfuse",
        cells(("commands", "loopfuse")),
        (by(CHAIN, FUSED), by(CHAIN, "reorder(i,j,k,l),loopfuse({},1,right,t),loopfuse({0},1,left,s)")),
        refused=(by(CHAIN, "loopfuse({},0,left)"), by(CHAIN, "loopfuse({},3,left)")),
    ),
    Rule(
        "schedule.layout",
        "workspaces lie as they are read",
        cells(("commands", "loopfuse")),
        (by(MATRICES, "reorder(j,i,k,l),loopfuse({},2,left,t),reorder({1},l,k,i)"),),
    ),
    Rule(
        "schedule.flags",
        "flags of workspaces",
        section("flags of workspaces"),
        (by(GAPS, ROW), by(GAPS, f"{ROW},split({{0}},k,k0,k1,2)"), by(GAPS, "reorder(k,i,j)")),
        needs=("structure",),
    ),
    Rule("schedule.branched.space", "branched schedules", cells(("commands", "loopfuse")), structures(CHAIN)),
    Rule("schedule.branched.cost", "costs of branched schedules", typed=structures(MATRICES)),
    Rule("schedule.branched.stages", "dominance", typed=left_structures(MATRICES)),
    Rule("schedule.branched.selection", "schedules for sizes", typed=left_structures(CHAIN)),
    Rule(
        "schedule.branched.unasked",
        "schedules unasked",
        typed=(*unasked_structures(MATRICES), *unasked_structures(CHAIN)),
    ),
    Rule(
        "schedule.hoist",
        "hoist",
        cells(("commands", "hoist")),
        (by(SPMV, "precompute(x(j),{j},{jw},w),hoist(w)"), by(PRODUCT, "precompute(B(k,j),{k,j},{k,j},w),hoist(w)")),
        refused=(by(SPMV, "precompute(A(i,j),{j},{jw},w),hoist(w)"), by(SPMV, "hoist(w)")),
    ),
    Rule("schedule.inputs", "workspaces of inputs", typed=(*unasked_structures(MERGED), *unasked_structures(DOTS))),
    Rule(
        "schedule.copies",
        "masks that push and pull",
        typed=(
            *unasked_structures(MASKED),
            by(MASKED, "reorder(i,k,j)"),
            by(MASKED, "reorder(i,j,k)"),
            by(EXCLUDED, "precompute(B(k,j),{k,j},{k,j},t),hoist(t),reorder({1},i,j,k)"),
        ),
    ),
    Rule(
        "schedule.settings",
        "settings",
        cells(("settings", "auto")),
        (
            by(MASKED, "mask=auto,parallelize(i,CPUThread,NoRaces)"),
            by(MATRICES, "auto,workspaces=output"),
            by(CHAIN, "auto,unroll(k,2)"),
        ),
    ),
    Rule(
        "schedule.mask",
        "directions of masks that are asked for",
        cells(("settings", "mask")),
        tuple(by(problem, f"mask={way}") for problem in (MASKED, EXCLUDED, KEPT, PULLED) for way in ("push", "pull")),
        refused=(by(SPMV, "mask=push"), by(PULLED, "mask=push,workspaces=output"), by(ROWS_MASKED, "mask=push")),
    ),
    Rule(
        "schedule.workspaces",
        "workspaces that nobody has asked for",
        cells(("settings", "workspaces")),
        (
            *(by(MASKED, f"workspaces={who}") for who in ("none", "output", "both")),
            by(MERGED, "workspaces=both"),
            by(DOTS, "workspaces=none"),
            by(problem_of(EXCLUDED.source, "hashed,hashed", A=A, B=B, M=SQUARE), "workspaces=none"),
        ),
        refused=(by(PRODUCT, "workspaces=none"), by(MASKED, "workspaces=none,reorder(i,k,j)")),
    ),
)
