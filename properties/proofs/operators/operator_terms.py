"""Operators as terms: the SMT spelling that each declares, read over a carrier.

A spelling like `(ite (<= {0} {1}) {0} {1})` is written in the words of SMT-LIB, with `=` for equality of numbers (NaN
equals nothing). An operator whose spelling has a word that the carrier has no meaning for, `sin` say, is an open
function: what is proved of it holds whatever it computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ....reference.algebra.operator import Operator
from ....reference.algebra.promotion import largest, least
from ..solver import Term, z3
from .carriers import Booleans, Carrier, Integers, Reals
from .extended_reals import ExtendedReals

Tree = str | tuple["Tree", ...]
CONNECTIVES = {"and": z3.And, "or": z3.Or, "not": z3.Not}


def apply(operator: Operator, args: Sequence[Term], carrier: Carrier) -> Term:
    """The operator over terms of a carrier, in which it computes and gives its result; a comparison gives 0 or 1.

    >>> from gnomon.reference.algebra.operators import MAX
    >>> z3.simplify(apply(MAX, [Integers().constant(3), Integers().constant(5)], Integers()))
    5
    """
    found = term_of(tree(operator.smt), args, carrier)
    return function(operator.name, len(args), carrier)(*args) if found is None else number(found, carrier)


@cache
def is_interpreted(operator: Operator, carrier: Carrier) -> bool:
    """Whether the spelling of an operator means something over a carrier; else it is an open function there.

    >>> from gnomon.reference.algebra.operators import ADD, OPERATORS
    >>> is_interpreted(ADD, Reals()), is_interpreted(OPERATORS["sin"], Reals())
    (True, False)
    """
    args = [carrier.variable(f"a{n}") for n in range(operator.arity)]
    return term_of(tree(operator.smt), args, carrier) is not None


def function(name: str, arity: int, carrier: Carrier) -> Term:
    """The open function that stands for an operator without a meaning."""
    return z3.Function(f"{name}_{carrier.dtype.name}", *[carrier.sort] * arity, carrier.sort)


def number(a: Term, carrier: Carrier) -> Term:
    """A truth value as 0 or 1; a number as it is."""
    return z3.If(a, carrier.constant(1), carrier.constant(0)) if z3.is_bool(a) else a


def term_of(t: Tree, args: Sequence[Term], carrier: Carrier) -> Term | None:
    """The meaning of a spelling; None if some word of it has none."""
    if isinstance(t, str):
        return args[int(t[1:-1])] if t.startswith("{") else constant(t, carrier)
    word, *rest = t
    if not isinstance(word, str):
        return None
    inner = [term_of(part, args, carrier) for part in rest]
    if any(part is None for part in inner):
        return None
    if word in CONNECTIVES:
        return CONNECTIVES[word](*inner)
    if word == "ite":
        condition, yes, no = inner
        alike = z3.is_bool(yes) == z3.is_bool(no)
        return z3.If(condition, yes, no) if alike else z3.If(condition, number(yes, carrier), number(no, carrier))
    if word == "=" and all(map(z3.is_bool, inner)):
        return inner[0] == inner[1]
    return carrier.primitive(word, [number(part, carrier) for part in inner])


def constant(word: str, carrier: Carrier) -> Term | None:
    """The number that a word is; None if it is none, or the carrier lacks it. Infinities are the identities of min and
    max: where a dtype has none, its largest and its least number.

    >>> constant("0.5", Reals()), constant("inf", Reals()), constant("sin", Reals())
    (1/2, None, None)
    >>> constant("inf", Integers("int16")), constant("-inf", Integers("int16"))
    (32767, -32768)
    """
    try:
        match word:
            case "inf":
                return carrier.constant(largest(carrier.dtype))
            case "-inf":
                return carrier.constant(least(carrier.dtype))
            case _:
                return carrier.constant(int(word) if word.isdigit() else float(word))
    except (ValueError, OverflowError):
        return None


@cache
def tree(text: str) -> Tree:
    """A spelling as nested tuples of words. Raises ValueError if its parentheses do not match.

    >>> tree("(+ {0} (- 1))")
    ('+', '{0}', ('-', '1'))
    """
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    stack: list[list[Tree]] = [[]]
    for word in words:
        if word == "(":
            stack.append([])
        elif word == ")" and len(stack) > 1:
            done = tuple(stack.pop())
            stack[-1].append(done)
        elif word == ")":
            raise ValueError(f"a parenthesis too many in {text}")
        else:
            stack[-1].append(word)
    if len(stack) > 1 or len(stack[0]) != 1:
        raise ValueError(f"not one term: {text}")
    return stack[0][0]


def convert(a: Term, source: Carrier, target: Carrier) -> Term | None:
    """A number of one carrier as one of another, unchanged in value; None where none is made.

    >>> convert(Integers().constant(2), Integers(), Reals())
    ToReal(2)
    """
    if source.sort == target.sort and not isinstance(target, Booleans):
        return a
    match source, target:
        case (Booleans(), Booleans()):
            return a
        case ((Integers() | Reals() | ExtendedReals()), Booleans()):
            zero = source.primitive("=", (a, source.constant(0)))
            return z3.If(zero, z3.IntVal(0), z3.IntVal(1))
        case ((Booleans() | Integers()), Reals()):
            return z3.ToReal(a)
        case ((Booleans() | Integers()), ExtendedReals()):
            return target.sort.finite(z3.ToReal(a))
        case _:
            return None
