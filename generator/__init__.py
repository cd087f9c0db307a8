"""Generated C: from a statement and layouts to compiled kernels (Chou 2018, section 4.5).

In reading order, which is also the order of imports: `ir` (the imperative IR, and its text), `storage` (tensors in C),
`scope` (what is known where code is written), `values` (expressions), `assembly` (results; section 3.4), `loops`
(Figures 8 and 9), `threads` (teams and lanes), `cuda` (grids of GPUs), `statements` (what ties these together),
`source` (what a kernel is generated from), `kernel_source` (the three functions of a kernel), `device_source` (those of
one for a GPU), `runtime` (compiled, cached and called), `graphs` (algorithms made of kernels), `tuning` (choosing by
measuring).
"""
