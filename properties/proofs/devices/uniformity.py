"""Uniformity: what stands around a barrier goes the same way for all threads that must meet there.

All threads of a block meet at a barrier of the block, the lanes of a warp at its barriers and shuffles. So each
condition around one, and the range of each loop, must be the same for any two of them, and so must what jumps out of
such a loop. Variables that a loop assigns to are taken to be the same before each of its iterations, as long as they
are the same after it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from ....generator.cuda.outlining import expressions_of
from ....generator.ir import ir, traversal
from ....generator.ir.traversal import inside, leaves
from ..solver import Term, decide, z3
from ..verdict import Proved, Unknown, Verdict
from .two_threads import Both, TwoThreads, truth


def uniform(kernel: ir.Function, threads: int) -> Iterator[Verdict]:
    """Whether all threads of a block of so many, and all lanes of each of its warps, come to the barriers of a kernel
    together: a verdict for each condition and each range around one."""
    for lanes in dict.fromkeys((threads, *lanes_of(kernel.body))):
        yield from Walk(TwoThreads(threads, lanes)).verdicts(kernel.body)


class Walk(Struct):
    """A walk of two threads through a kernel. `asked` is what must be the same, where they have come to it."""

    two: TwoThreads
    asked: list[tuple[str, list[Term], Term]] = field(default_factory=list)
    jumps: bool = False

    def verdicts(self, code: ir.Code) -> Iterator[Verdict]:
        """Whether what must be the same is, one by one."""
        self.walk(code, [])
        for what, path, goal in self.asked:
            found = decide(goal, given=[*self.two.given(), *path], show={"thread": z3.Int("thread!1")})
            yield Unknown(f"{what}: {found.reason}") if isinstance(found, Unknown) else found

    def walk(self, code: ir.Code, path: list[Term]) -> None:
        """Go on through some code, on a path that both have taken."""
        for s in code:
            self.step(s, path)

    def step(self, s: ir.Stmt, path: list[Term]) -> None:
        """Go on past a statement."""
        held = self.two.held
        match s:
            case ir.Declare(type=type, name=name, value=value):
                if "[" in type:
                    self.two.private.add(name)
                held[name] = self.two.apart(name) if value is None else self.hold(value)
            case ir.Assign(target=ir.Name() as target, value=value, operator=sign):
                whole = value if sign == "=" else ir.Binary(sign[:-1], target, value)
                held[target.name] = self.hold(whole)
            case ir.Do(expression=ir.Call(args=(_, many, *_)) as e) if is_sort(e) and any(meetings((s,), self.two)):
                self.ask("how many are sorted", many, path)
            case ir.Do(expression=e):
                self.hold(e)
            case ir.If(condition=condition, then=then, orelse=orelse):
                self.branch(condition, then, orelse, path)
            case ir.For(name=name, begin=begin, end=end, step=step, body=body):
                meets = any(meetings(body, self.two))
                if meets:
                    for what, e in (("begin", begin), ("end", end), ("step", step)):
                        self.ask(f"the {what} of the loop over {name}", e, path)
                often = all(self.is_same(self.two.value(e), path) for e in (begin, end, step))
                self.loop(body, path, meets, often, name)
            case ir.While(condition=condition, body=body):
                meets = any(meetings(body, self.two))
                if meets:
                    self.ask("the condition of a loop", condition, path)
                self.loop(body, path, meets, self.is_same(self.two.value(condition), path), None)
            case ir.Region(body=body):
                self.walk(body, path)
            case _:
                pass

    def hold(self, e: ir.Expr) -> Both:
        """What an expression is; variables whose addresses it gives away hold something else then."""
        for each in traversal.subterms(e):
            match each:
                case ir.Call(function=function, args=args):
                    given = [name for a in args for name in address_of(a)]
                    others = tuple(a for a in args if not address_of(a))
                    for name in given:
                        out = ir.Call(f"{name} of {function}", others)
                        self.two.held[name] = self.two.apart(name) if "atomic" in function else self.two.value(out)
                case _:
                    pass
        return self.two.value(e)

    def branch(self, condition: ir.Expr, then: ir.Code, orelse: ir.Code, path: list[Term]) -> None:
        """Go on past a branch."""
        if self.meets(then + orelse):
            self.ask("a condition around a barrier", condition, path)
        here = tuple(map(truth, self.two.value(condition)))
        before = dict(self.two.held)
        self.walk(then, [*path, *here])
        after, self.two.held = self.two.held, before
        self.walk(orelse, [*path, *map(z3.Not, here)])
        for name in set(assignments(then + orelse)) & set(self.two.held) & set(after):
            pairs = zip(here, after[name], self.two.held[name], strict=True)
            first, second = (z3.If(c, *of_one_sort(a, b)) for c, a, b in pairs)
            self.two.held[name] = (first, second)

    def loop(self, body: ir.Code, path: list[Term], meets: bool, often: bool, counter: str | None) -> None:
        """Go on past a loop, in which threads meet or do not, and which they go round equally `often` or may not.

        What its body assigns to is what it may be after any number of iterations.
        """
        names = [each for each in dict.fromkeys(assignments(body)) if each in self.two.held]
        alike = meets or (often and not leaves(body))
        apart = {each for each in names if not alike or not self.is_same(self.two.held[each], path)}
        outer, before = self.jumps, len(self.asked)
        while True:
            del self.asked[before:]
            self.jumps = meets
            for each in names:
                self.two.held[each] = self.two.apart(each) if each in apart else self.two.same(each)
            if counter is not None:
                self.two.held[counter] = self.two.same(counter) if meets else self.two.apart(counter)
            self.walk(body, path)
            again = {each for each in names if each not in apart and not self.is_same(self.two.held[each], path)}
            if not again:
                break
            apart |= again
        self.jumps = outer
        for each in names:
            self.two.held[each] = self.two.apart(each) if each in apart else self.two.same(each)

    def is_same(self, both: Both, path: list[Term]) -> bool:
        """Whether something is seen to be the same for both."""
        first, second = both
        return first.eq(second) or isinstance(decide(first == second, given=[*self.two.given(), *path]), Proved)

    def ask(self, what: str, e: ir.Expr, path: list[Term]) -> None:
        """Ask whether an expression is the same for both, who have come here."""
        first, second = self.two.value(e)
        self.asked.append((what, list(path), first == second))

    def meets(self, code: ir.Code) -> bool:
        """Whether threads meet in some code, or leave a loop in which they do."""
        return any(meetings(code, self.two)) or (self.jumps and leaves(code))


def meetings(code: ir.Code, two: TwoThreads) -> Iterator[ir.Stmt]:
    """The statements at which the threads of a group meet."""
    for s in code:
        of_block = (isinstance(s, ir.Barrier) and s.scope == "block") or is_sort(s, "gn_sort_block_")
        if (of_block and two.lanes == two.threads) or two.lanes in lanes_at(s):
            yield s
        yield from meetings(inside(s), two)


def lanes_of(code: ir.Code) -> Iterator[int]:
    """How many lanes the warps have that meet in some code."""
    for s in code:
        yield from lanes_at(s)
        yield from lanes_of(inside(s))


def lanes_at(s: ir.Stmt) -> list[int]:
    """How many lanes the warps have that meet at a statement."""
    if isinstance(s, ir.Barrier):
        return [s.lanes] if s.scope == "warp" else []
    if isinstance(s, ir.Do) and is_sort(s, "gn_sort_warp_"):
        return [lanes.value for lanes in traversal.parts(s.expression)[2:] if isinstance(lanes, ir.Int)]
    terms = (term for e in expressions_of(s) for term in traversal.subterms(e))
    return [term.lanes for term in terms if isinstance(term, ir.Shuffle | ir.Vote)]


def is_sort(s: ir.Stmt | ir.Expr, begin: str = "gn_sort_") -> bool:
    """Whether a statement puts a list in order, or a call does, by a function whose name begins so."""
    call = s.expression if isinstance(s, ir.Do) else s
    return isinstance(call, ir.Call) and call.function.startswith(begin)


def assignments(code: ir.Code) -> Iterator[str]:
    """The variables that some code assigns to, or whose addresses it gives away."""
    for s in code:
        match s:
            case ir.Assign(target=ir.Name(name=name)):
                yield name
            case _:
                pass
        yield from (name for e in expressions_of(s) for t in traversal.subterms(e) for name in address_of(t))
        yield from assignments(inside(s))


def address_of(e: ir.Expr) -> tuple[str, ...]:
    """The variable whose address an expression is, if it is one's."""
    match e:
        case ir.Unary(operator="&", operand=ir.Name(name=name)):
            return (name,)
        case _:
            return ()


def of_one_sort(a: Term, b: Term) -> tuple[Term, Term]:
    """Two terms of one sort."""
    if z3.is_bool(a) == z3.is_bool(b):
        return a, b
    return truth(a), truth(b)
