"""Reading and writing files.

In reading order: `components` (what every reader gives), `matrix_market` (.mtx), `frostt` (.tns), `scipy_arrays`
(SciPy sparse matrices and arrays), `suffix` (choosing by suffix and content).
"""
