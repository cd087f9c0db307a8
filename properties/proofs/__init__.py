"""Proofs: rules of the specification as obligations for an SMT solver (`gnomon prove`).

In reading order: `verdict` (what an attempt finds out), `obligation` (a statement with an id), `solver` (Z3, imported
nowhere else); the families `levels`, `operators`, `lattices`, `relations`, `schedules`, `c`, `devices` and
`procedures`; `catalogue` (all obligations), `topic` (what obligations are about), `prover` (many at once, with limits),
`command` (`gnomon prove`), `pages` (what docs/spec says of them).
"""
