"""Strategies and differential checks.

In reading order: `problem` (an expression with tensors), `case_file` (as JSON), `difference` (where a result is
wrong), `check` (the rungs of the ladder agree on one), `claim` (somebody else's result), `features` (what
programs use), `strategies` (Hypothesis strategies for programs), `batch` (many
generated kernels in one library), `kernels` (the classic ones, by name), `machine` (the emitted C, run with every
access checked), `proofs` (rules as obligations for an SMT solver), `backends` (other people's systems), `campaign`
(random programs against one of them), `conformance` (the rules of the specification, case by case).

How fast kernels are: `bench`, `bench_rows` (what is measured), `bench_case` (what that is made of), `bench_tensors`,
`bench_dense` and `bench_sparse` (by kind of result), `bench_inputs`; peers: `bench_peers` and `bench_numba` (with one
thread), `bench_mkl`, `bench_graphblas`; `bench_team` (threads for all).

The command line: `commands`, what they have in common, `command_line`, `recipe` (operands that no file gives)
and `user_object` (at `MODULE:OBJECT`).
"""
