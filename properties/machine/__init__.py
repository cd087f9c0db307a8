"""A checked C machine: the emitted C run statement by statement, where nothing wrong goes unseen.

It runs what the generator prints and the support header, from pycparser's tree, and stops at the first thing that C
does not define or that the generator never means: reads and writes out of bounds, of freed or unset memory, overflow,
leaks, races of threads. Loops on threads run in an order that a seed draws. Of a kernel for GPUs it runs both texts.

In reading order: `fault` (what may be found), `types` (of C, in cells), `memory` (blocks and pointers), `team` (who has
been where), `state` (what changes in a run), `visits`, `turns` and `grid` (threads of a GPU: who has been where, who
runs, how they meet); `preprocessor` and `source` (from text to a tree), `declarations` (trees of types), `directives`
(pragmas), `residence` (which variables live in memory), `frame` (what a call works in), `function` (what is called),
`scope` (what names stand for); `floats`, `conversion`, `complex_numbers` and `arithmetic` (numbers), `places` (what is
assigned to), `library` (the C library), `vocabulary` (what names stand for that no text defines), `device` (CUDA's
words in kernels), `calls`, `expressions`, `parallel`, `statements` (from trees to Python closures), `runtime` (CUDA's,
for hosts), `program` (a kernel and the header), `run` (tensors in, a tensor out).
"""
