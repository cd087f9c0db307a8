"""Proofs of the relations among index variables, and of loops that follow them (Senanayake 2020, sections 3 to 5).

In reading order: `symbolic` (functions of integers, run on terms), `term_values` (terms of the loop plan, translated),
`stored` (what storage holds), `relation_cases` and `relation_claims` with `relations` (each relation), `walked` (what
loops run over) with `relation_chains` (whole schedules), `exact_windows` and `stepped_loops`, `position_tables` (what
the interpreter finds in storage), `race_freedom`, `reordering`.
"""
