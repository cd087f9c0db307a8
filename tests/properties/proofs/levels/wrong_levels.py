"""Level formats that are wrong in one way each, as a user might write them, with what is wrong."""

from __future__ import annotations

from gnomon.reference.levels.level import Level

from .chunks import Branching, Forgetful
from .wrong_places import DividesByExtent, Inverted, NeverFull, NoPadding, WithoutFlag, WrongStride
from .wrong_segments import (
    BeyondSix,
    LastIsNotNew,
    ManyChildren,
    MissesLast,
    Namesake,
    NoReturn,
    NoSuchArray,
    OneResult,
    OneTooFar,
    ReadsBefore,
    Repeats,
    Uncounted,
    Unsorted,
)
from .wrong_slots import FalseSearch, Gaps, HalfReset, NeverStops, NoWrap

WRONG: tuple[tuple[Level, str], ...] = (
    (OneTooFar(), "segments"),
    (OneTooFar(), "in_range.pos_access"),
    (MissesLast(), "locate"),
    (WrongStride(), "segments"),
    (WrongStride(), "locate"),
    (Unsorted(), "ordered"),
    (Repeats(), "unique"),
    (Inverted(), "locate"),
    (Forgetful(), "append_edges"),
    (LastIsNotNew(), "append_init"),
    (WithoutFlag(), "insert"),
    (NoWrap(), "in_range.locate"),
    (NoWrap(), "locate"),
    (NeverStops(), "locate"),
    (ManyChildren(), "branchless"),
    (ReadsBefore(), "in_range.pos_bounds"),
    (Gaps(), "compact"),
    (HalfReset(), "insert_reset"),
    (NeverFull(), "full"),
    (NoPadding(), "coordinates"),
    (DividesByExtent(), "in_range.size"),
    (Namesake(), "unique"),
)
"""Each with the statement that does not hold of it."""

NOT_PROVED: tuple[tuple[Level, str], ...] = (
    *((level, name) for level in (BeyondSix(), Uncounted()) for name in ("coordinates", "in_range.pos_access")),
    *((FalseSearch(), name) for name in ("insert", "in_range.locate", "in_range.insert_coord")),
    (Branching(), "append_finalize"),
)
"""Each with a statement that is not proved, and that no small level refutes."""

BROKEN: tuple[Level, ...] = (OneResult(), NoSuchArray(), NoReturn())
"""Formats that cannot be run."""
