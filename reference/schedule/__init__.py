"""The scheduling language (Senanayake 2020, section 4).

In reading order: `section` (the unbranched pieces of a statement, and the `path` to each; SparseAuto, section 4),
`nests` (finding and replacing loops), the commands `split` (and divide), `collapse`, `position` (pos and coord),
`precompute` and `loopfuse` with `parts` of expressions, `branching` of loops and the `workspace` between them, `hoist`
out of loops, `convert` (operands stored otherwise first) by which workspaces may `widen`, the `layout` of workspaces,
the inverse `inline`, `reorder`, `bound`, `unroll`, `parallelize` with its `races`, what a command needs
(`precondition`), what every schedule must keep (`legality`), each `command` as a value, what `commands` do, `settings`
(of what is chosen before them), `text` (how both are written), `halide` (commands of other schedulers, for hints),
`flags` (what workspaces then know of their components), `flat` workspaces (one mode in place of several), `ordering` of
operands for those who cannot sort, `direct` assembly without workspaces, `schedule` (settings and commands) and its
`application` to a program, `origin` (why there are workspaces that nobody has asked for), `visits` (how often loops
run, estimated: schedules to warn of), `autoschedule` (the search for schedules, section 6), `branched` (the space of
branched schedules; SparseAuto, section 5), `preparation` (expression and tensors, ready for any engine).
"""
