"""Level formats, one to a file (Chou 2018, section 3).

In reading order: `level` (the interface), `invariants` (of storage, that several formats share), `dense`, `compressed`,
`singleton`, `range`, `offset`, `hashed` (the six of the paper), `aos` (array-of-structs variants), `bitmap` (dense with
presence flags), `banded`, `skyline`, `accumulator` (a list with a dense index, for workspaces).

Their language and their use: `restricted_syntax` (what there is in the Python that level functions are written in),
`restricted_parser` (from text to that), `restricted_calls`, `restricted_kinds` and `restricted_flow` (what functions
keep beyond the grammar), `restricted` (the functions of a level), `own` (what is refused of level formats of users),
`lanes` (a level function at many positions at once), `iterators` (over one level, and their conversions; section 4.3).

A new level format is one new file and one entry in `LEVELS`.
"""

from __future__ import annotations

from .accumulator import Accumulator
from .aos import CompressedAoS, SingletonAoS
from .banded import Banded
from .bitmap import Bitmap
from .compressed import Compressed
from .dense import Dense
from .hashed import Hashed
from .level import Level
from .offset import Offset
from .range import Range
from .singleton import Singleton
from .skyline import Skyline

LEVELS: tuple[type[Level], ...] = (
    Dense,
    Compressed,
    Singleton,
    Range,
    Offset,
    Hashed,
    CompressedAoS,
    SingletonAoS,
    Bitmap,
    Banded,
    Skyline,
    Accumulator,
)

__all__ = ["LEVELS", "Level"]
