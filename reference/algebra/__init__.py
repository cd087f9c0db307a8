"""Numbers, and what operators on them declare about themselves (design of merge lattices: Kjolstad 2017, section 5.1).

In reading order: `dtypes`, `exact` (rationals and what is not one), `error_bound` (Higham 2002), `agreement` (of
computed numbers with exact ones), `operator` (what an operator declares), `promotion` (of dtypes), `scalars` (one
number of a dtype), `computations` (what operators compute), `functions` (operators without an algebra), `operators`
(those with one), `semirings` (COMET, section III).
"""
