"""Generated C: from a statement and layouts to compiled kernels (Chou 2018, section 4.5).

In reading order: `ir` (the imperative IR, and its text), `storage` (tensors in C), `loops` (Figures 8 and 9),
`assembly` (results; section 3.4), `threads` (teams and lanes), `kernel_source` (the three functions of a kernel),
`runtime` (compiled, cached and called), `tuning` (choosing by measuring).
"""
