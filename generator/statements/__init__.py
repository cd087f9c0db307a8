"""Statements, which tie loops, threads and results together.

In reading order: `storing` (assignments), `accumulation` (sums in local variables), `runs` (of equal coordinates),
`marking` (workspaces that get all their values together), `statements`, `units` (what runs on those of a GPU), `single`
(what single threads of a GPU do).
"""
