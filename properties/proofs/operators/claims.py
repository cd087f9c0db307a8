"""Claims: what a user says of an operator, proved before anybody gets it.

Over the numbers of mathematics, as the laws of semirings are: integers, reals, complex numbers and Booleans where it
computes in their dtypes, and the reals with infinities where a law speaks of one. A claim that is not proved is
refused, also where the solver cannot tell. So everything below the public functions may rely on what an operator says.
"""

from __future__ import annotations

from functools import lru_cache

from ....reference.algebra.operator import Operator
from ....reference.errors import DisagreementError, GnomonError
from ....reference.notation.declaration import Declaration
from ..verdict import Bounded, Proved, Refuted, Unknown, print_verdict, together
from .laws import Law, carriers, laws
from .operator_laws import prove_over_carrier

KINDS = ("integers", "reals", "complex", "booleans")


@lru_cache(maxsize=1024, typed=True)
def prove_claims(declared: Declaration) -> Operator:
    """The operator of a declaration whose claims hold; they are proved once.

    Raises DisagreementError with numbers for which one fails, GnomonError where one can be neither proved nor refuted.
    """
    for law in laws(declared.operator):
        prove_claim(law, declared)
    return declared.operator


def prove_claim(law: Law, declared: Declaration) -> None:
    """Raise an error unless a law holds."""
    claim = next(name for name in declared.claims if name.split("_")[0] in law.name)
    hint = f"leave {claim} out, or declare another operator"
    found = [carrier for kind in KINDS for carrier in carriers(law, kind)]
    if carriers(law, "reals") == ():
        found += carriers(law, "extended")
    if not found:
        why = "the solver knows some of its operators by their names alone, or its numbers are not real"
        raise GnomonError(f"{law.equation} is not proved: {why}", hint=hint, rule="operator.own.claims")
    match together(prove_over_carrier(law, carrier) for carrier in found):
        case Proved():
            return
        case Refuted() as verdict:
            raise DisagreementError(f"{law.equation} is refuted\n{print_verdict(verdict)}", hint=hint)
        case Bounded(bound=why) | Unknown(reason=why):
            raise GnomonError(f"{law.equation} is not proved: {why}", hint=hint, rule="operator.own.claims")
