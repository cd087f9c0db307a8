"""SparseAuto's evaluation of its search (Dias 2024, section 6, Tables 2 to 5), repeated: `make sparseauto`.

In reading order: `kernels` (the eight kernels, and what is known of their sizes), `published` (the paper's numbers),
`report` (ours beside them), `__main__` (the command).
"""
