"""Kernels on a GPU: `make gpu`, or `python -m gnomon.properties.gpu`.

In reading order: `timing` (how long kernels run), `cases` (what is measured), `contenders` (who computes it: gnomon,
kernels written by hand in `kernels`, and `peers`, which are cuSPARSE and torch), `presence` (whether there is a GPU),
`benchmark` (rows, measured),
`examples` (kernels kept as examples), `sanitizer` (compute-sanitizer on those), `programs` (random ones), `page` (all
of it in Markdown), `__main__` (the command).
"""
