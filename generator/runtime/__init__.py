"""Kernels compiled, kept and called.

In reading order: `processor`, `compiler`, `cache`, `library` (tensors as C structs), `runner`, `operand` (what an
operand must be), `stand_ins` (of extents), `request` (what a kernel is asked for), `kernel`.
"""
