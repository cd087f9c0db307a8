"""Mutants of loops over runs of equal coordinates."""

from __future__ import annotations

from mutant import Mutant

RUNS, RUN = "generator/statements/runs.py", ("tests/generator/statements/test_runs.py",)
JOIN, JOINED = "generator/ir/runs.py", ("tests/generator/ir/test_runs.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant("runs.1", RUNS, "not active.level.ordered or ", "", "runs are seen where rows are out of order", RUN),
    Mutant("runs.2", RUNS, "loop.statement.tags or ", "", "a loop with a tag is split", RUN),
    Mutant("runs.3", RUNS, " and not inner.tags", "", "a loop around one with a tag is split", RUN),
    Mutant("runs.4", RUNS, "if inner.target.indices == (loop.index,) else None", "", "no row is summed up", RUN),
    Mutant("runs.5", RUNS, 'logic.compare(">"', 'logic.compare("<"', "short runs are visited at once", RUN),
    Mutant("runs.6", RUNS, "begin(joined, form.initial)", "joined", "nothing is read from memory", RUN),
    Mutant("runs.7", JOIN, "traversal.leaves(loop.body) or ", "", "a run that is left is not passed over", JOINED),
    Mutant("runs.8", JOIN, "place in read(loop.body + after) or ", "", "the place of a run moves unseen", JOINED),
    Mutant(
        "runs.9", JOIN, " or end in read(before + loop.body + after)", "", "an end is read that is not found", JOINED
    ),
    Mutant(
        "runs.10", JOIN, " or rest[-1] != Assign(place, end)", "", "a loop goes on elsewhere than at the end", JOINED
    ),
    Mutant(
        "runs.11",
        JOIN,
        "replace(loop, body=()) != For(loop.name, place, end, ())",
        "loop.begin != place",
        "a loop over something else is taken for one over the run",
        JOINED,
    ),
    Mutant("runs.12", JOIN, 'if search.body == (Assign(Name(end), ONE, "+="),):', "if search.body:", "steps", JOINED),
    Mutant("runs.13", JOIN, "{end.name: place}", "{}", "the search is for nothing", JOINED),
    Mutant("runs.14", JOIN, '(*body, Assign(place, ONE, "+="))', "body", "a place is visited for ever", JOINED),
    Mutant("runs.15", JOIN, "tuple([traversal.change_blocks(s, join) for s in code])", "code", "inside", JOINED),
)
