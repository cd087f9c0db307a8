"""Operators and semirings of users: in evaluate, compile, check, procedures and proofs, and what is refused."""

import subprocess
import sys

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import reproducer
from gnomon.reference.algebra.operators import MIN
from gnomon.reference.errors import DisagreementError, DtypeError, ExpressionError, ParseError, SemiringError
from gnomon.reference.schedule.preparation import prepare

HOP = gn.operator("hop(a,b) = a + 1")
TOLL = gn.operator("toll(a,b) = a + b + 1", distributes_over="min")
EITHER = gn.operator("either(a,b) = a + b - a * b", identity=0, commutative=True, associative=True)
TOLLS, RELIABLE = gn.semiring(add="min", multiply=TOLL), gn.semiring(add=EITHER, multiply="times")
A = gn.tensor([[0, 0, 1, 2], [1, 2, 3, 3]], [5, 2, 3, 9], (4, 4), "CSR")
PRODUCT = "C(i,j) = A(i,k) * B(k,j)"


def test_a_semiring_of_own_operators_means_the_same_to_all() -> None:
    assert gn.check(PRODUCT, A=A, B=A, semiring=TOLLS, out="CSR").checked == 16
    assert gn.check(PRODUCT, A=A, B=A.convert("CSC"), semiring=RELIABLE, out="DCSR", convert="auto").checked == 16
    found = gn.compile(PRODUCT, A=gn.spec("CSR", dtype="int64"), B=gn.spec("CSR", dtype="int64"), semiring=TOLLS)(
        A=A, B=A
    )
    assert found.to_numpy()[0, 3] == min(5 + 3 + 1, 2 + 9 + 1) and found.fill == np.iinfo("int64").max
    assert gn.evaluate(PRODUCT, A=A, B=A, semiring=RELIABLE).to_numpy()[0, 3] == 15 + 18 - 15 * 18


def test_a_wrong_result_is_told_apart() -> None:
    right = gn.evaluate(PRODUCT, A=A, B=A, semiring=TOLLS, out="CSR")
    assert gn.check(PRODUCT, A=A, B=A, semiring=TOLLS, result=right).checked == 16
    with pytest.raises(DisagreementError, match="wrong at 1 of 16"):
        gn.check(PRODUCT, A=A, B=A, semiring="min_plus", result=right)


def test_operators_of_one_name_have_kernels_of_their_own() -> None:
    other = gn.semiring(add="min", multiply=gn.operator("toll(a,b) = a + b + 2", distributes_over="min"))
    both = [gn.evaluate("y(i) = A(i,j)*x(j)", A=A, x=np.zeros(4, int), semiring=s, engine="c") for s in (TOLLS, other)]
    assert [y.to_numpy().tolist()[:3] for y in both] == [[3, 4, 10], [4, 5, 11]]


def test_procedures_name_them() -> None:
    text = "procedure go(A, d) -> d\n  repeat\n    d(j) += d(i) * A(i,j)  in min_toll\n  until d unchanged\n"
    steps = gn.procedure(text, operators=[TOLL])
    d = gn.tensor([[0]], [0], (4,), "SparseVector")
    for engine in ("reference", "c"):
        assert gn.run(steps, A=A, d=d, engine=engine).to_numpy().tolist() == [0, 6, 3, 10]  # type: ignore[union-attr]
    assert len(gn.check_run(steps, A=A, d=d).steps) == 3
    with pytest.raises(ParseError, match="unknown semiring 'min_toll'"):
        gn.procedure(text)


def test_texts_use_them_as_functions_and_reductions() -> None:
    text = gn.text("p(i) either= hop(x(i), 0) * A(i,j)", operators=[EITHER, HOP])
    assert gn.check(text, A=A, x=[1, 2, 3, 4]).checked == 4
    with pytest.raises(ParseError, match="'=' or a reduction assignment"):
        gn.evaluate("p(i) either= A(i,j)", A=A)


def test_reproducers_declare_them() -> None:
    text = gn.text("p(i) either= A(i,j)", operators=[EITHER])
    for ready in (prepare(text, {"A": A}), prepare(PRODUCT, {"A": A, "B": A}, semiring=RELIABLE)):
        script = reproducer(ready).removeprefix("run:\n")
        assert EITHER.source in script
        exec(script.replace("print(", "("), {})


def test_laws_of_their_semirings_are_proved() -> None:
    assert str(gn.prove_semiring(TOLLS)) == "2 obligations: 2 proved"
    assert str(gn.prove_semiring(RELIABLE)) == "1 obligations: 1 proved"
    assert gn.prove_statement("a = x(i) * y(i)", x="SparseVector", semiring=TOLLS).is_proved


def test_what_is_no_semiring_is_refused() -> None:
    with pytest.raises(SemiringError, match="hop cannot add") as error:
        gn.semiring(add=HOP, multiply="plus")
    assert error.value.hint == "declare that it is, if it is so: gn.operator('hop(a,b) = a + 1')"
    for claims in ({"commutative": True, "associative": True}, {"associative": True, "identity": 0}):
        with pytest.raises(SemiringError, match="either cannot add"):
            gn.semiring(add=gn.operator("either(a,b) = a + b - a * b", **claims), multiply="plus")
    with pytest.raises(SemiringError, match="twice takes one operand"):
        gn.semiring(add="min", multiply=gn.operator("twice(a) = 2 * a"))
    for wrong in ({"add": "min"}, {"multiply": HOP}, {}):
        with pytest.raises(SemiringError, match="a semiring has a name, or an add and a multiply"):
            gn.semiring(**wrong)  # type: ignore[arg-type]
    with pytest.raises(SemiringError, match="a semiring has a name, or"):
        gn.semiring("min_plus", add="min", multiply="plus")
    for bad in ("minn", 3):
        with pytest.raises(SemiringError, match=f"expected an operator or the name of one, but found {bad!r}"):
            gn.semiring(add=bad, multiply="plus")  # type: ignore[arg-type]
    with pytest.raises(ExpressionError, match="two operators have one name: hop, hop") as refused:
        gn.procedure("procedure p(x) -> y\n  y(i) = x(i)\n", operators=[HOP, HOP])
    assert refused.value.rule == "operator.own.text"
    with pytest.raises(ExpressionError, match="expected operators, but found"):
        gn.text("y(i) = x(i)", operators=["hop"])  # type: ignore[list-item]


def test_dtypes_that_they_cannot_take_are_refused() -> None:
    ring = gn.semiring(add="plus", multiply=gn.operator("ceiled(a,b) = min(a * b, 300)"))
    for x, wrong in ((np.array([1j] * 4), "min is not defined for complex"), (np.ones(4, np.int8), "300 does not fit")):
        with pytest.raises(DtypeError, match=f"ceiled of {x.dtype}: {wrong}"):
            gn.evaluate("a = x(i) * x(i)", x=x, semiring=ring)


def test_declared_operators_make_the_semiring_of_their_name() -> None:
    assert gn.semiring(add="min", multiply="plus") == gn.semiring("min_plus") == gn.semiring(add=MIN, multiply="add")
    assert gn.semiring(add="min", multiply="plus").is_declared and not TOLLS.is_declared


def test_z3_loads_once_something_is_claimed() -> None:
    said = "import sys, gnomon as gn; gn.semiring(add='min', multiply=gn.operator('f(a,b) = a + 1')); "
    claimed = "before = 'z3' in sys.modules; gn.operator('g(a,b) = a + b', commutative=True); "
    code = f"{said}{claimed}print(before, 'z3' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "False True\n"
    )
