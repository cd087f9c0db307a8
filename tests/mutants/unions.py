"""Mutants of merges of many operands: formulas of presence, plans with one body, flags in both engines."""

from __future__ import annotations

from mutant import Mutant

MERGES = "generator/loops/merging.py"
PASSING = "generator/values/passing.py"
PRESENCE, STRATEGY = "reference/loops/presence.py", "reference/loops/strategy.py"
CHOICE = "reference/loops/merging.py"

FORMULAS = ("tests/reference/loops/test_presence.py",)
GOLDEN = ("tests/generator/test_kernel_source.py::test_golden",)
MEANING = ("tests/generator/scope/test_flags.py::test_merges_of_many_operands_give_what_expressions_mean",)
LENGTH = ("tests/generator/scope/test_flags.py::test_code_grows_by_as_much_with_every_operand[DCSR-2]",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "union.1",
        PRESENCE,
        "return every(left.present, right.present)",
        "return some(left.present, right.present)",
        "a product is present where either factor is",
        FORMULAS,
    ),
    Mutant(
        "union.2",
        PRESENCE,
        "return some(left.present, right.present)",
        "return every(left.present, right.present)",
        "a sum is present where both addends are",
        FORMULAS,
    ),
    Mutant(
        "union.3",
        PRESENCE,
        "if not is_number(a)]",
        "if a is not None]",
        "a number among its arguments makes an operator present everywhere",
        FORMULAS,
    ),
    Mutant(
        "union.4",
        PRESENCE,
        "mask is None or mask.complement or ",
        "mask is None or ",
        "the complement of a mask lets through what the mask holds",
        FORMULAS,
    ),
    Mutant(
        "union.5",
        CHOICE,
        "MANY = 3",
        "MANY = 4",
        "merges of three operands have a case for every point",
        LENGTH,
    ),
    Mutant(
        "union.6",
        STRATEGY,
        "return not all(map(self.needs, self.lattice.sparse))",
        "return bool(self.lattice.sparse)",
        "an intersection has one body with flags too",
        GOLDEN,
    ),
    Mutant(
        "union.7",
        STRATEGY,
        "left = holds(self.remains, found | (self.optional - absent))",
        "left = holds(self.remains, found)",
        "a merge of many ends where only an access of a loop around leaves something to do",
        MEANING,
    ),
    Mutant(
        "union.8",
        STRATEGY,
        "return all(holds(self.remains, frozenset({a.access})) for a in self.coiterated)",
        "return True",
        "nothing is asked in a merge of products and sums",
        GOLDEN,
    ),
    Mutant(
        "union.9",
        "reference/execution/interpreter.py",
        "if placement.active.access not in met:",
        "if placement.active.access in met:",
        "an access stands where it stood at a coordinate before",
        MEANING,
    ),
    Mutant(
        "union.10",
        "generator/scope/flags.py",
        "return [logic.choice(flag, value, missing) for value,",
        "return [value for value,",
        "the fiber of an absent operand is read",
        GOLDEN,
    ),
    Mutant(
        "union.11",
        PASSING,
        "logic.choice(logic.negate(flag), other, found) if n",
        "logic.choice(flag, other, found) if n",
        "an addend passes through where the other one is present",
        GOLDEN,
    ),
    Mutant(
        "union.12",
        PASSING,
        "return self.whole(n) if n in self.open and n not in self.passes else self.part(e, self.where_needed(n))",
        "return self.part(e, self.where_needed(n))",
        "what counts as its fill where it is missing is read there",
        MEANING,
    ),
    Mutant(
        "union.13",
        MERGES,
        "logic.choice(everywhere, end, place)",
        "end",
        "every coordinate is visited although what would need that is absent",
        MEANING,
    ),
    Mutant(
        "union.14",
        MERGES,
        "certain = tuple(a for a in self.strategy.coiterated if a.access not in self.strategy.uncertain)",
        "certain = self.strategy.coiterated",
        "a merge of many has room for as much as its shortest operand holds",
        GOLDEN,
    ),
    Mutant(
        "union.15",
        "generator/statements/storing.py",
        "out.add(*logic.conditional(condition(known_.present, env.site.flags), here.code, gone.code))",
        "out.add(*here.code)",
        "where a value is missing, its fill is not stored though the result has another",
        MEANING,
    ),
    Mutant(
        "union.16",
        "generator/statements/statements.py",
        "return env.flag({**env.site.flags, **dict.fromkeys(node.reads, made)})",
        "return env",
        "a workspace that was not filled is read as it was left",
        MEANING,
    ),
    Mutant(
        "union.17",
        CHOICE,
        "return sum(map(misses, reads(body))) >= MANY",
        "return any(sum(map(misses, reads(leaf))) >= MANY for leaf in assignments(body))",
        "operands in several statements of a body have a case for every point",
        ("tests/generator/scope/test_flags.py::test_addends_in_statements_of_their_own_are_as_short",),
    ),
)
