"""Collectives: what threads fold together is what a loop would fold, by the laws that an operator declares.

An operator that is associative and commutative gives the same for all orders and groupings, so what a fold is depends
only on how often each contribution is in it. Sums of unknown integers are equal where each of these is in both equally
often, so what holds of them holds for every such operator: a fold over lanes and warps is right if each thread has the
sum of all contributions in the end, and a scan if each has the sum of those up to its own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence

from ....generator.cuda.collective import Folded, fold
from ....generator.cuda.scan import scan
from ....generator.cuda.sizes import MOST, USUAL
from ....generator.ir import ir
from ....generator.ir.grid import LANES
from ....generator.ir.ir import Name
from ....generator.ir.routine import Routine
from ....generator.ir.writer import Writer
from ....generator.scope.team import Group
from ....reference.errors import InternalError
from ..solver import Term, decide, z3
from ..verdict import Verdict, together


def fold_is_whole(threads: int, of_warps: bool) -> Verdict:
    """Whether all threads of a block of so many have, after a fold, the sum of all contributions: one of each thread,
    or one of each warp."""
    root = Writer()
    routine, own = Routine("fold", root, root), Name("own")
    group, out = Group("block", threads, 0), root.inner()
    fold(group, Folded(own, "double", ir.ZERO, lambda a, b: (ir.Assign(a, b, "+="),)), of_warps, routine, out)
    start = [contribution(t - t % LANES if of_warps else t) for t in range(threads)]
    whole = z3.Sum(*start[:: LANES if of_warps else 1])
    return agree(Threads(start).run(out.code), [whole] * threads)


def folds_are_whole() -> Verdict:
    """Whether folds over blocks of one warp to the most that there are give everything, of threads and of warps."""
    return together(fold_is_whole(n, of_warps) for n in range(LANES, MOST + 1, LANES) for of_warps in (False, True))


def scan_is_whole() -> Verdict:
    """Whether each thread of a scan has the counts of all up to it."""
    kernel = scan("scan", Name("first"), Name("total"), Name("count", True))
    loop = next(s for s in kernel.body if isinstance(s, ir.For))
    inner = next(s for s in loop.body if isinstance(s, ir.For))
    start = [contribution(t) for t in range(USUAL)]
    return agree(Threads(start).run((inner,)), [z3.Sum(*start[: t + 1]) for t in range(USUAL)])


def contribution(thread: int) -> Term:
    """What a thread begins with."""
    return z3.Int(f"contribution!{thread}")


def agree(found: Sequence[Term], wanted: Sequence[Term]) -> Verdict:
    """Whether sums are those that are wanted; where all threads have one, it is looked at once."""
    pairs = dict.fromkeys((z3.simplify(f), z3.simplify(w)) for f, w in zip(found, wanted, strict=True))
    return together(decide(f == w) for f, w in pairs)


class Threads:
    """The threads of a block, each with a value of its own, running code whose control is the same for all of them."""

    def __init__(self, own: Sequence[Term]) -> None:
        self.own, self.other, self.threads = list(own), list(own), len(own)
        self.shared: dict[int, Term] = {}
        self.numbers: dict[str, list[int]] = {}

    def run(self, code: ir.Code) -> list[Term]:
        """What each has in the end."""
        for s in code:
            self.step(s, [True] * self.threads)
        return self.own

    def step(self, s: ir.Stmt, there: Sequence[bool]) -> None:
        """A statement, for the threads that come to it."""
        every = [t for t in range(self.threads) if there[t]]
        match s:
            case ir.For(name=name, begin=begin, end=end, body=body):
                for n in range(self.number(begin, 0), self.number(end, 0)):
                    self.numbers[name] = [n] * self.threads
                    for each in body:
                        self.step(each, there)
            case ir.If(condition=condition, then=then):
                holds = [there[t] and bool(self.number(condition, t)) for t in range(self.threads)]
                for each in then:
                    self.step(each, holds)
            case ir.Declare(value=ir.Shuffle(way="down", lane=lane)):
                self.other = [self.own[from_lane(t, t % LANES + self.number(lane, t))] for t in range(self.threads)]
            case ir.Declare(name=name, value=value) if value is not None:
                self.numbers[name] = [self.number(value, t) for t in range(self.threads)]
            case ir.Assign(target=ir.Element(index=index), value=Name()):
                self.shared |= {self.number(index, t): self.own[t] for t in every}
            case ir.Assign(value=ir.Element(index=index), operator="+="):
                taken = {t: self.shared[self.number(index, t)] for t in every}
                self.combine(taken)
            case ir.Assign(value=ir.Shuffle(way="from", lane=lane)):
                self.own = [self.own[from_lane(t, self.number(lane, t))] for t in range(self.threads)]
            case ir.Assign(value=Name(), operator="+="):
                self.combine({t: self.other[t] for t in every})
            case ir.Assign(value=ir.Int()):
                self.own = [z3.IntVal(0)] * self.threads
            case ir.Barrier():
                pass
            case _:
                raise InternalError(f"no fold does this: {s}")

    def combine(self, taken: Mapping[int, Term]) -> None:
        """Add what some threads take to what they have."""
        for t, term in taken.items():
            self.own[t] = self.own[t] + term

    def number(self, e: ir.Expr, t: int) -> int:
        """What index arithmetic is for a thread."""
        match e:
            case ir.Int(value=value):
                return value
            case Name(name="threadIdx.x"):
                return t
            case Name(name=name):
                return self.numbers[name][t]
            case ir.Binary(operator=sign, left=left, right=right):
                return int(INTEGERS[sign](self.number(left, t), self.number(right, t)))
            case _:
                raise InternalError(f"no fold counts so: {e}")


INTEGERS: Mapping[str, Callable[[int, int], int]] = {
    "-": operator.sub,
    "/": operator.floordiv,
    "%": operator.mod,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "==": operator.eq,
    ">=": operator.ge,
}
"""The signs that stand in folds and scans."""


def from_lane(t: int, lane: int) -> int:
    """The thread whose value a lane of a warp is given; its own where there is no such lane."""
    return t - t % LANES + lane if 0 <= lane < LANES else t
