"""The imperative IR: what a kernel does, before it is C text.

In reading order: `ir` (the terms), `logic` (conditions), `vocabulary` (names that C knows), `writer` (blocks and names),
`routine` (a function while it is written), `simplify` (what nothing reads), `limits` (ends of loops), `emission` (C
text).
"""
