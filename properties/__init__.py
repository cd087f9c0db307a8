"""Strategies and differential checks.

In reading order: `check` (the rungs of the ladder agree on one problem), `strategies` (Hypothesis strategies for
formats, tensors and expressions), `batch` (many generated kernels in one library), `bench` and `bench_inputs` (how fast
kernels are).
"""
