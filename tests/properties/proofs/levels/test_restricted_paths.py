"""Level functions as paths: results, stores, accesses and loops are those of Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from gnomon.properties.proofs.levels.restricted_paths import run
from gnomon.properties.proofs.levels.restricted_terms import Notes, formula
from gnomon.properties.proofs.levels.storage_axioms import known_field
from gnomon.properties.proofs.solver import Found, decide, search, z3
from gnomon.properties.proofs.verdict import Proved
from gnomon.properties.strategies.level_functions import level_functions, level_of
from gnomon.reference.errors import CompileError
from gnomon.reference.levels.accumulator import Accumulator
from gnomon.reference.levels.bitmap import Bitmap
from gnomon.reference.levels.compressed import Compressed
from gnomon.reference.levels.hashed import Hashed
from gnomon.reference.levels.level import Coordinates, Ints, Level, array, extent
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


@dataclass(frozen=True)
class Everything(Level):
    """One function that uses the whole language, and some that go astray."""

    name: ClassVar[str] = "everything"
    crd: Ints = array()
    N: int = extent()

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        begin, end = self.pos_bounds(p)
        best = -1 if p < self.N else min(p, self.N, 7)
        for q in range(begin, end):
            if self.crd[q] == i[-1] and not self.padded:
                best = max(best, q)
            else:
                self.crd[q] = self.crd[q] // 2 + (p - q) % 3
        while begin < end and self.crd[begin] < 0:
            begin = begin + 1
        return best * 10 + begin, best != -1 or self.N > p >= 0

    def pos_bounds(self, p: int) -> tuple[int, int]:
        return p, p + 2 if p > 0 else 1

    def size(self, parents: int) -> int:
        self.crd[0] = parents
        return parents

    def wider(self) -> tuple[int, int]:
        return self.pos_bounds(self.N)

    def coord_bounds(self, i: Coordinates) -> tuple[int, int]:
        return self.size(1), 2


def agrees(level: Level, function: str, arguments: tuple[Any, ...], storage: dict[str, Any], notes: Notes) -> bool:
    """Whether the one path that is taken on concrete storage gives what Python gives."""
    bound = level.bind({name: list(v) if isinstance(v, list) else v for name, v in storage.items()})
    expected = getattr(bound, function)(*arguments)
    lengths = {name: z3.IntVal(len(value)) for name, value in storage.items() if isinstance(value, list)}
    fields = {name: value if isinstance(value, int) else known_field(value) for name, value in storage.items()}
    taken, same = [], []
    for path in run(level, fields, function, arguments, notes, True, lengths):
        results = zip(path.results or (), expected or (), strict=True)
        elements = [path.fields[n](z3.IntVal(k)) == v for n in lengths for k, v in enumerate(getattr(bound, n))]
        taken.append(formula(path.when))
        same.append(z3.Implies(taken[-1], z3.And(*elements, *(r == v for r, v in results))))
    return isinstance(search([z3.Or(*taken)], {}), Found) and decide(z3.And(*same)) == Proved()


@given(st.integers(0, 4), st.integers(0, 3), st.lists(st.integers(-3, 3), min_size=6, max_size=6), st.integers(0, 4))
@settings(max_examples=max(settings.default.max_examples // 4, 1))
def test_paths_give_what_python_gives(p: int, c: int, crd: list[int], N: int) -> None:
    notes = Notes()
    assert agrees(Everything(), "locate", (p, (0, c)), {"crd": crd, "N": N}, notes)
    assert set(notes.unrolled) == {"locate"}


def test_all_results_of_another_function_are_passed_on() -> None:
    crd = z3.Function("crd", z3.IntSort(), z3.IntSort())
    (path,) = run(Everything(), {"crd": crd, "N": z3.IntVal(1)}, "wider", (), Notes())
    begin, end = path.results or ()
    assert z3.simplify(begin).eq(z3.IntVal(1)) and z3.simplify(end).eq(z3.IntVal(3))


@pytest.mark.parametrize(
    ("level", "function", "arguments", "storage"),
    [
        (Bitmap(), "insert_init", (1, 3), {"flag": [1, 1, 1, 1], "N": 2}),
        (Hashed(), "insert_init", (2, 4), {"crd": [0, 1, 2, 3], "W": 2, "N": 4}),
        (Compressed(), "append_init", (1, 2), {"pos": [0, 5, 7], "crd": [], "N": 2}),
        (Compressed(), "append_finalize", (3, 6), {"pos": [0, 2, 0, 4], "crd": [], "N": 2}),
        (Accumulator(), "insert_init", (2, 4), {"slot": [1, 0, 5, 5], "crd": [0] * 4, "count": [1, 9], "N": 2}),
        (Accumulator(), "insert_reset", (0, 1), {"slot": [2, 1, 0, 1], "crd": [1, 0, 1, 0], "count": [2, 1], "N": 2}),
        (Hashed(), "locate", (0, (5,)), {"crd": [2, 5, 1], "W": 3, "N": 9}),
        (Hashed(), "locate", (0, (8,)), {"crd": [2, 5, 1], "W": 3, "N": 9}),
    ],
)
def test_declared_invariants_leave_one_outcome(
    level: Level, function: str, arguments: tuple[Any, ...], storage: dict[str, Any]
) -> None:
    notes = Notes()
    assert agrees(level, function, arguments, storage, notes)
    assert not notes.unrolled and notes.claims
    assert all(decide(claim) == Proved() for _, claim in notes.claims)


def test_accesses_are_noted_under_their_conditions() -> None:
    p, notes = z3.Int("p"), Notes()
    crd = z3.Function("crd", z3.IntSort(), z3.IntSort())
    run(Hashed(), {"crd": crd, "W": z3.IntVal(2), "N": z3.Int("N")}, "pos_access", (p, ()), notes)
    assert [(a.array, a.index) for a in notes.accesses] == [("crd", p), ("crd", p)]
    run(Accumulator(), {"crd": crd, "slot": crd, "count": crd, "N": z3.Int("N")}, "insert_coord", (p, p), notes)
    assert [d.divisor for d in notes.divisions] == [z3.Int("N")]


def test_a_function_that_stores_is_not_called_in_expressions() -> None:
    crd = z3.Function("crd", z3.IntSort(), z3.IntSort())
    with pytest.raises(CompileError, match="size stores something"):
        run(Everything(), {"crd": crd, "N": z3.Int("N")}, "coord_bounds", ((),), Notes())


CRD, SMALL, FORMAL = (3, -1, 4, 1, -5), 6, z3.Ints("p i j")


def known(n: Any) -> Any:
    """An element of an array whose elements are known."""
    at = z3.simplify(n)
    if z3.is_int_value(at):
        return CRD[at.as_long()]
    chain = z3.IntVal(CRD[-1])
    for k, held in enumerate(CRD[:-1]):
        chain = z3.If(n == k, held, chain)
    return chain


def found_on(paths: list[Any], given: tuple[int, int, int]) -> list[tuple[Any, ...]]:
    """The results of all paths that are taken on some arguments."""
    pairs = [(name, z3.IntVal(value)) for name, value in zip(FORMAL, given, strict=True)]

    def value(e: Any) -> Any:
        left = e if isinstance(e, int) else z3.simplify(z3.substitute(e, *pairs))
        return left if isinstance(left, int) else z3.is_true(left) if z3.is_bool(left) else left.as_long()

    return [tuple(map(value, path.results)) for path in paths if value(path.when) is True]


@settings(suppress_health_check=list(HealthCheck), max_examples=25)
@given(level_functions(), st.tuples(*[st.integers(-9, 9)] * 3))
def test_random_functions_have_one_path_for_arguments_with_the_results_of_python(
    text: str, given: tuple[int, int, int]
) -> None:
    """Arguments are known beforehand, or put into terms later; loops may go on further than they are unrolled."""
    level, notes = level_of(text), Notes()
    p, *path = given
    called = level.bind({"crd": CRD, "N": SMALL}).f(p, tuple(path))  # type: ignore[attr-defined]
    fields = {"crd": known, "N": SMALL}
    try:
        found = found_on(run(level, fields, "f", (p, tuple(path)), notes), given)
    except CompileError as error:
        if "loops more than" not in str(error):
            raise
        return
    assert found == [called] or (notes.unrolled and not found)
    if not any(word in text for word in ("for ", "while ")):
        name, *formal = FORMAL
        assert found_on(run(level, fields, "f", (name, tuple(formal)), Notes()), given) == [called]
