"""Flags: conditions under which accesses are present, where loops take an absent operand for an empty fiber.

A flag is tested before anything is read through an access; where it does not hold, a fiber has no positions and a value
is the fill. What a statement asks of flags is a formula of the reference (`presence.py`), as long as the statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...reference.loops.presence import Every, Presence
from ...reference.notation.syntax import Access
from ..ir import ir, logic
from ..ir.ir import Expr
from ..ir.writer import Writer

Found = Callable[[Writer], Sequence[Expr]]
Named = tuple[str, str, Expr]


def condition(formula: Presence, flags: Mapping[Access, Expr]) -> Expr:
    """A formula in C; accesses without a flag are present.

    >>> b, c = Access("b", ("i",)), Access("c", ("i",))
    >>> condition(Every((b, c)), {b: ir.Name("at_b")})
    Name(name='at_b')
    """
    match formula:
        case bool():
            return logic.truth(formula)
        case Access():
            return flags.get(formula, ir.TRUE)
        case _:
            joined = logic.both if isinstance(formula, Every) else logic.either
            return joined(*[condition(part, flags) for part in formula.parts])


def where_present(flag: Expr, found: Found, otherwise: Sequence[Named], out: Writer) -> list[Expr]:
    """Values that may only be computed where a flag holds; elsewhere those in `otherwise`, after type and name."""
    if flag == ir.TRUE:
        return list(found(out))
    probe = out.inner()
    values = found(probe)
    if not probe.body:
        return [logic.choice(flag, value, missing) for value, (_, _, missing) in zip(values, otherwise, strict=True)]
    names = [out.declare(type, stem, missing, natural=True) for type, stem, missing in otherwise]
    inner = out.inner()
    inner.add(*[ir.Assign(name, value) for name, value in zip(names, found(inner), strict=True)])
    out.add(*logic.conditional(flag, inner.code))
    return list(names)


def under(flag: Expr, out: Writer, write: Callable[[Writer], None]) -> None:
    """Write code that runs where a flag holds."""
    if flag == ir.TRUE:
        write(out)
        return
    inner = out.inner()
    write(inner)
    out.add(*logic.conditional(flag, inner.code))
