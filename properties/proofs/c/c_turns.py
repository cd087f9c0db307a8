"""Turns: what a loop leaves in variables, as a function of what it begins with and of what each of its turns does.

Two loops are the same function where the same decides: the condition, the variable after a turn, and whatever these are
made of, each by its place and not by its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ..solver import Term, z3

WHOLE = z3.IntSort()
Turns = dict[tuple[int, ...], tuple[str, list[Term]]]
"""Names of loops, by the terms that say what their turns do; these are kept, so that their identities stay."""


class Turn(Struct, frozen=True):
    """What a turn of a loop does: where it is made, what variables hold before the loop, before a turn and after it."""

    truth: Term
    begun: Mapping[str, Term]
    held: Mapping[str, Term]
    after: Mapping[str, Term]

    def end(self, name: str, turns: Turns) -> Term:
        """What the loop leaves in a variable."""
        total = self.total()
        if total is not None and self.after[name].eq(self.held[name] + 1):
            return total if is_zero(self.begun[name]) else self.begun[name] + total
        return self.result(name, turns)

    def total(self) -> Term | None:
        """How many turns there are, where one place goes up to a bound that turns leave alone."""
        if not z3.is_app_of(self.truth, z3.Z3_OP_LT):
            return None
        place, bound = self.truth.children()
        name = next((n for n, each in self.held.items() if each.eq(place)), None)
        if name is None or not self.after[name].eq(place + 1) or self.moving(bound):
            return None
        begun = self.begun[name]
        return natural(bound if is_zero(begun) else bound - begun)

    def moving(self, term: Term) -> bool:
        """Whether a term depends on what turns change."""
        held = {each.get_id() for each in self.held.values()}
        return any(leaf.get_id() in held for leaf in leaves(term))

    def result(self, name: str, turns: Turns) -> Term:
        """What the loop leaves in a variable, as a function of what decides it."""
        names = {each.get_id(): n for n, each in self.held.items()}
        found, order = [self.truth, self.after[name]], [self.held[name]]
        place = 0
        while place < len(found):
            for leaf in leaves(found[place]):
                if not any(leaf.eq(each) for each in order):
                    order.append(leaf)
                    if leaf.get_id() in names:
                        found.append(self.after[names[leaf.get_id()]])
            place += 1
        own = [z3.substitute(term, *[(leaf, z3.Int(f"input {n}")) for n, leaf in enumerate(order)]) for term in found]
        key = tuple(term.get_id() for term in own)
        title, _ = turns.setdefault(key, (f"loop {len(turns)}", own))
        return function(title, [self.begun[names[x.get_id()]] if x.get_id() in names else x for x in order])


def natural(term: Term) -> Term:
    """A number, or 0 if that is negative.

    >>> x = z3.Int("x")
    >>> natural(natural(x)).eq(natural(x))
    True
    """
    if z3.is_app_of(term, z3.Z3_OP_ITE) and term.eq(natural(term.arg(1))):
        return term
    return z3.If(term > 0, term, z3.IntVal(0))


def is_zero(term: Term) -> bool:
    """Whether a term is the number 0."""
    return bool(term.eq(z3.IntVal(0)))


def leaves(term: Term) -> Iterator[Term]:
    """The unknowns that a term is made of, each once."""
    seen: set[int] = set()
    open_ = [term]
    while open_:
        each = open_.pop()
        if each.get_id() in seen:
            continue
        seen.add(each.get_id())
        if z3.is_const(each) and each.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            yield each
        open_ += reversed(each.children())


def function(name: str, args: list[Term]) -> Term:
    """Some function of values; of none, some number."""
    whole = [WHOLE] * (len(args) + 1)
    return z3.Function(name, *whole)(*args) if args else z3.Int(name)
