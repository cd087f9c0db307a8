"""Refutation: small tensors on which an access of a kernel leaves its array.

Loops are run turn by turn, without invariants, on tensors whose extents and arrays are small and of which all storage
invariants are said. What is found is therefore a run that the kernel has, which `c_runs` confirms.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from msgspec.structs import replace

from ....generator.source import Source
from ....generator.storage.layout import SHARED, field_of, parameters
from ....reference.storage.format import interleaving
from ....reference.storage.tensor import Tensor
from ..solver import Term, z3
from .c_execution import Access, Execution
from .c_expressions import condition
from .c_facts import Knowledge, OutOfTime
from .c_meetings import merge_states
from .c_memory import State, Unknown
from .c_products import Exact
from .c_safety import run_all
from .c_statements import statement
from .c_tensors import Tensors
from .c_tree import Node, parse

TURNS = 3
LIMIT = 3


class Wrong(Exception):
    """An access outside its array was found, on some operands, by the names that the program gives them."""

    def __init__(self, access: Access, operands: Mapping[str, Tensor]) -> None:
        super().__init__(access.text)
        self.access, self.operands = access, operands


def by_turns(run: Execution, loop: Node, entry: State) -> State | None:
    """The state after a loop that ends after a few turns."""
    ends: list[State] = []
    now: State | None = entry
    for n in range(TURNS + 1):
        if now is None or run.know.check(now.here) == z3.unsat:
            break
        truth = condition(run, loop.cond, now)
        ends.append(run.know.branch(now, z3.Not(truth)))
        if n < TURNS:
            now = turn(run, loop, run.know.branch(now, truth), ends)
    return merge_states(run.know, ends)


def turn(run: Execution, loop: Node, state: State, ends: list[State]) -> State | None:
    """The state after one turn. Where it breaks off, the loop ends."""
    outer = run.frame
    run.frame = replace(outer, continued=[], broken=[])
    inner = run.statement(run, loop.stmt, state)
    after = merge_states(run.know, [*([inner] if inner is not None else []), *run.frame.continued])
    ends += run.frame.broken
    run.frame = outer
    if after is not None and getattr(loop, "next", None) is not None:
        return run.statement(run, loop.next, after)
    return after


def find_overrun(text: str, source: Source, seconds: float = math.inf) -> Wrong | None:
    """Operands on which a kernel leaves an array, and where; None if none were found in so many seconds.

    Raises Unmodelled for C that has no symbolic execution.
    """
    for modes in (("evaluate",), ("assemble", "compute")):
        know = Knowledge(until=time.process_time() + seconds)
        know.products = Exact(know.law)
        tensors = Tensors(know, source)

        def report(access: Access, goal: Term, here: Term, state: State, tensors: Tensors = tensors) -> None:
            if tensors.know.check(here, z3.Not(goal)) == z3.sat:
                raise Wrong(access, operands_of_model(tensors, tensors.know.solver.model()))

        try:
            run_all(Execution(parse(text), know, report, statement, by_turns), tensors, modes, LIMIT)
        except Wrong as wrong:
            return wrong
        except OutOfTime:
            return None
    return None


def operands_of_model(tensors: Tensors, model: object) -> Mapping[str, Tensor]:
    """The operands in a model, with ones for their values."""

    def number(term: Term) -> int:
        return int(model.eval(term, model_completion=True).as_long())  # type: ignore[attr-defined]

    source = tensors.source
    names = [source.program.previous if n == source.program.result else n for n in source.operands]
    return {name: operand(tensors, name, number) for name in names}


def operand(tensors: Tensors, name: str, number: Callable[[Term], int]) -> Tensor:
    """One operand, by the values of its terms."""
    layout = tensors.source.layouts[name]
    format = layout.format
    found: dict[int, dict[str, Any]] = {SHARED: {}}
    found |= {k: dict(interleaving(format, k)) for k in range(len(format.levels))}
    for k, array, width in layout.index:
        held = tensors.held[field_of(name, format, k, array).replace("->", ".")]
        assert isinstance(held.contents, Unknown)
        places = range(number(held.length))
        found[k][array] = np.array([number(held.contents.at(z3.IntVal(n))) for n in places], width)
    for k in range(len(format.levels)):
        found[k] |= {each: number(tensors.parameter(name, k, each)) for each in parameters(format, k)}
    shape, extents = (tuple(map(number, terms)) for terms in (tensors.shape(name), tensors.extents(name)))
    vals = np.ones(number(tensors.held[f"{name}.vals"].length), layout.dtype)
    shared, *levels = found.values()
    return Tensor(format, shape, layout.dtype, layout.fill, tuple(levels), shared, extents, vals)
