"""The commands of `gnomon` that have no package of their own.

In reading order: `run` (evaluate), `check` (engines, or a result, against the meaning), `printing` (results and their
arrays), `timing` (how long an engine takes), `schedule` (promising ones), `branched` (those with temporaries), `code`
(the C), `procedures` (`.gn` files, run and shown), `show` (storage, loops and pictures), `convert` (files), `listings`
(formats, levels, semirings), `demo`.
"""
