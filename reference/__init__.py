"""The executable semantics of sparse tensor algebra (Chou 2018, sections 2 to 4).

In reading order.

The language: `errors`, `nearest` (words that were meant), `syntax`, `operator` (what an operator declares),
`promotion`, `scalars`, `computations`, `functions`, `operators`, `semirings`, `parser`, `printer`,
`reductions` (implicit sums), `types`, `problem`.

Meaning: `exact`, `error_bound`, `denote` (the ground truth), `support` (the same, passing over terms that vanish).

Storage (section 3): `levels`, `restricted` (the language of level functions), `lanes` (for many positions at once),
`coordinate_map`, `format`, `named_formats` (Figure 4), `spec`, `enumeration`, `tensor`, `vectorised`,
`assembly` (Table 3), `packing`, `room`, `validation`, `files`, `samples`.

Statements (section 4): `provenance`, `statement`, `substitution`, `elaboration`, `iteration_graph`, `nest`, `sharing`,
`assemblable` (formats of results), `lowering`, `preparation`, `lattice`, `presence` (lattices of many operands as
formulas), `strategy` (Figure 8).

Schedules (Senanayake 2020): `derivation` (relations among variables, Figures 17 to 19), `provenance_graph`,
`expansion`, `exactness`, `schedule` (the commands), `autoschedule` (section 6).

Execution: `iterators` (section 4.3), `merging` (section 4.4), `spaces` (tiles and positions), `parallel`,
`contributions`, `trace`, `interpreter`, `visits`, `evaluate`, `arithmetic` (tensors as values).

Pictures: `diagram`, `drawing`, `nest_drawing`, `schedule_drawing`.
"""
