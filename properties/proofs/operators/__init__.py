"""Proofs of what operators and semirings declare.

In reading order: `carrier_terms`, `complexes`, `extended_reals` and `carriers` (numbers), `operator_terms` (operators
over them), `laws` (what is declared), `operator_laws` and `semiring_laws` (as obligations), `claims` (of users) and
`own_operators` (which users declare, with the semirings made of them).
"""
