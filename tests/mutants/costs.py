"""Mutants of what templates cost, and of how that is compared with times."""

from __future__ import annotations

from mutant import Mutant
from suites import TIMED

COST, COSTS = (
    "reference/schedule/autoschedule/cost.py",
    ("tests/reference/schedule/autoschedule/test_cost.py", "tests/reference/schedule/autoschedule/test_ranking.py"),
)
VISITS, VISITED = "reference/schedule/visits.py", ("tests/reference/schedule/test_visits.py",)
TEMPLATES, RANKED = "properties/benchmark/templates.py", ("tests/properties/benchmark/test_templates.py",)
FITTING, FITTED = "properties/benchmark/fitting.py", ("tests/properties/benchmark/test_fitting.py",)
TRIAL = "generator/tuning/trial.py"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "costs.31",
        VISITS,
        "runs = steps if shortest is None else held[shortest]",
        "runs = steps",
        "bodies run wherever one of several levels has something",
        VISITED,
    ),
    Mutant(
        "costs.32",
        VISITS,
        "if a.is_sparse and strategy.needs(a.access)]",
        "if a.is_sparse]",
        "sums have something to do only where all operands have",
        VISITED,
    ),
    Mutant(
        "costs.33",
        VISITS,
        "sum(min(each, max(sought, shortest)) for each in walked)",
        "sum(walked)",
        "long levels are walked, though they are sought in",
        VISITED,
    ),
    Mutant(
        "costs.35",
        VISITS,
        "for a in (*strategy.coiterated, *strategy.located)}",
        "for a in strategy.coiterated}",
        "bodies run where what is looked up is missing",
        VISITED,
    ),
    Mutant(
        "costs.34",
        VISITS,
        " if factor > FAR and loop in estimate.counted else None",
        " if factor > FAR else None",
        "loops that merge are said to count coordinates",
        VISITED,
    ),
    Mutant("costs.1", COST, "runs.pop(loop.index, 0.0)", "runs.get(loop.index, 0.0)", "visits count twice", COSTS),
    Mutant("costs.2", COST, "if revisits(program) > CACHE:", "if revisits(program) > 0:", "caches are tiny", COSTS),
    Mutant("costs.3", COST, "found or 1.0", "found", "nothing is come to again", COSTS),
    Mutant("costs.4", COST, "if unique else", "if not unique else", "duplicates cost less", COSTS),
    Mutant("costs.5", COST, "and not results.intersection(graph.originals(around))", "", "every tile stays", COSTS),
    Mutant("costs.6", COST, "a.levels[:-1]", "a.levels[-1:]", "neighbours are those far apart", COSTS),
    Mutant("costs.7", COST, "variable != last", "variable == last", "results lie the other way round", COSTS),
    Mutant("costs.8", COST, "if lanes is not None and", "if lanes is None and", "lanes do not wait for turns", COSTS),
    Mutant("costs.9", COST, "elif not is_dense_tensor", "elif is_dense_tensor", "dense results are appended", COSTS),
    Mutant("costs.10", COST, "    return total * prod(", "    return total / prod(", "threads make it slower", COSTS),
    Mutant(
        "costs.11",
        COST,
        "if not is_dense_tensor(program, program.result):\n        return 0.0",
        "",
        "lists are far",
        COSTS,
    ),
    Mutant(
        "costs.12", VISITS, "share = min(1.0, parents", "share = max(1.0, parents", "all of an operand is read", VISITED
    ),
    Mutant(
        "costs.13",
        VISITS,
        "return share * self.stored",
        "return self.stored",
        "coordinates count that nothing comes to",
        VISITED,
    ),
    Mutant(
        "costs.41",
        VISITS,
        "min(usual, self.brought.get(access.tensor, usual))",
        "usual",
        "a workspace is as full as any operand",
        VISITED,
    ),
    Mutant(
        "costs.42",
        VISITS,
        "graph, formats = after.provenance, before.formats",
        "graph, formats = after.provenance, after.formats",
        "the remedy looks at formats of the result as it is assembled",
        VISITED,
    ),
    Mutant(
        "costs.14",
        VISITS,
        "not own.isdisjoint(theirs | set(map(self.whole, theirs)))",
        "not set(map(self.whole, own)).isdisjoint(map(self.whole, theirs))",
        "parts of blocks are the same",
        VISITED,
    ),
    Mutant(
        "costs.15", TEMPLATES, "times[np.argsort(costs, ", "times[np.argsort(-costs, ", "the dearest come first", RANKED
    ),
    Mutant("costs.16", TEMPLATES, "in_order[:TWELVE]", "in_order[TWELVE:]", "the last are tuned", RANKED),
    Mutant("costs.17", TEMPLATES, "if not isnan(each", "if isnan(each", "the mean is of nothing", RANKED),
    Mutant("costs.18", FITTING, "(d - d.mean())", "d", "data is as large everywhere", FITTED),
    Mutant(
        "costs.19",
        FITTING,
        "costs, factors = found[: len(WORKS)], found[len(WORKS) :]",
        "factors, costs = found[: len(SHARES)], found[len(SHARES) :]",
        "costs and factors change places",
        FITTED,
    ),
    Mutant("costs.20", TRIAL, "    keep_heap()\n", "", "what is freed is given back", TIMED),
)
