"""The commands of `gnomon` that have no package of their own.

In reading order: `command_line` (what commands have in common), `user_object` (at `MODULE:OBJECT`), `run` (evaluate),
`check` (engines, or a result, against the meaning), `printing` (results and their arrays), `timing` (how long an engine
takes), `schedule` (promising ones), `code` (the C), `show` (storage, loops and pictures), `convert` (files), `listings`
(formats, levels, semirings), `demo`.
"""
