"""Structure: kernels without jumps, which neither C++ allows past declarations nor barriers allow at all.

Before: `if (wrong) { status = GN_BOUND; goto next; } rest`. After: `if (wrong) { status = GN_BOUND; } else { rest }`.
Loops around go on; what they still compute is of no use to anybody.
"""

from __future__ import annotations

from ..ir import logic, traversal
from ..ir.ir import Code, If, Jump, Label, Stmt


def without_jumps(code: Code) -> Code:
    """Code in which what a jump to the end would leave out stands in the other branch.

    >>> from gnomon.generator.ir.ir import Assign, Name, ONE
    >>> failed, rest = If(Name("wrong"), (Jump("goto", "next"),)), Assign(Name("x"), ONE)
    >>> without_jumps((failed, rest, Label("next"))) == (If(logic.negate(Name("wrong")), (rest,)),)
    True
    """
    found: list[Stmt] = []
    for n, s in enumerate(code):
        match s:
            case If(condition=condition, then=(*before, Jump(kind="goto")), orelse=()):
                found += logic.conditional(condition, before, without_jumps(code[n + 1 :]))
                return tuple(found)
            case Label():
                pass
            case _:
                found.append(traversal.change_blocks(s, without_jumps))
    return tuple(found)
