"""Launches: how many blocks a grid has is computed without overflow, and so is where its threads begin and go on.

Extents, lengths and counts are at most 2^62, and a product of them is the length of an array that there is, at most
2^60 elements. A grid has at most 2^31 - 1 blocks: more are refused before a launch (`gn_launch`).
"""

from __future__ import annotations

from collections.abc import Iterator

from ....generator.ir import ir, traversal
from ....generator.ir.grid import BLOCK, BLOCKS, THREAD, THREADS
from ....generator.ir.traversal import inside
from ..solver import Term, decide, z3
from ..verdict import Verdict, together
from .two_threads import ARITHMETIC, EXTREMES

EXTENT, LENGTH, GRID = 2**62, 2**60, 2**31 - 1
SMALLEST, LARGEST = -(2**63), 2**63 - 1


def launches_fit(function: ir.Function) -> Iterator[Verdict]:
    """Whether the sizes of the grids that a function of the host launches fit in 64 bits, with all on the way there."""
    definitions = {s.name: s.value for s in statements(function.body) if isinstance(s, ir.Declare) and s.value}
    grids = [s.blocks for s in statements(function.body) if isinstance(s, ir.Launch)]
    yield from (fits(e, {}) for blocks in grids for e in with_definitions(blocks, definitions))


def strides_fit(kernel: ir.Function, threads: int) -> Iterator[Verdict]:
    """Whether where a thread of a kernel begins, and where it goes on, fits in 64 bits."""
    known = {THREADS.name: (threads, threads), THREAD.name: (0, threads - 1)}
    known |= {BLOCKS.name: (1, GRID), BLOCK.name: (0, GRID - 1)}
    loops = [s for s in statements(kernel.body) if isinstance(s, ir.For) and is_grid_wide(s)]
    parts = [e for s in loops for e in (s.begin, s.step, ir.Binary("+", ir.Name("position"), s.step))]
    yield from (fits(e, known) for e in parts)


def is_grid_wide(loop: ir.For) -> bool:
    """Whether the threads of a grid share out a loop among all of them."""
    return BLOCKS.name in traversal.names(loop.step) and BLOCK.name in traversal.names(loop.begin)


def statements(code: ir.Code) -> Iterator[ir.Stmt]:
    """Statements and those inside them."""
    for s in code:
        yield s
        yield from statements(inside(s))


def with_definitions(e: ir.Expr, definitions: dict[str, ir.Expr]) -> Iterator[ir.Expr]:
    """An expression, and those that the variables in it have been computed by."""
    yield e
    for name in traversal.names(e):
        if name in definitions and not isinstance(definitions[name], ir.Spelled):
            yield from with_definitions(definitions[name], {n: d for n, d in definitions.items() if n != name})


def fits(e: ir.Expr, known: dict[str, tuple[int, int]]) -> Verdict:
    """Whether the value of an expression, and each on the way to it, fits in 64 bits."""
    terms: list[Term] = []
    bounds: list[Term] = []

    def term(e: ir.Expr) -> Term:
        made = build(e)
        terms.append(made)
        return made

    def build(e: ir.Expr) -> Term:
        match e:
            case ir.Int(value=value):
                return z3.IntVal(value)
            case ir.Binary(operator="*") if not known.keys() & set(traversal.names(e)) and not constants(e):
                return quantity(f"product {traversal.names(e)}", 0, LENGTH)
            case ir.Binary(operator=sign, left=left, right=right) if sign in ARITHMETIC:
                return ARITHMETIC[sign](term(left), term(right))
            case ir.Call(function=function, args=(first, second)) if function in EXTREMES:
                return EXTREMES[function](term(first), term(second))
            case ir.Cast(operand=operand):
                return term(operand)
            case ir.Name(name=name):
                return quantity(name, *known.get(name, (0, EXTENT)))
            case _:
                return quantity(f"something {len(bounds)}", 0, EXTENT)

    def quantity(name: str, least: int, most: int) -> Term:
        found = z3.Int(name)
        bounds.extend((found >= least, found <= most))
        return found

    term(e)
    return together(decide(z3.And(t >= SMALLEST, t <= LARGEST), given=bounds) for t in terms)


def constants(e: ir.Expr) -> bool:
    """Whether there is a number in an expression."""
    return any(isinstance(t, ir.Int) for t in traversal.subterms(e))
