"""Proofs that generated C accesses memory in range, and writes as much as it has counted.

In reading order: `c_tree` (the text, parsed back), `c_memory` (what is where), `c_products`, `c_facts` and
`c_numbers` (what is known), `c_meetings` (of paths), `c_lists` (of coordinates), `c_execution` (where an execution
has come to), `c_tensors` (operands and their storage invariants), `c_contracts` and `c_device_memory` (library
functions), `c_slices` (code that counts and code that fills), `c_expressions`, `c_launches` (kernels for GPUs),
`c_statements`, `c_guesses`, `c_candidates` and `c_loops` (invariants of loops), `c_safety` (what is proved of a
kernel), `c_laws` (what that rests on), `c_refutation` (operands that break it), `c_runs` (runs on the checked machine
that show so), `c_kernels` (the obligations), `c_report` (the share that is proved of random kernels); `c_turns` and
`c_simulation` (two pieces of code side by side), `c_phases` (obligations that what is counted is what is written).
"""
