"""Mutants of scheduled execution: exact windows, sizes, visits, what is compared and what counts as a finding."""

from __future__ import annotations

from mutant import Mutant
from suites import PRECOMPUTED, STORED

EXACTNESS = "reference/statement/exactness.py"
NUMBERS = "reference/execution/numbers.py"
VISITS = "reference/execution/visits.py"
CONTRIBUTIONS = "reference/execution/contributions.py"
RECORDING = "reference/execution/recording.py"
LEGALITY = "reference/schedule/legality.py"
NESTS = "reference/schedule/nests.py"
CHECK = "properties/differential/check.py"
BATCH = "properties/differential/batch.py"
STRATEGY = "properties/strategies/schedules.py"
EXACT = ("tests/reference/statement/test_exactness.py", "tests/generator/scope/test_terms.py")
MADE = ("tests/reference/execution/test_contributions.py",)
BRANCHES = ("tests/reference/schedule/test_branching.py",)
SIZES = (
    "tests/generator/scope/test_terms.py::test_sizes_near_the_limits_of_integers",
    "tests/generator/scope/test_terms.py::test_sizes_beyond_the_limits_are_refused_for_what_they_are",
    "tests/generator/scope/test_terms.py::test_what_a_schedule_cannot_count_to_is_refused_and_positions_are_counted",
)
CHECKED = ("tests/properties/differential/test_check.py::test_an_engine_that_breaks_down_disagrees",)
BATCHED = (
    "tests/properties/differential/test_batch.py::test_what_the_reference_breaks_down_with_is_not_left_out",
    "tests/properties/differential/test_batch.py::test_a_reference_that_computes_something_else_is_found",
)
DRAWN = ("tests/properties/strategies/test_schedules.py",)
BRANCHING, PARTS = "reference/schedule/branching.py", "reference/schedule/parts.py"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "schedule.1",
        EXACTNESS,
        "known = variable == outer or graph.is_derivable(outer, around)",
        "known = True",
        "the inner one of collapsed variables is taken to be narrowed before the outer one is known",
        EXACT,
    ),
    Mutant(
        "schedule.2",
        EXACTNESS,
        "return loop in stepped or is_exact(graph, loop, bound[: bound.index(loop)], narrowed, stepped)",
        "return loop in stepped or is_exact(graph, loop, [v for v in bound if v != loop], narrowed, stepped)",
        "a window is taken to be made of what only loops inside it give",
        EXACT,
    ),
    Mutant(
        "schedule.3",
        EXACTNESS,
        "now = [v for v in bound if graph.follows(v, bound) and not (v in before and graph.follows(v, before))]",
        "now = []",
        "nothing is compared where a window holds what belongs elsewhere",
        EXACT,
    ),
    Mutant(
        "schedule.6",
        EXACTNESS,
        "now = [v for v in bound if graph.follows(v, bound) and not (v in before and graph.follows(v, before))]",
        "now = [v for v in before if graph.follows(v, bound) and not graph.follows(v, before)]",
        "a part of a split is not compared where the loop that completes its parent brings it along",
        EXACT,
    ),
    Mutant(
        "schedule.4",
        EXACTNESS,
        "return open_ and is_exact(graph, outer, around, narrowed, stepped)",
        "return is_exact(graph, outer, around, narrowed, stepped)",
        "a range of tiles is taken to be exact although the loop inside the tiles stands outside",
        EXACT,
    ),
    Mutant(
        "schedule.5",
        EXACTNESS,
        "return use in narrowed and exact",
        "return exact",
        "positions are taken to be kept to by loops that do not walk them",
        EXACT,
    ),
    Mutant(
        "schedule.7",
        NUMBERS,
        "if at == len(positions) or positions[at] != position:",
        "if at == len(positions):",
        "at a position that holds nothing, the coordinates at the next one are found",
        STORED,
    ),
    Mutant(
        "schedule.8",
        "reference/execution/interpreter.py",
        "self.coordinates.update(found or {})",
        "self.coordinates.update({})",
        "the coordinates that are found in storage are those that loops have left",
        (*STORED, *MADE),
    ),
    Mutant(
        "schedule.60",
        RECORDING,
        "if not follows_insertion(v, state)",
        "if True",
        "positions in the order of insertion are among what tells visits apart",
        ("tests/reference/execution/test_recording.py",),
    ),
    Mutant(
        "schedule.9",
        VISITS,
        "    if at is not None:\n",
        "    if False:\n",
        "contributions may be lost or come twice in a workspace",
        MADE,
    ),
    Mutant(
        "schedule.10",
        VISITS,
        "plain = record(ready, Schedule())",
        "plain = record(ready, schedule)",
        "an execution by a schedule is compared with itself",
        (*MADE, "tests/reference/schedule/test_schedule.py::test_a_schedule_that_visits_otherwise_is_found_out"),
    ),
    Mutant(
        "schedule.11",
        CONTRIBUTIONS,
        "held[at] = (held.get(at, 0) + product) % PRIME",
        "held[at] = product % PRIME",
        "the last contribution to a component stands for all",
        MADE,
    ),
    Mutant(
        "schedule.12",
        CONTRIBUTIONS,
        "self.sums[workspace] = {}",
        "self.sums.setdefault(workspace, {})",
        "what a workspace held before counts for what it holds now",
        (*MADE, *PRECOMPUTED),
    ),
    Mutant(
        "schedule.13",
        LEGALITY,
        "if relation.access not in there:",
        "if False:",
        "loops are told by where an operand stands that nothing in them reads",
        PRECOMPUTED,
    ),
    Mutant(
        "schedule.14",
        LEGALITY,
        "    if other is not None:\n",
        "    if False:\n",
        "positions are searched in a part of the coordinates, which nobody compares",
        PRECOMPUTED,
    ),
    Mutant(
        "schedule.15",
        BRANCHING,
        "return not (loop.tags or is_stored(program, loop.index) or is_among(program, loop, needed))",
        "return not (loop.tags or program.provenance.format_relation_of(loop.index) is not None "
        "or is_among(program, loop, needed))",
        "collapsed loops inside a block go with a reduction into the workspace",
        BRANCHES,
    ),
    Mutant(
        "schedule.17",
        "generator/scope/terms.py",
        "left, right = widen(left), widen(right) if isinstance(left, Int) else right",
        "pass",
        "32-bit positions are counted in 32 bits",
        SIZES,
    ),
    Mutant(
        "schedule.18",
        NESTS,
        "if size is not None and size > LONGEST:",
        "if False:",
        "loops are collapsed and tiled whose combinations no integer counts",
        SIZES,
    ),
    Mutant(
        "schedule.19",
        "generator/runtime/kernel.py",
        "if not self.request.schedule or key in self.countable or prod(key) <= self.request.schedule.counts_to:",
        "if True:",
        "a kernel runs on extents to which its schedule cannot count",
        SIZES,
    ),
    Mutant(
        "schedule.20",
        "reference/schedule/bound.py",
        "    if abs(size) > LONGEST:\n",
        "    if size > LONGEST:\n",
        "a limit of a bound may be any negative number",
        SIZES,
    ),
    Mutant(
        "schedule.21",
        CHECK,
        "    except (GnomonError, MemoryError, OSError):\n        raise\n    except Exception as error:",
        "    except Exception:\n        raise\n    except SystemError as error:",
        "what an engine breaks down with is no disagreement",
        CHECKED,
    ),
    Mutant(
        "schedule.22",
        BATCH,
        "    try:\n        return problem.execution.program is ready.program\n    except MeaningError:",
        "    try:\n        return problem.execution.program is ready.program\n    except Exception:",
        "problems with which the reference breaks down are left out of batches",
        BATCHED,
    ),
    Mutant(
        "schedule.23",
        BATCH,
        'check_reference(case)\n    hold(case, run(case, library), "c")',
        'hold(case, run(case, library), "c")',
        "batches do not look at what the reference gives",
        BATCHED,
    ),
    Mutant(
        "schedule.24",
        STRATEGY,
        "OPENINGS = (positions, tiles, workspaces, back, branches)",
        "OPENINGS = (positions,)",
        "schedules never begin with tiles in any order, workspaces or coordinates in the place of positions",
        DRAWN,
    ),
    Mutant(
        "schedule.25",
        STRATEGY,
        "7, 2**31 - 1, 2**31, 2**62)",
        "7)",
        "tiles are never as large as integers may be",
        DRAWN,
    ),
    Mutant(
        "schedule.26",
        "reference/execution/recording.py",
        "[*accesses(s.value), *(() if s.mask is None else accesses(s.mask.value))]",
        "reads(s)",
        "what an expression reads twice counts once, and twice through a workspace",
        MADE,
    ),
    Mutant(
        "schedule.27",
        "reference/schedule/inline.py",
        "derived = [v for v in read.indices if v not in indices(s.consumer)]",
        "derived: list[str] = []",
        "loops over the parts of a variable stand twice where a workspace was",
        ("tests/reference/schedule/test_inline.py",),
    ),
    Mutant(
        "schedule.28",
        "reference/schedule/split.py",
        "own = relation.factor if isinstance(relation, Split) and variable == relation.outer else 1",
        "own = 1",
        "tiles beyond the last are counted to where no integer reaches",
        ("tests/reference/schedule/test_split.py",),
    ),
    Mutant(
        "schedule.61",
        "reference/schedule/workspace.py",
        "    kept = counted or (program.continues and leaf.target.tensor == program.result)\n",
        "    kept = counted\n",
        "an update through a workspace forgets what was there before",
        PRECOMPUTED,
    ),
    Mutant(
        "schedule.62",
        EXACTNESS,
        "if was_narrowed(graph, v, bound)\n        or not all(",
        "if not all(",
        "a loop over a collapsed variable goes over all tiles of a row that positions have told",
        EXACT,
    ),
    Mutant(
        "schedule.63",
        EXACTNESS,
        "return given and not graph.is_derivable(variable, around)",
        "return given",
        "what has one value is compared with it",
        EXACT,
    ),
    Mutant(
        "schedule.64",
        "reference/schedule/text.py",
        'hint = INSTEAD.get(name, f"write {form.example}")',
        'hint = f"write {form.example}"',
        "the error for a bound of TACO does not say that the bounded loop has a name",
        ("tests/reference/schedule/test_text.py",),
    ),
    Mutant(
        "schedule.65",
        "reference/statement/printed.py",
        'return f"{operator.name}(({self.expression(scalar)}))"',
        'return f"{operator.name}({self.expression(scalar)})"',
        "a scalar that is converted is read as a tensor with the name of a dtype",
        ("tests/reference/schedule/test_text.py",),
    ),
    Mutant(
        "schedule.66",
        "reference/schedule/split.py",
        "MOST_PARTS, MOST_PARTS // divided)",
        "MOST_PARTS)",
        "the hint of a division does not count earlier divisions",
        ("tests/reference/schedule/test_split.py",),
    ),
    Mutant(
        "schedule.67",
        "reference/schedule/workspace.py",
        "        if error.hint is not None:\n            raise\n",
        "        if error.hint is None:\n            raise\n",
        "a format of another order is refused without a hint",
        ("tests/reference/schedule/test_precompute.py::test_a_format_of_another_order_is_refused_with_what_to_write",),
    ),
    Mutant(
        "schedule.68",
        NESTS,
        '                rule="schedule.provenance",\n',
        "",
        "a variable of a workspace is kept by the rule of the command",
        (
            "tests/reference/schedule/test_precompute.py::test_a_variable_of_a_workspace_is_kept_by_the_rule_of_provenance",
        ),
    ),
)
