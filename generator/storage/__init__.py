"""Tensors in generated code.

In reading order: `layout` (what code must know of a tensor), `translation` (restricted Python in C), `level_functions`
(in place of their calls, or as functions; Chou 2018, section 4.5), `relative` (what stays true where positions begin
elsewhere), `positions` (where an access stands).
"""
