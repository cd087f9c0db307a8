"""Finishing: a result is brought into its final form and handed over to the caller."""

from __future__ import annotations

from ...reference.levels.level import Append, Insert
from ..ir import ir, logic
from ..ir.ir import Expr, Name, Spelled
from ..ir.writer import Writer
from ..scope.frame import Frame
from ..storage.layout import field_of, parameters
from .form import ROOT, UNLIMITED
from .growth import lengths
from .variables import Variables


def finalize(held: Variables, frame: Frame, out: Writer) -> None:
    """Bring every level into its final form, if the positions of each can be counted."""
    form = held.form
    if not form.fresh:
        return
    if form.heads and form.limit != UNLIMITED:
        crowded = logic.either(*[logic.compare(">", held.counters[h], Spelled(form.limit)) for h in form.heads])
        frame.routine.fail(out, crowded, "GN_OVERFLOW")
    parents: Expr = ir.ONE
    for k, bound in enumerate(held.bounds):
        size = held.counters[k] if k in held.counters else bound.one("size", (parents,), out)
        if isinstance(bound.level, Append):
            bound.call("append_finalize", (parents, size), out)
        elif isinstance(bound.level, Insert):
            bound.call("insert_finalize", (parents, size), out)
        parents = size


def hand_over(held: Variables, out: Writer) -> None:
    """Give the arrays to the caller's tensor."""
    form, parameter = held.form, held.form.parameter
    if form.is_lent or form.given:
        return
    assert parameter is not None
    found: dict[Name, Expr] = {}
    for group in (ROOT, *form.heads):
        for array, (_, length) in lengths(held, group, held.total(group), out).items():
            found[array] = length
    format = form.layout.format
    for (k, name), array in held.arrays.items():
        out.add(ir.Assign(Spelled(field_of(parameter, format, k, name)), array))
        length = Spelled(field_of(parameter, format, k, name, length=True))
        out.add(ir.Assign(length, found.get(array, ir.ZERO)))
    for k in range(len(form.levels)):
        for n, name in enumerate(parameters(format, k)):
            out.add(ir.Assign(Spelled(f"{parameter}->level[{k}].parameter[{n}]"), held.settings[k, name]))
    out.add(ir.Assign(Spelled(f"{parameter}->vals"), held.vals))
    out.add(ir.Assign(Spelled(f"{parameter}->size"), found[held.vals]))
