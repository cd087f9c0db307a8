"""Branched schedules of contractions (SparseAuto 2024).

In reading order: `contraction` (operands, loops, and which loops storage puts outside others), `graph` (a branched
schedule as a term), `space` (all of them, section by section; section 5.1) and `smaller` ones, `cost` (time and memory,
symbolically; section 3), `poset` (those at minimal depths; section 5.2), `polynomial` and `constraints` (costs and what
is known of sizes), `dominance` (those that others are better than at all sizes; section 5.2), `search` (the stages that
need no data), `locality` and `selection` (the stages that do; section 5.3), `realisation` (as commands; section 4.2),
`finalists` (those to be measured), `expectation`, `work`, `works` and `transposition` (what a schedule does, expected),
`choice` (by the sizes of operands), among `products` taken apart, `inputs` copied or in other `orders` where they are
`merging` or by their `multiplications`, into `wide` workspaces, or `directions` of masks, `turning` (a direction that
is asked for), and `unasked` (what the settings of a schedule choose; what a kernel follows).
"""
