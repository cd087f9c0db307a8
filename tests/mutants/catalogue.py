"""All mutants, area by area."""

from __future__ import annotations

import accumulators
import adapters
import algebra
import assembly
import at_once
import blocks
import bound
import branched
import branches
import built_kernels
import campaigns
import claims
import commands
import complexes
import contributions
import converting
import costs
import counted_orders
import counts_on_devices
import crowded
import damage
import denotation
import device_proofs
import device_templates
import doors
import execution
import flags
import flat
import freedom
import gpu_runs
import gpus
import graphs
import grids
import groups
import hashed
import index_trees
import inputs
import insertion
import iteration_spaces
import iterators
import kernel_results
import lattices
import level_functions
import levels
import lists
import lowering
import mapped
import merging
import misspellings
import nests
import nonzeros
import notation
import notes
import ordered_copies
import ordering
import orders
import own_operators
import packing
import pieces
import preconditions
import procedures
import proofs
import provenance
import reductions
import restricted
import room
import runs
import runtime
import schedules
import selections
import settings
import shorter
import sizes
import skipping
import staging
import steps
import temporaries
import threads
import translation
import tuning
import unions
import updating
import values
import visits
import walks
import whole_levels
import works
import workspace_modes
import workspaces
from mutant import Mutant

MUTANTS: tuple[Mutant, ...] = (
    *lattices.MUTANTS,
    *index_trees.MUTANTS,
    *procedures.MUTANTS,
    *kernel_results.MUTANTS,
    *at_once.MUTANTS,
    *runtime.MUTANTS,
    *bound.MUTANTS,
    *graphs.MUTANTS,
    *gpus.MUTANTS,
    *gpu_runs.MUTANTS,
    *grids.MUTANTS,
    *groups.MUTANTS,
    *accumulators.MUTANTS,
    *nonzeros.MUTANTS,
    *contributions.MUTANTS,
    *costs.MUTANTS,
    *counts_on_devices.MUTANTS,
    *crowded.MUTANTS,
    *device_proofs.MUTANTS,
    *device_templates.MUTANTS,
    *merging.MUTANTS,
    *iteration_spaces.MUTANTS,
    *ordering.MUTANTS,
    *ordered_copies.MUTANTS,
    *own_operators.MUTANTS,
    *pieces.MUTANTS,
    *updating.MUTANTS,
    *selections.MUTANTS,
    *settings.MUTANTS,
    *shorter.MUTANTS,
    *levels.MUTANTS,
    *hashed.MUTANTS,
    *iterators.MUTANTS,
    *level_functions.MUTANTS,
    *restricted.MUTANTS,
    *provenance.MUTANTS,
    *preconditions.MUTANTS,
    *workspace_modes.MUTANTS,
    *workspaces.MUTANTS,
    *branches.MUTANTS,
    *blocks.MUTANTS,
    *branched.MUTANTS,
    *works.MUTANTS,
    *orders.MUTANTS,
    *counted_orders.MUTANTS,
    *sizes.MUTANTS,
    *skipping.MUTANTS,
    *flags.MUTANTS,
    *flat.MUTANTS,
    *inputs.MUTANTS,
    *lowering.MUTANTS,
    *nests.MUTANTS,
    *mapped.MUTANTS,
    *reductions.MUTANTS,
    *assembly.MUTANTS,
    *packing.MUTANTS,
    *whole_levels.MUTANTS,
    *damage.MUTANTS,
    *denotation.MUTANTS,
    *freedom.MUTANTS,
    *algebra.MUTANTS,
    *notation.MUTANTS,
    *misspellings.MUTANTS,
    *temporaries.MUTANTS,
    *notes.MUTANTS,
    *insertion.MUTANTS,
    *translation.MUTANTS,
    *threads.MUTANTS,
    *visits.MUTANTS,
    *walks.MUTANTS,
    *tuning.MUTANTS,
    *doors.MUTANTS,
    *built_kernels.MUTANTS,
    *proofs.MUTANTS,
    *claims.MUTANTS,
    *room.MUTANTS,
    *runs.MUTANTS,
    *unions.MUTANTS,
    *values.MUTANTS,
    *schedules.MUTANTS,
    *commands.MUTANTS,
    *staging.MUTANTS,
    *steps.MUTANTS,
    *execution.MUTANTS,
    *campaigns.MUTANTS,
    *adapters.MUTANTS,
    *complexes.MUTANTS,
    *converting.MUTANTS,
    *lists.MUTANTS,
)
