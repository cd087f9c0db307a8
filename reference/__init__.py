"""The executable semantics of sparse tensor algebra: what an expression means, and how it is run.

A package a stage, in reading order; an arrow of imports runs back along it and never forward.

What is said: `algebra` (numbers, operators and what they declare), `notation` (expressions), `denotation` (what they
mean: the ground truth).

What it is said about: `levels` (Chou 2018, section 3), `storage` (formats and tensors), `files`.

How it is run: `statement` (loops as terms; Chou 2018, section 4), `loops` (how each merges its operands), `schedule`
(Senanayake 2020), `execution`, `procedure` (assignments in order and in loops; COMET, section V), `drawing` (pictures
of all of these).

Under everything: `span` (places in a text), `errors` (every way to refuse), `nearest` (words that were meant), `noted`
(terms with notes).
"""
