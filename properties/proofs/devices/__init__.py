"""Proofs about kernels for GPUs.

In reading order: `two_threads` (what expressions of a kernel are for two of its threads), `uniformity` (control around
barriers), `collectives` (folds and scans), `launches` (sizes of grids), `devices` (the obligations).
"""
