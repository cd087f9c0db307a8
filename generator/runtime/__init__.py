"""Kernels compiled, kept and called.

In reading order: `processor`, `compiler`, `nvcc` (the CUDA compiler), `cache`, `library` (tensors as C structs),
`resident` (copies that a GPU keeps), `runner`, `operand` (what an operand must be), `stand_ins` (of extents), `unasked`
(the schedules that a request follows unasked), `device` (what kernels for GPUs cannot do), `request` (what a kernel is
asked for), `note`, `built` (libraries), `kernel`, `steps` (of procedures); `emulation` (kernels for GPUs built for the
CPU).
"""
