"""Execution: statements run on tensors, and what is checked as they run (Chou 2018, Figure 9).

In reading order: `contributions` (what a component is made of), `trace` (the executable cost semantics), `state`,
`numbers` (the values of a plan's terms; Senanayake 2020, section 5), `iteration` (what a loop visits; Chou 2018,
section 4.4), `values`, `recording`, `parallel`, `interpreter`, `visits` (a schedule makes no other assignments),
`evaluate` (from text to result), `arithmetic` (tensors as values).
"""
