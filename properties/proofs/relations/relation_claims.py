"""Claims about relations: what their functions are to do, on one case of symbolic values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from ....reference.statement.relation import derived_variables, parents, recover_derived, recover_original
from ..solver import Term, exhibit, z3
from ..verdict import Proved, Verdict
from .relation_cases import Case, Kind, Ranges, Values, within
from .symbolic import Execution, Raised, always, explore, term_of
from .term_values import extent_of

Claim = Callable[[Case, Execution], Term]
Ends = Callable[[Case], tuple[Values, Values]]


class Functions(Struct, frozen=True):
    """The functions of relations about which something is proved."""

    recover_original: Callable[..., Any] = recover_original
    recover_derived: Callable[..., Any] = recover_derived
    extent_of: Callable[..., Any] = extent_of


class Claims(Struct, frozen=True):
    """What is claimed of one kind of relation, and of the functions that map it."""

    kind: Kind
    functions: Functions = Functions()

    def prove(self, claim: Claim) -> Verdict:
        """Whether a claim holds for all values."""
        case = self.kind(Execution())
        return always(lambda run: claim(self.kind(run), run), given=case.given, show=unknowns(case))

    def witness(self, claim: Claim) -> Verdict:
        """Whether a claim holds for some values, with what it assumes: proved by a witness."""
        case = self.kind(Execution())
        paths = explore(lambda run: claim(self.kind(run), run), case.given)
        goals = [[*case.given, *path.condition, path.result] for path in paths if not isinstance(path.result, Raised)]
        found = [exhibit(goal, unknowns(case)) for goal in goals]
        return next((verdict for verdict in found if isinstance(verdict, Proved)), found[0])

    def down(self, case: Case, values: Values) -> Values:
        """The derived values."""
        relation = case.relation
        return {v: self.functions.recover_derived(relation, v, values, case.space) for v in derived_variables(relation)}

    def up(self, case: Case, values: Values) -> Values:
        """The values of the parents."""
        relation = case.relation
        return {v: self.functions.recover_original(relation, v, values, case.space) for v in parents(relation)}

    def bounds(self, case: Case) -> Ranges:
        """The ranges of the derived variables: from 0 up to their extents."""
        relation = case.relation
        return {v: (0, self.functions.extent_of(relation, v, case.space.extent)) for v in derived_variables(relation)}

    def admit(self, case: Case, run: Execution, values: Values) -> Values:
        """Assume that derived values are in their bounds, and are held, and their parents in the domain."""
        run.assume(within(values, self.bounds(case)), case.held(values))
        above = self.up(case, values)
        run.assume(case.inside(above))
        return above

    def draw(self, case: Case, run: Execution) -> Values:
        """Values of the parents in the domain."""
        values = unknown(run, parents(case.relation))
        run.assume(case.inside(values))
        return values

    def downward(self, case: Case, run: Execution) -> Term:
        """Derived values give their parents back."""
        values = self.draw(case, run)
        return same(values, self.up(case, self.down(case, values)))

    def upward(self, case: Case, run: Execution) -> Term:
        """Parents give the derived values that are admitted back."""
        values = unknown(run, derived_variables(case.relation))
        return same(values, self.down(case, self.admit(case, run, values)))

    def distinct(self, case: Case, run: Execution) -> Term:
        """No two admitted combinations of derived values have the same parents."""
        first, second = (unknown(run, derived_variables(case.relation), mark) for mark in ("", "_"))
        run.assume(same(self.admit(case, run, first), self.admit(case, run, second)))
        return same(first, second)

    def keeps_bounds(self, case: Case, run: Execution) -> Term:
        """What is derived of the domain lies in its bounds, and is held."""
        values = self.down(case, self.draw(case, run))
        return z3.And(within(values, self.bounds(case)), case.held(values))

    def attains_bounds(self, variable: str, ends: Ends) -> Claim:
        """Two values of the parents have the least and the greatest derived value, if they are in the domain."""

        def claim(case: Case, run: Execution) -> Term:
            least, greatest = ends(case)
            run.assume(case.inside(least), case.inside(greatest))
            begin, end = self.bounds(case)[variable]
            first, last = self.down(case, least)[variable], self.down(case, greatest)[variable]
            return z3.And(term_of(first) == term_of(begin), term_of(last) == term_of(end) - 1)

        return claim


def unknowns(case: Case) -> dict[str, Term]:
    """What a counterexample is made of."""
    return {v: z3.Int(v) for v in (*case.parameters, *parents(case.relation), *derived_variables(case.relation))}


def unknown(run: Execution, variables: tuple[str, ...], mark: str = "") -> Values:
    """Variables with unknown values."""
    return {v: run.integer(f"{v}{mark}") for v in variables}


def same(first: Values, second: Values) -> Term:
    """Whether the same variables have the same values."""
    return z3.And(*[term_of(first[v]) == term_of(second[v]) for v in first])
