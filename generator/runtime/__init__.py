"""Kernels compiled, kept and called.

In reading order: `processor`, `compiler`, `cache`, `library` (tensors as C structs), `runner`, `operand` (what an
operand must be), `stand_ins` (of extents), `unasked` (the schedules that a request follows unasked), `request` (what a
kernel is asked for), `note`, `kernel`, `steps` (of procedures); `emulation` (kernels for GPUs built for the CPU).
"""
