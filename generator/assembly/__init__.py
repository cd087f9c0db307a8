"""Results under construction (Chou 2018, section 3.4, Table 3).

In reading order: `form` (what a result is like), `variables` (what holds it), `initial` (what it holds at first),
`growth`, `widening` (levels that have filled up), `pieces` (of fibers, by several threads), `output` (insertion),
`outputs`, `appending` (in storage order), `finishing`.
"""
