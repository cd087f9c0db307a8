"""Refutation: small tensors on which an access of a kernel leaves its array.

Loops are run turn by turn, without invariants, on tensors whose extents and arrays are small and of which all storage
invariants are said. What is found is therefore a run that the kernel has. Values that no index is made from stay open.
"""

from __future__ import annotations

from ....generator.kernel_source import Source
from ..solver import Term, z3
from ..verdict import Bounded, Refuted, Values, Verdict
from .c_execution import Access, Execution
from .c_expressions import condition
from .c_facts import Knowledge
from .c_memory import State, Unknown
from .c_products import Exact
from .c_safety import run_all
from .c_tensors import Tensors
from .c_tree import Node, parsed

TURNS = 3
LIMIT = 3


class Wrong(Exception):
    """An access outside its array was found, on some values."""

    def __init__(self, access: Access, values: Values) -> None:
        super().__init__(access.text)
        self.access, self.values = access, values


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
            now = turned(run, loop, run.know.branch(now, truth), ends)
    return run.know.merged(ends)


def turned(run: Execution, loop: Node, state: State, ends: list[State]) -> State | None:
    """The state after one turn. Where it breaks off, the loop ends."""
    outer, run.continued, run.broken = (run.continued, run.broken), [], []
    inner = run.statement(loop.stmt, state)
    after = run.know.merged([*([inner] if inner is not None else []), *run.continued])
    ends += run.broken
    run.continued, run.broken = outer
    if after is not None and getattr(loop, "next", None) is not None:
        return run.statement(loop.next, after)
    return after


def refutation(text: str, source: Source) -> Verdict:
    """Tensors and a place in a kernel where an array is left, or how far none were found."""
    for modes in (("evaluate",), ("assemble", "compute")):
        know = Knowledge()
        know.products = Exact(know.law)
        tensors = Tensors(know, source)

        def report(access: Access, goal: Term, here: Term, state: State, tensors: Tensors = tensors) -> None:
            if tensors.know.check(here, z3.Not(goal)) == z3.sat:
                raise Wrong(access, shown(tensors, tensors.know.solver.model()))

        try:
            run_all(Execution(parsed(text), know, report, by_turns), tensors, modes, LIMIT)
        except Wrong as wrong:
            place = (("access", wrong.access.text), ("line", f"{wrong.access.line} of {wrong.access.function}"))
            return Refuted((*place, *wrong.values))
    return Bounded(f"loops of up to {TURNS} turns over arrays of up to {LIMIT} elements")


def shown(tensors: Tensors, model: object) -> Values:
    """The shapes and the index arrays of the tensors in a model."""

    def number(term: Term) -> int:
        return int(model.eval(term, model_completion=True).as_long())  # type: ignore[attr-defined]

    found = [(name, str(number(extent))) for name, extent in tensors.given.items()]
    for name, array in tensors.held.items():
        if isinstance(array.contents, Unknown):
            length = number(array.length)
            found.append((name, str([number(array.contents.at(z3.IntVal(k))) for k in range(length)])))
    return tuple(found)
