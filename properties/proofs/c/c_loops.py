"""Loops: an arbitrary turn, about which is known what is known before the loop and kept by every turn.

The invariants are what is left of the candidates when no more of them fails (Houdini: Flanagan and Leino 2001).
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ..solver import Term, z3
from .c_candidates import Candidates
from .c_execution import Execution
from .c_expressions import condition
from .c_facts import assert_witness, is_term
from .c_guesses import ELEMENT, INDEX, LISTED, Candidate, Name, contents_of, now, number, old
from .c_meetings import merge_states
from .c_memory import Address, Array, Fact, List, Opaque, Shared, State, Unknown, Value
from .c_slices import STATUS, Slice, append_counters, goes_on, growth, is_unaffected, slice_loop
from .c_tree import Node, all_nodes, c_ast, changes, is_fill

ROUNDS = 30
Site = tuple[int, tuple[int, ...]]


class Guesses(Struct):
    """What is remembered of the loops of a kernel, each in the calls that lead to it.

    Of all of them the candidates, those that have failed, and the growth of its counters.
    """

    made: dict[Site, list[Candidate]] = field(default_factory=dict)
    gone: dict[Site, set[Any]] = field(default_factory=dict)
    slices: dict[tuple[int, str], Slice | None] = field(default_factory=dict)


def by_invariants(guesses: Guesses, run: Execution, loop: Node, entry: State) -> State | None:
    """The state after a loop."""
    head, last = arbitrary_turn(run, loop, entry), arbitrary_turn(run, loop, entry)
    site = (id(loop), run.frame.path)
    gone = guesses.gone.setdefault(site, set())
    if site not in guesses.made:
        guesses.made[site] = list(Candidates(run, loop, entry, head, tests(loop.cond)).all())
    with run.know.within("entry"):
        alive = keep_holding(run, [c for c in guesses.made[site] if c.key not in gone], entry, entry, gone)
    goals, run.goals = run.goals, False
    alive, failed = inductive(run, loop, entry, head, alive, gone)
    after = assume_invariants(run, alive, entry, last)
    after = run.know.branch(after, z3.Not(condition(run, loop.cond, after)))
    assert_growth(guesses, run, loop, entry, after)
    run.goals = goals
    if goals:
        with run.know.within("goals"):
            assert_completion(run, loop, entry, head, alive, after)
            with run.know.within("turn"):
                turn(run, loop, entry, head, alive)
    leave(run, loop, entry, failed)
    for value in after.variables.values():
        if isinstance(value, Array) and value.counted is not None:
            assert_witness(run.know, value, after.here)
    if isinstance(loop, c_ast.For) and isinstance(loop.init, c_ast.DeclList):
        for declared in loop.init.decls:
            after.variables.pop(run.key(declared.name), None)
    return after


def inductive(
    run: Execution, loop: Node, entry: State, head: State, alive: list[Candidate], gone: set[Any]
) -> tuple[list[Candidate], frozenset[str]]:
    """Those of the candidates that every turn keeps if it begins with all of them; and the labels that turns leave the
    loop for only where they fail."""
    for _ in range(ROUNDS):
        with run.know.within("round"):
            _, end, jumps = turn(run, loop, entry, head, alive)
            left = alive if end is None else keep_holding(run, alive, entry, end, gone)
            if len(left) == len(alive):
                return left, frozenset(label for label, ends in jumps.items() if all(fails(run, each) for each in ends))
        alive = left
    return [], frozenset()


def fails(run: Execution, state: State) -> bool:
    """Whether the status says that something has failed, wherever a state is that of a run."""
    status: Value = state.variables.get(run.key("status"))
    return is_term(status) and run.know.holds(state.here, status > 0)


def assert_growth(guesses: Guesses, run: Execution, loop: Node, entry: State, after: State) -> None:
    """Say how far the loop's variables have moved, as a function of what it began with."""
    for name in sorted(changes(loop).variables):
        before, moved = entry.variables.get(run.key(name)), after.variables.get(run.key(name))
        if name in STATUS or not is_term(before) or not is_term(moved):
            continue
        place = (id(loop), name)
        if place not in guesses.slices:
            guesses.slices[place] = slice_loop(loop, name)
        found = guesses.slices[place]
        if found is None:
            continue
        total = growth(found, {each: entry.variables.get(run.key(each)) for each in found.inputs})
        if total is not None:
            excused = z3.BoolVal(False) if is_unaffected(loop) else run.has_failed(after)
            run.know.say(z3.Or(excused, moved == before + total), after.here)


def assert_completion(
    run: Execution, loop: Node, entry: State, head: State, alive: list[Candidate], after: State
) -> None:
    """Say of an arbitrary turn what is so if the loop completes: what it appends is a part of all that is appended.

    What a turn does before something fails does not depend on that: it is as in a run in which there is memory.
    """
    names = [name for name in sorted(append_counters(loop)) if run.key(name) in entry.variables]
    fills = any(is_fill(part) for part in all_nodes(loop.stmt))
    if not (names or fills) or not goes_on(loop):
        return
    goals, run.goals = run.goals, False
    with run.know.aside("turn"):
        begun, end, _ = turn(run, loop, entry, head, alive)
    run.goals = goals
    if end is None:
        return
    run.know.say(after.here, entry.here)
    run.know.say(end.here, begun)
    status = run.key("status")
    if is_term(end.variables.get(status)):
        run.know.say(end.variables[status] == 0, end.here)
    for name in names:
        run.know.say(end.variables[run.key(name)] <= after.variables[run.key(name)], end.here)


def tests(cond: Node) -> list[Node]:
    """The comparisons that a condition is made of."""
    if isinstance(cond, c_ast.BinaryOp) and cond.op == "&&":
        return [*tests(cond.left), *tests(cond.right)]
    return [cond]


def arbitrary_turn(run: Execution, loop: Node, entry: State) -> State:
    """The state before an arbitrary turn: what the loop changes is unknown."""
    parts = [p for p in (loop.stmt, loop.cond, getattr(loop, "next", None)) if p is not None]
    variables, contents = set(), set()
    for part in parts:
        found = changes(part)
        handed = {name for name in found.contents if isinstance(entry.variables.get(run.key(name)), Address)}
        variables |= {target(run, name, entry) for name in found.variables | handed}
        contents |= {target(run, name, entry) for name in found.contents}
    now = dict(entry.variables)
    for key in (variables | contents) & now.keys():
        now[key] = any_value(run, key, now[key], key in variables)
    return State(entry.here, now)


def target(run: Execution, name: str, state: State) -> str:
    """The key of a variable, or of what it points to."""
    value = state.variables.get(run.key(name))
    return value.key if isinstance(value, Address) else run.key(name)


def any_value(run: Execution, key: str, value: Value, itself: bool) -> Value:
    """Any value of the same kind."""
    know, stem = run.know, key.rpartition(":")[2]
    if is_term(value):
        return know.fresh(stem) if itself else value
    if isinstance(value, List):
        size = know.fresh(f"{stem}.size")
        know.say(size >= 0)
        return List(size, know.unknown(f"{stem}.coordinate"), know.unknown(f"{stem}.position"))
    if not isinstance(value, Array):
        return Opaque()
    length = value.length
    if itself:
        length = know.fresh(f"{stem}.length")
        know.say(length >= 0)
    counted = None
    if value.counted is not None:
        counted = know.fresh(f"{stem}.counted")
        know.say(z3.And(counted >= 0, counted <= length))
    held = value.contents if isinstance(value.contents, Opaque | Shared) else know.unknown(stem)
    return Array(length, held, value.type, value.frozen, counted)


def assume_invariants(run: Execution, alive: list[Candidate], entry: State, head: State) -> State:
    """A state like the one before a turn, in which the invariants hold."""
    now = State(run.know.guard(), dict(head.variables))
    run.know.say(entry.here, now.here)
    for key, value in now.variables.items():
        before = entry.variables[key]
        if isinstance(value, Array) and isinstance(before, Array) and value.contents is not before.contents:
            if isinstance(value.contents, Unknown):
                now.variables[key] = replace(value, contents=Unknown(value.contents.at))
        elif isinstance(value, List) and value is not before:
            sides = [Unknown(each.at) for each in (value.coordinate, value.position) if isinstance(each, Unknown)]
            now.variables[key] = List(value.size, *sides)
    with run.know.aside("claims"):
        values, known = instance(run, alive, entry, now)
        alive = [each for each in alive if each.names <= known]
        for found in substitute(run, [each for each in alive if each.of is None], values):
            run.know.say(found, now.here)
        for of in dict.fromkeys(each.of for each in alive if each.of is not None):
            learn(run, [each for each in alive if each.of == of], values, now)
    return now


def learn(run: Execution, about: list[Candidate], values: list[tuple[Term, Term]], state: State) -> None:
    """Add what invariants say of the elements of one array to what is known of its contents."""
    assert about[0].of is not None
    contents = contents_of(about[0].of, state.variables)
    assert isinstance(contents, Unknown)
    plain = substitute(run, [each for each in about if each.listed is None], values)
    if plain:
        contents.facts.append((state.here, element_fact(z3.And(plain), contents)))
    for each in about:
        if each.listed is not None:
            (found,) = substitute(run, [each], values)
            contents.facts.append((state.here, listed_fact(run, found, each, state)))
    run.know.renew(contents)


def instance(
    run: Execution, alive: list[Candidate], entry: State, state: State
) -> tuple[list[tuple[Term, Term]], set[Name]]:
    """What the numbers in guesses are, before the loop and in a state; and those that are anything there."""
    found: list[tuple[Term, Term]] = []
    known: set[Name] = set()
    for name in dict.fromkeys(name for each in alive for name in sorted(each.names)):
        before, value = number(run.know, name, entry.variables), number(run.know, name, state.variables)
        if before is not None and value is not None:
            found += [(old(name), before), (now(name), value)]
            known.add(name)
    return found, known


def substitute(run: Execution, guesses: list[Candidate], values: list[tuple[Term, Term]]) -> list[Term]:
    """The formulas of guesses with values in the place of numbers."""
    if not guesses:
        return []
    whole = z3.substitute(z3.And([*[each.formula for each in guesses], z3.BoolVal(True)]), *values)
    found = whole.children()[:-1]
    return [run.know.products.flat(f) if g.multiplied else f for f, g in zip(found, guesses, strict=True)]


def element_fact(formula: Term, contents: Unknown) -> Fact:
    """What an invariant says of the element at an index."""
    return lambda k: z3.substitute(formula, (INDEX, k), (ELEMENT, contents.at(k)))


def listed_fact(run: Execution, formula: Term, guess: Candidate, state: State) -> Fact:
    """What an invariant says of an element and of another that it leads to."""
    assert guess.of is not None and guess.listed is not None
    contents, other = contents_of(guess.of, state.variables), state.variables[guess.listed].contents
    assert isinstance(contents, Unknown)

    def fact(k: Term) -> Term:
        x = contents.at(k)
        y = run.know.read_element(other, listed_index(guess, k, x))
        return z3.substitute(formula, (INDEX, k), (ELEMENT, x), (LISTED, y))

    return fact


def listed_index(guess: Candidate, k: Term, x: Term) -> Term:
    """Where the other element is: before the first in the same array, or in another array where the first says."""
    assert guess.of is not None
    return k - 1 if guess.listed == guess.of[1] else x - 1


def turn(
    run: Execution, loop: Node, entry: State, head: State, alive: list[Candidate]
) -> tuple[Term, State | None, dict[str, list[State]]]:
    """Where a turn is that begins with the invariants, the state after it, None if no turn comes to its end, and those
    in which it leaves the loop, by label."""
    now = assume_invariants(run, alive, entry, head)
    outer, run.frame = run.frame, run.frame.aside()
    start = run.know.branch(now, condition(run, loop.cond, now))
    inner: State | None = None
    if run.goals and never_turns(run, now, start):
        run.report_unreached(loop.stmt, now)
    else:
        inner = run.statement(run, loop.stmt, start)
    ends, jumps = [*([inner] if inner is not None else []), *run.frame.continued], run.frame.pending
    run.frame = outer
    end = merge_states(run.know, ends)
    if end is not None and getattr(loop, "next", None) is not None:
        end = run.statement(run, loop.next, end)
    return start.here, end, jumps


def never_turns(run: Execution, now: State, start: State) -> bool:
    """Whether a loop that is come to makes no turn."""
    return bool(run.know.check(now.here) == z3.sat and run.know.check(start.here) == z3.unsat)


def keep_holding(run: Execution, alive: list[Candidate], entry: State, state: State, gone: set[Any]) -> list[Candidate]:
    """The candidates that hold in a state. The others are gone for good."""
    values, known = instance(run, alive, entry, state)
    owners: list[Candidate] = []
    goals: list[Term] = []
    for of in dict.fromkeys(each.of for each in alive):
        about = [each for each in alive if each.of == of and each.names <= known]
        for listed in dict.fromkeys(each.listed for each in about):
            own = [each for each in about if each.listed == listed]
            place = [] if of is None else element_at(run, own[0], state)
            if place is not None:
                owners += own
                goals += substitute(run, own, [*values, *place])
    wrong = set(run.know.find_unproved(state.here, goals))
    left = {id(each) for n, each in enumerate(owners) if n not in wrong}
    gone |= {each.key for each in alive if id(each) not in left}
    return [each for each in alive if id(each) in left]


def element_at(run: Execution, guess: Candidate, state: State) -> list[tuple[Term, Term]] | None:
    """An arbitrary index of an array and what is there; None if that is opaque."""
    assert guess.of is not None
    k = run.know.fresh("k")
    x = run.know.read_element(contents_of(guess.of, state.variables), k)
    if not is_term(x):
        return None
    if guess.listed is None:
        return [(INDEX, k), (ELEMENT, x)]
    y = run.know.read_element(state.variables[guess.listed].contents, listed_index(guess, k, x))
    return [(INDEX, k), (ELEMENT, x), (LISTED, y)] if is_term(y) else None


def leave(run: Execution, loop: Node, entry: State, failed: frozenset[str]) -> None:
    """Where a loop is left by a jump, anything may hold of what it changes; but for the status, if turns fail so."""
    own = {part.name for part in all_nodes(loop) if isinstance(part, c_ast.Label)}
    out = [part.name for part in all_nodes(loop) if isinstance(part, c_ast.Goto) and part.name not in own]
    for label in dict.fromkeys(out):
        end = state_of_break(run, loop, entry)
        status: Value = end.variables.get(run.key("status"))
        if is_term(status) and label in failed:
            run.know.say(status > 0, end.here)
        run.frame.pending.setdefault(label, []).append(end)
    if any(isinstance(part, c_ast.Return) for part in all_nodes(loop)):
        run.frame.returned.append((state_of_break(run, loop, entry), run.know.fresh("returned")))


def state_of_break(run: Execution, loop: Node, entry: State) -> State:
    """A state in which a loop may be left."""
    end = run.know.branch(entry)
    end.variables = arbitrary_turn(run, loop, entry).variables
    return end
