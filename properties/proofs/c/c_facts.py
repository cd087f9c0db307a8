"""What is known while a kernel is executed symbolically, and what follows from it.

Everything is said to one solver. What holds only on some paths is said under a guard, a truth value of its own: a
branch has a guard that implies its condition, places where branches meet have one that implies that of one of them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct, field

from ..solver import Term, z3
from .c_memory import (
    Array,
    Constant,
    Contents,
    Counter,
    Listed,
    Opaque,
    Reordered,
    Shared,
    State,
    Stored,
    Unknown,
)
from .c_products import Products


class OutOfTime(Exception):
    """The time is up that there was for a kernel."""


MILLISECONDS = 1500
DEPTH = 6


def is_term(value: Any) -> bool:
    """Whether a value is a term of the solver."""
    return isinstance(value, z3.ExprRef)


def number(value: Any) -> Term:
    """A value as an integer, as C makes one of a truth value."""
    return z3.If(value, 1, 0) if z3.is_bool(value) else value


class Knowledge(Struct, dict=True):
    """Facts so far, in layers that can be taken away again."""

    solver: Any = None
    scope: str = ""
    serial: int = 0
    trail: list[list[Callable[[], object]]] = field(default_factory=lambda: [[]])
    read_: dict[tuple[int, int], tuple[Contents, Term]] = field(default_factory=dict)
    indices: dict[int, list[Term]] = field(default_factory=dict)
    outcomes: dict[tuple[object, ...], Unknown] = field(default_factory=dict)
    depth: int = 0
    until: float = math.inf

    def __post_init__(self) -> None:
        self.solver = z3.SimpleSolver()
        self.solver.set("timeout", MILLISECONDS)
        self.products = Products(self.law)

    def law(self, fact: Term, undo: Callable[[], object]) -> None:
        """Say what holds anywhere, until this layer goes."""
        self.solver.add(fact)
        self.trail[-1].append(undo)

    def say(self, fact: Term, here: Term | None = None) -> None:
        """Say a fact, under a guard if there is one."""
        self.solver.add(fact if here is None else z3.Implies(here, fact))

    def push(self) -> None:
        """Begin a layer."""
        self.solver.push()
        self.trail.append([])

    def pop(self) -> None:
        """Forget all that was said since the layer began."""
        self.solver.pop()
        for undo in reversed(self.trail.pop()):
            undo()

    def fresh(self, stem: str) -> Term:
        """An unknown integer."""
        return z3.Int(self.fresh_name(stem))

    def guard(self) -> Term:
        """A truth value for a place."""
        return z3.Bool(self.fresh_name("here"))

    def unknown(self, stem: str) -> Unknown:
        """Contents of which nothing is known."""
        return Unknown(z3.Function(self.fresh_name(stem), z3.IntSort(), z3.IntSort()))

    def outcome(self, key: tuple[object, ...], stem: str) -> Unknown:
        """Contents that are the same whenever they are made of the same."""
        return self.outcomes.setdefault(key, self.unknown(stem))

    def fresh_name(self, stem: str) -> str:
        """A name that nothing else has in this scope."""
        self.serial += 1
        return f"{stem}~{self.scope}{self.serial}"

    @contextmanager
    def aside(self, name: str) -> Iterator[None]:
        """A scope: what is named in another one of the same name, begun at the same place, has the same names."""
        outer = (self.scope, self.serial)
        self.scope, self.serial = f"{self.scope}{self.serial}{name}", 0
        try:
            yield
        finally:
            self.scope, self.serial = outer

    @contextmanager
    def within(self, name: str) -> Iterator[None]:
        """A scope and a layer."""
        with self.aside(name):
            self.push()
            try:
                yield
            finally:
                self.pop()

    def branch(self, state: State, *conditions: Term) -> State:
        """A state in which conditions hold too."""
        here = self.guard()
        self.say(state.here, here)
        for condition in conditions:
            self.say(condition, here)
        return state.copy(here)

    def holds(self, here: Term, goal: Term) -> bool:
        """Whether a goal follows under a guard."""
        return bool(self.check(here, z3.Not(goal)) == z3.unsat)

    def check(self, *assumed: Term) -> Any:
        """What the solver says under some assumptions. Raises OutOfTime."""
        if time.process_time() > self.until:
            raise OutOfTime
        return self.solver.check(*assumed)

    def find_unproved(self, here: Term, goals: list[Term]) -> list[int]:
        """Those of several goals that do not follow under a guard, or are not found to."""
        left: dict[int, Term] = dict(enumerate(goals))
        out: list[int] = []
        while left:
            answer = self.check(here, z3.Not(z3.And(list(left.values()))))
            if answer == z3.unsat:
                return out
            wrong: list[int] = []
            if answer == z3.sat:
                model = self.solver.model()
                wrong = [n for n, goal in left.items() if z3.is_false(model.eval(goal, model_completion=True))]
            if not wrong:
                wrong = [n for n, goal in left.items() if not self.holds(here, goal)]
                if not wrong:
                    return out
            out += wrong
            for n in wrong:
                del left[n]
        return out

    def read_element(self, contents: Contents, index: Term) -> Any:
        """The element at an index, with all that is known of it."""
        match contents:
            case Opaque():
                return contents
            case Constant(value=value):
                return z3.IntVal(value)
            case Listed(extent=extent) | Counter(extent=extent):
                found = self.fresh("noted")
                self.say(z3.And(found >= 0, found < extent if isinstance(contents, Listed) else found <= extent))
                return found
            case Shared():
                return self.fresh("shared")
            case Stored(before=before, index=place, value=value):
                same = z3.simplify(index == place)
                if z3.is_true(same):
                    return value
                old = self.read_element(before, index)
                if isinstance(old, Opaque) or isinstance(value, Opaque):
                    return Opaque()
                return old if z3.is_false(same) else z3.If(index == place, value, old)
            case Reordered(before=before, size=size, place=place):
                self.say(z3.Implies(within(index, size), within(place(index), size)))
                return self.read_element(before, place(index))
            case Unknown():
                self.instantiate(contents, index)
                return contents.at(index)

    def instantiate(self, contents: Unknown, index: Term) -> None:
        """Say what is known of an element, once."""
        key = (id(contents), index.get_id())
        if key in self.read_ or self.depth > DEPTH:
            return
        self.read_[key] = (contents, index)
        known = self.indices.setdefault(id(contents), [])
        others = list(known)
        known.append(index)
        self.trail[-1].append(lambda: (self.read_.pop(key), known.pop()))
        self.depth += 1
        for here, fact in list(contents.facts):
            self.say(fact(index), here)
        for pair in contents.pairs:
            for other in others:
                self.say(pair(index, other))
                self.say(pair(other, index))
        for here, source in list(contents.sources):
            value = self.read_element(source, index)
            if not isinstance(value, Opaque):
                self.say(contents.at(index) == value, here)
        self.depth -= 1

    def renew(self, contents: Unknown) -> None:
        """Say what has become known of elements that have been read already."""
        for index in list(self.indices.get(id(contents), [])):
            for here, fact in contents.facts:
                self.say(fact(index), here)

    def element(self, array: Array, index: Term) -> Any:
        """An element of an array; one that is zero or not says something of how many are not."""
        value = self.read_element(array.contents, index)
        if array.counted is not None and is_term(value):
            inside = within(index, array.length)
            self.say(z3.Implies(z3.And(inside, value == 0), array.counted < array.length))
            self.say(z3.Implies(z3.And(inside, value != 0), array.counted > 0))
        return value

    def write_element(self, array: Array, index: Term, value: Any) -> Array:
        """An array after an element is written. What is written outside is no matter: that is refused elsewhere."""
        if isinstance(array.contents, Shared):
            return array
        contents: Contents = Opaque() if isinstance(array.contents, Opaque) else Stored(array.contents, index, value)
        counted = None
        if array.counted is not None and is_term(value):
            counted = self.fresh("counted")
            old = self.element(array, index)
            change = z3.If(value != 0, 1, 0) - z3.If(old != 0, 1, 0)
            self.say(z3.Implies(within(index, array.length), counted == array.counted + change))
            self.say(z3.And(counted >= 0, counted <= array.length))
        return Array(array.length, contents, array.type, counted=counted)


def assert_witness(know: Knowledge, array: Array, here: Term) -> None:
    """Say that an array in which some elements are not zero has one."""
    if array.counted is not None and not isinstance(array.contents, Opaque):
        k = know.fresh("k")
        value = know.read_element(array.contents, k)
        if is_term(value):
            know.say(z3.Implies(array.counted != 0, z3.And(within(k, array.length), value != 0)), here)


def within(index: Term, length: Term) -> Term:
    """Whether an index is one of an array of some length."""
    return z3.And(index >= 0, index < length)
