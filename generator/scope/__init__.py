"""What is known where code is written.

In reading order: `team` (who runs a loop), `env` (what the loops around have made known), `frame` (the function being
written and its tensors), `flags` (which operands are present), `spaces` (tiles and positions of a schedule; Senanayake
2020, section 5).
"""
