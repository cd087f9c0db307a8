"""Fills: what a result holds before anything is stored in it the device stores, so that nobody has to copy it there.

Before, on the host: `for (p …) y_vals[p] = 0.0;`. After: a kernel whose threads each store elements.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from ..ir import ir
from ..ir.grid import BLOCK, BLOCKS, THREAD, THREADS
from ..ir.ir import (
    INT,
    Assign,
    Call,
    Cast,
    Code,
    Element,
    Expr,
    For,
    Function,
    If,
    Int,
    Kernel,
    Name,
    Spelled,
    Stmt,
    Unary,
)
from ..ir.traversal import change_blocks, inside
from .sizes import USUAL


def fill_on_device(f: Function) -> Function:
    """The function with loops of the host that fill arrays which kernels store in as kernels."""
    stored = frozenset(stored_by_kernels(f.body))
    return replace(f, body=tuple(statement(s, stored, f.name) for s in f.body))


def stored_by_kernels(code: Code) -> list[str]:
    """The arrays that kernels in some code store in."""
    found: list[str] = []
    for s in code:
        found += stored_arrays(s.body) if isinstance(s, Kernel) else stored_by_kernels(inside(s))
    return found


def stored_arrays(code: Code) -> list[str]:
    """The arrays that some code stores in."""
    found: list[str] = []
    for s in code:
        update = s.update if isinstance(s, ir.Atomic) else s
        match update:
            case Assign(target=Element(array=Name(name=name))):
                found.append(name)
            case Assign(value=Call(args=(Unary(operator="&", operand=Element(array=Name(name=name))), *_))):
                found.append(name)
            case _:
                found += stored_arrays(inside(s))
    return found


def statement(s: Stmt, stored: Collection[str], name: str) -> Stmt:
    """A statement of the host, whose loops that fill arrays have become kernels."""
    match s:
        case For(name=p, begin=begin, end=end, body=body) if begin == ir.ZERO:
            filled = [fills(each, p, stored) for each in body]
            return stride(s, end, f"{name}_fill_{filled[0]}") if all(filled) else s
        case If():
            return change_blocks(s, lambda code: tuple(statement(each, stored, name) for each in code))
        case _:
            return s


def fills(s: Stmt, counter: str, stored: Collection[str]) -> str:
    """The array whose element at a counter a statement sets to a constant; empty if it does something else."""
    match s:
        case Assign(
            target=Element(array=Name(name=name), index=Name(name=index)),
            value=Spelled(args=()) | Int(),
            operator="=",
        ) if name in stored and index == counter:
            return name
        case _:
            return ""


def stride(loop: For, count: Expr, name: str) -> Kernel:
    """A kernel whose threads share out the iterations of a loop."""
    blocks = ir.floordiv(ir.add(count, Int(USUAL - 1)), Int(USUAL))
    first = ir.add(ir.mul(Cast(INT, BLOCK), THREADS), THREAD)
    return Kernel(name, blocks, USUAL, (replace(loop, begin=first, step=ir.mul(Cast(INT, BLOCKS), THREADS)),))
