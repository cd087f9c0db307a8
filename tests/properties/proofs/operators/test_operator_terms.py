"""Operators as terms: every spelling computes what the operator does, on numbers of every carrier."""

import math
import warnings
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from depth import DEEP
from gnomon.properties.proofs.operators.carriers import BitVectors, Booleans, Carrier, Floats, Integers, Reals
from gnomon.properties.proofs.operators.extended_reals import ExtendedReals
from gnomon.properties.proofs.operators.operator_terms import apply, convert, function, is_interpreted, tree
from gnomon.properties.proofs.solver import decide, z3
from gnomon.properties.proofs.verdict import Proved
from gnomon.reference.algebra import exact
from gnomon.reference.algebra.functions import REAL_FUNCTIONS
from gnomon.reference.algebra.operator import Operator
from gnomon.reference.algebra.operators import CONVERSIONS, DECLARED, OPERATORS
from gnomon.reference.algebra.promotion import largest
from gnomon.reference.algebra.scalars import caster
from gnomon.reference.errors import DtypeError, MeaningError

ODD = (0.0, 1.0, -1.0, 2.5, -2.5, 0.1, math.inf, -math.inf, math.nan)
VALUES: dict[Carrier, tuple[Any, ...]] = {
    Booleans(): (False, True),
    Integers(): (0, 1, -1, 2, -2, 7, -7),
    Reals(): (0.0, 1.0, -1.0, 2.5, -2.5, 7.0),
    ExtendedReals(): (0.0, 1.0, -1.0, 2.5, -2.5, math.inf, -math.inf, math.nan),
    BitVectors(8): (0, 1, -1, 2, -2, 7, -7, 127, -128),
    BitVectors(8, signed=False): (0, 1, 2, 7, 255),
    Floats("float64"): ODD,
    Floats("float32"): ODD,
}
OPEN = {
    "Booleans": {"div", "pow", "sqrt"},
    "Integers": {"div", "pow", "sqrt"},
    "Reals": {"pow", "sqrt"},
    "ExtendedReals": {"floordiv", "mod", "pow", "sqrt"},
    "BitVectors": {"div", "pow", "sqrt"},
    "Floats": {"floordiv", "mod", "pow"},
}
TRANSCENDENTAL = {"cbrt", "exp", "log", "sin", "cos", "tan", "tanh", *REAL_FUNCTIONS}


def value_of(term: Any, carrier: Carrier) -> Any:
    """The number that a term without variables is."""
    found = z3.simplify(term)
    match carrier:
        case Booleans() | Integers():
            return found.as_long()
        case Reals():
            return found.as_fraction()
        case ExtendedReals():
            name = found.decl().name()
            if name == "finite":
                return found.arg(0).as_fraction()
            return {"infinity": math.inf, "minus_infinity": -math.inf, "nan": math.nan}[name]
        case BitVectors(signed=signed):
            return found.as_signed_long() if signed else found.as_long()
        case Floats():
            if z3.is_fprm(found) or found.isNaN():
                return math.nan
            if found.isInf():
                return -math.inf if found.isNegative() else math.inf
            return float(eval(str(z3.simplify(z3.fpToReal(found)).as_fraction()).replace("/", " / ")))


def expected(operator: Operator, args: tuple[Any, ...], carrier: Carrier) -> Any:
    """What the operator computes: of reals exactly, of machine numbers in their dtype. None if it has no result."""
    try:
        if isinstance(carrier, Reals | ExtendedReals):
            return operator.exact(*(exact.exact(a) for a in args))
        own = caster(carrier.dtype)
        result = operator.compute(*(own(a) for a in args))
        return caster(operator.result_dtype(*[carrier.dtype] * len(args)))(result)
    except (MeaningError, DtypeError, ZeroDivisionError):
        return None


def same(a: Any, b: Any) -> bool:
    return bool(a == b) or (a != a and b != b)


def cases(operator: Operator, carrier: Carrier) -> Iterator[tuple[Any, ...]]:
    """Of more than 25 pairs of numbers, the first one and every fifth after it, unless tests are deep."""
    found = list(product(VALUES[carrier], repeat=operator.arity))
    for pair in found[:: 1 if DEEP or len(found) <= 25 else 5]:
        if not (isinstance(carrier, Reals) and operator.name in ("div", "floordiv", "mod") and pair[1] == 0):
            yield pair


@pytest.mark.every(3)
@pytest.mark.parametrize("carrier", VALUES, ids=str)
@pytest.mark.parametrize("operator", DECLARED, ids=str)
def test_a_spelling_computes_what_the_operator_does(operator: Operator, carrier: Carrier) -> None:
    if not is_interpreted(operator, carrier):
        assert operator.name in TRANSCENDENTAL | OPEN[type(carrier).__name__]
        return
    try:
        if operator.operand_dtype(*[carrier.dtype] * operator.arity) != carrier.dtype:
            return
    except DtypeError:
        return
    for args in cases(operator, carrier):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = expected(operator, args, carrier)
        if wanted is not None and not (isinstance(wanted, float) and wanted != wanted and isinstance(carrier, Reals)):
            found = value_of(apply(operator, [carrier.constant(a) for a in args], carrier), carrier)
            assert same(found, wanted), (operator, args, found, wanted)


def test_what_has_no_meaning_is_an_open_function() -> None:
    x = Reals().variable("x")
    assert str(apply(OPERATORS["sin"], [x], Reals())) == "sin_float64(x)"
    assert apply(OPERATORS["sin"], [x], Reals()).decl() == function("sin", 1, Reals())


def test_powers_by_whole_numbers_have_a_meaning() -> None:
    x = Reals().variable("x")
    for n in (-2, 0, 3):
        for a in (2, -3):
            found = z3.substitute(apply(OPERATORS["pow"], [x, Reals().constant(n)], Reals()), (x, z3.RealVal(a)))
            assert value_of(found, Reals()) == exact.exact(float(a)) ** n


def test_numbers_of_the_carriers() -> None:
    x = Integers("int8").variable("x")
    solver = z3.Solver()
    solver.add(Integers("int8").within(x), x > largest(np.dtype("int8")))
    assert solver.check() == z3.unsat
    with pytest.raises(ValueError, match="no real number"):
        Reals().constant(math.inf)
    with pytest.raises(ValueError, match="no integer"):
        Integers().constant(0.5)
    assert value_of(ExtendedReals().constant(-math.inf), ExtendedReals()) == -math.inf


def test_conversions_keep_the_value() -> None:
    for source in (Booleans(), Integers(), Reals(), ExtendedReals()):
        for target in (Booleans(), Reals(), ExtendedReals()):
            term = convert(source.constant(1), source, target)
            if term is not None:
                assert value_of(term, target) == 1
    assert value_of(convert(Integers().constant(-4), Integers(), Booleans()), Booleans()) == 1
    assert convert(Floats().variable("x"), Floats(), Integers()) is None
    assert {o.smt for o in CONVERSIONS.values()} == {"{0}"}


@pytest.mark.parametrize("text", ["(+ 1", "+ 1)", "1 2", ""])
def test_a_spelling_is_one_term(text: str) -> None:
    with pytest.raises(ValueError, match=r"term|parenthesis"):
        tree(text)


def test_whole_powers_of_extended_reals_are_products() -> None:
    carrier = ExtendedReals()
    a = carrier.variable("a")
    first, second = (apply(OPERATORS["pow"], [a, carrier.constant(n)], carrier) for n in (1.0, 2.0))
    assert decide(first == a) == Proved()
    assert decide(second == apply(OPERATORS["mul"], [a, a], carrier)) == Proved()


@pytest.mark.parametrize("exponent", [0.0, -1.0, 0.5, float("inf")])
def test_other_powers_of_extended_reals_are_open(exponent: float) -> None:
    carrier = ExtendedReals()
    assert carrier.primitive("^", [carrier.variable("a"), carrier.constant(exponent)]) is None
