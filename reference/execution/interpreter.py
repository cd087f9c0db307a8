"""The interpreter: runs a statement on tensors, calling level functions as Figure 9 says.

Every loop follows the strategy that `strategy.py` chose for it: co-iterate some levels, locate the others, and run the
sub-statement of the lattice point at each coordinate. Computation is in the statement's dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from random import Random
from typing import Any

import numpy as np

from ..algebra.operator import Operator
from ..algebra.operators import ADD
from ..algebra.scalars import caster
from ..errors import InternalError
from ..loops.strategy import plan
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce, accesses
from ..notation.types import dtype_of, holding
from ..statement.expansion import steps
from ..statement.statement import Assign, Forall, Program, Sequence, Statement, Where, reads
from ..statement.substitution import reads_of, substitute_statement
from ..storage.spec import Spec
from ..storage.tensor import Tensor
from .merging import Loop
from .parallel import Iterations, parallel_tag, shuffled
from .spaces import Spaces
from .state import Context, Run, Source, State
from .trace import Trace

Value = Callable[[], Any]


def interpret(
    program: Program,
    operands: Mapping[str, Tensor],
    *,
    index: Any = np.int32,
    trace: Trace | None = None,
    seed: int = 0,
) -> tuple[Tensor, Trace]:
    """The result of a program on its operands, and the trace of its execution, to which `trace` is added.

    The iterations of parallel loops run in an order that `seed` determines. Raises MeaningError where integers
    overflow or are divided by zero, ScheduleError where iterations of a parallel loop conflict or a bound does not
    hold.
    """
    machine = Machine(program, trace=Trace() if trace is None else trace, random=Random(seed))
    for name, tensor in operands.items():
        machine.load(program.previous if name == program.result else name, tensor)
    extents = dict(program.extents)
    format = program.formats[program.result]
    target = machine.result_target
    shape = tuple(extents[v] for v in target.indices)
    machine.open(program.result, format.map.level_extents(shape))
    with np.errstate(all="ignore"):
        machine.compiled(program.statement, Context())()
    result = machine.targets[program.result].finish(shape, index)
    final = result if program.packed is None else result.convert(Spec(program.packed, index=np.dtype(index)))
    return final, machine.trace


@dataclass
class Machine(State):
    """A state, and the statements that change it: each is compiled to a function."""

    parallel: dict[str, Iterations] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.spaces = Spaces(self, self.derivations)

    def compiled(self, s: Statement, context: Context) -> Run:
        """The statement as a function of the state."""
        match s:
            case Forall():
                return self.loop(s, context)
            case Where():
                return self.where(s, context)
            case Assign():
                return self.at_points(s, context) if context.optional else self.assign(s, context)
            case Sequence(statements=statements):
                parts = [self.unless_idle(each, context) for each in statements]
                return in_order(parts)

    def missing(self, s: Statement, context: Context) -> Callable[[], frozenset[Access]]:
        """The accesses of a statement that the loops have found to be missing."""
        watched = [(a, *self.standing(a, context)) for a in reads(s) if a in context.optional]
        return lambda: frozenset([a for a, positions, k in watched if positions[k] is None])

    def at_points(self, s: Assign, context: Context) -> Run:
        """What is left of an assignment where accesses are missing, compiled where that is first met."""
        missing, certain = self.missing(s, context), replace(context, optional=frozenset())
        made: dict[frozenset[Access], Run] = {}

        def run() -> None:
            absent = missing()
            if absent not in made:
                left = substitute_statement(s, absent, self.background)
                made[absent] = in_order([]) if left is None else self.compiled(left, certain)
            made[absent]()

        return run

    def unless_idle(self, s: Statement, context: Context) -> Run:
        """A statement, if it has something to do where accesses are missing."""
        whole, remains = self.compiled(s, context), self.remains(s, context)

        def run() -> None:
            if remains():
                whole()

        return run if context.optional else whole

    def remains(self, s: Statement, context: Context) -> Callable[[], bool]:
        """Whether a statement has something to do where accesses are missing."""
        missing, found = self.missing(s, context), {}

        def left() -> bool:
            absent = missing()
            if absent not in found:
                found[absent] = substitute_statement(s, absent, self.background) is not None
            return found[absent]

        return left

    def where(self, s: Where, context: Context) -> Run:
        """Run the producer into a fresh workspace, then the consumer; without it where a scalar got no value."""
        workspace = self.workspaces[s.workspace]
        extents = workspace.format.map.level_extents(workspace.shape)
        made = reads_of(s.consumer, s.workspace)
        inside = replace(context, optional=context.optional | made) if context.optional and workspace.shape else context
        producer, produces = self.compiled(s.producer, context), self.remains(s.producer, context)
        consumer = self.compiled(s.consumer, inside)
        without = substitute_statement(s.consumer, made, self.background) if not workspace.shape else None
        absent: Run | None = None if without is None else self.unless_idle(without, context)
        roots = [self.standing_at(a)[0] for a in made]
        largest, contributions = self.trace.workspaces, self.trace.contributions

        def run() -> None:
            if contributions is not None:
                contributions.renew(s.workspace)
            produced = not context.optional or produces()
            for positions in roots:
                positions[0] = 0 if produced else None
            if not produced:
                otherwise()
                return
            built = self.targets.get(s.workspace)
            if built is None:
                built = self.open(s.workspace, extents)
            else:
                built.renew()
            producer()
            self.sources[s.workspace] = Source(built.levels, built.values, built.present)
            largest[s.workspace] = max(largest.get(s.workspace, 0), sum(built.present))
            if workspace.shape or built.present[0]:
                consumer()
            else:
                otherwise()

        def otherwise() -> None:
            if workspace.shape:
                consumer()
            elif absent is not None:
                absent()

        return run

    def loop(self, s: Forall, context: Context) -> Run:
        """One loop, by its strategy; that of a derived variable over the original ones that it completes."""
        tag = parallel_tag(s)
        if s.index in context.expanded:
            return self.merged(s, context)
        first, _ = next(steps(s, context.bound, self.derivations))
        run = self.compiled(first, replace(context, expanded=context.expanded | {s.index}))
        if tag is not None:
            run = shuffled(self, self.parallel, s, tag, run)
        return self.spaces.bounded(s.index, context.bound, run)

    def merged(self, s: Forall, context: Context) -> Run:
        """One loop over the levels that have its variable, or over a range of integers."""
        context = replace(context, expanded=context.expanded - {s.index})
        strategy = plan(
            *(s, context.bound, self.formats, self.provenance, self.background, self.derivations, context.optional)
        )
        collected = self.parallel if parallel_tag(s) is not None else None
        return Loop(self, self.spaces, strategy, context, self.compiled, collected).compiled()

    def assign(self, s: Assign, context: Context) -> Run:
        """Store the value where the loops stand, if the mask admits it."""
        name = s.target.tensor
        dtype = self.dtypes[name]
        convert = caster(dtype)
        value = self.value(s.value, context)
        place = self.place(s.target, context)
        admits = self.admits(s, context)
        folds = isinstance(s.value, Fill) and s.operator is not None
        combine = None if s.operator is None else folding(s.operator, dtype)
        unit = None if s.operator is None else s.operator.left_unit
        stores = self.trace.stores
        visit, contribute = self.visit(s, context), self.contribute(s, context)

        def run() -> None:
            if admits is not None and not admits():
                return
            stores[name] += 1
            result = convert(value())
            if unit is not None:
                result = unit.compute(result)
            target, where = self.targets[name], place()
            for iterations in self.parallel.values():
                iterations.write(name, where)
            if visit is not None:
                visit()
            if contribute is not None:
                contribute()
            if folds:
                assert combine is not None
                target.store_missing(where, result, combine)
            else:
                target.store(where, result, combine)

        return run

    def visit(self, s: Assign, context: Context) -> Run | None:
        """Count where an assignment stands, if the trace asks for it: original coordinates, and operands' positions.

        Duplicates that are visited together count as if they came one by one.
        """
        visits = self.trace.visits
        if visits is None:
            return None
        read = reads(s)
        names = dict.fromkeys(v for a in (*read, s.target) for v in (*a.indices, *a.levels))
        known = [(v, self.recovery(v, context)) for v in sorted(names) if self.is_known(v, context)]
        states = [(a.tensor, self.standing_at(a)[0]) for a in read if a.tensor not in self.workspaces]
        path, bound, values = self.trace.path, context.bound, self.coordinates

        def count() -> None:
            if path is not None:
                path.append({v: values[v] for v in bound})
            coordinates = tuple((v, value()) for v, value in known)
            stored = (positions[-1] for _, positions in states)
            for places in product(*(p if isinstance(p, tuple) else (p,) for p in stored)):
                visits[s.target.tensor, coordinates, places] += 1

        return count

    def contribute(self, s: Assign, context: Context) -> Run | None:
        """Contribute what an assignment multiplies to its target, if the trace asks for it."""
        made = self.trace.contributions
        if made is None:
            return None
        read, name = [*accesses(s.value), *([] if s.mask is None else [s.mask.access])], s.target.tensor
        at = self.at(s.target, context)
        stored = [(a.tensor, self.standing_at(a)[0]) for a in read if a.tensor not in self.workspaces]
        held = [(a.tensor, self.at(a, context)) for a in read if a.tensor in self.workspaces]

        def add() -> None:
            product_ = 1
            for tensor, positions in stored:
                p = positions[-1]
                product_ *= sum(made.position(tensor, q) for q in (p if isinstance(p, tuple) else (p,)))
            for workspace, where in held:
                product_ *= made.component(workspace, where())
            made.add(name, at(), product_)

        return add

    def at(self, access: Access, context: Context) -> Callable[[], tuple[int, ...]]:
        """The coordinates of a component, as the loops give them."""
        coordinates, own = self.coordinates, access.indices
        if all(v in context.bound for v in own):
            return lambda: tuple([coordinates[v] for v in own])
        recovered = [self.recovery(v, context) for v in own]
        return lambda: tuple([each() for each in recovered])

    def admits(self, s: Assign, context: Context) -> Value | None:
        """Whether the mask, which holds a component here, lets the assignment through."""
        if s.mask is None:
            return None
        held, complement = self.leaf(s.mask.access, context), s.mask.complement
        if s.mask.structural:
            return lambda: not complement
        return lambda: bool(held()) != complement

    def place(self, target: Access, context: Context) -> Callable[[], tuple[int, ...]]:
        """The level coordinates that the loops give for a target."""
        to_levels = self.formats[target.tensor].map.compile()
        at = self.at(target, context)
        return lambda: to_levels(at())

    def value(self, e: Expr, context: Context) -> Value:
        """The value of an expression whose accesses have all been found."""
        match e:
            case Literal(value=constant) | Fill(value=constant):
                return lambda: constant
            case Access():
                return self.leaf(e, context)
            case Apply():
                return self.applied(e, context)
            case Reduce():
                raise InternalError("reductions become loops before a statement runs")

    def applied(self, e: Apply, context: Context) -> Value:
        """An operator over its arguments; integer results are kept in range by conversions and stores.

        So are fills that no integer dtype holds beside the values that they meet.
        """
        compute, args, dtype = e.operator.compute, e.args, dtype_of(e)
        lost = next((a for a in args if isinstance(a, Fill) and holding(a.dtype, a.value) is None), None)
        if lost is not None:
            fill, convert = lost.value, caster(lost.dtype)
            return lambda: convert(fill)
        parts = [self.value(a, context) for a in args]
        checked = caster(dtype) if dtype.kind in "iu" else None
        plain = call(compute, parts)
        return plain if checked is None else call(checked, [plain])

    def leaf(self, access: Access, context: Context) -> Value:
        """The stored value of an access; duplicates add up."""
        positions, _ = self.standing_at(access)
        depth = len(access.levels)
        name = access.tensor
        sources = self.sources
        if access not in context.many:
            return lambda: sources[name].values[positions[depth]]
        add = folding(ADD, self.dtypes[name])

        def total() -> Any:
            values = sources[name].values
            held = positions[depth]
            first, *rest = held if isinstance(held, tuple) else (held,)
            result = values[first]
            for p in rest:
                result = add(result, values[p])
            return result

        return total


def in_order(parts: list[Run]) -> Run:
    """The parts one after another."""

    def run() -> None:
        for part in parts:
            part()

    return run


def call(function: Callable[..., Any], parts: list[Value]) -> Value:
    """A function of what the parts give."""
    match parts:
        case [only]:
            return lambda: function(only())
        case [left, right]:
            return lambda: function(left(), right())
        case _:
            return lambda: function(*(part() for part in parts))


def folding(operator: Operator, dtype: np.dtype) -> Callable[[Any, Any], Any]:
    """An operator on accumulated values: integers are kept in range."""
    if dtype.kind not in "iu":
        return operator.compute
    compute, checked = operator.compute, caster(dtype)
    return lambda a, b: checked(compute(a, b))
