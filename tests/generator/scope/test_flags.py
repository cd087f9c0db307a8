"""Flags: merges of three to eight operands, in mixed formats and under every construct, and how long their code is."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from gnomon.generator.ir import ir
from gnomon.generator.ir.writer import Writer
from gnomon.generator.kernel_source import generate
from gnomon.generator.runtime.request import chosen_compiler, make_request
from gnomon.generator.runtime.sources import request_source
from gnomon.generator.scope.flags import condition, where_present
from gnomon.properties.differential.batch import build_library, cases, check_case
from gnomon.properties.programs.problem import Problem
from gnomon.reference.loops.presence import every, some
from gnomon.reference.notation.parser import parse
from gnomon.reference.notation.syntax import Access
from gnomon.reference.schedule.schedule import as_schedule
from gnomon.reference.storage.tensor import Tensor

NAMES, EXTENT = "BCDEFGHK", 4
STORED = ("CSR", "DCSR", "COO", "CSC", "dense,compressed(unordered)", "hashed,hashed", "compressed,dense", "BCSR(2,2)")
PIECES = (
    "compressed(nonunique),singleton(unordered)", "compressed(unordered),compressed", "DCSR", "ELL", "CSR",
    "compressed,hashed", "COO", "dense,bitmap",
)  # fmt: skip


def total(n: int, order: int) -> str:
    indices = ",".join("ijkl"[:order])
    return f"A({indices}) = " + " + ".join(f"{name}({indices})" for name in NAMES[:n])


def lines(n: int, order: int, format: str) -> int:
    return length(total(n, order), n, format)


def length(expression: str, n: int, format: str, schedule: str = "") -> int:
    request = make_request(expression, dict.fromkeys(NAMES[:n], format), out=format, schedule=schedule)
    return len(generate(request_source(request, request.resolve_without_shapes())).splitlines())


@pytest.mark.parametrize(("format", "order"), [("DCSR", 2), ("COO", 2), ("CSF", 3), ("CSF", 4)])
def test_code_grows_by_as_much_with_every_operand(format: str, order: int) -> None:
    three, five, eight = (lines(n, order, format) for n in (3, 5, 8))
    assert five - three <= 60 * order and eight - five <= 2.5 * (five - three)


def test_code_grows_by_as_much_with_every_level_and_five_addends_are_short() -> None:
    length = [lines(4, order, "compressed" + ",compressed" * (order - 1)) for order in (1, 2, 3, 4)]
    more = [b - a for a, b in pairwise(length)]
    assert max(more) <= 1.5 * min(more)
    assert lines(5, 2, "DCSR") < 400


def test_addends_in_statements_of_their_own_are_as_short() -> None:
    expression, scalars = (
        "A(i,j,k) = (B(i,j,k) + C(i,j,k)) * (D(i,j,k) + E(i,j,k))",
        (
            "precompute(D(i,j,k)+E(i,j,k),{},{},s)",
            "precompute(B(i,j,k)+C(i,j,k),{},{},t)",
        ),
    )
    whole, one, both = (length(expression, 4, "CSF", ",".join(scalars[:n])) for n in range(3))
    assert whole <= one <= both <= 1.2 * whole


def matrix(n: int, format: str, fill: float = 0.0, shape: tuple[int, ...] = (EXTENT, EXTENT)) -> Tensor:
    """An operand with components, empty rows and values that no arithmetic may meet where it has nothing."""
    random = np.random.default_rng(n)
    held = np.flatnonzero(random.random(shape) < 0.4)
    values = random.integers(1, 9, len(held)).astype(float)
    if len(values) and n % 3 == 1:
        values[0] = np.inf
    return gn.tensor(np.array(np.unravel_index(held, shape)), values, shape, format, fill=fill)


def problem(expression: str, formats: tuple[str, ...], out: str, fills: str = "", **asked: str) -> Problem:
    schedule = as_schedule(asked.pop("schedule", ""))
    operands = {
        name: matrix(n, formats[n % len(formats)], 1.0 if name in fills else 0.0)
        for n, name in enumerate(NAMES)
        if f"{name}(" in expression
    }
    operands |= {
        name: matrix(3 + n, "SparseVector", shape=(EXTENT,)) for n, name in enumerate("uvw") if f"{name}(" in expression
    }
    return Problem(expression, operands, gn.spec(out).format_for(order(expression)), schedule=schedule, **asked)


def order(expression: str) -> int:
    return len(parse(expression).target.indices)


EXPRESSIONS = (
    "A(i,j) = B(i,j) + C(i,j) + D(i,j) + E(i,j) + F(i,j) + G(i,j) + H(i,j) + K(i,j)",
    "A(i,j) = B(i,j) * C(i,j) + D(i,j) * E(i,j) * F(i,j)",
    "A(i,j) = (B(i,j) + C(i,j)) * (D(i,j) - E(i,j)) * F(i,j)",
    "A(i,j) = B(i,j) - C(i,j) - (D(i,j) - E(i,j))",
    "A(i,j) = min(B(i,j), C(i,j)) + max(D(i,j), abs(E(i,j)))",
    "A(i,j) = or(B(i,j), and(C(i,j), xor(D(i,j), E(i,j))))",
    "A(i,j) = B(i,j) / C(i,j) + D(i,j) * 2 + sqrt(E(i,j))",
    "A(i,j) = B(i,j) + C(i,j) + u(i)",
    "A(i,j) = B(i,j) + C(i,j) * u(j) + D(i,j) * v(i) + w(j)",
    "A(i,j) = -(B(i,j) + C(i,j) + (D(i,j) + 2))",
    "A(i,j) = cos(B(i,j)) * C(i,j) + D(i,j)",
    "A(i,j)<B(i,j)> = C(i,j) + D(i,j)",
    "A(i,j)<!B(i,j)> = C(i,j) + D(i,j) + E(i,j)",
    "A(i,j)<!$B(i,j)> = C(i,j) + D(i,j) * E(i,j)",
    "y(i) = sum(j, B(i,j) + C(i,j) + D(i,j))",
    "y(i) = max(j, B(i,j) + C(i,j) * D(i,j))",
    "y(j) = sum(i, B(i,j) + C(i,j) + D(i,j)) + w(j)",
    "a = sum(i, sum(j, B(i,j) * C(i,j) + D(i,j) * E(i,j)))",
    "A(i,j) = sum(k, B(i,k) * C(k,j)) + D(i,j) + E(i,j)",
)
FILLED = EXPRESSIONS[:3] + EXPRESSIONS[4:6]
SCHEDULES = (
    "split(j,u,v,2)", "split(i,u,v,3),parallelize(u,CPUThread,NoRaces)", "collapse(i,j,f),split(f,u,v,3)",
    "split(i,u,v,2),reorder(v,u)",
)  # fmt: skip


def merges() -> Iterator[Problem]:
    for n, expression in enumerate(EXPRESSIONS):
        outs = (("",), ("dense", "SparseVector"), ("DCSR", "CSR", "dense,dense"))[order(expression)]
        both = (STORED[n % 3 :], PIECES[n % 4 :])
        for formats in both if ALL else both[n % 2 :][:1]:
            yield problem(expression, formats, outs[n % len(outs)])
    for expression in FILLED if ALL else FILLED[1::2]:
        yield problem(expression, STORED, "DCSR", fills="CE")
    for ring in ("min_plus", "max_times", "plus_pair", "or_and"):
        yield problem(EXPRESSIONS[1], ("DCSR", "COO", "CSR"), "DCSR", semiring=ring)
    scheduled = ((EXPRESSIONS[1], "CSR"), (EXPRESSIONS[0], "dense,dense"), (EXPRESSIONS[14], "dense"))
    for n, schedule in enumerate(SCHEDULES):
        for expression, out in scheduled if ALL else scheduled[n % 3 :][:1]:
            yield problem(expression, ("CSR", "DCSR", "COO"), out, schedule=schedule)


def test_merges_of_many_operands_give_what_expressions_mean(tmp_path: Path) -> None:
    refused: list[str] = []
    every_ = list(cases(list(merges()), refused))
    assert not refused and len(every_) >= (48 if ALL else 29)
    library = build_library(every_, tmp_path, chosen_compiler())
    for case in every_:
        check_case(case, library)


B, C, D = (Access(name, ("i",)) for name in "BCD")


def test_formulas_ask_for_flags() -> None:
    flags = {B: ir.Name("b"), C: ir.Name("c")}
    assert condition(every(B, some(C, D)), flags) == ir.Name("b")
    assert condition(some(B, C), flags) == ir.Binary("||", ir.Name("b"), ir.Name("c"))
    assert condition(False, flags) == ir.FALSE


def test_what_writes_statements_is_computed_where_the_flag_holds() -> None:
    out = Writer().inner()
    named = (("int64_t", "p", ir.ZERO),)
    assert where_present(ir.Name("b"), lambda _: [ir.Name("q")], named, out) == [
        ir.Choice(ir.Name("b"), ir.Name("q"), ir.ZERO)
    ]
    (p,) = where_present(ir.Name("b"), lambda inner: [inner.declare("int64_t", "p", ir.Call("f", ()))], named, out)
    assert out.code == (
        ir.Declare("int64_t", "p", ir.ZERO),
        ir.If(ir.Name("b"), (ir.Declare("int64_t", "p_2", ir.Call("f", ())), ir.Assign(ir.Name("p"), ir.Name("p_2")))),
    )
    assert p == ir.Name("p")
