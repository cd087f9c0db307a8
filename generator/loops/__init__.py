"""One loop of a kernel (Chou 2018, section 4; Figures 8 and 9).

In reading order: `fiber` (a level and the conversions that its use requires, sections 3.2 and 4.3), `walk` (what of
it is visited), `cursor` and `iteration` (step by step, or in a loop of its own), `course` (where a loop goes),
`locating` and `cases` (at a coordinate), `visit` (the body), `shorter` (the shorter of two fibers), `crowded` (lists
that hold nearly all), `listed` (what a workspace holds); then a file for each way to merge: `merging` (what they
share), `alongside`, `fused` (all levels of a chain at once), `seeking` (iterators that begin anew), `coiteration`
(Figure 9), `flagged`; and `loops`.
"""
