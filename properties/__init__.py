"""Strategies and differential checks.

In reading order: `check` (the rungs of the ladder agree on one problem), `strategies` (Hypothesis strategies for
formats, tensors and expressions), `schedules` (random legal ones), `batch` (many generated kernels in one library); how
fast kernels are: `bench`, `bench_rows` (what is measured), `bench_inputs`, `bench_peers`, `bench_numba`.
"""
