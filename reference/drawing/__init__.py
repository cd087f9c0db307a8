"""Pictures, as standalone SVG and as text.

In reading order: `diagram` (boxes and arrows), `hierarchies` (of coordinates, and merge lattices; Chou 2018, Figures 3
and 6), `loops` (nests as trees), `sections` (branched graphs, a line a section, before and after each command),
`index_trees` (COMET, Figures 2 and 3), `schedules` (provenance graphs, and iteration spaces in their tiles),
`procedures` (steps in their loops, with the statements that they run).
"""
