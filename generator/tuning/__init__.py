"""Choosing by measuring.

In reading order: `sample` (operands to measure on), `trial` (kernels in a process of their own), `tuner`.
"""
