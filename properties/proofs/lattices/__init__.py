"""Proofs of merge lattices and of the loops that follow them (Chou 2018, sections 4.1 to 4.4).

In reading order: `fill_rule` (what missing means), `agreement` (statements side by side), `lattice_rule` and
`lattice_values` (assignments by the rule and in numbers), `lattice_loops` (the loops that an execution comes to),
`lattice_points`, `lattice_cover` (what is proved of each), `lattice_tuples` (how fused merges compare), `corpus`
(statements), `lattices` (the obligations).
"""
