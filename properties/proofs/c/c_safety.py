"""Memory safety of generated C: every access of a kernel to an array is within it.

A kernel's text is parsed back and its functions are executed symbolically on any tensors that are valid. What is
assumed:

- Tensors satisfy the invariants by which they are validated, and `compute` is given what `assemble` gave for operands
  of the same structure.
- Integers do not overflow: arrays that fit in memory are shorter than 2^63, 32-bit indices are refused where they
  cannot count to an extent, and a result with more positions than they count is an error that is reported.
- Loops end, and memory that is there may be had: an access that is in range in a run that completes is so in one that
  fails later for lack of memory.
- Memory that is not set is not read (`c_contracts`), so that what is counted in one phase is what another one writes.
- Parts that threads share out do not meet in memory (`NoRaces`), so that any order of them does the same, and one
  thread that runs them all; what it has appended then is what it noted of each (`c.phases`).

The storage invariants come with what follows from them by induction (`levels.*.segments`), products with one law
(`c.products`), numbers of elements that are not zero with three (`c.counted`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from functools import partial

from msgspec import Struct, field

from ....generator.source import IN_PLACE, Source
from ..solver import Term, z3
from ..verdict import Bounded, Proved, Unknown, Verdict
from .c_execution import Access, Execution, Report, Unmodelled
from .c_expressions import call_function
from .c_facts import Knowledge, OutOfTime, is_term
from .c_loops import Guesses, by_invariants
from .c_memory import Array, State, Tensor, Value
from .c_statements import statement
from .c_tensors import Tensors
from .c_tree import Kernel, all_nodes, base, c_ast, line, parse, print_node

Place = tuple[str, int, str]
"""An access in a kernel's text: the function, the line, the text."""
Runs = tuple[tuple[str, ...], ...]
RUNS: Runs = (("assemble", "compute"), ("evaluate",))
UNMODELLED, LATE = "not modelled", "out of time"
"""Why an access is not looked at."""


class Safety(Struct, frozen=True):
    """How many accesses a kernel has, how many of them are proved, and the others, each with a reason."""

    total: int
    proved: int
    open: tuple[Access, ...]

    @property
    def unfinished_reasons(self) -> frozenset[str]:
        """Why some accesses were not looked at, if any were not."""
        return frozenset(a.reason for a in self.open if a.reason == LATE or a.reason.startswith(UNMODELLED))

    @property
    def verdict(self) -> Verdict:
        """Proved only if every access is; unknown where some were not looked at."""
        if self.proved == self.total:
            return Proved()
        first = next((access for access in self.open if access.reason in self.unfinished_reasons), self.open[0])
        rest = f"{first.reason}: {first.text} in {first.function}, line {first.line}"
        if self.unfinished_reasons:
            return Unknown(f"{self.proved} of {self.total} accesses proved; of the rest nothing is known, first {rest}")
        return Bounded(f"{self.proved} of {self.total} accesses proved; the rest needs more, first {rest}")


class Ledger(Struct):
    """What was found out about the accesses of a kernel: each counts once, proved if it is wherever it happens."""

    know: Knowledge
    seen: dict[Place, bool] = field(default_factory=dict)
    reasons: dict[Place, str] = field(default_factory=dict)

    def report(self, access: Access, goal: Term, here: Term, state: State) -> None:
        """Find out about an access at a place."""
        key = (access.function, access.line, access.text)
        reached = self.know.check(here) != z3.unsat
        holds = reached and self.know.holds(here, goal)
        self.seen[key] = self.seen.get(key, True) and holds
        if not holds:
            self.reasons[key] = reason(goal) if reached else "no run is known that comes here"

    def abandon(self, kernel: Kernel, why: str) -> None:
        """Leave open what has not been looked at."""
        for key in places(kernel):
            if key not in self.seen:
                self.seen[key], self.reasons[key] = False, why

    def safety(self) -> Safety:
        """What was found out."""
        open_ = tuple(Access(*key, self.reasons[key]) for key, holds in self.seen.items() if not holds)
        return Safety(len(self.seen), len(self.seen) - len(open_), open_)


def reason(goal: Term) -> str:
    """What is missing where a goal does not follow."""
    if z3.is_implies(goal):
        return "arrays are not known to have as many elements as are copied"
    if z3.is_ge(goal):
        return "what is stored is not known to be a coordinate"
    length = str(goal.arg(1).arg(1)) if goal.num_args() == 2 else ""
    return f"the index is not known to be below {length.partition('~')[0] or 'the length'}"


def places(kernel: Kernel) -> Iterator[Place]:
    """The accesses in a kernel's text."""
    for name, function in kernel.functions.items():
        for part in all_nodes(function.body):
            if isinstance(part, c_ast.ArrayRef) and base(part) is not None:
                yield name, line(part), print_node(part)


def safety(text: str, source: Source, seconds: float = math.inf) -> Safety:
    """What can be proved of a kernel's accesses to arrays, from its text and what it was generated from."""
    return safety_of(parse(text), source, seconds)


def safety_of(kernel: Kernel, source: Source, seconds: float = math.inf, runs: Runs = RUNS) -> Safety:
    """The same from a kernel's functions, of which those of each run are called one after another."""
    know = Knowledge(until=time.process_time() + seconds)
    ledger = Ledger(know)
    in_place = ((IN_PLACE,),) if source.works_in_place else ()
    for modes in (*runs, *in_place):
        with know.within("mode"):
            try:
                execute(kernel, source, modes, know, ledger.report)
            except Unmodelled as error:
                ledger.abandon(kernel, f"{UNMODELLED}: {error}")
            except OutOfTime:
                ledger.abandon(kernel, LATE)
    return ledger.safety()


def execute(kernel: Kernel, source: Source, modes: tuple[str, ...], know: Knowledge, report: Report) -> None:
    """Execute functions of a kernel on any tensors, one after the other where each has come to its end."""
    run = Execution(kernel, know, report, statement, partial(by_invariants, Guesses()))
    tensors = Tensors(know, source)
    run_all(run, tensors, modes)


def run_all(run: Execution, tensors: Tensors, modes: tuple[str, ...], limit: int | None = None) -> None:
    """Execute functions on tensors; these are small if there is a limit."""
    source, know = tensors.source, run.know
    result = source.program.result
    given = [Tensor("result"), *[Tensor(f"operand {n}") for n in range(len(source.operands))]]
    variables: dict[str, Value] = {}
    for tensor, name in zip(given[1:], source.operands, strict=True):
        inner = source.program.previous if name == result else name
        variables |= tensors.stored_fields(inner, tensor.name)
    finished = tensors.stored_fields(result, "result")
    is_given = not source.layouts[result].index
    if limit is not None:
        tensors.within(limit)
    here: Term = z3.BoolVal(True)
    for mode in modes:
        there = is_given or mode in ("compute", IN_PLACE)
        own = finished if there else tensors.empty_fields(result, "result")
        after, status = call_function(run, run.kernel.entry_point(mode), list(given), State(here, variables | own))
        if after is None:
            raise Unmodelled(f"{mode}, which does not return")
        here = know.guard()
        know.say(z3.And(after.here, status == 0), here)
        for place, value in after.variables.items():
            if mode == "assemble" and place.startswith("result->") and is_term(value):
                held = finished.get(place.replace("length[", "array["))
                know.say((held.length if isinstance(held, Array) else held) == value, here)
