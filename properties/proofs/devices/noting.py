"""Noting: kernels do to lists of coordinates what `devices.lists` says of threads, and nothing else.

A coordinate is put into a list where its flag has just been set, by a compare-and-swap or by the one thread that finds
it unset, at the place to which a counter stands, which goes on by one. The counter is set to 0 before anything is
noted, and where all flags are unset that the list leads to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from ....generator.ir import ir, traversal
from ....generator.ir.grid import THREAD
from ....generator.ir.traversal import inside
from ..c.c_lists import TAKE
from .lists import lists_of, place_in

Here = tuple[ir.Code, int]
"""A statement: the code that it stands in, and its place there."""
EXCHANGE = "gn_atomic_exchange_"


def misuses(kernel: ir.Function, threads: int) -> Iterator[str]:
    """What a kernel of blocks of so many threads does to its lists, and to their flags, that is no step, in words."""
    counters = dict(lists_of(kernel.body))
    yield from Use(counters, dict(flags_of(kernel.body, counters)), threads).of(kernel.body)


def flags_of(code: ir.Code, counters: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The arrays of flags in the conditions under which coordinates are put into lists, each with the list."""
    for s in code:
        if isinstance(s, ir.If):
            noted = [name for each in s.then if (name := array_of(each)) in counters]
            flag = flag_in(s.condition)
            if noted and flag is not None and isinstance(flag.array, ir.Name):
                yield flag.array.name, noted[0]
        yield from flags_of(inside(s), counters)


def array_of(s: ir.Stmt) -> str:
    """The array into which a statement stores; nothing for another statement."""
    match s:
        case ir.Assign(target=ir.Element(array=ir.Name(name=name))):
            return name
        case _:
            return ""


def flag_in(condition: ir.Expr) -> ir.Element | None:
    """The flag that a condition finds unset: it compares it, or sets it by a compare-and-swap as the last thing."""
    match condition:
        case ir.Binary(operator="!=", left=ir.Element() as flag, right=ir.Int(value=1)):
            return flag
        case ir.Binary(operator="&&", right=ir.Call(function=name, args=(ir.Unary(operand=flag), _, ir.Int(value=1)))):
            return flag if name.startswith(EXCHANGE) and isinstance(flag, ir.Element) else None
        case _:
            return None


class Use(Struct, frozen=True):
    """How a kernel uses lists, which have counters, and their flags: inside which conditions and how many loops it is,
    and what variables were declared to hold."""

    counters: Mapping[str, str]
    flags: Mapping[str, str]
    threads: int
    held: dict[str, ir.Expr] = field(default_factory=dict)
    around: tuple[tuple[ir.If, Here], ...] = ()
    loops: int = 0

    def of(self, code: ir.Code) -> Iterator[str]:
        """What some code does that is no step."""
        use = replace(self, held=dict(self.held))
        for n, s in enumerate(code):
            if isinstance(s, ir.Declare) and s.value is not None:
                use.held[s.name] = s.value
            if not use.is_step(s, (code, n)):
                yield f"{array_of(s) or 'an array'} is changed where nothing is noted or forgotten"
            if isinstance(s, ir.If):
                yield from replace(use, around=(*use.around, (s, (code, n)))).of(s.then)
                yield from use.of(s.orelse)
            else:
                yield from replace(use, loops=use.loops + isinstance(s, ir.For | ir.While)).of(inside(s))

    def is_step(self, s: ir.Stmt, here: Here) -> bool:
        """Whether a statement does nothing to a list, its counter or its flags but what a step does."""
        name, owned = array_of(s), {*self.counters, *self.counters.values(), *self.flags}
        if isinstance(s, ir.Atomic):
            return array_of(s.update) not in owned
        if not isinstance(s, ir.Assign) or name not in owned:
            return True
        assert isinstance(s.target, ir.Element)
        if name in self.counters:
            return self.notes(name, s, here)
        if name in self.flags:
            follows = array_of(after(here)) == self.flags[name] if s.value == ir.ONE else self.unsets(name, s.target)
            return s.operator == "=" and s.value in (ir.ONE, ir.ZERO) and follows
        begins = s.operator == "=" and s.value == ir.ZERO and self.may_begin(name, here)
        goes_on = s.operator == "+=" and s.value == ir.ONE and self.counters.get(array_of(before(here))) == name
        return begins or goes_on

    def notes(self, name: str, s: ir.Assign, here: Here) -> bool:
        """Whether a store notes the coordinate whose flag has just been set, at a place that is taken by it alone."""
        flag = flag_in(self.around[-1][0].condition) if self.around else None
        if flag is None or not isinstance(s.target, ir.Element) or place_in(s.target.index) != self.counters[name]:
            return False
        coordinate = s.value.operand if isinstance(s.value, ir.Cast) else s.value
        swapped = isinstance(self.around[-1][0].condition, ir.Binary) and self.around[-1][0].condition.operator == "&&"
        is_set = swapped or before(here) == ir.Assign(flag, ir.ONE)
        at_once = s.target.index == ir.Call(TAKE, (ir.Unary("&", counter_of(s.target.index)), ir.ONE))
        goes_on = at_once or after(here) == ir.Assign(s.target.index, ir.ONE, "+=")
        return is_set and goes_on and self.value(flag.index) == self.value(coordinate)

    def unsets(self, name: str, flag: ir.Element) -> bool:
        """Whether a flag is unset before anything is noted, or as one that the list leads to."""
        listed = isinstance(flag.index, ir.Element) and flag.index.array == ir.Name(self.flags[name])
        return listed or self.loops < 2

    def may_begin(self, counter: str, here: Here) -> bool:
        """Whether a list may begin anew at a statement, which one thread of a group may stand for: before all loops, or
        after one that unsets the flags that it leads to, with a barrier between them at most."""
        if not self.loops:
            return True
        if self.around and self.around[-1][0].then == here[0]:
            here = self.around[-1][1]
        rest = [s for s in here[0][: here[1]] if not isinstance(s, ir.Barrier)]
        return bool(rest) and isinstance(rest[-1], ir.For) and self.forgets(rest[-1], counter)

    def forgets(self, loop: ir.For, counter: str) -> bool:
        """Whether a loop goes through all of a list, each thread of those that own it through its share, and unsets the
        flags that it leads to."""
        shares = {(ir.ZERO, ir.ONE), (THREAD, ir.Int(self.threads)), (ir.mod(THREAD, loop.step), loop.step)}
        places = [(flag, ir.Element(ir.Name(name), ir.Name(loop.name))) for flag, name in self.flags.items()]
        unset = [ir.Assign(ir.Element(ir.Name(flag), place), ir.ZERO) for flag, place in places]
        every = (loop.begin, loop.step) in shares and place_in(self.value(loop.end)) == counter
        return every and any(each in loop.body for each in unset)

    def value(self, e: ir.Expr) -> ir.Expr:
        """What an expression is, or what the variable that it is was declared to hold."""
        while isinstance(e, ir.Name) and isinstance(self.held.get(e.name), ir.Name | ir.Element):
            e = self.held[e.name]
        return e


def counter_of(index: ir.Expr) -> ir.Expr:
    """The element that a place is taken from."""
    return next((e for e in traversal.subterms(index) if isinstance(e, ir.Element)), index)


def before(here: Here) -> ir.Stmt:
    """The statement before one, if there is any."""
    code, n = here
    return code[n - 1] if n else ir.Comment("")


def after(here: Here) -> ir.Stmt:
    """The statement after one, if there is any."""
    code, n = here
    return code[n + 1] if n + 1 < len(code) else ir.Comment("")
