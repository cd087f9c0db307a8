"""Proofs of what operators and semirings declare.

In reading order: `carriers` and `complexes` (numbers), `operator_terms` (operators over them), `laws` (what is
declared), `operator_laws` and `semiring_laws` (as obligations).
"""
