"""Mutants of room and of stand-ins: how wide results are, and what does not fit in memory."""

from __future__ import annotations

from mutant import Mutant

ROOM = "reference/storage/room.py"
STAND_INS = "generator/runtime/stand_ins.py"
KERNEL = "generator/runtime/kernel.py"
FILLING = "reference/statement/filling.py"

FAR = ("tests/generator/runtime/test_stand_ins.py",)
SOURCE = ("tests/generator/test_kernel_source.py",)
FILLED = ("tests/reference/statement/test_filling.py",)
ROOMY = ("tests/reference/storage/test_room.py",)
BEYOND = (
    "tests/generator/runtime/test_narrowing.py::test_kernels_with_32_bit_indices_refuse_extents_beyond_them",
    "tests/generator/runtime/test_narrowing.py::test_a_narrow_result_of_wide_operands_refuses_extents_beyond_it",
)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "room.1",
        ROOM,
        "if len(shape) == 1 and shape[0] <= LARGEST:",
        "if len(shape) == 1:",
        "a workspace is dense over more coordinates than fit in memory",
        ROOMY,
    ),
    Mutant(
        "room.2",
        ROOM,
        "if count > most:",
        "if count >= most:",
        "a result that just fits is refused",
        ROOMY,
    ),
    Mutant(
        "room.3",
        STAND_INS,
        "return StandIn(WIDEST if extent <= WIDEST else WIDEST + 1)",
        "return StandIn(WIDEST)",
        "coordinates beyond 32 bits are cut off",
        FAR,
    ),
    Mutant(
        "room.4",
        "generator/runtime/request.py",
        'index = "int64" if self.is_far else self.result_spec.index.name',
        "index = self.result_spec.index.name",
        "a result has 32-bit indices, whatever its coordinates",
        FAR,
    ),
    Mutant(
        "room.5",
        KERNEL,
        'narrow = not self.request.wide or any(index == "int32" for _, _, index in self.result.index)',
        "narrow = not self.request.wide",
        "a kernel of wide operands cuts off the coordinates of a narrow result",
        BEYOND,
    ),
    Mutant(
        "room.6",
        KERNEL,
        "if narrow and largest > WIDEST:",
        "if narrow and largest >= WIDEST:",
        "an extent whose coordinates all fit in 32 bits is refused",
        BEYOND,
    ),
    Mutant(
        "room.7",
        "generator/runtime/evaluation.py",
        "return lambda: narrow_indices(kernel.run(tensors), kernel.request.result_spec.index)",
        "return lambda: kernel.run(tensors)  # as it is",
        "C stores a result in wider arrays than the reference",
        FAR,
    ),
    Mutant(
        "room.8",
        "generator/runtime/runners.py",
        "key = (*fixed.items(), *sorted(kinds.items()))",
        "key = tuple(fixed.items())",
        "a workspace for small extents is used for huge ones",
        (
            "tests/generator/runtime/test_kernel.py::test_results_and_workspaces_of_huge_extents_are_refused_or_hashed_before_anything_is_computed",
        ),
    ),
    Mutant(
        "room.9",
        STAND_INS,
        "tuple(map(StandIn, shape))",
        "tuple(shape)",
        "a schedule is checked by the extents of a call where a library is made for these",
        FAR,
    ),
    Mutant(
        "room.10",
        "reference/schedule/nests.py",
        "return extent(program, variable) if all(map(is_known, comes_from)) else None",
        "return extent(program, variable)",
        "a schedule is refused by an extent that stands in for those to come",
        FAR,
    ),
    Mutant(
        "room.11",
        "generator/assembly/widening.py",
        "    if capacity is not None:\n        out.add(ir.Assign(capacity, smaller",
        "    if capacity is None:\n        out.add(ir.Assign(capacity, smaller",
        "tables of all rows that there may be are as wide as the widest one",
        ("tests/generator/assembly/test_widening.py",),
    ),
    Mutant(
        "room.13",
        "generator/runtime/memory.py",
        "and view.flags.behaved else",
        "and view.flags.writeable else",
        "results are written into a copy of memory that is not aligned",
        ("tests/generator/runtime/test_kernel.py",),
    ),
    Mutant(
        "room.14",
        "generator/assembly/appending.py",
        "after + len([*below])",
        "after",
        "room for what a chain of levels holds is made one by one",
        SOURCE,
    ),
    Mutant(
        "room.15",
        "generator/assembly/appending.py",
        "env.target.roomy | {name}",
        "env.target.roomy",
        "room is made again where a loop around has made it",
        SOURCE,
    ),
    Mutant(
        "room.16",
        FILLING,
        "1 - covered)) if is_filled",
        "1)) if is_filled",
        "what operands hold counts as filled",
        FILLED,
    ),
    Mutant(
        "room.17",
        FILLING,
        "        and leaf.mask is None\n",
        "",
        "a result is filled wherever a mask that is present may admit something",
        FILLED,
    ),
    Mutant(
        "room.18",
        FILLING,
        "for present in (None, *certain)",
        "for present in (None, *sparse)",
        "an operand is taken to hold something on its diagonal",
        FILLED,
    ),
    Mutant(
        "room.19",
        FILLING,
        "        and program.workspace.keys().isdisjoint(access.tensor for access in accesses(leaf.value))\n",
        "",
        "a workspace is taken to hold something wherever it is assigned to",
        FILLED,
    ),
    Mutant(
        "room.20",
        "generator/runtime/blank.py",
        "return MOST // self.layout.dtype.itemsize",
        "return MOST",
        "a result may have as many values as the bytes that fit",
        FILLED,
    ),
)
