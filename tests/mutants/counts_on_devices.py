"""Mutants of sparse results on devices: parts that begin elsewhere, scans that lose counts, arrays too short."""

from __future__ import annotations

from mutant import Mutant

COUNTING, SCAN = (f"generator/cuda/{name}.py" for name in ("counting", "scan"))
RESIDENCE, DEVICE = "generator/cuda/residence.py", "generator/runtime/device.py"
TESTS = ("tests/generator/cuda/test_counting.py",)
NONZEROS = "reference/schedule/autoschedule/by_nonzeros.py"
SCHEDULES = ("tests/reference/schedule/autoschedule/test_by_nonzeros.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "counts_on_devices.1",
        SCAN,
        'Assign(CARRY, Element(SUMS, Int(USUAL - 1)), "+="),',
        "Assign(CARRY, Element(SUMS, Int(USUAL - 1))),",
        "a scan carries on the last counts alone",
        TESTS,
    ),
    Mutant(
        "counts_on_devices.2",
        SCAN,
        'If(logic.compare("<", N, count), (Assign(OWN, place),)),',
        "Assign(OWN, place),",
        "a scan reads counts beyond the last",
        TESTS,
    ),
    Mutant(
        "counts_on_devices.3",
        SCAN,
        'Element(SUMS, ir.sub(THREAD, distance)), "+="),)),\n        Barrier("block"),',
        'Element(SUMS, ir.sub(THREAD, distance)), "+="),)),',
        "threads of a scan store sums that others still read",
        TESTS,
    ),
    Mutant(
        "counts_on_devices.4",
        COUNTING,
        "begin = ir.add(phases.output.held.counters[h], Element(phases.first[h], number))",
        "begin = phases.output.held.counters[h]",
        "every iteration fills the first part",
        TESTS,
    ),
    Mutant(
        "counts_on_devices.5",
        COUNTING,
        "self.output.ensure(h, total, None, out)",
        "pass",
        "the host makes no room for what has been counted",
        TESTS,
    ),
    Mutant(
        "counts_on_devices.6",
        COUNTING,
        'out.add(ir.Assign(held.counters[h], total, "+="))',
        "pass",
        "what has been filled does not count",
        TESTS,
    ),
    Mutant(
        "counts_on_devices.7",
        RESIDENCE,
        "yield from lengths(with_capacity(grown))",
        "pass",
        "the device has room for the first estimate of a result alone",
        TESTS,
    ),
    Mutant(
        "counts_on_devices.8",
        DEVICE,
        "    if not all(unit_of(nest.loops[0]) == BLOCKS for nest in makers):",
        "    if False:",
        "results are assembled by loops that others surround",
        ("tests/generator/cuda/test_text.py",),
    ),
    Mutant(
        "counts_on_devices.9",
        RESIDENCE,
        "replace(array, brief=brief)",
        "array",
        "the device has of a result what it was before it grew",
        TESTS,
    ),
    Mutant(
        "counts_on_devices.10",
        RESIDENCE,
        "(*got, self.free(), Assign",
        "(*got, Assign",
        "what the device has for one kernel is not given back",
        TESTS,
    ),
    Mutant(
        "counts_on_devices.11",
        "reference/schedule/autoschedule/grids.py",
        "appends(program, nest) and not tagged_units",
        "not nest.loops and not tagged_units",
        "staged results are copied by nobody",
        TESTS,
    ),
    Mutant(
        "counts_on_devices.12",
        "generator/cuda/memory.py",
        "ir.Element(every, ir.mul(slices.number, length))",
        "ir.Element(every, ir.ZERO)",
        "all blocks have one slice",
        TESTS,
    ),
    Mutant(
        "counts_on_devices.13",
        "generator/cuda/grid.py",
        "extremes.smaller(blocks, Int(MOST_SLICED))",
        "blocks",
        "blocks beyond the last slice",
        TESTS,
    ),
    Mutant(
        "counts_on_devices.14",
        RESIDENCE,
        "array.name not in made or any(",
        "any(",
        "results that a caller has memory for stay on the device",
        TESTS,
    ),
    Mutant(
        "counts_on_devices.15",
        "generator/ir/routine.py",
        "[*self.frees, *self.reserved]",
        "self.frees",
        "slices are never given back",
        TESTS,
    ),
    Mutant(
        "counts_on_devices.16",
        NONZEROS,
        "or sum(map(makes_positions, kinds)) != 1",
        "",
        "fibers that have positions of their own are torn",
        SCHEDULES,
    ),
    Mutant(
        "counts_on_devices.17",
        NONZEROS,
        " or leaf.mask is not None:",
        ":",
        "what a mask excludes has its place in a tile",
        SCHEDULES,
    ),
    Mutant(
        "counts_on_devices.18",
        NONZEROS,
        " and not storing(program, leaf, inner[-1]):",
        ":",
        "lanes share out what is stored, as if it were dense",
        SCHEDULES,
    ),
    Mutant(
        "counts_on_devices.19",
        "reference/schedule/autoschedule/grids.py",
        "elif stepping:",
        "elif False:",
        "rows past duplicates are counted one by one",
        SCHEDULES,
    ),
)
