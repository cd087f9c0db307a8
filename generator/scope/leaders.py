"""Leaders: of all levels that have one extent, since they have one index variable, the one from which it is read.

    C(i,j) = A(i,k) * B(k,j)    k: the second level of A, for the first one of B too

Kernels are called with operands whose extents agree. So a row of B and a row of C have one length in the code, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...reference.notation.syntax import Access
from ...reference.storage.coordinate_map import Mode, Quotient
from ...reference.storage.format import Format

Place = tuple[str, int]


def leading_levels(accesses: Sequence[Access], formats: Mapping[str, Format]) -> dict[Place, Place]:
    """For each level of operands, in their order, the first one that has the same extent.

    >>> from gnomon.reference.storage.named_formats import format_of
    >>> product = (Access("A", ("i", "k")), Access("B", ("k", "j")))
    >>> leading_levels(product, {"A": format_of("CSR"), "B": format_of("dense,dense")})
    {('A', 0): ('A', 0), ('A', 1): ('A', 1), ('B', 0): ('A', 1), ('B', 1): ('B', 1)}
    """
    kinds = variables_alike(accesses)
    first = {access.tensor: access for access in reversed(accesses)}
    found, leaders = dict[Place, Place](), dict[tuple[str, int], Place]()
    for name, access in ((name, first[name]) for name in formats if name in first):
        for k, term in enumerate(formats[name].map.terms):
            match term:
                case Mode(mode=mode):
                    kind = kinds[access.indices[mode]], 1
                case Quotient(mode=mode, factor=factor):
                    kind = kinds[access.indices[mode]], factor
                case _:
                    continue
            found[name, k] = leaders.setdefault(kind, (name, k))
    return found


def variables_alike(accesses: Iterable[Access]) -> dict[str, str]:
    """For each variable one that stands for all with the same extent: a tensor read by two has one extent for both."""
    found = dict[str, str]()
    modes = dict[Place, str]()
    for access in accesses:
        for mode, v in enumerate(access.indices):
            one, other = found.setdefault(v, v), found[modes.setdefault((access.tensor, mode), v)]
            found = {u: one if leader == other else leader for u, leader in found.items()}
    return found
