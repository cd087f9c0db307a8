"""How each loop merges its operands (Chou 2018, section 4).

In reading order: `lattice` (by substitution; Kjolstad 2017, section 5.1), `presence` (lattices of many operands as
formulas), `strategy` (what is said of a loop), `merging` (which levels are co-iterated and which are located; section
4.4, Figure 8), `fusing` (loops that run as one), `domains` (what lattices say, as terms of an index tree; COMET,
section III), `terms` and `iteration_space` (ranges, windows and guards; Senanayake 2020, section 5), `tiles`, `plan`
(the loop plan, which every engine walks), `verifier` (the rules that every plan keeps).
"""
