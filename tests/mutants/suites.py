"""Suites: the tests that mutants of several areas are to fail, each list once."""

from __future__ import annotations

API = ("tests/test_api.py",)
BY_NONZEROS = ("tests/reference/schedule/autoschedule/test_by_nonzeros.py",)
DEVICE_COUNTS = ("tests/generator/cuda/test_counting.py",)
DEVICE_TEXTS = ("tests/generator/cuda/test_text.py",)
FUSED = ("tests/generator/loops/test_fused.py",)
STEPPED = ("tests/generator/runtime/test_steps.py",)
NOTES_UNASKED = ("tests/generator/runtime/test_unasked.py",)
TRANSLATED = (
    "tests/generator/storage/test_level_functions.py",
    "tests/generator/loops/test_walk.py",
    "tests/generator/test_kernel_source.py::test_golden",
)
TEXTS = (
    "tests/generator/test_kernel_source.py::test_golden",
    "tests/generator/loops/test_walk.py",
)
TILES = (
    "tests/generator/test_kernel_source.py::test_golden",
    "tests/generator/loops/test_walk.py",
    "tests/generator/scope/test_terms.py",
)
COUNTED = (
    "tests/generator/test_kernel_source.py::test_golden",
    "tests/generator/threads/test_parts.py",
)
THREAD_LANES = ("tests/generator/threads/test_lanes.py",)
TIMED = ("tests/generator/tuning/test_trial.py",)
TUNED = ("tests/generator/tuning/test_tuner.py",)
GROWN = ("tests/generator/assembly/test_growth.py",)
PLANNED = ("tests/reference/loops/test_plan.py",)
FILLED = ("tests/properties/proofs/devices/test_fills.py",)
RACING = ("tests/properties/proofs/devices/test_races.py",)
UNIFORMITY = ("tests/properties/proofs/devices/test_uniformity.py",)
BRANCH_PROOFS = ("tests/properties/proofs/schedules/test_schedule_branches.py",)
WORKED = (
    "tests/reference/denotation/test_denote.py",
    "tests/reference/denotation/test_meaning.py",
)
FLOATS = (
    "tests/reference/denotation/test_denote.py",
    "tests/reference/denotation/test_meaning.py",
    "tests/properties/differential/test_check.py::test_float64",
)
MERGES = ("tests/reference/denotation/test_denote.py::test_what_masks_exclude_is_kept_or_dropped",)
FREE = ("tests/reference/denotation/test_freedom.py",)
ARITHMETIC_VALUES = ("tests/reference/execution/test_arithmetic.py",)
SCHEDULED = (
    "tests/reference/execution/test_iteration.py",
    "tests/reference/execution/test_interpreter.py",
)
STORED = ("tests/reference/execution/test_numbers.py",)
LANES_READ = (
    "tests/reference/levels/test_lanes.py",
    "tests/reference/storage/test_enumeration.py",
)
LEVELS_READ = (
    "tests/reference/levels/test_level.py",
    "tests/reference/levels/test_iterators.py",
    "tests/reference/storage/test_named_formats.py",
    "tests/reference/storage/test_packing.py",
)
WORKSPACES = (
    "tests/reference/levels/test_level.py",
    "tests/reference/storage/test_assembly.py",
    "tests/reference/storage/test_packing.py",
    "tests/reference/execution/test_interpreter.py",
)
VALID = (
    "tests/reference/levels/test_level.py",
    "tests/reference/storage/test_validation.py",
)
SPACES = ("tests/reference/loops/test_iteration_space.py",)
LOOPS = (
    "tests/reference/loops/test_strategy.py",
    "tests/reference/loops/test_iteration_space.py",
    "tests/reference/levels/test_iterators.py",
    "tests/reference/execution/test_interpreter.py",
)
RAN = ("tests/reference/procedure/test_run.py",)
CURSORS = ("tests/generator/loops/test_cursor.py",)
BY_LANES = ("tests/reference/schedule/autoschedule/test_by_lanes.py",)
BRANCHED_COSTS = ("tests/reference/schedule/branched/test_cost.py",)
MULTIPLIED = ("tests/reference/schedule/branched/test_products.py",)
TRANSPOSED = ("tests/reference/schedule/branched/test_transposition.py",)
CONVERT = ("tests/reference/schedule/test_convert.py",)
LEGAL = ("tests/reference/schedule/test_legality.py",)
POSITIONS = (
    "tests/reference/schedule/test_position.py",
    "tests/reference/schedule/test_legality.py",
)
PRECOMPUTED = ("tests/reference/schedule/test_precompute.py",)
RANDOM = (
    "tests/reference/schedule/test_precompute.py",
    "tests/reference/schedule/test_schedule.py::test_random_schedules_keep_values_structure_and_visits",
)
REORDERED = ("tests/reference/schedule/test_reorder.py",)
FIXED = (
    "tests/reference/schedule/test_split.py",
    "tests/reference/schedule/test_collapse.py",
    "tests/reference/schedule/test_position.py",
    "tests/reference/schedule/test_bound.py",
)
SPLITS = (
    "tests/reference/schedule/test_split.py",
    "tests/reference/schedule/test_schedule.py::test_tiles_of_tiles_are_limited_together",
)
ASSEMBLABLES = ("tests/reference/statement/test_assemblable.py",)
CONVERTED = ("tests/reference/statement/test_converting.py",)
CONVERSIONS = (
    "tests/reference/statement/test_converting.py",
    "tests/reference/statement/test_lowering.py",
    "tests/reference/statement/test_nest.py",
)
ELABORATED_TYPES = (
    "tests/reference/statement/test_lowering.py",
    "tests/reference/notation/test_elaboration.py",
    "tests/properties/differential/test_check.py::test_dtypes",
)
SEMIRINGS = (
    "tests/reference/statement/test_lowering.py",
    "tests/reference/notation/test_elaboration.py",
    "tests/reference/algebra/test_semirings.py",
    "tests/properties/differential/test_check.py::test_semirings",
)
LOWERED_NESTS = (
    "tests/reference/statement/test_lowering.py",
    "tests/reference/statement/test_nest.py",
    "tests/reference/execution/test_interpreter.py",
)
ELABORATED = (
    "tests/reference/statement/test_lowering.py",
    "tests/reference/statement/test_nest.py",
    "tests/reference/notation/test_elaboration.py",
    "tests/reference/execution/test_interpreter.py",
)
RULES = ("tests/reference/statement/test_substitution.py",)
ASSEMBLED = (
    "tests/reference/storage/test_assembly.py",
    "tests/reference/storage/test_packing.py",
)
PACKED = ("tests/reference/storage/test_packing.py",)
ORDERED_INPUTS = (
    "tests/reference/schedule/branched/test_orders.py",
    "tests/reference/schedule/branched/test_inputs.py",
    "tests/reference/schedule/branched/test_choice.py",
)
