"""Kernels compiled, kept and called.

In reading order: `processor`, `garbage` (when Python looks for it), `compiler`, `nvcc` (the CUDA compiler), `cache`,
`foreign` (types of C), `structs` (tensors in C), `left` (what kernels leave there), `teams` (of threads), `status`
(what kernels return), `library` (what has been loaded), `resident` (copies that a GPU keeps), `blank` (what results
begin with), `memory` (that is given for them), `runner`, `call`, `bound` (kernels, to operands), `phases` (two of
them), `coordinates` (as operands), `operand` (what an operand must be), `conversions` (operands that are read in
another format), `sizes` (of operands), `stand_ins` (of extents), `unasked` (what settings of schedules choose),
`request` (what a kernel is asked for), `device` (what kernels for GPUs cannot do), `sources` (of requests), `note`,
`built` (libraries), `runners` (for any shapes), `kernel`, `narrowing` (of the indices of results), `evaluation` (of
expressions on operands), `steps` (of procedures); `emulation` (kernels for GPUs built for the CPU).
"""
