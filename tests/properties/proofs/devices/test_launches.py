"""Sizes of grids: what may overflow is refuted."""

from gnomon.generator.ir import ir
from gnomon.generator.ir.grid import BLOCK, BLOCKS, THREAD, THREADS
from gnomon.generator.ir.ir import Binary, Declare, For, Function, Int, Launch, Name
from gnomon.properties.proofs.devices.launches import launches_fit, strides_fit
from gnomon.properties.proofs.verdict import Proved, Refuted, together

N, M = Name("n"), Name("m")
FIRST, STEP = Binary("+", Binary("*", BLOCK, THREADS), THREAD), Binary("*", BLOCKS, THREADS)


def host(blocks: ir.Expr, *before: ir.Stmt) -> Function:
    return Function("int", "evaluate", (), (*before, Launch("kernel", blocks, 256, ())))


def test_grids() -> None:
    tiles = Binary("/", Binary("+", N, Int(255)), Int(256))
    assert together(launches_fit(host(tiles))) == Proved()
    assert together(launches_fit(host(Name("end"), Declare("int64_t", "end", tiles)))) == Proved()
    assert together(launches_fit(host(Binary("+", Binary("*", N, M), Int(255))))) == Proved()
    several = Binary("*", N, Int(4))
    assert isinstance(together(launches_fit(host(several))), Refuted)
    assert isinstance(together(launches_fit(host(Name("end"), Declare("int64_t", "end", several)))), Refuted)


def test_strides() -> None:
    loop = For("p", FIRST, N, (), step=STEP)
    assert together(strides_fit(Function("void", "kernel", (), (loop,)), 1024)) == Proved()
    far = For("p", FIRST, N, (), step=Binary("*", STEP, Int(1 << 32)))
    assert isinstance(together(strides_fit(Function("void", "kernel", (), (far,)), 1024)), Refuted)
