"""Formats and tensors: components as coordinate hierarchies (Chou 2018, section 3).

In reading order: `coordinate_map`, `format`, `named_formats` (Figure 4), `spec` (what a format alone does not say),
`declaration` (what is said of a tensor), `vectorised` (whole arrays of components), `whole_levels` and `enumeration`
(everything that is stored), `hierarchy` (arrays by level), `validation` (their invariants), `tensor` (as a value of
Python), `components` (of tensors that are compared), `leaves` and `assembly` (Table 3) of those that are `assemblable`,
`analysis` (what levels choose first), `placement` (whole levels), `rows` (how arrays lie in memory), `packing`,
`repacking` (what is packed is valid), `tables` (what is hashed), `room` (how much memory).
"""
