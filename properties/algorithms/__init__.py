"""Every graph algorithm on graphs of every kind, up to 2^18 vertices, against other systems: `make graphs`.

In reading order: `__main__` (the command), `graphs` (what is searched), `expected` (what SciPy, NumPy and
python-graphblas find), `small` (what NetworkX finds), `comparisons` (ours beside theirs).
"""
