"""Mutants of staging: which results go through a workspace, which loops share it, and what it holds."""

from __future__ import annotations

from mutant import Mutant
from suites import LEGAL, REORDERED

STAGING = "reference/statement/staging.py"
COMMANDS = "reference/schedule/commands.py"
VISITS = "reference/execution/visits.py"
STAGED = ("tests/reference/statement/test_staging.py",)
TESTS = "tests/reference/schedule/"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "staging.1",
        COMMANDS,
        "return stage(apply_function(command, dissolve(program)))",
        "return stage(apply_function(command, program))",
        "commands are applied to loops that nobody wrote",
        ("tests/reference/schedule/test_inline.py", "tests/reference/schedule/test_schedule.py"),
    ),
    Mutant(
        "staging.2",
        STAGING,
        "if contents is None and visits_in_order(program, leaf.target, around):",
        "if visits_in_order(program, leaf.target, around):",
        "contributions are folded in a result that begins with something else",
        ("tests/reference/schedule/test_schedule.py", *STAGED),
    ),
    Mutant(
        "staging.3",
        STAGING,
        "if wanted[: len(parts)] != parts or variable in turned or",
        "if wanted[: len(parts)] != parts or",
        "what is read goes on inside loops that are collapsed the other way round",
        STAGED,
    ),
    Mutant(
        "staging.4",
        STAGING,
        "variable in turned or in_block:",
        "variable in turned:",
        "what is read goes on inside parts of blocks",
        STAGED,
    ),
    Mutant(
        "staging.14",
        STAGING,
        "any(graph.format_relation_of(v) is not None for v in graph.originals(variable))",
        "graph.format_relation_of(variable) is not None",
        "what is read goes on inside tiles of parts of blocks",
        STAGED,
    ),
    Mutant(
        "staging.5",
        STAGING,
        "wanted = wanted[len(parts) :]",
        "wanted = wanted[1:]",
        "a collapsed loop counts for one of its variables",
        STAGED,
    ),
    Mutant(
        "staging.40",
        STAGING,
        "is_run = wanted[begin : begin + len(own)] == own == order[: len(own)]",
        "is_run = own == order[: len(own)]",
        "a collapsed loop may skip what others count between its variables",
        ("tests/reference/statement/test_staging.py",),
    ),
    Mutant(
        "staging.6",
        STAGING,
        "return is_run and (len(own) == len(order) or begin + len(own) == len(wanted))",
        "return is_run",
        "a collapse may count through a reduction before the last variable of a result",
        STAGED,
    ),
    Mutant(
        "staging.7",
        STAGING,
        "open_ if len(open_) < len(parts) else [variable]",
        "[variable]",
        "what is read visits a whole variable in every tile of it",
        STAGED,
    ),
    Mutant(
        "staging.8",
        STAGING,
        "modes = tuple(kept.index(v) for v in target.levels if v in kept)",
        "modes = tuple(range(len(kept)))",
        "a workspace has its modes in the order in which they are written",
        STAGED,
    ),
    Mutant(
        "staging.9",
        STAGING,
        'name = fresh_name("w" if program.staging is None else program.staging.name, program.names)',
        'name = "w"',
        "a workspace for a result has the name of one that a schedule has made",
        STAGED,
    ),
    Mutant(
        "staging.10",
        STAGING,
        "case Forall(index=index, body=body, tags=tags) if depth:",
        "case Forall(index=index, body=body, tags=tags) if depth > 1:",
        "a workspace is shared by one loop less than it was made for",
        STAGED,
    ),
    Mutant(
        "staging.11",
        VISITS,
        "own = result if staging is None else staging.name",
        "own = result",
        "assignments to a workspace for a result are not those to the result",
        STAGED,
    ),
    Mutant(
        "staging.12",
        "reference/loops/plan.py",
        "names = {*self.space.around, *(v for",
        "names = {*(v for",
        "visits are told by the variables of what is read alone",
        STAGED,
    ),
    Mutant(
        "staging.13",
        STAGING,
        "return any(len(graph.originals(leaf)) > 1 or graph",
        "return any(graph",
        "what is read goes on inside parts that are collapsed with those of other variables",
        STAGED,
    ),
    Mutant(
        "staging.18",
        STAGING,
        " or graph.space_of(leaf) is not None for leaf in apart)",
        " for leaf in apart)",
        "what is read goes on inside a part of positions, of which others stand elsewhere",
        STAGED,
    ),
    Mutant(
        "staging.19",
        STAGING,
        "apart = (leaf for leaf in derived if leaf not in shared)",
        "apart = derived",
        "nothing is shared by what reads a workspace and what fills it",
        STAGED,
    ),
    Mutant(
        "precondition.7",
        STAGING,
        "return order[: len(wanted)] == wanted and",
        "return set(around[: len(wanted)]) == set(wanted) and",
        "a result is appended to by the right loops in any order",
        LEGAL,
    ),
    Mutant(
        "precondition.8",
        STAGING,
        "return order[: len(wanted)] == wanted and",
        "return tuple(v for v in around if v in wanted) == wanted and",
        "other loops may interrupt those that append to a result",
        (*LEGAL, *REORDERED),
    ),
    Mutant(
        "precondition.9",
        STAGING,
        "there = {original for v in around for original in program.provenance.originals(v)}",
        "there = set(around)",
        "loops that a schedule has derived are not among those that visit a result",
        (*LEGAL, f"{TESTS}test_split.py"),
    ),
)
