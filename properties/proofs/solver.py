"""The solver: Z3, which no other module imports.

Terms are built with Z3's own functions (`from .solver import z3`) and decided here. A goal is proved if nothing
satisfies what is given and not the goal. What is given is assumed: every family of proofs has a test that its
assumptions can be met, since anything follows from assumptions that cannot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from ...reference.errors import GnomonError
from .verdict import Proved, Refuted, Unknown, Values, Verdict

try:
    import z3 as z3
except ImportError as error:
    raise GnomonError(f"proofs need Z3: {error}", hint="pip install 'gnomon[prove]' brings it") from None

Term = Any
"""A term of Z3."""
SECONDS = 20.0


class Found(Struct, frozen=True):
    """Values that satisfy what was asked, by name, as terms of Z3 without variables."""

    values: Mapping[str, Term]

    def print_values(self) -> Values:
        """The values as they are printed."""
        return tuple((name, str(value)) for name, value in self.values.items())

    def integer(self, name: str) -> int:
        """A value that is an integer or a bit vector (as an unsigned number)."""
        return int(self.values[name].as_long())


class Nothing(Struct, frozen=True):
    """Nothing satisfies what was asked."""


class Undecided(Struct, frozen=True):
    """The solver gave up, and why."""

    reason: str


def search(
    conditions: Iterable[Term], show: Mapping[str, Term], *, seconds: float = SECONDS
) -> Found | Nothing | Undecided:
    """Values of the terms `show` under which all conditions hold.

    They are sought in a context of their own: how long that takes does not depend on what was asked before. Making one
    takes longer than most answers, so conditions that are simplified to a falsehood get none.

    >>> search([z3.Int("x") * z3.Int("x") == 49, z3.Int("x") > 0], {"x": z3.Int("x")}).integer("x")
    7
    """
    asked = tuple(conditions)
    if z3.is_false(z3.simplify(z3.And(asked))):
        return Nothing()
    alone = z3.Context()
    solver = z3.Solver(ctx=alone)
    solver.set("timeout", int(seconds * 1000))
    solver.add(*(condition.translate(alone) for condition in asked))
    answer = solver.check()
    if answer == z3.unsat:
        return Nothing()
    if answer != z3.sat:
        return Undecided(solver.reason_unknown())
    model = solver.model()
    return Found({name: model.eval(term.translate(alone), model_completion=True) for name, term in show.items()})


def decide(
    goal: Term, *, given: Iterable[Term] = (), show: Mapping[str, Term] | None = None, seconds: float = SECONDS
) -> Verdict:
    """Whether a goal follows from what is given; where it does not, the values of the terms `show`.

    >>> x, y = z3.Int("x"), z3.Int("y")
    >>> decide(x + y == y + x), decide(x - y == y - x, given=[x > y, y == 0, x < 2], show={"x": x})
    (Proved(witness=()), Refuted(counterexample=(('x', '1'),)))
    """
    match search([*given, z3.Not(goal)], show or {}, seconds=seconds):
        case Nothing():
            return Proved()
        case Found() as found:
            return Refuted(found.print_values())
        case Undecided(reason=reason):
            return Unknown(reason)


def exhibit(conditions: Iterable[Term], show: Mapping[str, Term]) -> Verdict:
    """Whether there are values under which all conditions hold: proved by a witness.

    >>> exhibit([z3.Int("x") > 3, z3.Int("x") < 5], {"x": z3.Int("x")})
    Proved(witness=(('x', '4'),))
    """
    match search(conditions, show):
        case Nothing():
            return Refuted((("nothing satisfies", "it"),))
        case Found() as found:
            return Proved(found.print_values())
        case Undecided(reason=reason):
            return Unknown(reason)
