"""Control around barriers: what differs between threads is refuted, what does not is proved."""

import pytest
from gnomon.generator.ir import ir
from gnomon.generator.ir.grid import BLOCK, THREAD
from gnomon.generator.ir.ir import Assign, Barrier, Binary, Call, Declare, Element, For, Function, If, Int, Jump, Name
from gnomon.properties.proofs.devices.uniformity import uniform
from gnomon.properties.proofs.verdict import Proved, Refuted, together

N, T, MEET, WARP, SMALL = Name("n"), Name("t"), Barrier("block"), Barrier("warp"), Barrier("warp", 8)
LESS = Binary("<", THREAD, N)
LOADED = Element(Name("A2_pos"), BLOCK)
GROW = Assign(T, ir.ONE, "+=")
LEAVE = (Jump("break"),)


def sort(owner: str, many: ir.Expr, *lanes: ir.Expr) -> ir.Do:
    return ir.Do(Call(f"gn_sort_{owner}_int32", (Name("w1_crd"), many, *lanes)))


def kernel(*body: ir.Stmt) -> Function:
    return Function("void", "kernel", (("int64_t", "n"), ("const int32_t *", "A2_pos")), body)


UNIFORM = {
    "a number of the host": (If(Binary("<", ir.ZERO, N), (MEET,)),),
    "what all read": (For("p", LOADED, Element(Name("A2_pos"), N), (MEET,)),),
    "what none has changed": (Declare("int64_t", "t", N), For("p", ir.ZERO, T, (MEET,))),
    "what all change alike": (Declare("int64_t", "t", ir.ZERO), ir.While(Binary("<", T, N), (MEET, GROW))),
    "a branch without barriers": (If(LESS, (Declare("int64_t", "u", ir.ZERO),)), MEET),
    "a warp's number": (If(Binary("<", Binary("/", THREAD, Int(32)), N), (WARP,)),),
    "what comes from one lane": (Declare("int64_t", "t", ir.Shuffle("from", THREAD, ir.ZERO, 32)), If(T, (WARP,))),
    "what lanes vote": (Declare("bool", "t", ir.Vote(LESS, 32)), If(T, (WARP,))),
    "the number of a small warp": (If(Binary("<", Binary("/", THREAD, Int(8)), N), (SMALL,)),),
    "what comes from one lane of a small warp": (
        Declare("int64_t", "t", ir.Shuffle("from", THREAD, Binary("-", THREAD, Binary("%", THREAD, Int(8))), 8)),
        If(T, (SMALL,)),
    ),
    "a sort by a block": (If(Binary("<", ir.ZERO, N), (sort("block", N),)),),
    "a sort by each small warp": (If(Binary("<", Binary("/", THREAD, Int(8)), N), (sort("warp", N, Int(8)),)),),
    "a loop of one's own": (For("p", THREAD, N, (If(LESS, (Jump("continue"),)),)), MEET),
}
APART = {
    "a thread's number": (If(LESS, (MEET,)),),
    "where a thread begins": (For("p", THREAD, N, (MEET,)),),
    "a variable of it": (Declare("int64_t", "t", Binary("%", THREAD, N)), For("p", ir.ZERO, T, (MEET,))),
    "what branches leave": (Declare("int64_t", "t", ir.ZERO), If(LESS, (GROW,)), If(T, (MEET,))),
    "what loops leave": (Declare("int64_t", "t", ir.ZERO), For("p", THREAD, N, (GROW,)), If(T, (MEET,))),
    "a jump out of a loop": (For("p", ir.ZERO, N, (MEET, If(LESS, LEAVE))),),
    "what an atomic update gives": (
        Declare("int64_t", "t", Call("gn_atomic_add_int64", (ir.Unary("&", LOADED), ir.ONE))),
        If(T, (MEET,)),
    ),
    "an array of one's own": (Declare("int64_t[4]", "u"), If(Element(Name("u"), ir.ZERO), (MEET,))),
    "a lane's number": (If(Binary("<", Binary("%", THREAD, Int(32)), N), (WARP,)),),
    "what a lane is given": (Declare("int64_t", "t", ir.Shuffle("xor", N, ir.ONE, 32)), If(T, (WARP,))),
    "the number of a small warp around a larger one's": (If(Binary("<", Binary("/", THREAD, Int(8)), N), (WARP,)),),
    "what lanes of another number vote": (Declare("bool", "t", ir.Vote(LESS, 8)), If(T, (WARP,))),
    "what comes from another lane each": (Declare("int64_t", "t", ir.Shuffle("from", N, THREAD, 32)), If(T, (WARP,))),
    "a thread's number around a sort": (If(LESS, (sort("block", N),)),),
    "a lane's number around a sort": (If(LESS, (sort("warp", N, Int(8)),)),),
    "a sort of another number each": (sort("block", THREAD),),
    "a warp's number around a barrier": (If(Binary("<", Binary("/", THREAD, Int(32)), N), (MEET,)),),
}


@pytest.mark.parametrize("name", UNIFORM)
def test_what_is_uniform(name: str) -> None:
    verdicts = list(uniform(kernel(*UNIFORM[name]), 64))
    assert all(isinstance(v, Proved) for v in verdicts)
    assert bool(verdicts) == (name not in ("a branch without barriers", "a loop of one's own"))


@pytest.mark.parametrize("name", APART)
def test_what_is_not(name: str) -> None:
    assert isinstance(together(uniform(kernel(*APART[name]), 64)), Refuted)
