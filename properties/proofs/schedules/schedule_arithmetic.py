"""What commands assume of numbers: that loops are mapped one to one, and that ranges are as a bound says.

The functions of `relation.py` run on symbolic integers, and the extents of the loop plan are translated, for the very
factors of a command and for loops of any length; only a bound speaks of the length that is known. (Senanayake 2020,
section 3.3, Figures 10, 11, 18 and 19.)
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ....reference.schedule.nests import known_extent
from ....reference.statement.relation import (
    Bound,
    Derivation,
    Pos,
    derived_variables,
    holds,
    parents,
    recover_derived,
    recover_original,
)
from ....reference.statement.statement import Program
from ..relations.symbolic import Execution, Integer, always, term_of
from ..relations.term_values import extent_of
from ..solver import Term, z3
from ..verdict import Bounded, Refuted, Verdict, together

Values = dict[str, Any]
WHOLE = z3.IntSort()


class Lengths(Struct, frozen=True):
    """The extents of loops: any, but the same wherever a loop stands; positions are as many as a parent has."""

    program: Program
    run: Execution
    outer: Values

    def extent(self, variable: str) -> Any:
        """The number of values of a variable."""
        if self.program.provenance.is_position(variable):
            around = [term_of(value) for value in self.outer.values()]
            size = z3.Function(f"#{variable}", *[WHOLE] * len(around), WHOLE)(*around)
        else:
            size = z3.Int(f"#{variable}")
        self.run.assume(size >= 0)
        return Integer(size, self.run)

    def coordinate(self, relation: Pos, position: Any) -> Any:
        """No coordinate is asked for."""
        raise NotImplementedError

    def position(self, relation: Pos, coordinate: Any) -> Any:
        """Nor is a position."""
        raise NotImplementedError


def one_to_one(program: Program, relation: Derivation) -> Verdict:
    """Whether a relation takes every combination of its parents to one of its own, inside its range, and back."""
    names = [*parents(relation), *derived_variables(relation)]
    show = {v: z3.Int(v) for v in names if v in parents(relation)}
    show |= {f"{v}'": z3.Int(f"{v}'") for v in parents(relation)}
    return together(
        always(lambda run, claim=claim: claim(program, relation, run), show=show, seconds=5)  # type: ignore[misc]
        for claim in (returns, apart)
    )


def draw_parents(program: Program, relation: Derivation, run: Execution, mark: str = "") -> tuple[Values, Lengths]:
    """Values of the parents, each in its range, and the extents around them."""
    values: Values = {}
    lengths = Lengths(program, run, {})
    for v in parents(relation):
        lengths = Lengths(program, run, dict(values))
        values[v] = run.integer(f"{v}{mark}")
        run.assume(values[v].term >= 0, values[v].term < term_of(lengths.extent(v)))
    return values, lengths


def returns(program: Program, relation: Derivation, run: Execution) -> Term:
    """Whether what is derived lies in its range and gives the parents back."""
    values, lengths = draw_parents(program, relation, run)
    made = {v: recover_derived(relation, v, values, lengths) for v in derived_variables(relation)}
    extents = {v: term_of(extent_of(relation, v, lengths.extent)) for v in made}
    inside = [z3.And(term_of(made[v]) >= 0, term_of(made[v]) < extents[v]) for v in made]
    back = [term_of(recover_original(relation, v, made, lengths)) == term_of(values[v]) for v in values]
    return z3.And(*inside, *back)


def apart(program: Program, relation: Derivation, run: Execution) -> Term:
    """Whether different parents give something different."""
    first, second = (draw_parents(program, relation, run, mark) for mark in ("", "'"))
    alike = [
        term_of(recover_derived(relation, v, *first)) == term_of(recover_derived(relation, v, *second))
        for v in derived_variables(relation)
    ]
    same = [term_of(first[0][v]) == term_of(second[0][v]) for v in parents(relation)]
    return z3.Implies(z3.And(*alike), z3.And(*same))


def within(program: Program, relation: Bound) -> Verdict:
    """Whether a range is as a bound says: a known one, or any; others are checked on the data."""
    if relation.kind == "divisible" and relation.size == 0:
        return Refuted((("divisor", "0"),))
    length = known_extent(program, relation.parent)
    if length is not None:
        return always(lambda run: holds(relation, (0, length)), show={})
    any_length = always(lambda run: holds_of_any_length(relation, run))
    if isinstance(any_length, Refuted):
        return Bounded(f"data on which {relation.parent} has such a range, as execution checks")
    return any_length


def holds_of_any_length(relation: Bound, run: Execution) -> Any:
    """What a bound says of a range of unknown length."""
    length = run.integer("length")
    run.assume(length.term >= 0)
    return holds(relation, (0, length))  # type: ignore[arg-type]
