"""Proofs that generated C accesses memory in range.

In reading order: `c_tree` (the text, parsed back), `c_memory` (what is where), `c_tensors` (operands and their storage
invariants), `c_facts`, `c_products` and `c_numbers` (what is known), `c_contracts` (library functions), `c_slices`
(code that counts and code that fills), `c_expressions`, `c_execution` (statements), `c_candidates` and `c_loops`
(invariants of loops), `c_safety` (the obligations), `c_laws` (what they rest on), `c_refutation` (values that break
one), `c_report` (the share that is proved of random kernels).
"""
