"""Proofs about kernels for GPUs.

In reading order: `two_threads` (what expressions of a kernel are for two of its threads), `uniformity` (control
around barriers), `collectives` (folds and scans), `segments` (folds of neighbours), `sorts`, `launches` (sizes of
grids), `lists` (of coordinates) and `noting` (who uses them), `tallies` (what they are to who counts), `one_thread`
(what a warp does, as one thread would) and `fills` (of what is counted), `accesses`, `intervals` (between barriers)
and `touches` with `races`, `devices` (the obligations).
"""
