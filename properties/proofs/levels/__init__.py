"""Proofs of level formats, from the text of their functions and invariants (Chou 2018, sections 3.2 to 3.4).

In reading order: `restricted_terms` (expressions of level functions as terms), `claims` (what is said of storage, as
functions), `declared` (claims on loops, and on levels that are appended to), `invariant_terms` (claims as formulas),
`restricted_paths` (level functions as paths), `storage_axioms` (storage invariants as formulas), `products` and
`instances` (how goals are proved), `level_model`, `level_properties`, `level_access`, `level_insertion`,
`level_appending`, `level_diagonals`, `level_laws` (what is proved), `level_instances`, `level_checks`,
`level_scenarios` (small levels that are run where a proof fails), `level_formats` (the obligations).
"""
