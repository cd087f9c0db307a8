"""Parallel code: regions, shared loops, lanes, atomic updates (OpenMP 4.5, 2.5 to 2.13), in an order that chance draws.

Threads of a region take turns: in random order up to a shared loop, then iteration by iteration, then on to the end.
What a single one does, one that chance draws does while the others wait.
Any order of iterations is one that OpenMP allows. What two iterations may not do to one place, `team.py` finds whatever
the order is; what may depend on the order of what excludes one another, such as sums, changes with the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from ...reference.errors import Unsupported
from .conversion import convert
from .directives import Directive, group_directives
from .expressions import Expressions
from .fault import BadTeam, Where
from .frame import STATE, Code, Frame, Value, Variable
from .memory import Block
from .places import Slot
from .residence import key
from .scope import Scope
from .source import c_ast
from .state import State
from .team import Team
from .types import Boolean, Complex, Floating, Integer, Type

MOST = 4
INFINITE = float("inf")
Items = Callable[[Sequence[tuple[Directive | None, Any]]], Code]
Work = Callable[[Team, Sequence[Frame]], None]


class Reduction(Struct, frozen=True):
    """A variable of which every thread has a copy: its identity, and how copies are combined with the common one."""

    own: Variable
    identity: Any
    combine: Callable[[Frame, Any], None]
    where: Where

    def begin(self, f: Frame, state: State) -> None:
        """A thread's copy."""
        kind = self.own.type
        held = Block(self.own.name, kind, [self.identity], self.where, made=state.makers())
        f[self.own.slot] = held if self.own.resident else self.identity

    def end(self, f: Frame, g: Frame) -> None:
        """Combine the copy of a thread with what the others see."""
        held = g[self.own.slot]
        self.combine(f, held.data[0] if self.own.resident else held)


class Parallel:
    """Compiles statements with a directive before them."""

    def __init__(self, scope: Scope, expressions: Expressions, statement: Callable[[Any], Code], items: Items) -> None:
        self.scope, self.expressions = scope, expressions
        self.statement, self.items = statement, items

    def with_directive(self, directive: Directive, node: Any, where: Where) -> Code:
        """A statement and its directive."""
        match directive.kind:
            case "atomic":
                return self.atomic(node, where)
            case "critical":
                return critical(self.statement(node), where)
            case "parallel" if isinstance(node, c_ast.Compound):
                return self.team("thread", directive, node, self.region, where)
            case "parallel for":
                return self.team("thread", directive, node, lambda n: [self.share_loop(n, where)], where)
            case "simd":
                return self.team("lane", directive, node, lambda n: [self.share_loop(n, where)], where)
            case _:
                raise Unsupported(f"omp {directive.kind} here, in {where}")

    def team(
        self, kind: str, directive: Directive, node: Any, parts: Callable[[Any], list[Work]], where: Where
    ) -> Code:
        """Code that a team runs, part by part, with a frame for each thread."""
        outer = [self.common(sign, name, where) for sign, name in directive.reductions]
        with self.scope.watch(), self.scope.inner():
            reductions = [
                Reduction(self.scope.declare(name, type, key(node, name), certain=True), start, combine, where)
                for (_, name), (type, start, combine) in zip(directive.reductions, outer, strict=True)
            ]
            works = parts(node)

        def run(f: Frame) -> None:
            state: State = f[STATE]
            if kind == "thread" and any(team.kind == kind for team in state.teams):
                raise Unsupported(f"a region inside a region, in {where}")
            team = Team(state.random.randint(2, MOST), kind)
            frames = [list(f) for _ in range(team.size)]
            state.teams.append(team)
            for thread, g in enumerate(frames):
                team.turn(thread)
                for reduction in reductions:
                    reduction.begin(g, state)
            for work in works:
                work(team, frames)
            state.teams.pop()
            for g in state.random.sample(frames, team.size):
                for reduction in reductions:
                    reduction.end(f, g)

        return run

    def common(self, sign: str, name: str, where: Where) -> tuple[Type, Any, Callable[[Frame, Any], None]]:
        """Of a variable that is reduced: its type, the identity, and how to combine something with it."""
        node = c_ast.ID(name)
        held, found = self.expressions.places.load(node), self.expressions.places.place(node)
        store, slot = self.expressions.places.store_place(found, where), self.scope.temporary()
        other = Value(held.type, lambda f: f[slot])
        if sign in ("+", "*"):
            new = convert(self.expressions.binary(sign, held, other, where), held.type, where).run
        elif sign in ("max", "min"):
            pick, old = max if sign == "max" else min, held.run
            new = lambda f: pick(old(f), f[slot])  # noqa: E731
        else:
            raise Unsupported(f"a reduction by {sign}, in {where}")

        def combine(f: Frame, value: Any) -> None:
            f[slot] = value
            store(f, new(f))

        return held.type, identity(sign, held.type, where), combine

    def region(self, node: Any) -> list[Work]:
        """The parts of a region: what every thread does, and the loops that they share."""
        works: list[Work] = []
        waiting: list[tuple[Directive | None, Any]] = []
        with self.scope.inner() as names:
            for directive, item in group_directives(node.block_items or ()):
                if directive is None or directive.kind not in ("for", "single"):
                    waiting.append((directive, item))
                    continue
                works.append(self.alone(waiting))
                share = self.share_loop if directive.kind == "for" else self.single
                works.append(share(item, self.scope.where(item)))
                waiting = []
            works.append(self.alone(waiting))
            ends = [v.slot for v in names.values() if v.resident]
        works.append(end_region(ends, self.scope.where(node)))
        return works

    def alone(self, items: list[tuple[Directive | None, Any]]) -> Work:
        """What every thread does by itself."""
        if not items:
            return lambda team, frames: None
        run, where = self.items(items), self.scope.where(items[0][1])

        def work(team: Team, frames: Sequence[Frame]) -> None:
            for thread in frames[0][STATE].random.sample(range(team.size), team.size):
                team.turn(thread)
                signal = run(frames[thread])
                if signal is not None:
                    raise BadTeam(f"{team.unit} leaves the region by {signal.kind} {signal.label}".rstrip(), where)

        return work

    def single(self, node: Any, where: Where) -> Work:
        """What one thread does for all, which wait for it."""
        run = self.statement(node)

        def work(team: Team, frames: Sequence[Frame]) -> None:
            thread = frames[0][STATE].random.randrange(team.size)
            team.turn(thread)
            team.waits = True
            if run(frames[thread]) is not None:
                raise BadTeam("a jump leaves what a single thread does", where)
            team.waits = False
            team.barrier()

        return work

    def share_loop(self, node: Any, where: Where) -> Work:
        """A loop whose iterations a team shares out."""
        with self.scope.inner():
            begin, declaration, end = self.canonical(node, where)
            kind = self.scope.types.type(declaration.type)
            variable = self.scope.declare(declaration.name, kind, key(declaration), certain=True)
            if variable.resident:
                raise Unsupported(f"the address of the variable of a shared loop, in {where}")
            body = self.statement(node.stmt)
        slot = variable.slot

        def work(team: Team, frames: Sequence[Frame]) -> None:
            state: State = frames[0][STATE]
            spaces = set()
            for thread, f in enumerate(frames):
                team.turn(thread)
                spaces.add((begin(f), end(f)))
            if len(spaces) > 1:
                raise BadTeam(f"threads share a loop with different bounds: {sorted(spaces)}", where)
            for i, thread in order(state, range(*spaces.pop()), team.size):
                state.tick(where)
                team.turn(thread, i)
                f = frames[thread]
                f[slot] = i
                signal = body(f)
                if (signal is not None and signal.kind != "continue") or f[slot] != i:
                    raise BadTeam(f"{team.unit} leaves the loop or changes its variable", where)
            team.barrier()

        return work

    def canonical(self, node: Any, where: Where) -> tuple[Code, Any, Code]:
        """The first value of a shared loop's variable, its declaration, and the value that it does not reach."""
        match node:
            case c_ast.For(
                init=c_ast.DeclList(decls=[c_ast.Decl(name=name) as declaration]),
                cond=c_ast.BinaryOp(op="<", left=c_ast.ID(name=tested), right=end),
                next=c_ast.UnaryOp(op="p++" | "++", expr=c_ast.ID(name=counted)),
            ) if name == tested == counted:
                kind = self.scope.types.type(declaration.type)
                values = [convert(self.expressions.value(e), kind, where).run for e in (declaration.init, end)]
                return values[0], declaration, values[1]
            case _:
                raise Unsupported(f"a shared loop that is not counted, in {where}")

    def atomic(self, node: Any, where: Where) -> Code:
        """An update of one place that nobody comes between; what it is updated by is read outside."""
        if not isinstance(node, c_ast.Assignment) or node.op == "=":
            raise Unsupported(f"an atomic {type(node).__name__}, in {where}")
        places, found = self.expressions.places, self.expressions.places.place(node.lvalue)
        if isinstance(found, Slot):
            return self.expressions.effect(node)
        address, here, there = found.address, self.scope.temporary(), self.scope.temporary()
        right = self.expressions.value(node.rvalue)
        given = right.run
        load = Value(found.type, places.read_cell(lambda f: f[here], where))
        combined = self.expressions.binary(node.op[:-1], load, Value(right.type, lambda f: f[there]), where)
        new = convert(combined, found.type, where).run
        store = places.store_cell(lambda f: f[here], where)

        def run(f: Frame) -> None:
            state: State = f[STATE]
            f[there], f[here] = given(f), address(f)
            before, state.guard = state.guard, "atomic"
            store(f, new(f))
            state.guard = before

        return run


def critical(body: Code, where: Where) -> Code:
    """A statement that one thread at a time runs."""

    def run(f: Frame) -> None:
        state: State = f[STATE]
        before, state.guard = state.guard, "critical"
        if body(f) is not None:
            raise BadTeam("a jump leaves a critical section", where)
        state.guard = before

    return run


def end_region(slots: Sequence[int], where: Where) -> Work:
    """The end of a region: the variables of every thread are no longer there."""

    def work(team: Team, frames: Sequence[Frame]) -> None:
        for f in frames:
            for slot in slots:
                if isinstance(f[slot], Block):
                    f[slot].end(where)

    return work


def order(state: State, iterations: range, threads: int) -> Iterator[tuple[int, int]]:
    """Iterations and who runs them: backwards, anyhow, in pieces that take turns, or all by one thread."""
    chance = state.random
    match chance.randrange(4):
        case 0:
            yield from ((i, i % threads) for i in reversed(iterations))
        case 1:
            yield from ((i, chance.randrange(threads)) for i in chance.sample(iterations, len(iterations)))
        case 2:
            size = -(-len(iterations) // threads) or 1
            pieces = [(t, list(iterations[t * size : (t + 1) * size])) for t in range(threads)]
            while pieces := [(t, piece) for t, piece in pieces if piece]:
                thread, piece = chance.choice(pieces)
                yield piece.pop(0), thread
        case _:
            yield from ((i, threads - 1) for i in iterations)


def identity(sign: str, type: Type, where: Where) -> Any:
    """What a thread's copy of a reduced variable begins with."""
    match sign, type:
        case "+", Integer() | Boolean():
            return 0
        case "*", Integer() | Boolean():
            return 1
        case "max", Integer(low=low):
            return low
        case "min", Integer(high=high):
            return high
        case "+" | "*", Floating():
            return float(sign == "*")
        case "+" | "*", Complex():
            return complex(sign == "*")
        case "max" | "min", Floating():
            return -INFINITE if sign == "max" else INFINITE
        case _:
            raise Unsupported(f"a reduction of {type} by {sign}, in {where}")
