"""Procedures: assignments in order, and loops of them, over named tensors (COMET, section V).

In reading order: `syntax` (the terms), `parser` (the text of a `.gn` file), `thresholds` (loops that would end on a
value), `check` (what must hold before anything runs), `recurrence` (loops that go in circles), `run` (the steps, by any
engine), `statements` (what they run, as far as that is known before).
"""
