"""Programs: an expression with tensors, as engines and other systems get it.

In reading order: `problem`, `case_file` (as JSON), `features` (what programs use), `recipe` (operands that no file
gives), `kernels` (the classic ones, by name), `unrolling` (a procedure as the problems of its steps).
"""
