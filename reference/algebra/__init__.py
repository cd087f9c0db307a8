"""Numbers, and what operators on them declare about themselves (design of merge lattices: Kjolstad 2017, section 5.1).

In reading order: `dtypes`, `exact` (rationals and what is not one), `roundoff` (of floating-point formats) and the
bounds of what it does (Higham 2002): `error_bound` of operators, `spread` and `function_bound` of functions,
`reduction_bound`. Then `agreement` (of computed numbers with exact ones), `operator` (what an operator declares),
`promotion` (of dtypes), `scalars` (one number of a dtype), `computations` (what operators compute), `functions`
(operators without an algebra), `operators` (those with one), `copies` (many contributions that are alike), `spellings`
(names of others), `positional` (products that are places), `semirings` (COMET, section III).
"""
