"""Touches: the accesses of any one thread of a kernel for GPUs, each with its place and with what holds there.

Each is taken as it stands in the kernel's IR, in any iterations of the loops around it: what loops assign to is
unknown, but where their counters begin and by what they go on. What iterations fill is what they have counted
(`fills`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Literal

from msgspec import Struct, field

from ....generator.cuda.outlining import expressions_of
from ....generator.ir import ir, traversal
from ....generator.ir.grid import BLOCK, BLOCKS, THREAD, THREADS
from ....generator.ir.traversal import inside
from ..c.c_products import Products
from ..c.c_turns import leaves
from ..solver import Term, z3
from .intervals import Loop, Site, Step
from .lists import Lists, place_in
from .two_threads import ARITHMETIC, EXTREMES, number, truth
from .uniformity import assignments, is_sort

Kind = Literal["read", "store", "atomic", "sort"]
WHOLE = z3.IntSort()
QUOTIENTS = {"/": "/", "%": "%", "gn_floordiv_int64": "/", "gn_mod_int64": "%"}
TURNS = "place in a turn of the grid"
"""What is left of a number when it is divided by that of all blocks, or threads: a function, since that is positive."""


class Touch(Struct, frozen=True):
    """An access of a thread: how, to which array, at which place, what holds where it happens, and where that is.

    A `sort` is what a group of so many threads does together; it has the thread, and the statement."""

    kind: Kind
    array: str
    place: Term
    here: tuple[Term, ...]
    site: Site
    sort: tuple[int, Term, int] | None = None


class Thread(Struct, dict=True):
    """A thread on its way through a kernel.

    `stored` are the arrays into which the kernel stores, `counted` says by how much counters go on after statements,
    and `lists` those of coordinates.
    """

    mark: int
    threads: int
    stored: frozenset[str]
    products: Products
    counted: Mapping[tuple[int, str], ir.Expr]
    lists: Lists
    serial: count[int] = field(default_factory=count)
    held: dict[str, Term] = field(default_factory=dict)
    private: set[str] = field(default_factory=set)
    parts: dict[str, tuple[str, Term]] = field(default_factory=dict)
    touches: list[Touch] = field(default_factory=list)
    fills: dict[str, tuple[Term, Term]] = field(default_factory=dict)
    here: tuple[Term, ...] = ()
    steps: list[Step] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    is_asking: bool = False

    def __post_init__(self) -> None:
        self.block, self.thread, self.blocks = self.own("block"), self.own("thread"), z3.Int("blocks")
        inside_grid = (self.block >= 0, self.block < self.blocks, self.thread >= 0, self.thread < self.threads)
        self.here = (*inside_grid, self.blocks > 0)
        names = {BLOCK: self.block, THREAD: self.thread, BLOCKS: self.blocks, THREADS: z3.IntVal(self.threads)}
        self.held |= {name.name: term for name, term in names.items()}

    @property
    def site(self) -> Site:
        """Where the thread stands."""
        return Site(tuple(self.steps), tuple(self.loops), self.is_asking)

    def own(self, stem: str) -> Term:
        """Something that this thread alone knows."""
        return z3.Int(f"{stem}!{self.mark}.{next(self.serial)}")

    def walk(self, code: ir.Code) -> bool:
        """Go on through some code. Whether control comes to its end."""
        for n, s in enumerate(code):
            self.steps.append((code, n))
            goes_on = self.step(s)
            self.steps.pop()
            if not goes_on:
                return False
        return True

    def step(self, s: ir.Stmt) -> bool:
        """Go on past a statement. Whether control comes to what follows."""
        match s:
            case ir.Declare(type=type, name=name, value=value):
                self.declare(type, name, value)
            case ir.Assign(target=ir.Name(name=name) as target, value=value, operator=sign):
                self.held[name] = self.value(value if sign == "=" else ir.Binary(sign[:-1], target, value))
            case ir.Assign(target=ir.Element() as place, value=value, operator=sign):
                before, self.here = self.here, (*self.here, *self.find_fills(s))
                self.value(value)
                self.touch("store", place)
                if sign != "=":
                    self.touch("read", place)
                self.here = before
            case ir.Atomic(update=ir.Assign(target=ir.Element() as place, value=value)):
                self.value(value)
                self.touch("atomic", place)
            case ir.If(condition=condition, then=then, orelse=orelse):
                return self.branch(truth(self.value(condition)), then, orelse)
            case ir.For():
                self.count(s)
            case ir.While(condition=condition, body=body):
                self.repeat(body, lambda: truth(self.value(condition)), None)
            case ir.Region(body=body):
                return self.walk(body)
            case ir.Jump() | ir.Return():
                return False
            case _:
                for e in expressions_of(s):
                    self.value(e)
        return True

    def declare(self, type: str, name: str, value: ir.Expr | None) -> None:
        """A variable, an array of the thread's own, or a part of an array."""
        match value:
            case ir.Unary(operator="&", operand=ir.Element(array=ir.Name(name=whole), index=index)):
                self.parts[name] = (whole, self.value(index))
                if name in self.lists.counters and isinstance(index, ir.Binary):
                    self.lists.extents[name] = number(self.value(index.right))
            case ir.Binary(left=start, right=ir.Element(array=ir.Name(name=first), index=index)) if is_fill(
                name, first
            ):
                begin, ahead = self.value(value), self.element(first, number(self.value(index)) + 1)
                self.held[name], self.fills[name] = begin, (begin, number(self.value(start)) + ahead)
            case None if "[" in type:
                self.private.add(name)
            case None:
                self.held[name] = self.own(name)
            case _:
                self.held[name] = self.value(value)

    def find_fills(self, s: ir.Stmt) -> Iterator[Term]:
        """What is known of the counters that count, after a statement, what it has filled."""
        for name, (begin, end) in self.fills.items():
            more = self.counted.get((id(s), name))
            if more is not None:
                yield z3.And(self.held[name] >= begin, self.held[name] + number(self.value(more)) <= end)

    def branch(self, condition: Term, then: ir.Code, orelse: ir.Code) -> bool:
        """Go on past a branch: what it assigns to is unknown then."""
        before, held = self.here, dict(self.held)
        self.here = (*before, condition)
        first = self.walk(then)
        self.here, self.held = (*before, z3.Not(condition)), held
        second = self.walk(orelse)
        self.here = before if first == second else (*before, condition if first else z3.Not(condition))
        self.forget(then + orelse)
        return first or second

    def count(self, loop: ir.For) -> None:
        """Go on past a loop that counts: its counter is so many steps from the begin."""
        begin = number(self.value(loop.begin))

        def turn() -> Term:
            end, step = number(self.value(loop.end)), number(self.value(loop.step))
            at = self.held[loop.name] = self.own(loop.name)
            return z3.And(at >= begin, at < end, self.is_step(at - begin, at, begin, step), *self.find_fills(loop))

        self.repeat(loop.body, turn, loop.name)

    def is_step(self, between: Term, at: Term, begin: Term, step: Term) -> Term:
        """Whether a counter is where the steps of its loop bring it, as far as that is seen."""
        shared, turns = z3.simplify(step), z3.Function(TURNS, WHOLE, WHOLE)
        if z3.is_int_value(shared):
            return between % shared == 0
        for size, own in self.numbers():
            first = z3.simplify(begin - own)
            rest = z3.simplify(step - self.blocks * size)
            if rest.eq(z3.IntVal(0)) and not is_in(self.thread, first, self.block):
                return turns(z3.simplify(at - first)) == own
        return z3.BoolVal(True)

    def numbers(self) -> Iterator[tuple[int, Term]]:
        """How many there are in a block of those that may run iterations, and the number of this thread's among all: of
        blocks, threads, and warps of any number of lanes."""
        yield 1, self.block
        for lanes in (1, 2, 4, 8, 16, 32):
            size = self.threads // lanes
            yield size, self.block * size + (self.thread if lanes == 1 else self.thread / lanes)

    def repeat(self, body: ir.Code, turn: Callable[[], Term], counter: str | None) -> None:
        """Go on past a loop: once through its body, with anything in what it assigns to."""
        before = self.here
        self.forget(body)
        self.is_asking = True
        self.here = (*before, turn())
        self.is_asking = False
        self.loops.append(Loop(len(self.steps), None if counter is None else self.held[counter]))
        self.walk(body)
        self.loops.pop()
        self.here = before
        self.forget(body)

    def forget(self, code: ir.Code) -> None:
        """What some code assigns to may be anything."""
        for name in set(assignments(code)) & self.held.keys():
            self.held[name] = self.own(name)

    def touch(self, kind: Kind, element: ir.Element) -> None:
        """Take down an access to an array that others reach."""
        name = element.array.name if isinstance(element.array, ir.Name) else ""
        place = number(self.value(element.index))
        counter = self.lists.counters.get(name)
        if counter is not None and isinstance(element.index, ir.Element) and place_in(element.index) == counter:
            self.lists.reached.append((name, place))
        self.touch_part(kind, name, place)

    def touch_part(self, kind: Kind, name: str, place: Term, sort: tuple[int, Term, int] | None = None) -> None:
        """Take down an access to an array, or to the part of one that has a name."""
        if name in self.parts:
            name, first = self.parts[name]
            place = first + place
        if name not in self.private:
            flat = self.products.term(self.products.sum(place))
            self.touches.append(Touch(kind, name, flat, self.here, self.site, sort))

    def sorting(self, e: ir.Expr) -> tuple[int, Term, int]:
        """How many threads sort together by a call, the thread, and which call it is."""
        lanes = [each.value for each in traversal.parts(e)[2:] if isinstance(each, ir.Int)]
        return (*lanes, self.threads)[0], self.thread, id(e)

    def value(self, e: ir.Expr) -> Term:
        """What an expression is."""
        noted = self.listed_value(e)
        if noted is not None:
            return noted
        match e:
            case ir.Name(name=name):
                return self.held.get(name, z3.Int(name))
            case ir.Int(value=value):
                return z3.IntVal(value)
            case ir.Spelled(template="true" | "false" as word, args=()):
                return z3.BoolVal(word == "true")
            case ir.Binary(operator="&&" | "||" as sign, left=left, right=right):
                sides = truth(self.value(left)), truth(self.value(right))
                return z3.And(*sides) if sign == "&&" else z3.Or(*sides)
            case ir.Binary(operator="*", left=left, right=right):
                return self.products.times(number(self.value(left)), number(self.value(right)))
            case ir.Binary(operator="/" | "%" as sign, left=left, right=right):
                return self.quotient(sign, left, right)
            case ir.Binary(operator=sign, left=left, right=right) if sign in ARITHMETIC:
                return ARITHMETIC[sign](number(self.value(left)), number(self.value(right)))
            case ir.Unary(operator="!", operand=operand):
                return z3.Not(truth(self.value(operand)))
            case ir.Choice(condition=condition, then=then, orelse=orelse):
                sides = number(self.value(then)), number(self.value(orelse))
                return z3.If(truth(self.value(condition)), *sides)
            case ir.Cast(operand=operand):
                return self.value(operand)
            case ir.Call(function=function, args=(first, second)) if function in EXTREMES:
                return EXTREMES[function](number(self.value(first)), number(self.value(second)))
            case ir.Call(function=function, args=(first, second)) if function in QUOTIENTS:
                return self.quotient(QUOTIENTS[function], first, second)
            case ir.Element(array=ir.Name(name=name), index=index) if name not in self.stored | self.private:
                if name not in self.parts:
                    return self.element(name, number(self.value(index)))
        return self.other(e)

    def listed_value(self, e: ir.Expr) -> Term | None:
        """What an expression is that reads a list or its counter, takes a place there, or sorts it; None for others."""
        names = [name for name, counter in self.lists.counters.items() if counter == place_in(e)]
        match e:
            case ir.Element(array=ir.Name(name=name), index=index) if name in self.lists.counters:
                self.touch("read", e)
                return self.lists.element(name, self.parts[name][1], number(self.value(index)))
            case ir.Element() if names:
                self.touch("read", e)
                held = self.own("count")
                self.lists.counts += [(name, held) for name in names]
                return held
            case ir.Call(args=(ir.Unary(operand=ir.Element() as counter), *_)) if names:
                self.touch("atomic", counter)
                place = self.own("place")
                self.lists.taken += [(name, self.parts[name][1], place) for name in names]
                return place
            case ir.Call(function=function, args=(ir.Name(name=name), *rest)) if is_sort(e):
                for each in rest:
                    self.value(each)
                place = self.own("sorted")
                self.lists.reached.append((name, place))
                if function.startswith("gn_sort_alone_"):
                    self.touch_part("store", name, place)
                else:
                    self.touch_part("sort", name, place, self.sorting(e))
                return place
            case _:
                return None

    def element(self, array: str, place: Term) -> Term:
        """An element of an array into which nobody stores."""
        return z3.Function(array, WHOLE, WHOLE)(place)

    def quotient(self, sign: str, left: ir.Expr, right: ir.Expr) -> Term:
        """A quotient by a positive number, or what that leaves, rounded down."""
        a, b = number(self.value(left)), number(self.value(right))
        if z3.is_int_value(b) and b.as_long() > 0:
            return a / b if sign == "/" else a % b
        return self.own("quotient")

    def other(self, e: ir.Expr) -> Term:
        """What nothing is known of; the accesses in it are taken down."""
        match e:
            case ir.Element():
                self.touch("read", e)
            case ir.Call(function=function, args=args):
                for each in args:
                    self.argument(each, function)
            case ir.Spelled(template=template, args=args):
                for each in args:
                    self.argument(each, template)
            case ir.Unary(operand=operand) | ir.Shuffle(value=operand) | ir.Vote(value=operand):
                self.value(operand)
            case ir.Binary(left=left, right=right):
                self.value(left), self.value(right)
            case _:
                pass
        return self.own("something")

    def argument(self, e: ir.Expr, function: str) -> None:
        """What a call is given: the address of an element, which is that of an atomic operation, an array, or a value.

        Functions that search a table meanwhile read it by atomic operations.
        """
        match e:
            case ir.Name(name=name) if name in self.stored:
                kind: Kind = "atomic" if function.endswith("_meanwhile") else "read"
                self.touches.append(Touch(kind, name, self.own("anywhere"), self.here, self.site))
            case ir.Unary(operator="&", operand=ir.Element() as place):
                self.touch("atomic" if "atomic" in function else "store", place)
            case ir.Unary(operator="&", operand=ir.Name(name=name)):
                self.held[name] = self.own(name)
            case _:
                self.value(e)


def is_fill(name: str, first: str) -> bool:
    """Whether a declaration is that of the counter of the positions that an iteration fills."""
    return name.endswith("_own") and first.endswith("_first")


def counters_after(code: ir.Code) -> Iterator[tuple[tuple[int, str], ir.Expr]]:
    """The statements of some code, each with a counter that goes on after it in the same block, and by how much."""
    for n, s in enumerate(code):
        for after in code[n + 1 :]:
            match after:
                case ir.Assign(target=ir.Name(name=name), value=ir.Int() | ir.Name() as more, operator="+="):
                    yield (id(s), name), more
                case _:
                    pass
        yield from counters_after(inside(s))


def is_in(thread: Term, term: Term, block: Term) -> bool:
    """Whether a term depends on who the thread is."""
    return any(each.eq(thread) or each.eq(block) for each in leaves(term))
