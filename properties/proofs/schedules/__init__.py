"""Proofs about a schedule that is given, on a statement that is given (Senanayake 2020, section 4).

In reading order: `schedule_conditions` (what a command has to keep), decided by `schedule_arithmetic`,
`schedule_visits`, `schedule_loops`, `schedule_branches`, `schedule_laws` and `schedule_order`; `schedule_inputs`
(operands on which a refused schedule goes wrong), `schedule_judgement` (rules, solver and inputs compared), `schedules`
(the obligations); `dominances` (what the search for branched schedules removes; SparseAuto, section 5.2).
"""
