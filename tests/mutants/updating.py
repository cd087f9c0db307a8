"""Mutants of results that go on from their previous contents."""

from __future__ import annotations

from mutant import Mutant
from suites import STEPPED

UPDATING, UPDATED = "reference/statement/updating.py", ("tests/reference/statement/test_updating.py",)
LOWERING, SUBSTITUTION = "reference/statement/lowering.py", "reference/statement/substitution.py"
GROWTH, INITIAL, STORING = (
    "generator/assembly/growth.py",
    "generator/assembly/initial.py",
    "generator/statements/storing.py",
)
RUN = "reference/procedure/run.py"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "updating.1",
        UPDATING,
        "if any(access.tensor == before.tensor for access in mask_reads(mask)):",
        "if before in mask_reads(mask):",
        "a mask that reads previous contents elsewhere reads what has become of them",
        UPDATED,
    ),
    Mutant(
        "updating.2",
        UPDATING,
        "return Fold(total) if format.is_whole or covers(mask, total, known) else None",
        "return Fold(total)",
        "what a mask admits and a value lacks is not removed",
        UPDATED,
    ),
    Mutant(
        "updating.3",
        UPDATING,
        "operator.right_unit is not None or (",
        "(",
        "what or leaves alone is not made a truth value",
        UPDATED,
    ),
    Mutant(
        "updating.4",
        UPDATING,
        "if isinstance(missing, Fill) and annihilates(operator.right_annihilator, missing):",
        "if False:",
        "infinity times absent is NaN",
        UPDATED,
    ),
    Mutant(
        "updating.5",
        UPDATING,
        "begins = annihilates(operator.left_identity, fill) and",
        "begins =",
        "what is contributed where nothing is stored is not combined with the fill",
        UPDATED,
    ),
    Mutant(
        "updating.6",
        UPDATING,
        "return isinstance(level, Insert) and not isinstance(level, Widen)",
        "return isinstance(level, Insert)",
        "hash tables go on without the counts of their children",
        UPDATED,
    ),
    Mutant(
        "updating.7",
        UPDATING,
        "if mask.complement or len(operands) > FEW:",
        "if len(operands) > FEW:",
        "what a complement admits and a value lacks is not removed",
        UPDATED,
    ),
    Mutant(
        "updating.8",
        LOWERING,
        "        if mask is None or a.merge:\n            fold =",
        "        if True:\n            fold =",
        "what a mask that replaces excludes is kept",
        UPDATED,
    ),
    Mutant(
        "updating.9",
        SUBSTITUTION,
        "if name != program.result or not program.continues}",
        "}",
        "a fill that takes the place of what was there is not stored",
        UPDATED,
    ),
    Mutant(
        "updating.10",
        "reference/execution/interpreter.py",
        "    if program.continues:\n",
        "    if False:\n",
        "a result that goes on begins with nothing",
        UPDATED,
    ),
    Mutant(
        "updating.11",
        GROWTH,
        "        if not covered:\n            begin_values(held, start, structural=not frame.wants(form.name))\n",
        "",
        "a kernel copies the structure of previous contents, and not their values",
        UPDATED,
    ),
    Mutant(
        "updating.12",
        STORING,
        "        if output.form.begins is not None:\n            return False\n",
        "",
        "values that are stored everywhere take the place of previous contents",
        UPDATED,
    ),
    Mutant(
        "updating.13",
        RUN,
        "target in self.made and target not in self.watched and",
        "target not in self.watched and",
        "what a caller has passed is overwritten",
        STEPPED,
    ),
    Mutant(
        "updating.14",
        RUN,
        "target in self.made and target not in self.watched and",
        "target in self.made and",
        "a loop compares a tensor with itself",
        STEPPED,
    ),
    Mutant(
        "updating.15",
        RUN,
        " and not step.reads_target",
        "",
        "a step reads what it has just written",
        STEPPED,
    ),
    Mutant(
        "updating.16",
        GROWTH,
        "make(wanted, cleared | counting(held), out)",
        "make(wanted, cleared, out)",
        "what counts on zeros finds whatever was there",
        ("tests/generator/runtime/test_runner.py::test_memory_is_written_before_it_is_read",),
    ),
    Mutant(
        "updating.17",
        LOWERING,
        "begun = self.continues and target.tensor not in self.open",
        "begun = False",
        "a diagonal takes the place of what was there, where it is stored alone",
        UPDATED,
    ),
    Mutant(
        "updating.18",
        "generator/source.py",
        "program.continues and self.layouts[program.result] == self.layouts[program.previous]",
        "program.continues",
        "a result goes on where its previous contents are, whose indices are wider",
        ("tests/properties/differential/test_batch.py::test_a_result_goes_on_in_place_where_its_indices_are_as_wide",),
    ),
    Mutant(
        "updating.19",
        "generator/kernel_source.py",
        "covered = result.form.in_place or result.name in statements.outputs.covered",
        "covered = result.name in statements.outputs.covered",
        "what was there is forgotten where an operand has blocks",
        ("tests/properties/differential/test_batch.py::test_a_result_goes_on_in_place_over_the_blocks_of_an_operand",),
    ),
)
