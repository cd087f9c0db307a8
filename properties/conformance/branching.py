"""Rules about schedules that branch: sections, workspaces, settings, and schedules that are found."""

from __future__ import annotations

from ...reference.schedule.autoschedule.ranking import rank
from ...reference.schedule.branched.contraction import Contraction, contraction_of
from ...reference.schedule.branched.graph import Branch
from ...reference.schedule.branched.realisation import realise
from ...reference.schedule.branched.search import compare, search
from ...reference.schedule.branched.space import Found, branched_schedules
from ...reference.schedule.branched.unasked import unasked_schedules
from ...reference.schedule.schedule import Schedule
from ..programs.problem import Problem
from .rule import Rule, both, cells, section, sparse_result
from .scheduled import (
    ADDITION,
    CHAIN,
    COLLAPSED,
    COLLAPSED_ALL,
    DOTS,
    EXCLUDED,
    FUSED,
    GAPS,
    GUSTAVSON,
    INSERTED,
    KEPT,
    MASKED,
    MATRICES,
    MERGED,
    OUTER,
    PRODUCT,
    PULLED,
    ROW,
    ROWS,
    ROWS_MASKED,
    SCHEDULED,
    SLICES,
    SPARSE_CENTRE,
    SPMV,
    SUM,
    UNIFORM,
    by,
)


def templates(problem: Problem) -> tuple[Problem, ...]:
    """The problem by the first schedules that the autoscheduler finds, in tiles of two."""
    found = rank(problem.ready.lowered)[:4]
    return tuple(problem.with_schedule(t.schedule(dict.fromkeys(t.purposes, 2))) for t in found)


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
    return tuple(problem.with_schedule(each) for each in unasked_schedules(problem.ready.lowered))


def by_structure(problem: Problem, contraction: Contraction, found: Found) -> Problem:
    """The problem by a branched schedule."""
    return problem.with_schedule(Schedule(realise(problem.ready.lowered, contraction, found).commands))


RULES = (
    Rule(
        "schedule.section",
        "sections",
        section("paths"),
        (by(CHAIN, f"{FUSED},unroll({{0}},j,2),unroll({{1}},l,2)"),),
        refused=(by(CHAIN, f"{FUSED},unroll({{}},k,2)"),),
    ),
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
        "schedule.loopfuse.requires",
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
    Rule(
        "schedule.hoist.requires",
        "hoist",
        cells(("commands", "hoist")),
        (by(SPMV, "precompute(x(j),{j},{jw},w),hoist(w)"), by(PRODUCT, "precompute(B(k,j),{k,j},{k,j},w),hoist(w)")),
        refused=(by(SPMV, "precompute(A(i,j),{j},{jw},w),hoist(w)"), by(SPMV, "hoist(w)")),
    ),
    Rule(
        "schedule.convert.requires",
        "convert",
        cells(("commands", "convert")),
        (
            by(PRODUCT, "convert(B(k,j),{j,k})"),
            by(SPMV, "convert(A(i,j),{j,i})"),
            by(SPMV, "convert(A(i,j),{j,i}),split(j,j0,j1,2),precompute(x(j),{j1},{j1},w)"),
            by(PRODUCT, "convert(A(i,k),{k,i},B(k,j),{j,k})"),
        ),
        refused=(
            by(PRODUCT, "convert(A(i,k),{k,i},A(i,k),{k,i})"),
            by(SPMV, "convert(A(i,j),{i,j})"),
            by(SPMV, "convert(x(j),{j})"),
            by(SPMV, "split(j,j0,j1,2),convert(A(i,j),{j,i})"),
            by(SPMV, "precompute(A(i,j),{i,j},{i,j},w),convert(w(i,j),{j,i})"),
        ),
    ),
    Rule(
        "schedule.inputs",
        "workspaces of inputs",
        found=lambda: (*unasked_structures(MERGED), *unasked_structures(DOTS)),
    ),
    Rule(
        "schedule.copies",
        "masks that push and pull",
        typed=(
            by(MASKED, "reorder(i,k,j)"),
            by(MASKED, "reorder(i,j,k)"),
            by(EXCLUDED, "precompute(B(k,j),{k,j},{k,j},t),hoist(t),reorder({1},i,j,k)"),
        ),
        found=lambda: unasked_structures(MASKED),
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
            by(INSERTED, "workspaces=none"),
        ),
        refused=(by(PRODUCT, "workspaces=none"), by(MASKED, "workspaces=none,reorder(i,k,j)")),
    ),
    Rule(
        "schedule.modes",
        "workspaces over several modes",
        cells(("settings", "modes")),
        (
            *(by(OUTER, f"modes={how}") for how in ("nested", "flat")),
            *(by(SLICES, f"modes={how}") for how in ("nested", "flat")),
            by(SLICES, "auto,modes=flat"),
        ),
    ),
    Rule(
        "schedule.loop.collapsed",
        "loops over what is stored by collapsed variables",
        typed=(by(SLICES, f"reorder(l,i,j,k),{COLLAPSED}"), by(SLICES, f"reorder(l,i,j,k),{COLLAPSED_ALL}")),
    ),
    Rule(
        "schedule.loopfuse.operands",
        "loopfuse: operands",
        typed=(by(CHAIN, "reorder(i,j,k,l),loopfuse({},D(i,j)*F(k,l),left,t)"),),
        refused=(by(SUM, "loopfuse({},1,left)"), by(CHAIN, "loopfuse({},G(i,j),left)")),
    ),
    Rule(
        "schedule.loopfuse.reduction",
        "loopfuse: reductions",
        typed=(by(MATRICES, "reorder(i,k,j,l),split(j,j0,j1,2),loopfuse({},2,left,t)"),),
        refused=(by(UNIFORM, "loopfuse({0},1,left)"),),
    ),
    Rule("schedule.settings.commands", "commands behind settings", typed=(by(PULLED, "mask=push,unroll(i,2)"),)),
    Rule("schedule.auto.unasked", "linear nests unasked", typed=(by(SPMV, "auto"), by(ROWS, "auto"))),
    Rule("schedule.branched.contraction", "contractions", found=lambda: structures(MATRICES)[:1]),
    Rule("schedule.branched.realised", "branched schedules as commands", found=lambda: structures(CHAIN)[:2]),
    Rule("schedule.branched.parallel", "branched schedules in parallel", found=lambda: unasked_structures(CHAIN)[:1]),
    Rule(
        "schedule.branched.transposition",
        "copies in another order",
        typed=(by(SPARSE_CENTRE, "convert(E(j,k),{k,j}),reorder(k,j,i,l),loopfuse({},2,right,t)"),),
    ),
    Rule("schedule.auto.template", "templates", found=lambda: (*templates(SPMV), *templates(PRODUCT))),
    Rule("schedule.auto.cuts", "collapsed templates", found=lambda: templates(SUM)),
    Rule("schedule.auto.arrangement", "arrangements", found=lambda: templates(ADDITION)),
    Rule("schedule.auto.tuning", "nothing is chosen unasked", typed=(SPMV, PRODUCT)),
    Rule(
        "schedule.branched.space",
        "branched schedules",
        cells(("commands", "loopfuse")),
        found=lambda: structures(CHAIN),
    ),
    Rule("schedule.branched.cost", "costs of branched schedules", found=lambda: structures(MATRICES)),
    Rule("schedule.branched.stages", "dominance", found=lambda: left_structures(MATRICES)),
    Rule("schedule.branched.selection", "schedules for sizes", found=lambda: left_structures(CHAIN)),
    Rule(
        "schedule.branched.unasked",
        "schedules unasked",
        found=lambda: (*unasked_structures(MATRICES), *unasked_structures(CHAIN)),
    ),
)
