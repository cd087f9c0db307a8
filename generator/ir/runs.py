"""Runs: the search for the end of a run of equal coordinates, and the loop over the run, as one loop.

Before:

    const int64_t i = crd[p];
    int64_t p_segend = p + 1;
    while (p_segend < p_end && crd[p_segend] == i) p_segend++;
    for (int64_t q = p; q < p_segend; q++) { … q … }
    p = p_segend;

After:

    const int64_t i = crd[p];
    while (p < p_end && crd[p] == i) { … p … p++; }

A processor predicts the end of a run once instead of twice, and computes with the first components of the run before
the end is known.
"""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from . import traversal
from .ir import ONE, Assign, Binary, Code, Declare, Expr, For, Name, While
from .verifier import expressions


def join(code: Code) -> Code:
    """Some code with one loop for each run in place of a search and a loop, wherever nothing else reads the end of the
    run."""
    for n, (declared, search) in enumerate(pairwise(code)):
        match declared, search:
            case Declare(name=end, value=Binary("+", Name() as place, right)), While() if right == ONE:
                if search.body == (Assign(Name(end), ONE, "+="),):
                    joined = along(search.condition, place, Name(end), code[n + 2 :])
                    return code if joined is None else code[:n] + joined
    return tuple([traversal.change_blocks(s, join) for s in code])


def along(more: Expr, place: Name, end: Name, rest: Code) -> Code | None:
    """The code after a search for the end of a run that begins at `place`, with a loop that needs no search; None if
    some of the code reads the end, or if the loop over the run may be left early."""
    loop = next((s for s in rest if isinstance(s, For)), None)
    if loop is None or replace(loop, body=()) != For(loop.name, place, end, ()) or rest[-1] != Assign(place, end):
        return None
    before, after = rest[: rest.index(loop)], rest[rest.index(loop) + 1 : -1]
    if traversal.leaves(loop.body) or place in read(loop.body + after) or end in read(before + loop.body + after):
        return None
    again = traversal.replace_variables(more, {end.name: place})
    body = traversal.change_code(loop.body, lambda e: place if e == Name(loop.name) else e)
    return (*before, While(again, (*body, Assign(place, ONE, "+="))), *after)


def read(code: Code) -> set[Expr]:
    """What some code reads, and all parts of that."""
    return {part for s in traversal.statements(code) for e in expressions(s) for part in traversal.subterms(e)}
