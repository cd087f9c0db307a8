"""The solver: what follows is proved, what does not is refuted with values, and giving up is neither."""

import re
from pathlib import Path

import gnomon
from gnomon.properties.proofs.solver import Found, Nothing, decide, exhibit, search, z3
from gnomon.properties.proofs.verdict import Proved, Refuted, Unknown

X, Y = z3.Int("x"), z3.Int("y")


def test_what_follows_is_proved() -> None:
    assert decide(X < Y + 1, given=[X <= Y]) == Proved()


def test_what_does_not_is_refuted_with_values() -> None:
    assert decide(X < Y, given=[X <= Y, X == 3], show={"x": X, "y": Y}) == Refuted((("x", "3"), ("y", "3")))


def test_giving_up_is_unknown() -> None:
    n = z3.Int("n")
    hard = z3.ForAll([X, Y], n * n + 7 != X * X * X + Y * Y * Y)
    assert isinstance(decide(hard, given=[n > 10**6], seconds=0.001), Unknown)


def test_existence_is_proved_by_a_witness() -> None:
    assert exhibit([X * X == 49, X < 0], {"x": X}) == Proved((("x", "-7"),))
    assert isinstance(exhibit([X * X == 2], {}), Refuted)


def test_values_come_as_numbers() -> None:
    found = search([X == 7, z3.BitVec("b", 8) == 200], {"x": X, "b": z3.BitVec("b", 8)})
    assert isinstance(found, Found)
    assert (found.integer("x"), found.integer("b")) == (7, 200)
    assert search([X < X], {}) == Nothing()


def test_one_module_imports_z3() -> None:
    root = Path(gnomon.__file__).parent
    sources = [p for part in ("reference", "generator", "properties") for p in (root / part).rglob("*.py")]
    importing = [p.name for p in sources if re.search(r"^\s*(import|from) z3\b", p.read_text(), re.MULTILINE)]
    assert importing == ["solver.py"]
