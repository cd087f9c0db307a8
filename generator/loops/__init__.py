"""The loops of a kernel and what runs inside (Chou 2018, section 4; Figures 8 and 9).

In reading order: `frame` (tensors and what is known at a place), `flags` (which operands are present), `passing` and
`values` (operators as declared), `spaces` (tiles and positions of a schedule; Senanayake 2020, section 5), `walk`
(iterators and their conversions, sections 3.2 and 4.3), `cases`, `merging` and `loops` (Figures 8 and 9),
`accumulation` (sums in local variables), `statements`.
"""
