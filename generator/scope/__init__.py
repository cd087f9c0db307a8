"""What is known where code is written.

In reading order: `facts` (what the program says), `leaders` (levels that have one extent), `coordinate_list` (what a
workspace holds), `tensors` (what is read), `site` (where loops stand), `tiling` (tiles of a schedule), `target` (what
is filled), `team` (who runs a loop), `env` (all four at a place), `frame` (the function being written), `flags`
(which operands are present), `searching` (bisection), `segments` (positions below an access), `terms` (what a plan
says, printed; Senanayake 2020, section 5), `places` (tiles of positions), `extents`, `tiles` (of coordinates).
"""
