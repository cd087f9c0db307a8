"""Procedures on all graphs of a few vertices at once (COMET, section V).

In reading order: `symbolic_run` (a procedure run on tensors of which each component may be there or not), `searches`
(what a breadth-first search and Bellman and Ford's rounds keep).
"""
