"""One loop of a kernel (Chou 2018, section 4; Figures 8 and 9).

In reading order: `walk` (iterators and their conversions, sections 3.2 and 4.3), `cases`, `merging` and `loops`.
"""
