"""Halide's commands, and others that schedulers have: none is read, and hints say what there is here instead."""

from __future__ import annotations

import re

NONE = dict.fromkeys(("None", "none"), "pass schedule=None, without quotes")
LANES = "write parallelize({0},CPUVector,NoRaces)"
THREADS = "write parallelize({0},CPUThread,NoRaces)"
EXCHANGE = "write reorder({1},{0})"
LOOPS = {
    **dict.fromkeys(("vectorize", "vectorise", "simd"), LANES),
    **dict.fromkeys(("parallel", "parallelise", "prange"), THREADS),
    **dict.fromkeys(("interchange", "swap", "exchange"), EXCHANGE),
    "tile": "write split({0},{0}0,{0}1,{2}),split({1},{1}0,{1}1,{3}),reorder({0}0,{1}0,{0}1,{1}1)",
}
NAMES, SIZES = ("i", "j"), ("32", "32")


def halide_hint(name: str, text: str) -> str | None:
    """What to write for a command that is none here, which a text begins with; None if nothing is known of it.

    >>> halide_hint("vectorize", "vectorize(j)")
    'write parallelize(j,CPUVector,NoRaces)'
    >>> halide_hint("tile", "tile(i,k,16,8)")
    'write split(i,i0,i1,16),split(k,k0,k1,8),reorder(i0,k0,i1,k1)'
    """
    if name not in LOOPS:
        return NONE.get(name)
    inside = re.match(r"\w+\s*\(([^()]*)\)", text)
    said = [] if inside is None else [part.strip() for part in inside[1].split(",")]
    loops, sizes = [part for part in said if part.isidentifier()], [part for part in said if part.isdecimal()]
    names = (*loops[:2], *NAMES[len(loops[:2]) :])
    return LOOPS[name].format(*names, *(sizes if len(sizes) == len(SIZES) else SIZES))
