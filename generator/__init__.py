"""Generated C: from a statement and layouts to compiled kernels (Chou 2018, section 4.5).

In reading order. Terms: `ir` (the imperative IR), `layout` (what code must know of a tensor), `vocabulary` (names that
C knows), `writer` (blocks and names).

Translation: `level_functions` (from their Python text), `frame` (tensors and what is known at a place), `flags` (which
operands are present), `passing` and `values` (operators as declared), `spaces` (tiles and positions of a schedule),
`positions` and `walk` (iterators and their conversions, sections 3.2 and 4.3), `cases`, `merging` and `loops` (Figures
8 and 9), `outputs`, `widening` and `appending` (assembly, section 3.4), `accumulation`, `statements`, `work` (what pays
for a team), `parallel` (teams and lanes), `counting` (results that teams append to), `simplify`, `limits` (ends of
loops), `emission` (C text), `kernel_source` (the three functions of a kernel).

Running: `compiler`, `cache`, `library`, `runner`, `stand_ins` (of extents), `request`, `kernel`.

Choosing by measuring: `sample`, `trial`, `tuner`.
"""
