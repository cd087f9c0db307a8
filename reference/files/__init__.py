"""Tensors from elsewhere, and back.

In reading order: `components` (what every reader gives), `plain` (tables of numbers, read at once), `text` (files of
numbers and the line where they go wrong), `matrix_market` (.mtx), `frostt` (.tns), `suffix` (choosing between them),
`scipy_arrays` (SciPy sparse matrices and arrays), `operands` (what is given for names), `foreign` (what is no operand
as it is), `dictionaries` (coordinates to values, and dense arrays), `samples`.
"""
