"""Work: what a branched schedule does, as one polynomial in the sizes of loops and of what is stored.

Beyond the paper, which counts how often assignments run. Every operand of an assignment is counted, a multiplication or
the addition, so that an assignment of three operands is not the same as one of two. It counts twice where its innermost
loop does not go along the rows of what it touches, or adds everything up into one number: vector lanes are of no use to
it then.
"""

from __future__ import annotations

from .contraction import Contraction
from .cost import Leaf
from .dominance import Rule, count
from .graph import leaves
from .locality import Walk, walks
from .polynomial import Polynomial, add, constant
from .space import Found

SLOW = 2


def work(contraction: Contraction, found: Found) -> Polynomial:
    """What a branched schedule does, on sizes that are not known yet."""
    every = zip(leaves(found.graph), walks(contraction, found), strict=True)
    return add(
        count(contraction, Leaf(loops, stored), Rule.STORED) * constant(weight(walk)) for (loops, stored), walk in every
    )


def weight(walk: Walk) -> int:
    """What one run of an assignment counts.

    >>> spmm = (("i", "k"), ("k", "j"), ("i", "j"))
    >>> weight(Walk(("i", "k", "j"), spmm)), weight(Walk(("i", "j", "k"), spmm))
    (2, 4)
    """
    *operands, _ = walk.tensors
    return len(operands) * (1 if goes_along_rows(walk) else SLOW)


def goes_along_rows(walk: Walk) -> bool:
    """Whether the innermost loop fills a row, from rows and from what stays the same."""
    innermost = walk.loops[-1:]
    *_, target = walk.tensors
    return not innermost or (
        target[-1:] == innermost and not any(innermost[0] in tensor[:-1] for tensor in walk.tensors)
    )
