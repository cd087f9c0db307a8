"""Mutants of workspaces that get modes where an operand is converted (`widen.py`), and of what chooses that."""

from __future__ import annotations

from mutant import Mutant
from suites import BRANCH_PROOFS, CONVERT

WIDEN, CONVERTING = "reference/schedule/widen.py", "reference/schedule/convert.py"
CHOOSING, MERGING, INPUTS = (f"reference/schedule/branched/{name}.py" for name in ("orders", "merging", "inputs"))
BRANCHES, CONDITIONS = (f"properties/proofs/schedules/schedule_{name}.py" for name in ("branches", "conditions"))

ORDERS = ("tests/reference/schedule/branched/test_orders.py",)
SHARED = ("tests/reference/schedule/test_widen.py",)
PROVED = ("tests/properties/proofs/schedules/test_schedules.py::test_workspaces_that_get_modes_are_proved",)

MUTANTS = (
    Mutant(
        "widening.2",
        WIDEN,
        "shape = (*(n for n in own if n is not None), *workspace.shape)",
        "shape = (*workspace.shape, *(n for n in own if n is not None))",
        "the extents of a wider workspace come in another order than its modes",
        SHARED,
    ),
    Mutant(
        "widening.3",
        WIDEN,
        "replace(term, mode=len(added) + term.mode)",
        "term",
        "the modes that a workspace had are taken for those that it gets",
        SHARED,
    ),
    Mutant(
        "widening.4",
        WIDEN,
        "for loop in moved:\n        refuse_tagged(loop)\n    ",
        "",
        "loops that run in parallel are taken apart",
        SHARED,
    ),
    Mutant(
        "widening.5",
        WIDEN,
        "if loop.index not in used or not is_whole",
        "if not is_whole",
        "a workspace gets modes that what fills it does not know",
        CONVERT,
    ),
    Mutant(
        "widening.6",
        WIDEN,
        "workspace.asked or ",
        "",
        "a workspace whose format was asked for gets another",
        CONVERT,
    ),
    Mutant(
        "widening.7",
        WIDEN,
        "filled = retarget(where.producer, replace(target, indices=(*added, *target.indices)))",
        "filled = where.producer",
        "a wider workspace is filled as if it were narrow",
        CONVERT,
    ),
    Mutant(
        "widening.8",
        CONVERTING,
        "return around if isinstance(around.end, Where) else None",
        "return around",
        "the first of statements in order is taken for what fills a workspace",
        CONVERT,
    ),
    Mutant(
        "widening.9",
        CHOOSING,
        "merged[active.access] = tuple(dict.fromkeys((*merged.get(active.access, ()), loop.index)))",
        "merged[active.access] = (*merged.get(active.access, ()), loop.index)",
        "a variable by which several nests merge comes twice",
        ORDERS,
    ),
    Mutant(
        "widening.10",
        CHOOSING,
        "looked_up = is_narrow and orders",
        "looked_up = orders",
        "workspaces of two modes take the place of merges",
        ORDERS,
    ),
    Mutant(
        "widening.11",
        CHOOSING,
        "every = (*single, several) if len(several.commands) > 1 else single",
        "every = single",
        "operands are converted one at a time",
        ORDERS,
    ),
    Mutant(
        "widening.12",
        CHOOSING,
        "*merges_left(each.program, sizes), ",
        "",
        "merges that are left count nothing",
        ORDERS,
    ),
    Mutant(
        "widening.13",
        CHOOSING,
        "return tuple(dict.fromkeys(v for v in indices(program.statement) if v in own))",
        "return tuple(v for v in indices(program.statement) if v in own)",
        "loops that come in two nests are in another order",
        ORDERS,
    ),
    Mutant(
        "widening.14",
        MERGING,
        "            yield from nests(producer, around)\n            yield from nests(consumer, around)",
        "            yield from nests(consumer, around)",
        "what fills a workspace merges nothing",
        ORDERS,
    ),
    Mutant(
        "widening.15",
        BRANCHES,
        "            if had[leaf.target.tensor] != set(loops):",
        "            if False:",
        "loops that come in around a workspace are not noticed",
        BRANCH_PROOFS,
    ),
    Mutant(
        "widening.16",
        BRANCHES,
        "yield Meeting(program, around, (leaf, reading), producer)",
        "yield Meeting(program, (), (leaf, reading), producer)",
        "loops around a workspace tell nothing apart",
        BRANCH_PROOFS,
    ),
    Mutant(
        "widening.17",
        CONDITIONS,
        "if known is not None and known.shape != workspace.shape:",
        "if known is not None and False:",
        "of wider workspaces nothing is proved",
        PROVED,
    ),
    Mutant(
        "widening.18",
        WIDEN,
        "tags=()), Forall(index=other, tags=()) if index == other:",
        "tags=()), Forall(index=other, tags=()):",
        "loops over different variables are shared",
        SHARED,
    ),
    Mutant(
        "widening.19",
        WIDEN,
        "is_mode = len(modes) == 1 and len(*modes) == 1",
        "is_mode = True",
        "a loop is shared whose variable is another mode where a workspace is read",
        SHARED,
    ),
    Mutant(
        "widening.20",
        WIDEN,
        " and is_open(program, where.workspace) else None",
        " else None",
        "a workspace whose format was asked for loses modes",
        SHARED,
    ),
    Mutant(
        "widening.21",
        WIDEN,
        "mode=term.mode - (term.mode > mode)",
        "mode=term.mode",
        "the modes behind one that is gone keep their places",
        ORDERS,
    ),
    Mutant(
        "widening.22",
        CONVERTING,
        "return made if around is None else narrow(made, around)",
        "return made",
        "loops that both sides have are not shared",
        CONVERT,
    ),
    Mutant(
        "widening.23",
        CHOOSING,
        "if looked_up or wide_workspaces(after) < wide_workspaces(program):",
        "if looked_up:",
        "results that go through workspaces of several modes stay so",
        ORDERS,
    ),
    Mutant(
        "widening.24",
        INPUTS,
        "if not steps or wide_workspaces(program) else ()",
        "if not steps else ()",
        "what goes through a workspace of several modes counts nothing beside merges",
        ORDERS,
    ),
    Mutant(
        "widening.blocks",
        WIDEN,
        "left = [term for term in terms_of(workspace) if term.mode != mode]",
        "left = [term for term in terms_of(workspace) if isinstance(term, Mode) and term.mode != mode]",
        "a workspace that is read in blocks loses them with another mode",
        SHARED,
    ),
)
