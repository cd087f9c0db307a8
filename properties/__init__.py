"""Strategies, differential checks and proofs.

In reading order: `programs` (an expression with tensors), `strategies` (Hypothesis strategies for programs),
`differential` (the rungs of the ladder agree), `machine` (the emitted C, run with every access checked),
`command_line` (what commands have in common), `backends` (other people's systems), `campaign` (random programs against
one of them), `conformance` (the rules of the specification, case by case), `proofs` (rules as obligations for an SMT
solver), `specification` (its rules and tables as data), `benchmark` (how fast kernels are), `gpu` (all of it on a GPU),
`algorithms` (those of graphs, against other systems), `sparseauto` (the search for branched schedules beside the
paper's), `commands` (those with no package of their own).
"""
