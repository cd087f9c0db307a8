"""Two threads of a kernel at one place of its text: what each expression is for the one and for the other.

What both read from the same place of an array at the same place of the text is the same: nobody stores there meanwhile,
or threads race, which is another matter. What a thread keeps to itself may be anything for each.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from itertools import count

from msgspec import Struct, field

from ....generator.ir import ir
from ....generator.ir.grid import THREAD
from ..solver import Term, decide, z3
from ..verdict import Proved

Both = tuple[Term, Term]
"""What something is for each of two threads."""
ARITHMETIC: Mapping[str, Callable[[Term, Term], Term]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
EXTREMES = {"gn_min_int64": lambda a, b: z3.If(a < b, a, b), "gn_max_int64": lambda a, b: z3.If(a < b, b, a)}


class TwoThreads(Struct):
    """Two threads of a group of so many lanes, which is a warp or all of a block of `threads`: what their variables
    hold."""

    threads: int
    lanes: int
    held: dict[str, Both] = field(default_factory=dict)
    private: set[str] = field(default_factory=set)
    numbers: count[int] = field(default_factory=count)

    def given(self) -> list[Term]:
        """What is known of the two."""
        first, second = self.value(THREAD)
        known = [first >= 0, second >= 0, first < self.threads, second < self.threads]
        return [*known, first / self.lanes == second / self.lanes] if self.lanes < self.threads else known

    def same(self, name: str) -> Both:
        """Something that is the same for both."""
        term = z3.Int(f"{name}!{next(self.numbers)}")
        return term, term

    def apart(self, name: str) -> Both:
        """Something that may be different."""
        return self.same(name)[0], self.same(name)[0]

    def agree(self, e: ir.Expr) -> bool:
        """Whether an expression is seen to be the same for both."""
        first, second = self.value(e)
        return first.eq(second) or isinstance(decide(first == second, given=self.given()), Proved)

    def value(self, e: ir.Expr) -> Both:
        """What an expression is."""
        match e:
            case ir.Name(name=THREAD.name):
                return z3.Int("thread!1"), z3.Int("thread!2")
            case ir.Name(name=name):
                return self.held.setdefault(name, (z3.Int(name), z3.Int(name)))
            case ir.Int(value=value):
                return z3.IntVal(value), z3.IntVal(value)
            case ir.Spelled(template="true" | "false" as word, args=()):
                return z3.BoolVal(word == "true"), z3.BoolVal(word == "true")
            case ir.Binary(operator="&&" | "||" as sign, left=left, right=right):
                join = z3.And if sign == "&&" else z3.Or
                return self.each(lambda a, b: join(truth(a), truth(b)), left, right)
            case ir.Binary(operator=sign, left=left, right=right) if sign in ARITHMETIC:
                return self.each(lambda a, b: ARITHMETIC[sign](number(a), number(b)), left, right)
            case ir.Unary(operator="!", operand=operand):
                return self.each(lambda a: z3.Not(truth(a)), operand)
            case ir.Unary(operator="-", operand=operand):
                return self.each(lambda a: -number(a), operand)
            case ir.Choice(condition=condition, then=then, orelse=orelse):
                return self.each(lambda c, a, b: z3.If(truth(c), number(a), number(b)), condition, then, orelse)
            case ir.Call(function=function, args=args) if function in EXTREMES:
                return self.each(lambda a, b: EXTREMES[function](number(a), number(b)), *args)
            case ir.Call(function=function) if "atomic" in function:
                return self.apart(function)
            case ir.Cast(operand=operand):
                return self.value(operand)
            case ir.Shuffle(way="from", lane=lane, lanes=lanes) if lanes >= self.lanes and self.agree(lane):
                return self.same("shuffled")
            case ir.Vote(lanes=lanes) if lanes >= self.lanes:
                return self.same("voted")
            case ir.Shuffle() | ir.Vote():
                return self.apart("shuffled")
            case ir.Element(array=ir.Name(name=name)) if name in self.private:
                return self.apart(name)
            case ir.Element(array=array, index=index):
                return self.known(f"element!{next(self.numbers)}", (array, index))
            case ir.Binary(operator=sign, left=left, right=right):
                return self.known(sign, (left, right))
            case ir.Unary(operator=sign, operand=operand):
                return self.known(sign, (operand,))
            case ir.Call(function=function, args=args):
                return self.known(function, args)
            case ir.Spelled(template=template, args=args):
                return self.known(template, args)

    def each(self, build: Callable[..., Term], *operands: ir.Expr) -> Both:
        """What is built of some operands, for each thread."""
        first, second = zip(*map(self.value, operands), strict=True)
        return build(*first), build(*second)

    def known(self, name: str, operands: Sequence[ir.Expr]) -> Both:
        """A function of which nothing is known but that it is one."""
        if not operands:
            return z3.Int(name), z3.Int(name)
        function = z3.Function(name, *[z3.IntSort()] * (len(operands) + 1))
        return self.each(lambda *args: function(*map(number, args)), *operands)


def truth(term: Term) -> Term:
    """A term as a truth."""
    return term if z3.is_bool(term) else term != 0


def number(term: Term) -> Term:
    """A term as a number."""
    return z3.If(term, 1, 0) if z3.is_bool(term) else term
