"""Mutants of whole levels: what is read, validated and packed again without a call for each node."""

from __future__ import annotations

from mutant import Mutant

WHOLE_LEVELS, LISTED_WHOLE = "reference/storage/whole_levels.py", ("tests/reference/storage/test_whole_levels.py",)
REPACKING, VALID = "reference/storage/repacking.py", ("tests/reference/storage/test_validation.py",)
TABLES, HASHED = "reference/storage/tables.py", ("tests/reference/storage/test_tables.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "assembly.72",
        REPACKING,
        "if tensor.format.may_be_full or next(unreadable(tensor), None) is not None:",
        "if next(unreadable(tensor), None) is not None:",
        "a level that is declared full may lack coordinates",
        VALID,
    ),
    Mutant(
        "assembly.73",
        REPACKING,
        "return is_same and all(hold_alike(held, packed) for held, packed in pairs)",
        "return is_same and any(hold_alike(held, packed) for held, packed in pairs)",
        "a tensor is valid if one level of it is",
        VALID,
    ),
    Mutant(
        "assembly.74",
        REPACKING,
        "np.all(pos[1:] >= pos[:-1])",
        "True",
        "segments that overlap are read, however much they hold together",
        VALID,
    ),
    Mutant(
        "assembly.77",
        WHOLE_LEVELS,
        "min(within.stop, level.N)",
        "level.N",
        "a dense level lists what lies behind a chosen range",
        LISTED_WHOLE,
    ),
    Mutant(
        "assembly.78",
        WHOLE_LEVELS,
        "if last - first + 1 != len(positions) or np.any(positions[1:] <= positions[:-1]):",
        "if last - first + 1 != len(positions):",
        "segments of nodes in another order are taken for those of nodes side by side",
        LISTED_WHOLE,
    ),
    Mutant(
        "assembly.79",
        WHOLE_LEVELS,
        "(crd[first : first + count] if is_run else crd[positions])",
        "crd[first : first + count]",
        "tables of nodes that do not stand side by side are those behind the first",
        LISTED_WHOLE,
    ),
    Mutant(
        "assembly.94",
        WHOLE_LEVELS,
        "return np.flatnonzero(found), c[found], positions[found]",
        "return None, c, positions",
        "padding has coordinates",
        LISTED_WHOLE,
    ),
    Mutant(
        "assembly.95",
        REPACKING,
        "tensor.sound and tensor.doubt is Doubt.NOTHING and is_fixed(tensor)",
        "tensor.sound and tensor.doubt is Doubt.NOTHING",
        "arrays that somebody may change are shared with what is converted",
        ("tests/reference/storage/test_tensor.py",),
    ),
    Mutant(
        "assembly.82",
        REPACKING,
        "or any(a.dtype != asked.index for a in stored)",
        "",
        "indices keep their dtype whatever is asked",
        ("tests/reference/storage/test_tensor.py",),
    ),
    Mutant(
        "assembly.89",
        TABLES,
        "distance <= occupied_before(taken, segment, width)",
        "distance <= width",
        "coordinates that locate does not find are valid",
        HASHED,
    ),
    Mutant(
        "assembly.90",
        TABLES,
        " and run_starts(columns, len(order)).all()",
        "",
        "a table holds a coordinate twice",
        HASHED,
    ),
    Mutant(
        "assembly.91",
        TABLES,
        "np.where(goes_on, (number - first + 1)[last], 0)",
        "0",
        "a search that goes on at the beginning of a segment is not followed, and all is looked at node by node",
        HASHED,
    ),
    Mutant(
        "assembly.92",
        TABLES,
        "run_starts((segment, taken - number), count)",
        "run_starts((taken - number,), count)",
        "buckets of one segment are passed on the way in the next",
        HASHED,
    ),
    Mutant(
        "assembly.93",
        REPACKING,
        "isinstance(term, Remainder) and type(level) is not Dense",
        "False",
        "places in blocks that lie outside the shape are not looked at",
        VALID,
    ),
)
