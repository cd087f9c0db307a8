"""The imperative IR: what a kernel does, before it is C text.

In reading order: `ir` (the terms), `logic` (conditions), `vocabulary` (names that C knows), `writer` (blocks),
`routine` (a function being written), `simplify` (what nothing reads), `parameters` (arrays of tensors), `reports` (what
lanes report), `limits` (ends of loops), `verifier` (what holds between passes), `emission` (C text).
"""
