"""Choosing by measuring.

In reading order: `sample` (operands to measure on), `heap` (what is freed is kept), `trial` (kernels in a process of
their own), `tuner`.
"""
