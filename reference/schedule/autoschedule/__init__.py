"""The heuristic autoscheduler (Senanayake 2020, section 6): promising schedules without fixed sizes.

In reading order: `template` (commands whose sizes are open), `partition` (section 6.1: collapse, pos and split),
`arrangement` (section 6.2: the order of the loops, and what runs in parallel), `space` (how many there would be without
heuristics), `cost` (how long a template is likely to take), `ranking` (the most promising first), `unasked` (what a
kernel follows if no schedule is asked for), `by_lanes`, `by_nonzeros` and `grids` (what one for a GPU does), `devices`
(templates for GPUs).
"""
