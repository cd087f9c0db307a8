"""Statements, which tie loops, threads and results together.

In reading order: `storing` (assignments), `accumulation` (sums in local variables), `marking` (workspaces that get all
their values together), `statements`, `single` (what single threads of a GPU do).
"""
