"""The ground truth: what an expression means at every coordinate, in exact arithmetic, without formats or loops.

In reading order: `meaning` (what an expression is at a coordinate), `denote`, `freedom` (what may be bracketed or
distributed otherwise), `support` (the denotation, passing over terms that vanish).
"""
