"""Semiring laws: what makes reductions in a semiring independent of order and grouping.

The add folds what is present, in any order, from nothing: it is a commutative monoid. Where the multiply distributes
over it, reductions may move past products (COMET, section III). That what is absent annihilates is no law of values:
presence is structural, and the lattices' obligations are about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from ....reference.algebra.operator import Operator
from ....reference.algebra.operators import OPERATORS
from ....reference.algebra.semirings import KNOWN, Semiring, semiring
from ....reference.notation.reinterpretation import distributes
from ..obligation import Obligation
from ..solver import Term, z3
from ..verdict import Proved, Verdict, together, up_to
from .carriers import Carrier
from .laws import CARRIERS, Calculus, Law, carriers, distribution, laws
from .operator_laws import check_values, prove_over_carrier

IDEAL = ("integers", "reals", "booleans")
STRICTER = ("xor_and", "min_first", "min_second", "max_first", "max_second")
"""Semirings whose multiply distributes although it is not declared to: reductions are moved less than they could be."""


def obligations() -> tuple[Obligation, ...]:
    """The laws of every semiring that the documentation names, and what lets masks pass their reductions."""
    return (*(o for name, _ in KNOWN for o in obligations_of(semiring(name))), masks())


def masks() -> Obligation:
    """That masks commute with reductions: one excludes contributions as well as their total."""
    adds = dict.fromkeys(OPERATORS[semiring(name).add.name] for name, _ in KNOWN)
    return Obligation(
        "semirings.masks.commute",
        "what a mask excludes may be left out of a reduction one by one, or all together in the end",
        partial(all_hold, [mask_law(add) for add in adds if not add.selects]),
        ("mask.excluded", "semiring.presence"),
    )


def mask_law(add: Operator) -> Law:
    """The law of masks for one add: excluded contributions leave the identity, as an excluded total does."""

    def claim(k: Calculus) -> Term:
        assert add.left_identity is not None
        a, b, _ = k.variables()
        admitted, absent = z3.Bool("admitted"), k.constant(add.left_identity)
        one_by_one = k.apply(add, z3.If(admitted, a, absent), z3.If(admitted, b, absent))
        return k.same(one_by_one, z3.If(admitted, k.apply(add, a, b), absent))

    f = add.name
    return Law("masked", f"{f}(m ? a, m ? b) = m ? {f}(a, b)", claim, (add,), "mask.excluded", constants=True)


def obligations_of(ring: Semiring) -> Iterator[Obligation]:
    """The laws of one semiring, over the numbers of mathematics; those over machine numbers are the operators'. Of a
    product that is a place, which is no function of values, none is claimed."""
    add, multiply = ring.plain_add, ring.plain_multiply
    f, g = multiply.name, add.name
    yield Obligation(
        f"semirings.{ring.name}.add",
        f"{g} folds what is present in any order and grouping, and its identity changes nothing",
        partial(all_hold, [law for law in laws(add) if law.name != "idempotent" and "distributes" not in law.name]),
        ("semiring.presence",),
    )
    if add.selects or ring.place is not None:
        return
    both, id = list(distribution(multiply, add)), f"semirings.{ring.name}.distributes"
    if distributes(ring):
        yield Obligation(
            id, f"{f} distributes over {g}", partial(all_hold, both), ("semiring.presence", "schedule.reorder.requires")
        )
    elif ring.name in STRICTER:
        said = f"{f} distributes over {g}; it is not declared, so reductions move less than they could"
        yield Obligation(id, said, partial(all_hold, both), ("schedule.reorder.requires",))
    elif not ring.is_declared:
        return
    else:
        said = f"{f} does not distribute over {g}, so reductions stay where they are written"
        yield Obligation(id, said, partial(one_fails, both), ("schedule.reorder.requires",))


def all_hold(found: Sequence[Law]) -> Verdict:
    """Whether laws hold over the numbers of mathematics."""
    return together(prove_over_carrier(law, carrier) for law in found for carrier in ideal(law))


def ideal(law: Law) -> tuple[Carrier, ...]:
    """The numbers over which a law means something: real ones with infinities where the others lack a constant."""
    found = tuple(carrier for kind in IDEAL for carrier in carriers(law, kind))
    return found or CARRIERS["extended"]


def one_fails(found: Sequence[Law]) -> Verdict:
    """Whether values break one of several laws: the first that they break is enough."""
    verdicts = up_to((check_values(law, carrier) for law in found for carrier in ideal(law)), Proved)
    return next((v for v in verdicts if isinstance(v, Proved)), together(verdicts))
