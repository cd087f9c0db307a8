"""Races on devices: golden kernels have none that matter, and those with a seeded mistake are not proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import gnomon as gn
import pytest
from gnomon.generator.ir import ir, traversal
from gnomon.generator.ir.grid import THREAD
from gnomon.generator.runtime.sources import request_source
from gnomon.properties.programs.kernels import request_on_device
from gnomon.properties.proofs.devices.devices import grid_of, is_free_of_races, parts_of
from gnomon.properties.proofs.devices.races import Grid, races
from gnomon.properties.proofs.verdict import Proved, Verdict
from gnomon.reference.storage.format import Format
from msgspec.structs import replace

Change = Callable[[ir.Stmt], ir.Code]


def kernel_of(name: str) -> tuple[ir.Function, Grid, dict[str, Format]]:
    """The last kernel of a golden text, its grid and the formats of its tensors."""
    request, parts = request_on_device(name), parts_of(name)
    layouts = request_source(request, request.resolve_without_shapes()).layouts
    formats = {tensor: layout.format for tensor, layout in layouts.items()}
    return parts.kernels[-1], grid_of(parts.kernels[-1], parts.host), formats


def change(code: ir.Code, by: Change) -> ir.Code:
    """Code with every statement replaced by others."""
    found: list[ir.Stmt] = []
    for s in code:
        match s:
            case ir.If(then=then, orelse=orelse):
                s = replace(s, then=change(then, by), orelse=change(orelse, by))
            case ir.For(body=body) | ir.While(body=body) | ir.Region(body=body):
                s = replace(s, body=change(body, by))
            case _:
                pass
        found += by(s)
    return tuple(found)


def without_guards(s: ir.Stmt) -> ir.Code:
    """What stands in conditions on the number of a thread, without them."""
    return s.then if isinstance(s, ir.If) and THREAD.name in traversal.names(s.condition) else (s,)


def without_barriers(s: ir.Stmt) -> ir.Code:
    return () if isinstance(s, ir.Barrier) else (s,)


def without_atomics(s: ir.Stmt) -> ir.Code:
    match s:
        case ir.Do(expression=ir.Call(function="atomicAdd", args=(ir.Unary(operand=place), value))):
            return (ir.Assign(place, value, "+="),)
        case _:
            return (s,)


def without_counting(s: ir.Stmt) -> ir.Code:
    """What goes on by one, without that."""
    return () if isinstance(s, ir.Assign) and s.value == ir.ONE and s.operator == "+=" else (s,)


def by_shorter_tiles(s: ir.Stmt) -> ir.Code:
    def shorter(e: ir.Expr) -> ir.Expr:
        return replace(e, right=ir.Int(255)) if isinstance(e, ir.Binary) and e.operator == "*" else e

    return traversal.change_code((s,), shorter)


def by_warps(s: ir.Stmt) -> ir.Code:
    """A list of a block that each of its warps sorts."""
    match s:
        case ir.Do(expression=ir.Call(function="gn_sort_block_int32", args=args)):
            return (ir.Do(ir.Call("gn_sort_warp_int32", (*args, ir.Int(8)))),)
        case _:
            return (s,)


def without_steps(s: ir.Stmt) -> ir.Code:
    """What threads append side by side, all of it by each of them."""
    return (replace(s, begin=ir.ZERO, step=ir.ONE),) if isinstance(s, ir.For) and s.end == ir.Name("w1_end") else (s,)


def verdicts(name: str, by: Change | None = None, **formats: Format) -> Iterator[Verdict]:
    kernel, grid, held = kernel_of(name)
    body = kernel.body if by is None else change(kernel.body, by)
    return races(replace(kernel, body=body), grid, held | formats)


@cache
def is_proved(name: str) -> bool:
    """Whether threads race nowhere in the last kernel of a golden text, as it stands."""
    return all(isinstance(v, Proved) for v in verdicts(name))


@pytest.mark.every(5)
@pytest.mark.parametrize(
    "name",
    [
        "dot",
        "spmv_rows",
        "spmv_blocks",
        "spmv_warps",
        "sddmm_nonzeros",
        "most_of_sums",
        "scale_fibers",
        "spgemm_rows",
        "spgemm_blocks",
        "spgemm_lists",
    ],
)
def test_threads_race_nowhere(name: str) -> None:
    assert is_free_of_races(name) == Proved()


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("spmv_blocks", without_guards),
        ("spmv_warps", without_guards),
        ("spmv_blocks", without_barriers),
        ("spgemm_blocks", without_barriers),
        ("spgemm_lists", without_barriers),
        ("spgemm_lists", without_steps),
        ("spgemm_lists", by_warps),
        ("spmv_rows", by_shorter_tiles),
        ("mttkrp_nonzeros", without_atomics),
    ],
)
def test_mistakes_are_not_proved(name: str, by: Change) -> None:
    assert is_proved(name)
    assert not all(isinstance(v, Proved) for v in verdicts(name, by))


def test_coordinates_that_may_repeat_are_no_reason() -> None:
    repeated = gn.format_of("dense,compressed(nonunique)", 2)
    assert not all(isinstance(v, Proved) for v in verdicts("sddmm_nonzeros", B=repeated))


def test_blocks_race_that_one_block_alone_does_not() -> None:
    scan = next(k for k in parts_of("mul_rows").kernels if "reached" in k.name)
    assert all(isinstance(v, Proved) for v in races(scan, Grid(256, True), {}))
    assert not all(isinstance(v, Proved) for v in races(scan, Grid(256, False), {}))


def test_what_iterations_fill_needs_what_they_have_counted() -> None:
    assert is_free_of_races("mul_rows") == is_free_of_races("sddmm_rows") == Proved()
    assert not all(isinstance(v, Proved) for v in verdicts("mul_rows", without_counting))


def test_a_table_that_is_searched_meanwhile_is_read_by_atomic_operations() -> None:
    assert is_free_of_races("spgemm_tables") == Proved()


def test_all_threads_but_the_first_may_race() -> None:
    first, store = ir.Binary("<", THREAD, ir.ONE), ir.Assign(ir.Element(ir.Name("a"), ir.ZERO), ir.ONE)
    kernel = ir.Function("void", "kernel", (("int64_t *", "a"),), (ir.If(first, (), (store,)),))
    assert not any(isinstance(v, Proved) for v in races(kernel, Grid(32, True), {}))
    assert all(isinstance(v, Proved) for v in races(kernel, Grid(2, True), {}))
