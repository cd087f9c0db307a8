"""Work: what a branched schedule does, by hand on small kernels, and as the interpreter counts on random tensors."""

from __future__ import annotations

from functools import cache
from math import isclose

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.execution.trace import Trace
from gnomon.reference.schedule.branched.choice import measure
from gnomon.reference.schedule.branched.contraction import Contraction, contraction_of
from gnomon.reference.schedule.branched.cost import cost_of, time
from gnomon.reference.schedule.branched.graph import structure
from gnomon.reference.schedule.branched.products import places_of
from gnomon.reference.schedule.branched.realisation import realise
from gnomon.reference.schedule.branched.space import Found, branched_schedules
from gnomon.reference.schedule.branched.works import INSERTED, Around, Source, Target, Works
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.schedule.schedule import Schedule
from gnomon.reference.statement.statement import assignments
from gnomon.reference.storage.tensor import Tensor

CHAIN = "A(i,l) = B(i,j) * C(j,k) * D(k,l)"


def contraction(expression: str, formats: dict[str, str], out: str | None = None) -> Contraction:
    """An expression as the search sees it."""
    request = make_request(expression, formats, out=out)
    return contraction_of(request.program)


def works(of: Contraction) -> dict[str, str]:
    """The work of every structure, as text."""
    found = Works(of)
    return {structure(each.graph): str(found.of(each)) for each in branched_schedules(of, 1)}


@pytest.mark.parametrize(
    ("row", "graph", "expected"),
    [
        (4, "i,j,k,l", "12·K·L·nnz(B)"),
        (4, "i,j,l,k", "24·K·L·nnz(B)"),
        (4, "i,(j,k | k,l)", "8·I·K·L·[1-(1-nnz(B)/(I·J))^J] + 8·K·nnz(B)"),
        (4, "i,(k,j | k,l)", "8·I·K·L·[1-(1-nnz(B)/(I·J))^J] + 16·K·nnz(B)"),
        (4, "i,k,(j | l)", "8·I·K·L·[1-(1-nnz(B)/(I·J))^J] + 16·K·nnz(B)"),
        (4, "l,(k | i,j,k)", "8·K·L + 24·K·L·nnz(B)"),
        (1, "i,j,(k | l)", "24·K·nnz(B) + 8·L·nnz(B)"),
        (6, "i,j,(k,m | l,m)", "8·L·M·nnz(B(i,j)) + 8·M·nnz(B)"),
        (6, "i,j,(k | (k,m | l,m))", "8·L·M·nnz(B(i,j)) + 8·M·nnz(B) + 32·nnz(B)"),
        (8, "i,k,(l,j | (j | j,m))", "8·J·M·nnz(B(i,k)) + 8·J·nnz(B(i,k)) + 8·J·nnz(B)"),
    ],
)
def test_operands_are_counted_twice_where_rows_are_not_gone_along(row: int, graph: str, expected: str) -> None:
    assert works(KERNELS[row].contraction)[graph] == expected


def test_what_operands_store_is_expected_to_meet() -> None:
    sparse = works(contraction(CHAIN, {"B": "CSR", "C": "CSR", "D": "CSR"}))
    assert sparse["i,j,k,l"] == "24·nnz(B)·nnz(C)·nnz(D)/(J·K)"
    share = "[1-(1-nnz(B)·nnz(C)/(I·J·J·K))^J]"
    assert sparse["i,(j,k | k,l)"] == f"16·I·nnz(D)·{share} + 64·nnz(B)·nnz(C)/J"


def test_loops_count_what_they_merge() -> None:
    columns = works(contraction(CHAIN, {"B": "CSR", "C": "CSC", "D": "CSR"}))
    runs = "nnz(B)·nnz(C)·nnz(D)/(J·K)"
    assert columns["i,k,j,l"] == f"16·I·nnz(C) + 16·K·nnz(B) + 24·{runs}"
    assert columns["i,k,l,j"] == f"16·I·nnz(C)·nnz(D)/K + 24·{runs} + 16·nnz(B)·nnz(D)"
    assert columns["i,(j | k,j,l)"] == f"16·I·nnz(C) + 32·nnz(B) + 24·{runs}"
    met = works(contraction("A(i,l) = B(i,j) * C(i,j) * D(j,l)", {"B": "CSR", "C": "CSR", "D": "Dense"}))
    assert met["i,j,l"] == "12·L·nnz(B)·nnz(C)/(I·J) + 16·nnz(B) + 16·nnz(C)"
    four = {"B": "CSR", "C": "CSR", "D": "CSR", "E": "CSR"}
    fused = works(contraction("A(i,l) = B(i,j) * C(i,j) * D(j,k) * E(k,l)", four | {"D": "Dense"}))["i,j,(k,l | l)"]
    assert "+ 16·nnz(B) + " in fused and fused.endswith("+ 16·nnz(C)")
    share = "[1-(1-nnz(B)·nnz(C)/(I·J·J·K))^J]"
    below = works(contraction("A(i,l) = B(i,j) * C(j,k) * D(k,l) * E(k,l)", four))
    assert all(f"16·I·nnz({name})·{share} + " in below["i,(j,k | k,l)"] for name in "DE")


def test_results_whose_rows_come_in_no_order_are_placed_at_a_cost() -> None:
    chain, formats = "A(i,l) = B(j,i) * C(j,k) * D(k,l)", {"B": "CSR", "C": "CSR", "D": "CSR"}
    runs = "nnz(B)·nnz(C)·nnz(D)/(J·K)"
    assert works(contraction(chain, formats, "CSR"))["j,i,k,l"] == f"768·{runs}"
    assert works(contraction(chain, formats, "HashMap"))["j,i,k,l"] == f"96·{runs}"
    assert works(contraction(chain, formats))["j,i,k,l"] == f"24·{runs}"
    rows = {**formats, "B": "CSC"}
    assert works(contraction(chain, rows, "CSR"))["i,j,k,l"] == f"96·{runs}"
    vector = works(contraction("A(l) = x(j) * C(j,k) * D(k,l)", {"C": "CSR", "D": "CSR"}, "SparseVector"))
    assert vector["j,k,l"] == "96·nnz(C)·nnz(D)/K"


def test_tiles_in_registers_count_a_quarter() -> None:
    own = KERNELS[4].contraction
    tiled = {structure(each.graph): str(Works(own, True).of(each)) for each in branched_schedules(own, 1)}
    assert (tiled["i,j,k,l"], tiled["i,j,l,k"]) == ("3·K·L·nnz(B)", "3·K·L·nnz(B)")
    assert tiled["i,(j,k | k,l)"] == works(own)["i,(j,k | k,l)"]
    columns = contraction(CHAIN, {"B": "CSR", "C": "CSC"})
    linear = {structure(each.graph): str(Works(columns, True).of(each)) for each in branched_schedules(columns, 1)}
    assert linear["i,k,j,l"] == "16·I·nnz(C) + 16·K·nnz(B) + 3·L·nnz(B)·nnz(C)/J"


@pytest.mark.parametrize(
    ("a", "x", "expected"),
    [
        (
            "CSR",
            "SparseVector",
            "16·nnz(A) + 16·nnz(A)·nnz(x)/J + 16·min(I·nnz(x), 6·nnz(A)·log(1+I·nnz(x)/nnz(A)))",
        ),
        ("CSR", "HashVector", "16·nnz(A) + 16·nnz(A)·nnz(x)/J"),
        ("HashRows", "SparseVector", "16·I·nnz(x) + 16·nnz(A)·nnz(x)/J"),
        ("HashRows", "HashVector", "16·nnz(A) + 16·nnz(A)·nnz(x)/J"),
    ],
)
def test_what_is_looked_up_is_not_walked(a: str, x: str, expected: str) -> None:
    assert works(contraction("y(i) = A(i,j) * x(j)", {"A": a, "x": x})) == {"i,j": expected}


@pytest.mark.parametrize(("rows", "steps"), [(2, 1 * 2), (1_000_000, 6 * 2 * np.log2(1 + 500_000))])
def test_rows_are_stepped_through_or_sought(rows: int, steps: float) -> None:
    """Each row of A asks for two of those that B has."""
    (linear,) = branched_schedules(contraction("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR", "B": "DCSR"}), 1)
    work = Works(contraction("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR", "B": "DCSR"})).of(linear)
    sizes = {"I": 1, "J": 10**9, "K": 10**9, "nnz(A)": 2, "nnz(B(k))": rows, "nnz(B)": rows}
    through_a, products = 2, 2 * rows / 10**9
    assert work.evaluate(sizes) == pytest.approx(16 * (through_a + steps) + 16 * products)


def test_rows_beside_a_list_are_sought() -> None:
    """`T(j)` is filled for each i: rows of D are sought for what it holds."""
    found = works(contraction("C(i,l) = A(i,k) * B(k,j) * D(j,l)", {"A": "CSR", "B": "CSR", "D": "DCSR"}))
    assert "16·min(I·nnz(D(j)), 6·I·J·[1-(1-nnz(A)·nnz(B)/(I·J·K·K))^K]" in found["i,(k,j | j,l)"]


@pytest.mark.parametrize("row", [1, 3, 4, 6, 7, 8])
def test_no_more_is_expected_than_can_be(row: int) -> None:
    kernel, own = KERNELS[row], KERNELS[row].contraction
    known = {v.upper(): size for v, size in kernel.extents.items()}
    b, found = own.operands[0].levels, Works(own)
    names = [f"nnz(B({','.join(b[: n + 1])}))" for n in range(len(b) - 1)] + ["nnz(B)"]
    known |= dict(zip(names, kernel.stored, strict=True))
    for each in branched_schedules(own, 1):
        most = INSERTED * len(own.operands) * time(own, cost_of(each), kernel.sizes)
        assert found.of(each).evaluate(known) <= most * (1 + 1e-9)


SHAPES = {"B": (20, 30), "C": (30, 25), "D": (25, 24)}
FORMATS = {"B": "CSR", "C": "CSR", "D": "dense,dense"}


@cache
def of_chain() -> tuple[Contraction, dict[str, Found]]:
    """A chain of products, and its schedules by their structure: the first of each."""
    of, every = contraction(CHAIN, FORMATS), dict[str, Found]()
    for each in branched_schedules(of, 1):
        every.setdefault(structure(each.graph), each)
    return of, every


def uniform(shape: tuple[int, ...], count: int, format: str, seed: int) -> Tensor:
    """A tensor with so many components anywhere."""
    rng = np.random.default_rng(seed)
    flat = rng.choice(np.prod(shape), count, replace=False)
    return gn.tensor(np.array(np.unravel_index(flat, shape)), np.ones(count), shape, format)


def expected_and_counted(of: Contraction, found: Found, operands: dict[str, Tensor]) -> list[tuple[float, int]]:
    """How often each assignment is expected to run, and how often it ran."""
    ready = prepare(CHAIN, operands)
    program = realise(ready.lowered, of, found)
    done = prepare(CHAIN, operands, schedule=Schedule(program.commands))
    trace = Trace()
    interpret(done.program, done.operands, trace=trace)
    sizes = {name: measure(place, operands[place.tensor]) for name, place in places_of(ready.lowered, of).items()}
    made = Works(of)
    sources = tuple(Source(of.operands[n].levels) for n in found.order)
    terms = made.inside(found.graph, sources, Target(of.result.levels), Around()).terms
    ran = [trace.stores[leaf.target.tensor] for leaf in assignments(done.program.statement)]
    return [(float(term.evaluate(sizes)), n) for (_, term), n in zip(terms, ran, strict=True)]


@pytest.mark.parametrize(
    "graph", ["i,j,k,l", "i,(j,k | k,l)", "l,(j,k | i,j)", "i,(j | (j,k | k,l))", "i,(j | j,(k | (k,l | l)))"]
)
def test_the_interpreter_counts_about_what_is_expected(graph: str) -> None:
    of, every = of_chain()
    counts = {"B": 90, "C": 90, "D": 600}
    operands = {n: uniform(shape, counts[n], FORMATS[n], seed) for seed, (n, shape) in enumerate(SHAPES.items())}
    for expected, ran in expected_and_counted(of, every[graph], operands):
        assert isclose(expected, ran, rel_tol=0.2)
