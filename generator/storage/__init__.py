"""Tensors in generated code.

In reading order: `layout` (what code must know of a tensor), `level_functions` (translated from their Python text; Chou
2018, section 4.5), `positions` (where an access stands).
"""
