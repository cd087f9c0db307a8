"""The specification as data: what its pages in `docs/spec` say, and the tables that they take from declarations.

In reading order: `rules` (the rules as they are stated), `merges` (how operators merge), `tables` (what declarations
say, for the chapters).
"""
