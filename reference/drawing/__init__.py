"""Pictures, as standalone SVG and as text.

In reading order: `diagram` (boxes and arrows), `hierarchies` (of coordinates, and merge lattices; Chou 2018, Figures 3
and 6), `loops` (nests as trees), `schedules` (provenance graphs, and iteration spaces in their tiles).
"""
