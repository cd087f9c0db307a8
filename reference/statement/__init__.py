"""Statements: one tree for concrete index notation, the branched iteration graph and the index tree.

In reading order: `relation` (relations among index variables, formats' and schedules'; Senanayake 2020, Figures 17 to
19), `provenance` (their graph), `exactness` (windows that need no check), `tags` (what a schedule says of a loop),
`statement` (the tree), `expansion` (what a loop over a derived variable stands for), `substitution` (what is left where
operands are missing), `filling` (results with a component wherever few operands have one), `linearity` (what may be
reduced part by part), `iteration_graph` (which loop must enclose which; Chou 2018, section 4.1), `nest` (one loop
nest), `sharing` (branched nests), `assemblable` (formats of results), `staging` (results that loops do not visit in
order), `masking` (masks that they would walk again), `updating` (results that go on from previous contents),
`contradiction` (storage orders that no loops follow), `mapped` (operands in blocks, diagonals or slots), `blocks`
(results in blocks), `converting` (operands that are stored otherwise first), `contributions` (what missing operands
contribute to reductions), `counting` (those that are stored), `draft` (what is known of a statement that is being
built), `lowering` (from a resolved assignment to its statement), `front_end` (from a text to a resolved assignment),
`domain` and `index_tree` (a statement as nodes that iterate and compute; COMET, section III-A), `printed` (expressions
as they are printed), `tree_printer` and `tree_parser` (its text), `verifier` (the rules that every program keeps).
"""
