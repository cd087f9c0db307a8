"""The rules of the IR hold before and after every pass, and each of them finds what breaks it."""

import pytest
from gnomon.generator.ir import ir
from gnomon.generator.ir.ir import Assign, Atomic, Code, Declare, For, Function, Jump, Label, Name, Region, Return
from gnomon.generator.ir.verifier import verify, verify_passes, violations
from gnomon.generator.kernel_source import stages
from gnomon.generator.runtime.sources import request_source
from gnomon.properties.differential.batch import source_of
from gnomon.properties.programs.kernels import KERNELS
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import PLAIN, programs
from gnomon.reference.errors import InternalError
from hypothesis import given, settings
from msgspec.structs import replace

P, X = Name("p"), Name("x")
LOOP = For("p", ir.ZERO, ir.ONE, ())


@pytest.mark.every(3)
@pytest.mark.parametrize("name", KERNELS)
def test_the_rules_hold_on_both_sides_of_every_pass(name: str) -> None:
    request = KERNELS[name]()
    found = list(stages(request_source(request, request.resolve_without_shapes())))
    assert len(found) == 8 and all(found)
    assert [(f.name, violations(f)) for functions in found for f in functions if violations(f)] == []


@given(programs(replace(PLAIN, schedules=True)))
@settings(max_examples=settings().max_examples // 4)
def test_the_rules_hold_for_random_programs(drawn: Problem) -> None:
    verify_passes(stages(source_of(drawn.ready), modes=("evaluate",)))


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ((Return(X),), "x is read, but not declared"),
        ((Declare("int", "x", X),), "x is read, but not declared"),
        ((ir.Do(ir.Call("free", (ir.Spelled("x.item"),))),), "x is read, but not declared"),
        ((Assign(X, ir.ZERO),), "x is assigned to, but not declared"),
        ((Declare("int", "x"), Declare("int", "x")), "x is declared twice"),
        ((Declare("int", "p"), LOOP), "p is declared twice"),
        ((replace(LOOP, body=(Assign(P, ir.ONE),)),), "p is assigned to, but constant"),
        ((Declare("const int", "x", ir.ONE), Assign(X, ir.ZERO)), "x is assigned to, but constant"),
        ((Declare("const int", "x"),), "x is constant, but has no value"),
        (
            (Declare("const int *restrict", "x", ir.ZERO), Assign(ir.Element(X, ir.ZERO), ir.ONE)),
            "x is stored in, but holds what is constant",
        ),
        ((LOOP, Return(P)), "p is read, but not declared"),
        (
            (Declare("int", "x"), replace(LOOP, end=X, limit="p_end", body=(Assign(X, ir.ONE),))),
            "x is in the end of the loop over p, but changed inside it",
        ),
        ((Jump("goto", "done"),), "done is no label that can be jumped to"),
        (
            (Region("omp parallel", (Jump("goto", "done"),)), Label("done")),
            "done is no label that can be jumped to",
        ),
        ((Jump("goto", "done"), Label("done"), Label("done")), "the label done stands twice"),
        ((Jump("continue"),), "continue stands in no loop"),
        ((ir.Do(ir.Call("f", (ir.STATUS_ADDRESS,))),), "status is read, but not declared"),
    ],
)
def test_every_rule_finds_what_breaks_it(code: Code, wrong: str) -> None:
    assert violations(Function("int", "f", (), code)) == [wrong]


def test_a_function_that_breaks_a_rule_is_an_error() -> None:
    with pytest.raises(InternalError, match="in f, x is read, but not declared"):
        verify([Function("int", "f", (), (Return(X),))])


def test_what_a_pass_changes_is_verified_again() -> None:
    kept, before, wrong = (
        Function("int", name, (), (Return(e),)) for name, e in (("f", ir.ONE), ("g", ir.ONE), ("g", X))
    )
    assert verify_passes([[kept, before], [kept]]) == [kept]
    with pytest.raises(InternalError, match="in g, x is read, but not declared"):
        verify_passes([[kept, before], [kept, wrong]])
    with pytest.raises(InternalError, match="in g, x is read, but not declared"):
        verify_passes([[kept, wrong], [kept, before]])


def test_what_is_atomic_updates_memory() -> None:
    (wrong,) = violations(Function("int", "f", (("int", "x"),), (Atomic(Assign(X, ir.ONE, "+="), "add", "int32"),)))
    assert wrong.endswith("is atomic, but updates no memory")
