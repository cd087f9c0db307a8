"""Mutants of the visits of generated loops: where room is made for what their bodies append."""

from __future__ import annotations

from mutant import Mutant
from suites import TEXTS

VISIT = "generator/loops/visit.py"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "visit.1",
        VISIT,
        "        self.course.env = self.filling.with_room(self.course.env)\n",
        "",
        "a loop that has room for all that it appends makes room at each visit again",
        TEXTS,
    ),
    Mutant(
        "visit.2",
        VISIT,
        "            or self.has_room(self.course.env)\n",
        "",
        "a loop makes room that one around it has made",
        TEXTS,
    ),
)
