"""Lattices: what is proved of every statement, and that wrong lattices, plans and operators are refuted."""

from collections.abc import Callable
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.programs.problem import Problem
from gnomon.properties.proofs.lattices.agreement import Comparison
from gnomon.properties.proofs.lattices.corpus import STATEMENTS, Given, chapters
from gnomon.properties.proofs.lattices.fill_rule import Rule
from gnomon.properties.proofs.lattices.lattice_cover import Coordinate, prove_cover, prove_merge_loops, rounds
from gnomon.properties.proofs.lattices.lattice_loops import Planned, Run, reach_statements
from gnomon.properties.proofs.lattices.lattice_points import by_rule, by_value, replacements
from gnomon.properties.proofs.lattices.lattice_rule import ByRule
from gnomon.properties.proofs.lattices.lattice_values import has_numbers, reading_of
from gnomon.properties.proofs.lattices.lattices import obligations, obligations_on, whole
from gnomon.properties.proofs.operators.extended_reals import ExtendedReals
from gnomon.properties.proofs.solver import Found, search
from gnomon.properties.proofs.verdict import Proved, Refuted, Verdict
from gnomon.properties.strategies import programs
from gnomon.reference.algebra.operator import Operator
from gnomon.reference.algebra.operators import ADD, MUL, OPERATORS
from gnomon.reference.algebra.promotion import ONE, ZERO
from gnomon.reference.loops import plan as planning
from gnomon.reference.loops.fusing import choose_strategy
from gnomon.reference.loops.lattice import Lattice, Point
from gnomon.reference.loops.strategy import Active, Strategy
from gnomon.reference.notation.syntax import Access
from gnomon.reference.notation.text import Text
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import Assign, Program, show
from gnomon.reference.statement.substitution import background_of
from hypothesis import given, settings
from msgspec.structs import asdict, replace

SUM = Given("a(i) = x(i) + y(i)", {"x": "s", "y": "s"}, "s")
MIXED = Given("a(i) = (x(i) + y(i)) * z(i)", {"x": "s", "y": "s", "z": "s"}, "s")


def only(given: Given | Program) -> Planned:
    """The loop of a statement that has one."""
    (found,) = [
        s for s in reach_statements(given.program() if isinstance(given, Given) else given) if isinstance(s, Planned)
    ]
    return found


def refuted(verdict: Verdict) -> dict[str, str]:
    assert isinstance(verdict, Refuted)
    return dict(verdict.counterexample)


def test_no_copies_are_the_identity_of_their_dtype() -> None:
    """Of integers that is a number: the workspace of what is stored holds it where nothing is."""
    a = gn.from_numpy(np.eye(2, dtype="int16"), "COO")
    program = Problem("y(i) = min(k, 3 + A(k,i))", {"A": a}, "Dense", schedule="split(k,k0,k1,2)").ready.program
    assert "copies_min(3, int16(" in show(program.statement)
    assert whole(program) == Proved()


@pytest.mark.every(7)
@pytest.mark.parametrize("name", STATEMENTS)
def test_statements_of_the_corpus(name: str) -> None:
    assert whole(STATEMENTS[name].program()) == Proved()


def test_obligations_are_built_without_work_and_have_names_of_their_own() -> None:
    found = obligations()
    assert len({o.id for o in found}) == len(found) > len(STATEMENTS)
    assert {o.id for o in found if o.slow} == {f"lattices.conformance.{chapter}" for chapter in chapters()}
    assert [o.prove() for o in found if o.id in ("lattices.merge", "lattices.tuples")] == [Proved(), Proved()]


QUOTIENTS = [
    ("y(i) = a(i)", {"a": ("uint8", 255)}, "min_plus"),
    ("a(i)<m(i)> = 1 / x(i)", {"m": ("float64", 0), "x": ("float64", 0)}, None),
    ("a(i)<!m(i)> = cos(x(i))", {"m": ("float64", 0), "x": ("float64", -np.inf)}, None),
    ("a(i) = x(i) * y(i)", {"x": ("float64", 0), "y": ("float64", np.inf)}, None),
    ("a(i) = floordiv(x(i), y(i))", {"x": ("int8", 1), "y": ("int8", 0)}, None),
    ("a(i) = log(x(i) * y(i))", {"x": ("float64", 0), "y": ("float64", 2)}, None),
    ("a(i) = second(y(i), x(i)) / sin(x(i))", {"x": ("complex64", 0), "y": ("complex64", 2)}, None),
    ("a(i) = x(i) * (y(i) + 1.0j)", {"x": ("int8", 1), "y": ("int8", 0)}, None),
    ("a(i) = conj(x(i)) + y(i)", {"x": ("complex128", 1 + 2j), "y": ("complex128", 0)}, None),
]


@pytest.mark.every(2)
@pytest.mark.parametrize(("expression", "operands", "semiring"), QUOTIENTS)
def test_constants_without_a_number(
    expression: str, operands: dict[str, tuple[str, float]], semiring: str | None
) -> None:
    """Fills that are infinite, absent, complex, or divide as zero; one that becomes NaN."""
    given = {n: gn.tensor([[1]], [3], (3,), "s", dtype=d, fill=fill) for n, (d, fill) in operands.items()}
    program = prepare(expression, given, out="s", semiring=semiring).program
    assert whole(program) == Proved()


@pytest.mark.parametrize("schedule", ["loopfuse({},1,right,T)", "loopfuse({},1,right,T),loopfuse({1},1,right,t)"])
def test_what_reads_a_scalar_workspace_may_collapse_its_loops(schedule: str) -> None:
    x = gn.tensor([[1]], [2.0], (3,), "SparseVector")
    operands = {"A": np.ones((2, 2)), "B": x, "D": x}
    program = prepare("C(i,j,k) = xor(A(j,k), B(i) * D(i))", operands, schedule=f"{schedule},collapse(j,k,f)").program
    assert whole(program) == Proved()


def test_the_conformance_suite_has_programs_about_every_page() -> None:
    assert {"denotation", "loops", "operators", "schedules"} <= set(chapters())


def test_an_expression_is_proved_loop_by_loop() -> None:
    found = obligations_on("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR", "B": "CSR", "C": "CSR"})
    assert {o.id.split(".")[1] for o in found} == {"i", "j", "k", "assignments"}
    assert {o.prove() for o in found} == {Proved()}


def test_in_a_semiring_nothing_is_claimed_of_numbers() -> None:
    found = obligations_on("y(i) = A(i,j) * x(j)", {"A": "CSR"}, semiring="min_plus")
    assert not [o for o in found if o.id.endswith(".values")]
    assert {o.prove() for o in found} == {Proved()}


@given(programs(most=3))
@settings(max_examples=max(3, settings.default.max_examples // 100))
def test_lattices_of_random_programs_are_never_refuted(drawn: Problem) -> None:
    assert whole(drawn.ready.program) == Proved()


def test_a_loop_that_always_has_something_to_do_leaves_nothing_out() -> None:
    given = Given("y(i) = not(second(x(i), z(i))) - w(i)", {"x": "bitmap", "z": "COO", "w": "COO"}, "dense")
    s = only(given)
    assert s.strategy.flagged and s.strategy.remains is True
    assert whole(given.program()) == Proved()


@pytest.mark.every(2)
@pytest.mark.parametrize("name", ["four", "spgemm", "spgemm.complement", "updated.masked", "shortest_paths"])
def test_what_is_assumed_can_be_met(name: str) -> None:
    program = STATEMENTS[name].program()
    background = background_of(program)
    for s in reach_statements(program):
        for r in replacements(s, background):
            rule, numbers = ByRule(Rule(), background.fills), reading_of(program, ExtendedReals())
            for reader in (rule, numbers) if has_numbers(program) else (rule,):
                comparison = Comparison(reader, background, r.missing)
                comparison.agree(r.whole, r.left)
                own = rule.rule.assumptions() if reader is rule else numbers.given
                assert isinstance(search([*own, *comparison.given], {}), Found)


def test_every_claim_about_a_merge_is_about_some_round() -> None:
    c = Coordinate(only(MIXED).strategy)
    given, goals = rounds(c)
    for conditions in (
        [c.x < c.least],
        [c.x == c.least],
        [c.x > c.least],
        [c.required_statement != 0],
        [c.required_statement == 0],
    ):
        assert isinstance(search([*given, *conditions], {}), Found)
    assert len(goals) == 6


class Lacking(Lattice):
    """A lattice without the point for x alone."""

    def point(self, present: frozenset[Access]) -> Point | None:
        found = super().point(present)
        return None if {a.tensor for a in present} == {"x"} else found


class Mistaken(Lattice):
    """A lattice with x in place of y where y alone is present."""

    def point(self, present: frozenset[Access]) -> Point | None:
        found = super().point(present)
        if found is None or {a.tensor for a in found.merged} != {"y"}:
            return found
        assert isinstance(found.statement, Assign)
        x = next(a for a in self.sparse if a.tensor == "x")
        return Point(frozenset({x}), replace(found.statement, value=x))


def with_lattice(kind: type[Lattice], given: Given) -> Planned:
    s = only(given)
    own = s.strategy.lattice
    return replace(s, strategy=replace(s.strategy, lattice=kind(own.body, own.sparse, own.background)))


@pytest.mark.parametrize("claim", [by_rule, by_value])
def test_a_lattice_that_lacks_a_point_is_refuted(claim: Callable[..., Verdict]) -> None:
    found = refuted(claim(SUM.program(), [with_lattice(Lacking, SUM)]))
    assert found["run instead"] == "nothing"
    assert found["y(i)"] == "missing"
    if claim is by_value:
        assert found["x(i)"] != "0"


@pytest.mark.parametrize("claim", [by_rule, by_value])
def test_a_wrong_sub_expression_is_refuted(claim: Callable[..., Verdict]) -> None:
    found = refuted(claim(SUM.program(), [with_lattice(Mistaken, SUM)]))
    assert found["x(i)"] == "missing"
    assert found["run instead"] == "a(i) = x(i)"


def declared(operator: Operator, fill: float) -> Program:
    """A program with an operator of one's own on vectors with this fill."""
    x, y = (gn.tensor([[1]], [3.0], (3,), "s", fill=fill) for _ in "xy")
    return prepare(Text("a(i) = own(x(i), y(i))", {"own": operator}), {"x": x, "y": y}).program


@pytest.mark.parametrize(
    ("operator", "fill"),
    [
        (replace(MUL, name="own", left_annihilator=ONE), 1.0),
        (replace(MUL, name="own", right_identity=ZERO, right_annihilator=None), 0.0),
        (replace(ADD, name="own", left_annihilator=ZERO), 0.0),
        (replace(OPERATORS["sub"], name="own", left_unit=None), 0.0),
    ],
    ids=["annihilator", "identity", "addition", "unit"],
)
def test_a_wrong_declaration_is_refuted_by_numbers(operator: Operator, fill: float) -> None:
    program = declared(operator, fill)
    found = refuted(by_value(program, reach_statements(program)))
    values = {name: float(eval(text)) for name, text in found.items() if name in ("x(i)", "y(i)") and text != "missing"}
    got, wanted = ({**{"x(i)": fill, "y(i)": fill}, **values}[name] for name in ("x(i)", "y(i)"))
    whole_ = operator.compute(got, wanted)
    left = {"nothing": program.fills["a"], "a(i) = x(i)": got, "a(i) = y(i)": wanted, f"a(i) = {fill}": fill}
    assert whole_ != left[found["run instead"]]


def test_right_declarations_are_proved() -> None:
    for operator, fill in ((MUL, 0.0), (MUL, 1.0), (ADD, 0.0), (OPERATORS["sub"], 0.0), (OPERATORS["min"], np.inf)):
        assert whole(declared(replace(operator, name="own"), fill)) == Proved()


def test_one_body_at_every_coordinate_of_an_extent() -> None:
    """An operand that is looked for at every coordinate has the loop visit all of them, and no merge ends."""
    s = only(Given("a(i) = x(i) + y(i) + z(i)", {"x": "s", "y": "s", "z": "bitmap"}, "s"))
    assert s.strategy.flagged and s.strategy.whole_extent and s.strategy.everywhere is False
    assert prove_cover(s) == prove_merge_loops(s) == Proved()
    asked = replace(s.strategy, remains=True)
    refuted(prove_merge_loops(replace(s, strategy=asked)))


def without(strategy: Strategy, name: str) -> Strategy:
    """The plan without an iterator."""
    return replace(strategy, coiterated=tuple(a for a in strategy.coiterated if a.access.tensor != name))


PLUS_ONE = Given("a(i) = x(i) + 1", {"x": "s"})
WRONG_PLANS: list[tuple[Given, Callable[[Strategy], Strategy]]] = [
    (SUM, lambda s: without(s, "y")),
    (MIXED, lambda s: without(s, "z")),
    (PLUS_ONE, lambda s: replace(s, whole_extent=False)),
    (PLUS_ONE, lambda s: without(s, "x")),
]


@pytest.mark.parametrize(("given", "wrong"), WRONG_PLANS)
def test_a_plan_that_leaves_something_out_is_refuted_and_gives_wrong_results(
    given: Given, wrong: Callable[[Strategy], Strategy], monkeypatch: pytest.MonkeyPatch
) -> None:
    s = only(given)
    assert prove_cover(s) == Proved()
    found = refuted(prove_cover(replace(s, strategy=wrong(s.strategy))))
    held = [name for name in given.formats if found[f"{name}(i) present"] == "True"]
    operands = {
        name: gn.tensor([[1]] if name in held else [[]], [2.0] * (name in held), (3,), "s") for name in given.formats
    }
    right = gn.evaluate(given.expression, **operands).to_numpy()
    monkeypatch.setattr(planning, "choose_strategy", lambda *args: wrong(choose_strategy(*args)))
    assert gn.evaluate(given.expression, **operands).to_numpy().tolist() != right.tolist()


def test_a_plan_without_order_is_refuted() -> None:
    s = only(SUM)
    found = refuted(prove_cover(replace(s, strategy=replace(s.strategy, ordered=False))))
    assert found["broken"] == "iterators are converted"


class Hasty(Strategy):
    """A plan that ends a merge with the first iterator."""

    def merged_iterators(self, alive: Any, absent: Any = frozenset()) -> tuple[Active, ...]:
        return super().merged_iterators(alive, absent) if len(alive) == len(self.coiterated) else ()

    def rounds(self) -> tuple[tuple[Active, ...], ...]:
        return super().rounds()[:1]


class Forgetful(Strategy):
    """A plan whose generated loops end with the first iterator."""

    def rounds(self) -> tuple[tuple[Active, ...], ...]:
        return super().rounds()[:1]


def as_kind(kind: type[Strategy], s: Planned) -> Planned:
    return replace(s, strategy=kind(**asdict(s.strategy)))


def test_a_merge_that_ends_too_early_is_refuted() -> None:
    found = refuted(prove_cover(as_kind(Hasty, only(SUM))))
    assert found["broken"] == "nothing is left when the merge ends"
    assert "True" in (found["x(i) present"], found["y(i) present"])


def test_generated_loops_that_end_too_early_are_refuted() -> None:
    assert prove_cover(as_kind(Forgetful, only(SUM))) == Proved()
    assert isinstance(prove_merge_loops(as_kind(Forgetful, only(SUM))), Refuted)
    assert prove_merge_loops(only(SUM)) == Proved()


def test_an_assignment_that_is_run_reads_what_is_present() -> None:
    runs = [s for s in reach_statements(MIXED.program()) if isinstance(s, Run)]
    assert by_rule(MIXED.program(), runs) == Proved()
    idle = replace(runs[0].leaf, value=gn.reference.notation.syntax.Fill(0.0, np.dtype("float64")))
    assert isinstance(by_rule(MIXED.program(), [Run(idle)]), Refuted)
