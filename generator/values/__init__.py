"""What a kernel computes.

In reading order: `passing` (operators some of whose arguments are missing), `values` (expressions as declared),
`combining` (reductions).
"""
