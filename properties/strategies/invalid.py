"""Programs that must be refused, each with one mistake, and the class of the error that it deserves."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hypothesis import strategies as st
from msgspec.structs import asdict

from ..programs.features import EVERYTHING, Features
from .invalid_commands import COMMANDS
from .invalid_data import DATA
from .invalid_dtypes import DTYPES
from .invalid_expressions import EXPRESSIONS
from .invalid_formats import FORMATS
from .invalid_program import Invalid, Mistake
from .invalid_schedules import SCHEDULES
from .invalid_semirings import SEMIRINGS
from .invalid_sums import SUMS
from .invalid_texts import TEXTS
from .invalid_values import VALUES

TABLES = (TEXTS, EXPRESSIONS, SUMS, DTYPES, SEMIRINGS, VALUES, DATA, FORMATS, COMMANDS, SCHEDULES)
MISTAKES: Mapping[str, Mistake] = MappingProxyType({name: each for table in TABLES for name, each in table.items()})


@st.composite
def invalid_programs(draw: st.DrawFn, features: Features = EVERYTHING, mistake: str | None = None) -> Invalid:
    """Programs that break one rule: any, or the one of that name in `MISTAKES`.

    Most are valid programs with these features and one change; where a mistake needs a certain program, that is small
    and plain. They shrink towards the first mistake, in the simplest program.
    """
    possible = [name for name, each in MISTAKES.items() if each.possible(features)]
    name = draw(st.sampled_from(possible)) if mistake is None else mistake
    found = MISTAKES[name].write(draw, features)
    return Invalid(**asdict(found), error=MISTAKES[name].error, mistake=name, says=MISTAKES[name].says)
