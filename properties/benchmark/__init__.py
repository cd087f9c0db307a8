"""How fast kernels are, beside their peers: `python -m gnomon.properties.benchmark`.

In reading order: `__main__` (the command), `means` (of its ratios), `rows` (what is measured), `case` (what that is
made of), `dense`, `sparse` and `tensors` (by kind of operand and result), `branched` (graphs that branch),
`contractions` (those that the search takes), `graphs` (algorithms), `inputs`; peers: `peers` and `numba_loops` (with
one thread), `mkl`, `graphblas`, `taco`, `compositions` (algorithms of GraphBLAS); `team` (threads, for all). Beside it
stand `formats` (each beside CSR), `templates` (how well templates are ranked without data), and `fitting` (costs that
agree with times).
"""
