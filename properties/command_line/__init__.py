"""What the commands of `gnomon` have in common, wherever they stand.

In reading order: `user_object` (at `MODULE:OBJECT`), `output` (tables, JSON, files, progress), `streams` (standard ones
that are closed), `mounting` (commands imported when they are first used), `options`, `operands` (from files and
recipes).
"""
