"""Coverage: how often programs reach every level format, property, merge strategy, operator, command and so on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ...reference.drawing.hierarchies import loops
from ...reference.levels import LEVELS
from ...reference.levels.level import Append, Level
from ...reference.loops.strategy import Strategy
from ...reference.notation.syntax import Apply, Expr, Reduce
from ...reference.schedule.command import FORMS
from ...reference.schedule.settings import AUTO, VALUES
from ...reference.statement.statement import Flags, assignments
from ...reference.statement.tags import STRATEGIES, UNITS
from ..programs.features import Features
from ..programs.problem import Problem
from ..strategies.schedules import BOUNDS
from .examination import Plan
from .ingredients import ingredients

PROPERTIES = ("full", "ordered", "unique", "branchless", "compact", "padded")
MERGES = (
    "iterate every coordinate",
    "iterate every coordinate with operands alongside",
    "iterate one operand",
    "co-iterate operands",
    "locate an operand",
    "reorder an operand",
    "deduplicate an operand",
    "fuse the loop with the next",
    "take absent operands for empty fibers",
    "merge chains of levels at once",
)
ASSEMBLY = ("append", "insert", "dense", "through a workspace")
ODD = (
    "a diagonal",
    "a fill",
    "a coordinate",
    "a mask",
    "a mask that is an expression",
    "a mask that reads previous contents",
    "a number",
    "a tensor twice",
    "duplicates",
    "extent 0",
    "infinities or NaN",
    "no component",
    "stored zeros",
    "implicit sums",
    "several dtypes",
    "previous contents",
)
Counts = dict[str, dict[str, int]]

PATHS = ("the root", "one branch", "several branches")
"""Where commands are sent by their paths."""


def coverage(plan: Plan, numbers: Iterable[int]) -> Counts:
    """How often units of a plan reach each cell, by section."""
    features = plan.features
    counts = {section: dict.fromkeys(cells, 0) for section, cells in sections(features).items() if cells}
    for number in numbers:
        drawn = Counter({cell for problem in plan.unit(number).problems for cell in reached_cells(problem)})
        for section, cell in drawn:
            if cell in counts.get(section, {}):
                counts[section][cell] += 1
    return counts


def sections(features: Features) -> dict[str, Sequence[str]]:
    """The cells that programs with these features should reach."""
    everything = features.operands is None and features.results is None
    levels = [level.name for level in LEVELS] if everything else []
    properties = [f"{no}{name}" for name in PROPERTIES for no in ("", "not ")] if everything else []
    return {
        "levels of operands": levels,
        "properties of levels": properties,
        "levels of results": [name for name in levels if name != "singleton_aos"],
        "assembly": ASSEMBLY if everything else (),
        "flags of workspaces": tuple(each.value for each in Flags) if everything and features.schedules else (),
        "merge strategies": MERGES if everything else (),
        "operators": features.operators,
        "reductions": features.reductions,
        "reduction assignments": features.updates,
        "masks": [f"<{kind}M>" for kind in features.masks],
        "masked assignments": [
            f"{how}, {rest}"
            for how, usual in (("assigns", "replace"), ("updates", "merge"))
            for rest in ("merge", "replace")
            if features.masks and (features.merges or rest == usual)
        ],
        "semirings": features.semirings,
        "dtypes": features.dtypes,
        "orders of operands": [str(order) for order in features.orders],
        "settings": (AUTO, *VALUES) if features.schedules else (),
        "commands": tuple(FORMS) if features.schedules else (),
        "paths": PATHS if features.schedules else (),
        "parallel units": [unit for unit in UNITS if unit.startswith("CPU")] if features.schedules else (),
        "race strategies": STRATEGIES if features.schedules else (),
        "bounds": BOUNDS if features.schedules else (),
        "oddities": ODD if features == Features() else (),
    }


def reached_cells(problem: Problem) -> Iterator[tuple[str, str]]:
    """The cells that a program reaches, by section."""
    yield from of_storage(problem)
    yield from of_text(problem)
    program = problem.ready.lowered
    for each in loops(program):
        yield from (("merge strategies", name) for name in merges(each.strategy))
    if any(leaf.target.tensor != program.result for leaf in assignments(program.statement)):
        yield "assembly", "through a workspace"
    yield from (("flags of workspaces", w.flags.value) for w in problem.ready.program.workspaces if w.shape)
    yield from (("settings", each.name) for each in problem.schedule.settings)
    for command in problem.schedule.commands:
        yield "commands", command.name
        if command.path is not None:
            yield "paths", PATHS[min(len(command.path), len(PATHS) - 1)]
        if command.name == "parallelize":
            yield "parallel units", str(command.args[1])
            yield "race strategies", str(command.args[2])
        if command.name == "bound":
            yield "bounds", str(command.args[3])


def of_storage(problem: Problem) -> Iterator[tuple[str, str]]:
    """Levels, properties, dtypes and orders of operands; levels and assembly of the result."""
    for tensor in problem.operands.values():
        yield "dtypes", tensor.dtype.name
        yield "orders of operands", str(tensor.order)
        for level in tensor.format.levels:
            yield "levels of operands", level.name
            yield from (
                ("properties of levels", name if getattr(level, name) else f"not {name}") for name in PROPERTIES
            )
    for level in problem.out.levels:
        yield "levels of results", level.name
        yield "assembly", assembly_kind(level)


def assembly_kind(level: Level) -> str:
    """How a level of a result is assembled."""
    match level:
        case _ if level.full:
            return "dense"
        case Append():
            return "append"
        case _:
            return "insert"


def of_text(problem: Problem) -> Iterator[tuple[str, str]]:
    """What the assignment says."""
    a = problem.terms
    if problem.semiring is not None:
        yield "semirings", problem.semiring
    if a.operator is not None:
        yield "reduction assignments", a.operator.name
    if a.mask is not None:
        yield "masks", f"<{'!' * a.mask.complement}{'$' * a.mask.structural}M>"
        yield "masked assignments", f"{'updates' if a.operator else 'assigns'}, {'merge' if a.merge else 'replace'}"
    yield from of_term(a.value)
    yield from (("oddities", name) for name in oddities(problem))


def of_term(e: Expr) -> Iterator[tuple[str, str]]:
    """Operators and reductions."""
    match e:
        case Apply(operator=operator, args=args):
            yield "operators", operator.name
            for argument in args:
                yield from of_term(argument)
        case Reduce(operator=operator, body=body):
            yield "reductions", operator.name
            yield from of_term(body)
        case _:
            return


def oddities(problem: Problem) -> Iterator[str]:
    """What is unusual about a program."""
    made = ingredients(problem)
    names = {
        "coordinate": "a coordinate",
        "mask expression": "a mask that is an expression",
        "mask of previous contents": "a mask that reads previous contents",
        "diagonal": "a diagonal",
        "fill": "a fill",
        "not finite": "infinities or NaN",
        "number": "a number",
    }
    yield from (names.get(each, each) for each in made)
    if any(each.startswith("mask") for each in made):
        yield "a mask"
    if any(not len(t.components()[1]) for t in problem.operands.values()):
        yield "no component"
    if any(not t.components()[1].all() and not t.format.dense_leaves for t in problem.operands.values()):
        yield "stored zeros"
    if "sum(" not in problem.source and any(cell == ("reductions", "add") for cell in of_term(problem.terms.value)):
        yield "implicit sums"
    if len({t.dtype for t in problem.operands.values()}) > 1:
        yield "several dtypes"
    if problem.terms.target.tensor in problem.operands:
        yield "previous contents"


def merges(strategy: Strategy) -> Iterator[str]:
    """The cells of a loop's strategy."""
    match len(strategy.coiterated), strategy.whole_extent:
        case 0, _:
            yield MERGES[0]
        case _, True:
            yield MERGES[1]
        case 1, _:
            yield MERGES[2]
        case _:
            yield MERGES[3]
    if strategy.located:
        yield MERGES[4]
    said = [strategy.conversion(active) for active in strategy.coiterated]
    if any("reorder" in text for text in said):
        yield MERGES[5]
    if any("deduplicate" in text for text in said):
        yield MERGES[6]
    if strategy.fused:
        yield MERGES[9] if strategy.merges else MERGES[7]
    if strategy.flagged:
        yield MERGES[8]
