"""Operators of users: declared by text, proved before use, and the semirings and texts that are made with them.

Proofs come first here, at the door: what lies below takes operators at their word. Z3 loads when something is claimed.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....reference.algebra.dtypes import Number
from ....reference.algebra.operator import Operator
from ....reference.algebra.scalars import abbreviate
from ....reference.algebra.semirings import Semiring, combine, operator_of
from ....reference.algebra.semirings import semiring as named_semiring
from ....reference.errors import ExpressionError, SemiringError
from ....reference.notation.declaration import declaration
from ....reference.notation.text import Text

SEMIRING = "write gn.semiring('min_plus'), or gn.semiring(add='min', multiply='plus')"


def operator(
    text: str,
    /,
    *,
    identity: Number | None = None,
    annihilator: Number | None = None,
    commutative: bool = False,
    associative: bool = False,
    idempotent: bool = False,
    distributes_over: str | Sequence[str] = (),
) -> Operator:
    """The operator that a text composes of declared ones, with the algebra that it claims, which is proved first.

    The text alone says what it computes, exactly and in every engine, in which dtypes, and how far it may be off. One
    that is commutative and associative and has an identity can add in a semiring (`semiring`); any with two
    operands can multiply. An infinite identity is the largest or least number of integers.
    Raises ParseError or ExpressionError for what defines no operator, DtypeError where it takes no dtype at all,
    DisagreementError with numbers for which a claim does not hold, GnomonError where one cannot be proved.

    >>> import gnomon as gn
    >>> hop = gn.operator("hop(a,b) = a + 1")
    >>> either = gn.operator("either(a,b) = a + b - a * b", identity=0, commutative=True, associative=True)
    >>> gn.operator("capped(a,b) = min(a + b, 100)", identity=0)
    Traceback (most recent call last):
    gnomon.reference.errors.DisagreementError: capped(identity, b) = b is refuted
    b: 101
      hint: leave identity out, or declare another operator
    """
    laws = {"commutative": commutative, "associative": associative, "idempotent": idempotent}
    declared = declaration(text, identity, annihilator, distributes_over, **laws)
    if not declared.claims:
        return declared.operator
    from .claims import prove_claims

    return prove_claims(declared)


def semiring(
    name: str | Semiring | None = None, /, *, add: str | Operator | None = None, multiply: str | Operator | None = None
) -> Semiring:
    """The semiring of a name, `<add>_<multiply>`, or of two operators, each a declared one's name or a user's own.

    Inside it `+` and sums are the add, `*` is the multiply, and what is absent is the identity of the add. The laws of
    a user's operators have been proved by then (`operator`). Raises SemiringError for what is no semiring.

    >>> import gnomon as gn
    >>> hops = gn.semiring(add="min", multiply=gn.operator("hop(a,b) = a + 1"))
    >>> A = gn.tensor([[0, 1], [1, 2]], [True, True], (3, 3), "CSR")
    >>> x = gn.tensor([[0]], [0], (3,), "SparseVector")
    >>> gn.to_dict(gn.evaluate("y(j) = x(i) * A(i,j)", x=x, A=A, semiring=hops, out="SparseVector"))
    {(1,): 1}
    """
    if add is None and multiply is None and name is not None:
        return named_semiring(name)
    if name is not None or add is None or multiply is None:
        raise SemiringError(
            "a semiring has a name, or an add and a multiply", hint=SEMIRING, rule="semiring.construction"
        )
    return combine(operator_of(add), operator_of(multiply))


def text(source: str, /, *, operators: Sequence[Operator]) -> Text:
    """An expression with the operators of a user that it uses by name; whatever takes a text takes it.

    >>> import gnomon as gn
    >>> either = gn.operator("either(a,b) = a + b - a * b", identity=0, commutative=True, associative=True)
    >>> gn.evaluate(gn.text("p = either(i, x(i))", operators=[either]), x=[0.5, 0.5, 0.5]).to_numpy().item()
    0.875
    """
    return Text(source, by_name(operators))


def by_name(operators: Sequence[Operator]) -> dict[str, Operator]:
    """Operators by their names. Raises ExpressionError for what is none, and where two have one name."""
    hint = "write operators=[f, g] with what gn.operator gives"
    if not isinstance(operators, list | tuple) or not all(isinstance(each, Operator) for each in operators):
        raise ExpressionError(f"expected operators, but found {abbreviate(operators)}", hint=hint, rule="error.python")
    found = {each.name: each for each in operators}
    if len(found) < len(operators):
        names = ", ".join(each.name for each in operators)
        raise ExpressionError(
            f"two operators have one name: {names}",
            hint="name them apart, and give each once",
            rule="operator.own.text",
        )
    return found
