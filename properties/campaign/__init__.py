"""Campaigns: random programs against a backend, their findings minimised and told apart.

In reading order: `units` (the n-th program), `ingredients` (what it is made of), `examination` (what a backend makes
of a run of them), `plainer_storage` and `plainer_contents` (of operands), `minimisation`, `findings` (by cause),
`scripts` (and reports), `campaign` (over an executor, in a file that grows), `executors`, `coverage` (what the
strategies reach), `fuzz` (the command).
"""
