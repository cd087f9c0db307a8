"""Collectives: what threads fold together is what a loop would fold, by the laws that an operator declares.

An operator that is associative and commutative gives the same for all orders and groupings, so what a fold is depends
only on how often each contribution is in it. Sums of unknown integers are equal where each of these is in both equally
often, so what holds of them holds for every such operator: a fold over lanes and warps is right if each thread has the
sum of all contributions in the end, and a scan if each has the sum of those up to its own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence

from ....generator.cuda.collective import Folded, FoldedFlag, fold
from ....generator.cuda.scan import scan_parts, scan_reached
from ....generator.cuda.sizes import MOST, USUAL
from ....generator.ir import ir
from ....generator.ir.ir import LANES, Name
from ....generator.ir.routine import Routine
from ....generator.ir.writer import Writer
from ....generator.scope.team import Group
from ....reference.errors import InternalError
from ..solver import Term, decide, z3
from ..verdict import Verdict, together


def fold_is_whole(group: Group, of_warps: bool, kind: type[Folded] = Folded) -> Verdict:
    """Whether all threads of a group have, after a fold, the sum of all contributions: one of each thread, or one of
    each warp. Flags that lanes vote on are taken for sums."""
    root, own, add = Writer(), Name("own"), lambda a, b: (ir.Assign(a, b, "+="),)
    out = root.inner()
    fold(group, kind(own, "double", ir.ZERO, add), of_warps, Routine("fold", root, root), out)
    start = [contribution(t - t % group.lanes if of_warps else t) for t in range(group.threads)]
    several = group.lanes if of_warps else 1
    whole = [z3.Sum(*start[t:][: group.size : several]) for t in range(0, group.threads, group.size)]
    return agree(Threads(start).run(out.code), [each for each in whole for _ in range(group.size)])


def folds_are_whole() -> Verdict:
    """Whether folds give everything: of threads and of warps of blocks of one warp to the most that there are, and of
    the lanes of warps, of which several may lie in one of CUDA's; of values and of flags."""
    blocks = [Group("block", n, 0) for n in range(LANES, MOST + 1, LANES)]
    small = [Group(scope, 2 * LANES, 0, lanes) for scope in ("block", "warp") for lanes in (2, 4, 8, 16)]
    whole = [fold_is_whole(group, of_warps) for group in (*blocks, *small[:4]) for of_warps in (False, True)]
    flags = [fold_is_whole(group, False, FoldedFlag) for group in (*blocks[::7], *small)]
    return together((*whole, *(fold_is_whole(group, False) for group in small[4:]), *flags))


def scan_is_whole() -> Verdict:
    """Whether each thread of a block that scans has the counts of all up to it, in both kernels that do."""
    first, reached, count = Name("first"), Name("reached"), Name("count", True)
    rounds = next(s for s in scan_reached("reached", reached, count).body if isinstance(s, ir.For)).body
    start = [contribution(t) for t in range(USUAL)]
    every = [z3.Sum(*start[: t + 1]) for t in range(USUAL)]
    trees = (s for code in (scan_parts("parts", first, reached, count).body, rounds) for s in code)
    return together(agree(Threads(start).run((s,)), every) for s in trees if isinstance(s, ir.For))


def contribution(thread: int) -> Term:
    """What a thread begins with."""
    return z3.Int(f"contribution!{thread}")


def agree(found: Sequence[Term], wanted: Sequence[Term]) -> Verdict:
    """Whether sums are those that are wanted; where all threads have one, it is looked at once."""
    pairs = {(f.get_id(), w.get_id()): (f, w) for f, w in zip(found, wanted, strict=True)}
    return decide(z3.And([z3.simplify(f) == z3.simplify(w) for f, w in pairs.values()]))


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
            case ir.Declare(value=ir.Shuffle(way="xor", lane=lane, lanes=lanes)):
                self.other = [self.own[in_warp(t, t ^ self.number(lane, t), lanes)] for t in range(self.threads)]
            case ir.Declare(name=name, value=value) if value is not None:
                self.numbers[name] = [self.number(value, t) for t in range(self.threads)]
            case ir.Assign(target=ir.Element(index=index), value=Name()):
                self.shared |= {self.number(index, t): self.own[t] for t in every}
            case ir.Assign(value=ir.Element(index=index), operator="+="):
                taken = {t: self.shared[self.number(index, t)] for t in every}
                self.combine(taken)
            case ir.Assign(value=ir.Vote(lanes=lanes)):
                warps = [self.own[t - t % lanes :][:lanes] for t in range(self.threads)]
                self.own = [z3.Sum(*warp) for warp in warps]
            case ir.Assign(value=ir.Shuffle(way="from", lane=lane, lanes=lanes)):
                wanted = [t - t % LANES + self.number(lane, t) % LANES for t in range(self.threads)]
                self.own = [self.own[in_warp(t, of, lanes)] for t, of in enumerate(wanted)]
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


def in_warp(t: int, other: int, lanes: int) -> int:
    """The thread whose value another one is given. Raises InternalError if they are of two warps of so many lanes."""
    if t // lanes != other // lanes:
        raise InternalError(f"thread {t} asks for the value of thread {other}, which is not in its warp")
    return other
