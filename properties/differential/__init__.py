"""Differential checks: the rungs of the ladder agree.

In reading order: `difference` (where a result is wrong), `check` (one problem), `claim` (somebody else's result),
`batch` (many generated kernels in one library), `devices` (those for GPUs), `procedures` (every step that runs).
"""
