"""The imperative IR: what a kernel does, before it is C text.

In reading order: `ir` (the terms), `extremes` (of two numbers), `grid` (where threads of kernels for GPUs stand),
`traversal` (what expressions are made of), `logic` (conditions), `vocabulary` (names that C knows), `writer` (blocks),
`routine` (a function being written), `simplify` (what nothing reads), `parameters` (arrays of tensors), `jam` (loops
inside unrolled ones), `reports` (what lanes report), `prefetching` (what is read soon), `accumulators` (long
reductions), `stretches` (loops that scatter), `runs` (of equal coordinates), `limits` (ends of loops), `verifier` (what
holds between passes), `c_trees` (of pycparser), `printing` (as text), `spelling` (what is spelled often), `emission` (C
text).
"""
