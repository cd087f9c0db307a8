"""Mutants of ordered copies: what kernels for GPUs read in order, though it is stored otherwise."""

from __future__ import annotations

from mutant import Mutant

COPIES, RUN = "reference/schedule/ordering.py", "reference/execution/interpreter.py"
SINGLE = "generator/statements/single.py"
ORDERED = ("tests/reference/schedule/test_ordering.py",)
EMULATED = ("tests/properties/conformance/test_conform.py::test_kernels_for_gpus_pass_where_the_cpu_emulates_them",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "ordered_copies.1",
        COPIES,
        "if not level.ordered and (strategy.ordered or gathers):",
        "if not level.ordered and gathers:",
        "coordinates out of order stay so",
        ORDERED,
    ),
    Mutant(
        "ordered_copies.2",
        COPIES,
        "gathers = not apart if walked else many",
        "gathers = False",
        "duplicates out of order stay apart",
        ORDERED,
    ),
    Mutant(
        "ordered_copies.3",
        COPIES,
        "apart = level.unique or active.access in loop.inside.fused",
        "apart = level.unique",
        "duplicates that are visited one by one are copied as if they were not",
        ORDERED,
    ),
    Mutant(
        "ordered_copies.4",
        COPIES,
        " or (gathers and not level.compact)",
        "",
        "duplicates with gaps between them are gathered in kernels",
        ORDERED,
        equivalent="no level of ours has both",
    ),
    Mutant(
        "ordered_copies.5",
        COPIES,
        "aligned = all(each is not None and each.ordered and each.compact for each in (above, level))",
        "aligned = False",
        "coordinates in order are copied",
        ORDERED,
    ),
    Mutant(
        "ordered_copies.6",
        COPIES,
        "for p in node.coiterated if sorts(node, p)",
        "for p in node.coiterated[:1] if sorts(node, p)",
        "the second of two operands is not looked at",
        ORDERED,
    ),
    Mutant(
        "ordered_copies.7",
        COPIES,
        "every = (None if s.workspace in ordered else producer, consumer, without)",
        "every = (producer, consumer, without)",
        "copies are copied again",
        ORDERED,
    ),
    Mutant(
        "ordered_copies.8",
        COPIES,
        "not format.map.has_rank and (keeps or not counted)",
        "not format.map.has_rank",
        "positions of what has others in a copy are counted there",
        ORDERED,
    ),
    Mutant(
        "ordered_copies.17",
        COPIES,
        "return (body, *cases(node)) if any(foralls(s.body)) else ()",
        "return (body,)",
        "what loops read in order where something is missing stays as it is",
        ORDERED,
    ),
    Mutant(
        "ordered_copies.9",
        COPIES,
        "return not format.map.has_rank and (keeps or not counted)",
        "return keeps or not counted",
        "diagonals lose their numbers",
        ORDERED,
    ),
    Mutant(
        "ordered_copies.10",
        COPIES,
        "case Pos(access=access) if access.tensor == tensor:",
        "case Pos(access=access) if False and access.tensor == tensor:",
        "positions of the operand are counted, where a copy is read",
        ORDERED,
    ),
    Mutant(
        "ordered_copies.11",
        COPIES,
        "mask = leaf.mask and replace(leaf.mask, value=rename_accesses(leaf.mask.value, names))",
        "mask = leaf.mask",
        "masks read what is not in order",
        ORDERED,
    ),
    Mutant(
        "ordered_copies.12",
        COPIES,
        "level if level.full and is_random_access(level) else Compressed(full=level.full)",
        "Compressed(full=level.full)",
        "dense levels of a copy are compressed",
        ORDERED,
    ),
    Mutant(
        "ordered_copies.13",
        RUN,
        "if name in self.program.ordered:\n            built.finalize()",
        "if False:\n            built.finalize()",
        "copies are read before they have their final form",
        ORDERED,
    ),
    Mutant(
        "ordered_copies.14",
        SINGLE,
        "if copy.form.heads[0] == 0:",
        "if False:",
        "the outermost fiber of a copy is empty",
        EMULATED,
    ),
    Mutant(
        "ordered_copies.15",
        SINGLE,
        "finalize(copy.held, self.frame, out)",
        "pass",
        "the ends of a copy's fibers are lengths",
        EMULATED,
    ),
    Mutant(
        "ordered_copies.16",
        SINGLE,
        "return reads or all(a.target.tensor in ordered for a in assignments(node.statement))",
        "return reads",
        "a thread of the device makes the copy",
        EMULATED,
    ),
)
