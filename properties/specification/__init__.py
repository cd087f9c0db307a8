"""The specification as data: what its pages in `docs/spec` say, and the tables that they take from declarations.

In reading order: `rules` (the rules as they are stated), `table` (rows and columns as Markdown), `level_tables` (how
tensors are stored), `merges` (how operators merge), `tables` (what other declarations say, and all tables by name).
"""
