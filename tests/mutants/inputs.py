"""Mutants of what loops do once: workspaces of inputs, hoisting, masks before reductions, reductions that settle."""

from __future__ import annotations

from mutant import Mutant

HOIST, HOISTED = "reference/schedule/hoist.py", ("tests/reference/schedule/test_hoist.py",)
INPUTS, COPIED = "reference/schedule/branched/inputs.py", ("tests/reference/schedule/branched/test_inputs.py",)
ACCUMULATION, ACCUMULATED = (
    "generator/statements/accumulation.py",
    ("tests/generator/statements/test_accumulation.py",),
)
STORING, STRATEGY = "generator/statements/storing.py", "reference/loops/strategy.py"
VISITS, UNASKED = "reference/execution/visits.py", "reference/schedule/autoschedule/unasked.py"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "hoist.1",
        HOIST,
        "if is_among(program, loop, used) or shares(program, loop, [*inside, *torn]):",
        "if shares(program, loop, [*inside, *torn]):",
        "loops that what fills a workspace needs are left",
        HOISTED,
    ),
    Mutant(
        "hoist.2",
        HOIST,
        "            count = n\n",
        "            count = max(count, 1)\n",
        "loops that are needed are left if they stand inside others",
        HOISTED,
    ),
    Mutant(
        "hoist.3",
        HOIST,
        "in_loops(left, where.consumer)",
        "where.consumer",
        "what reads a workspace leaves the loops too",
        HOISTED,
    ),
    Mutant(
        "hoist.4",
        HOIST,
        "        refuse_tagged(loop)\n",
        "        pass\n",
        "loops with a tag are left",
        HOISTED,
    ),
    Mutant(
        "hoist.5",
        HOIST,
        "if s.path[: len(path)] == path and isinstance",
        "if isinstance",
        "a path leads anywhere",
        HOISTED,
    ),
    Mutant(
        "hoist.6",
        VISITS,
        '("precompute", "loopfuse", "hoist")',
        '("precompute", "loopfuse")',
        "what fills a workspace once has to be visited for every value of the loops that it left",
        HOISTED,
    ),
    Mutant(
        "inputs.1",
        INPUTS,
        "if active.last == len(active.access.levels) and around[count:] and",
        "if active.last == len(active.access.levels) and",
        "what is merged once is copied",
        COPIED,
    ),
    Mutant(
        "inputs.2",
        INPUTS,
        "    if not made.commands or merges(Planner(dissolve(made.program)).root(), name):\n",
        "    if not made.commands:\n",
        "a copy that is merged as its operand was is made",
        COPIED,
    ),
    Mutant(
        "inputs.3",
        INPUTS,
        "rest = [each for each in again.loop.strategy.coiterated if each != again.active]",
        "rest = list(again.loop.strategy.coiterated)",
        "what is copied is counted as if it were merged",
        COPIED,
    ),
    Mutant(
        "inputs.4",
        INPUTS,
        "(COPIED, self.runs(again.needed) * self.length(again.active))",
        "(COPIED, self.length(again.active))",
        "copies inside loops count once",
        COPIED,
    ),
    Mutant(
        "inputs.5",
        INPUTS,
        "return below / product([self.positions(active.access, active.first)]) if active.first else below",
        "return below",
        "every fiber is as long as all of its level",
        COPIED,
    ),
    Mutant(
        "inputs.6",
        UNASKED,
        "        s = s.consumer\n",
        "        s = s.producer\n",
        "what fills a workspace runs on threads",
        COPIED,
    ),
    Mutant(
        "settle.1",
        ACCUMULATION,
        "for a in self.leaves if a.target.tensor not in inside}",
        "for a in self.leaves}",
        "what fills a workspace inside has no mask, so that the mask is asked again and again",
        ACCUMULATED,
    ),
    Mutant(
        "settle.2",
        ACCUMULATION,
        "        out.add(*logic.conditional(admitted, inner.code))\n\n    @property\n    def mask_before",
        "        out.add(*inner.code)\n\n    @property\n    def mask_before",
        "a mask that is known before a reduction is not asked",
        ACCUMULATED,
    ),
    Mutant(
        "settle.3",
        ACCUMULATION,
        "a.operator is not None and a.operator.selects for a in self.leaves",
        "a.operator is not None for a in self.leaves",
        "every reduction ends with its first contribution",
        ACCUMULATED,
    ),
    Mutant(
        "settle.4",
        STORING,
        "        if cell.settles and not counts:\n",
        "        if not cell.settles and not counts:\n",
        "reductions go on that may end, and end that must not",
        ACCUMULATED,
    ),
    Mutant(
        "settle.5",
        ACCUMULATION,
        "return not any(loop.tags for loop in foralls(self.loop.begins or self.loop.statement))",
        "return not any(loop.tags for loop in foralls(self.loop.statement.body))",
        "an iteration of a repeated body ends the others",
        ACCUMULATED,
    ),
    Mutant(
        "scanned.1",
        STRATEGY,
        "    if len(unscanned) < len(coiterated) > 1:\n        coiterated, needed = unscanned, True\n",
        "    if len(unscanned) < len(coiterated) > 1:\n        coiterated = unscanned\n",
        "a union with a bitmap visits what the others hold alone",
        ("tests/reference/loops/test_strategy.py",),
    ),
    Mutant(
        "scanned.2",
        STRATEGY,
        "    if len(unscanned) < len(coiterated) > 1:\n",
        "    if len(unscanned) < len(coiterated):\n",
        "a bitmap alone is located at every coordinate",
        ("tests/reference/loops/test_strategy.py",),
    ),
)
