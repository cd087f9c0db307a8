"""Chains of relations: loops over derived variables reach every point of the iteration domain exactly once.

The chains are all that the commands of a schedule build, one after the other, over one and over two variables; chains
of two variables whose loops stay apart are pairs of chains of one, and are left out. (Senanayake 2020, sections 3
to 5.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise

import numpy as np
from msgspec import Struct

from ....reference.errors import GnomonError
from ....reference.schedule.command import Command, make_command
from ....reference.schedule.commands import run
from ....reference.schedule.legality import check
from ....reference.schedule.preparation import prepare
from ....reference.statement.relation import Coord, Pos, variables_of
from ....reference.statement.statement import Program, indices, reads
from ....reference.storage.packing import tensor
from ..obligation import Obligation
from ..solver import Term, z3
from ..verdict import Bounded, Proved, Refuted, Unknown, Verdict, together
from .symbolic import always
from .walked import Nest, Walk, is_reached, is_reached_once

SIZES = (3, 2, 4)
"""The factor or the number of parts of the first, second and third command, where those are constants."""
CONSTANT = "factors and parts 2, 3 and 4; all extents"
FIRST = ("split", "divide", "bound", "pos", "collapse")
"""The commands that a chain may begin with: there are no positions yet, and reorder adds no relation."""
BEGINS: dict[int, tuple[tuple[str, ...], ...]] = {
    1: tuple((first,) for first in FIRST),
    2: tuple((first,) for first in FIRST),
    3: (
        *(("split", second) for second in ("split", "bound", "collapse", "reorder", "pos")),
        *(("bound", second) for second in ("split", "bound", "collapse", "pos")),
        *(("pos", second) for second in ("split", "bound", "coord")),
        *(("collapse", second) for second in ("split", "bound", "pos")),
    ),
}
"""How chains of one, two and three commands begin."""
Shape = tuple[tuple[int, ...], tuple[str, ...]]


class Chain(Struct, frozen=True):
    """Some commands, and the loops and relations that they make."""

    commands: tuple[Command, ...]
    program: Program

    @property
    def nest(self) -> Nest:
        """The loops, with their relations."""
        return Nest.of(self.program)

    def longer(self) -> Iterator[Chain]:
        """The chains with one more command."""
        for command in next_commands(self.program, len(self.commands)):
            try:
                program = run(command, self.program)
                check(program)
            except GnomonError:
                continue
            yield Chain((*self.commands, command), program)


@cache
def starts() -> tuple[Chain, ...]:
    """An unscheduled loop over one variable, and two loops over two."""
    vector, matrix = np.array([[0, 2]]), np.array([[0, 0, 1, 3], [0, 2, 1, 0]])
    a, x = tensor(vector, np.ones(2), (4,), "s"), np.ones(4)
    m = tensor(matrix, np.ones(4), (4, 4), "DCSR")
    one, two = prepare("y(i) = a(i) * x(i)", {"a": a, "x": x}), prepare("y(i) = m(i,j) * x(j)", {"m": m, "x": x})
    return Chain((), one.program), Chain((), two.program)


def next_commands(program: Program, number: int) -> Iterator[Command]:
    """The commands that may come next, legal or not: of each kind, on each loop or on two that are nested."""
    variables = list(dict.fromkeys(indices(program.statement)))
    for v in variables:
        yield make_command("split", (v, f"{v}0", f"{v}1", SIZES[number]))
        yield make_command("divide", (v, f"{v}0", f"{v}1", SIZES[number]))
        yield make_command("bound", (v, f"{v}b", 1, "divisible"))
        yield make_command("coord", (v, f"{v}c"))
        yield make_command("pos", (v, f"{v}p", reads(program.statement)[0]))
    for outer, inner in pairwise(variables):
        yield make_command("collapse", (outer, inner, f"{outer}{inner}"))
        yield make_command("reorder", (inner, outer))


@cache
def chains(length: int) -> tuple[Chain, ...]:
    """The chains of so many commands, those of one shape once."""
    if length == 0:
        return starts()
    found: dict[Shape, Chain] = {}
    for chain in chains(length - 1):
        for longer in chain.longer():
            found.setdefault(shape(longer.nest), longer)
    return tuple(found.values())


def shape(nest: Nest) -> Shape:
    """The loops of a nest and its relations, without names."""
    numbers = {v: n for n, (v, _) in enumerate(nest.steps())}

    def number(variable: str) -> int:
        return numbers.setdefault(variable, len(numbers))

    relations = []
    for relation in nest.provenance.of_schedule:
        counted = relation if isinstance(relation, Pos) else relation.of if isinstance(relation, Coord) else None
        levels = None if counted is None else (counted.first, counted.last)
        relations.append(f"{type(relation).__name__} {list(map(number, variables_of(relation)))} {levels}")
    return tuple(numbers[v] for v, _ in nest.steps()), tuple(relations)


def is_joined(nest: Nest) -> bool:
    """Whether the loops over what derives from one original variable do not simply follow those from another."""
    origins = [frozenset(nest.provenance.originals(v)) for v, _ in nest.steps()]
    runs = [origin for n, origin in enumerate(origins) if n == 0 or origins[n - 1] != origin]
    return len(runs) > len(set(runs)) or any(len(origin) > 1 for origin in origins) or len(nest.originals()) == 1


Question = Callable[[Walk], Term]
QUESTIONS: tuple[Question, ...] = (is_reached, is_reached_once)


def for_all_sizes(nest: Nest) -> Verdict:
    """Whether every point is reached exactly once whatever the extents, factors and parts; else for constant ones."""
    return together(for_any(nest, question) for question in QUESTIONS)


def for_any(nest: Nest, question: Question) -> Verdict:
    """The verdict on one question for symbolic sizes, or where that is too hard, for constant ones."""
    verdict = always(lambda run: question(Walk(nest.with_symbolic_sizes(), run)), show=sizes(nest), seconds=8)
    return constant(nest, question) if isinstance(verdict, Unknown) else verdict


def for_constant_sizes(nest: Nest) -> Verdict:
    """Whether every point is reached exactly once whatever the extents."""
    return together(constant(nest, question) for question in QUESTIONS)


def constant(nest: Nest, question: Question) -> Verdict:
    """The verdict on one question for the factors and parts that the commands give."""
    verdict = always(lambda run: question(Walk(nest, run)), show=unknowns(nest), seconds=5)
    return Bounded(CONSTANT) if isinstance(verdict, Proved) else verdict


def unknowns(nest: Nest) -> dict[str, Term]:
    """What a counterexample is made of: extents, the point, and the values of the loops."""
    extents = {f"N_{v}": z3.Int(f"N_{v}") for v in nest.originals()}
    values = {v: z3.Int(v) for v in nest.originals()}
    return extents | values | {v: z3.Int(f"{v}_any") for v, _ in nest.steps() if v not in values}


def sizes(nest: Nest) -> dict[str, Term]:
    """What a counterexample is made of where factors, parts and limits are symbolic."""
    return unknowns(nest) | {f"size{n}": z3.Int(f"size{n}") for n in range(len(nest.provenance.of_schedule))}


def obligations() -> tuple[Obligation, ...]:
    """What holds of all chains of one and two commands, and of those of three that divide nothing."""
    return tuple(over(length, begin) for length, begins in BEGINS.items() for begin in begins)


def over(length: int, begin: tuple[str, ...]) -> Obligation:
    """That the loops of all chains that begin so reach every point exactly once."""
    how_many = "one command" if length == 1 else f"{length} commands"
    return Obligation(
        f"relations.chains.{length}.{'.'.join(begin)}",
        f"The loops of every schedule of {how_many} that begins with {' and '.join(begin)} reach every point once.",
        lambda: prove_chains(length, begin, for_constant_sizes if length == 3 else for_all_sizes),
        ("schedule.relation", "schedule.extent", "schedule.loop.derived", "schedule.loop.completed", "code.schedule"),
        slow=length > 1,
    )


def begins(chain: Chain, length: int) -> tuple[str, ...]:
    """The names of the first commands."""
    return tuple(command.name for command in chain.commands[:length])


def choose_chains(length: int, begin: tuple[str, ...]) -> tuple[Chain, ...]:
    """The chains of so many commands that begin so and join what they transform; of three, those without a division,
    which is a split of which chains of two have tried the width in every place."""
    found = [chain for chain in chains(length) if begins(chain, len(begin)) == begin and is_joined(chain.nest)]
    return tuple(chain for chain in found if length < 3 or "divide" not in begins(chain, length))


def prove_chains(length: int, begin: tuple[str, ...], claim: Callable[[Nest], Verdict]) -> Verdict:
    """The verdict on all chains of a kind; a counterexample names its chain."""
    found = choose_chains(length, begin)
    if not found:
        return Unknown(f"no schedule of {length} commands begins with {' and '.join(begin)}")
    return together(name_chain(chain, claim(chain.nest)) for chain in found)


def name_chain(chain: Chain, verdict: Verdict) -> Verdict:
    """A verdict that says on which chain it is."""
    commands = ",".join(map(str, chain.commands))
    match verdict:
        case Refuted(counterexample=values):
            return Refuted((("schedule", commands), *values))
        case Unknown(reason=reason):
            return Unknown(f"{commands}: {reason}")
        case Proved() | Bounded():
            return verdict
