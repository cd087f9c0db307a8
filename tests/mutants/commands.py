"""Mutants of the commands of schedules: what they refuse, and what they make of loops."""

from __future__ import annotations

from mutant import Mutant

REORDER = "reference/schedule/reorder.py"
POSITION = "reference/schedule/position.py"
SPLIT = "reference/schedule/split.py"
BOUND = "reference/schedule/bound.py"
COLLAPSE = "reference/schedule/collapse.py"
PRECOMPUTE = "reference/schedule/precompute.py"
PREPARATION = "reference/schedule/preparation.py"
COMMAND = "reference/schedule/convert.py"

SCHEDULE = "tests/reference/schedule/"
REORDERED = ("tests/reference/schedule/test_reorder.py",)
PRECOMPUTED = ("tests/reference/schedule/test_precompute.py",)
CONVERT = ("tests/reference/schedule/test_convert.py",)
POSITIONS = ("tests/reference/schedule/test_position.py", "tests/reference/schedule/test_legality.py")
SPLITS = (
    "tests/reference/schedule/test_split.py",
    "tests/reference/schedule/test_schedule.py::test_tiles_of_tiles_are_limited_together",
)
CHOSEN = ("tests/reference/schedule/branched/test_inputs.py", "tests/reference/statement/test_converting.py")

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "precondition.36",
        REORDER,
        "if left and isinstance(inner, Where):\n        raise workspace_error(inner, variables)",
        "pass",
        "loops change places over the end of a reduction",
        REORDERED,
    ),
    Mutant(
        "precondition.37",
        REORDER,
        "if len(set(variables)) != len(variables) or len(variables) < 2:",
        "if len(variables) < 2:",
        "a variable may be named twice in a reorder",
        REORDERED,
    ),
    Mutant(
        "precondition.38",
        POSITION,
        "if program.provenance.is_position(variable):\n        raise ScheduleError(\n"
        '            f"pos needs coordinates',
        'if False:\n        raise ScheduleError(\n            f"pos needs coordinates',
        "positions are counted at positions",
        POSITIONS,
    ),
    Mutant(
        "precondition.39",
        POSITION,
        "if is_part(program.provenance, dimension(program, variable)):",
        "if False:",
        "positions are counted at a part of a split",
        POSITIONS,
    ),
    Mutant(
        "precondition.40",
        POSITION,
        "if substitute_statement(loop.body, frozenset({read}), background_of(program)) is not None:",
        "if False:",
        "positions are counted on a union, which loses what only the other operand holds",
        POSITIONS,
    ),
    Mutant(
        "precondition.41",
        POSITION,
        "if read in reads(loop.body) and known_depth(read, there, program.provenance) < first:",
        "if False:",
        "positions are counted below a parent that no loop around has reached",
        POSITIONS,
    ),
    Mutant(
        "precondition.42",
        POSITION,
        "if position in access.indices:",
        "if False:",
        "positions that index a workspace may become coordinates",
        (*POSITIONS, *PRECOMPUTED),
    ),
    Mutant(
        "provenance.23",
        "reference/schedule/position.py",
        "case None | Coord():\n            return False\n        case relation:\n            return any(",
        "case None | Coord():\n            return False\n        case relation:\n            return all(",
        "what is collapsed from a part of a split and another variable is no part",
        (f"{SCHEDULE}test_position.py",),
    ),
    Mutant(
        "precondition.43",
        SPLIT,
        "own = relation.parts if isinstance(relation, Divide) and variable == relation.outer else 1",
        "own = relation.parts if isinstance(relation, Divide) and variable == relation.inner else 1",
        "parts of parts are not counted together",
        SPLITS,
    ),
    Mutant(
        "precondition.44",
        BOUND,
        "and not holds(",
        "and holds(",
        "a bound is refused where it holds",
        (f"{SCHEDULE}test_bound.py",),
    ),
    Mutant(
        "precondition.45",
        COLLAPSE,
        "if not isinstance(s.body, Forall) or s.body.index != inner:",
        "if not isinstance(s.body, Forall):",
        "a loop is collapsed with whatever loop is directly inside it",
        (f"{SCHEDULE}test_collapse.py",),
    ),
    Mutant(
        "precondition.46",
        COLLAPSE,
        "if program.provenance.is_position(variable):",
        "if False:",
        "positions are collapsed, of which there are others below every parent",
        (f"{SCHEDULE}test_collapse.py",),
    ),
    Mutant(
        "precondition.49",
        PRECOMPUTE,
        "if any(v not in section.variables for v in variables):",
        "if False:",
        "a workspace may be over loops that do not stand around its part",
        PRECOMPUTED,
    ),
    Mutant(
        "precondition.56",
        "reference/schedule/precompute.py",
        "    refuse_repeated(variables, name)\n",
        "",
        "a workspace may be over one variable several times",
        PRECOMPUTED,
    ),
    Mutant(
        "converting.27",
        PREPARATION,
        "commands = choose_schedule(schedule, lowered, converted)",
        "commands = choose_schedule(schedule, lowered, found.operands)",
        "schedules are chosen by the sizes of operands as they are given",
        CHOSEN,
    ),
    Mutant(
        "converting.44",
        COMMAND,
        "made = reorder(made, section.path, *moved) if moved else made",
        "pass",
        "loops stay where storage does not allow them",
        CONVERT,
    ),
    Mutant(
        "converting.45",
        COMMAND,
        "wanted = tuple(next(own) if v in variables_of(orders) else v for v in before)",
        "wanted = before",
        "loops move only as far as storage demands it",
        CONVERT,
    ),
    Mutant(
        "converting.46",
        COMMAND,
        "yield from (e for e in operand_edges(access, program.formats[access.tensor], loops) if e.hard)",
        "yield from ()",
        "other loops stay where storage does not allow them",
        CONVERT,
    ),
    Mutant(
        "converting.47",
        COMMAND,
        "if orders.keys() <= read.keys():",
        "if {a.tensor for a in orders} <= {a.tensor for a in read}:",
        "another access of the operand is looked for in the first assignment",
        CONVERT,
    ),
    Mutant(
        "converting.48",
        COMMAND,
        "if read.tensor in program.workspace:",
        "if False:",
        "workspaces are converted",
        CONVERT,
    ),
    Mutant(
        "converting.49",
        COMMAND,
        "if sorted(read.levels) != sorted(read.indices):",
        "if False:",
        "operands in blocks are converted by their modes",
        CONVERT,
    ),
    Mutant(
        "converting.50",
        COMMAND,
        "sorted(variables) != sorted(read.indices) or variables == read.levels",
        "sorted(variables) != sorted(read.indices)",
        "an operand is converted to the order that it has",
        CONVERT,
    ),
    Mutant(
        "converting.51",
        COMMAND,
        "if not {*variables} <= {*section.variables, *(() if around is None else around.variables)}:",
        "if False:",
        "loops that stand elsewhere are not missed",
        CONVERT,
    ),
    Mutant(
        "converting.52",
        COMMAND,
        "if section.path[: len(path)] == path and isinstance(section.end, Assign):",
        "if isinstance(section.end, Assign):",
        "a path leads nowhere",
        CONVERT,
    ),
    Mutant(
        "converting.53",
        COMMAND,
        "others = (leaf.target, *(a for a in reads(leaf) if a != read))",
        "others = (*reads(leaf),)",
        "the result does not tell that there is room for a mode",
        CONVERT,
    ),
    Mutant(
        "converting.65",
        COMMAND,
        "if len({*read.indices}) < len(read.indices):",
        "if False:",
        "a diagonal is converted",
        CONVERT,
    ),
    Mutant(
        "converting.66",
        COMMAND,
        "for a in there if a.tensor not in program.workspace)",
        "for a in there)",
        "workspaces are offered for conversion",
        CONVERT,
    ),
    Mutant(
        "converting.81",
        COMMAND,
        "for u, v in pairwise(order))",
        "for u, v in pairwise(order[:1]))",
        "operands that are converted together come in orders that contradict each other",
        CONVERT,
    ),
    Mutant(
        "converting.82",
        COMMAND,
        "        if read in reads[:n]:",
        "        if False:",
        "one operand is converted to two orders by one command",
        CONVERT,
    ),
    Mutant(
        "converting.83",
        COMMAND,
        "fresh_name(read.tensor, {*used, *made})",
        "fresh_name(read.tensor, used)",
        "two reads of one operand that are converted together are one",
        CONVERT,
    ),
    Mutant(
        "converting.84",
        "reference/schedule/command.py",
        "return None if rest or not repeats else",
        "return None if rest else",
        "a conversion of nothing is read",
        CONVERT,
    ),
)
