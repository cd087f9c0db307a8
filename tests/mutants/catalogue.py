"""All mutants, area by area."""

from __future__ import annotations

import assembly
import denotation
import lattices
import levels
import lowering
import merging
import preconditions
import provenance
import reductions
import schedules
import translation
import workspaces
from mutant import Mutant

MUTANTS: tuple[Mutant, ...] = (
    *lattices.MUTANTS,
    *merging.MUTANTS,
    *levels.MUTANTS,
    *provenance.MUTANTS,
    *preconditions.MUTANTS,
    *workspaces.MUTANTS,
    *lowering.MUTANTS,
    *reductions.MUTANTS,
    *assembly.MUTANTS,
    *denotation.MUTANTS,
    *translation.MUTANTS,
    *schedules.MUTANTS,
)
