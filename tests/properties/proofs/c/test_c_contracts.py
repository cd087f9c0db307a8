"""Contracts: what the functions of the support header do is what proofs assume of them."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from gnomon.generator.compiler import INCLUDE
from gnomon.properties.machine.program import program
from gnomon.properties.machine.run import called
from gnomon.properties.machine.state import State as Run
from gnomon.properties.proofs.c.c_contracts import CONSTANTS, CONTRACTS
from gnomon.properties.proofs.c.c_facts import Knowledge, number
from gnomon.properties.proofs.c.c_memory import Address, State
from gnomon.properties.proofs.solver import z3
from hypothesis import example, given
from hypothesis import strategies as st

HEADER = (INCLUDE / "gnomon.h").read_text()
PURE = ("gn_min_int64", "gn_max_int64", "gn_floordiv_int64", "gn_mod_int64")
TEXT = """
#include "gnomon.h"
int64_t capacity(int64_t held, int64_t most, int64_t more, int64_t limit)
{
    int status = GN_OK;
    return gn_capacity(held, most, more, limit, &status);
}
int capacity_status(int64_t held, int64_t most, int64_t more, int64_t limit)
{
    int status = GN_OK;
    (void) gn_capacity(held, most, more, limit, &status);
    return status;
}
int zeros_status(int64_t count, int before)
{
    int status = before;
    int64_t *made = gn_zeros(count, sizeof(int64_t), &status);
    free(made);
    return status;
}
int64_t estimate(int64_t likely, int64_t limit) { return gn_estimate(likely, limit, 8); }
""" + "".join(f"int64_t my_{name}(int64_t a, int64_t b) {{ return {name}(a, b); }}\n" for name in PURE)
C = program(TEXT)
COUNTS = st.integers(0, 100) | st.integers(0, 2**40)
WHOLE = st.integers(-100, 100) | st.integers(-(2**40), 2**40)


def computed(name: str, *args: int) -> Any:
    """What a function of the header gives."""
    return called(C, name, args, Run())


def assumed(name: str, *args: Any, before: int = 0) -> tuple[Knowledge, Any, Any]:
    """What is known after a contract, what it gives, and the status."""
    know = Knowledge()
    run: Any = SimpleNamespace(know=know, key=lambda name: name)
    state = State(z3.BoolVal(True), {"status": z3.IntVal(before)})
    values = [z3.IntVal(arg) if isinstance(arg, int) else arg for arg in args]
    found = CONTRACTS[name](run, [z3.IntVal(0)] * len(values), values, state)
    return know, found, state.variables["status"]


def admits(know: Knowledge, *facts: Any) -> bool:
    """Whether what is known leaves room for something."""
    return bool(know.check(*facts) == z3.sat)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
@example(4, 9, 1, 8)
def test_capacities(capacity: int, held: int, more: int, limit: int) -> None:
    args = (capacity, held, more, limit)
    know, found, status = assumed("gn_capacity", *args, Address("status"))
    right = z3.And(found == computed("capacity", *args), status == computed("capacity_status", *args))
    assert admits(know, right) and not admits(know, z3.Not(right))


@given(COUNTS, COUNTS)
def test_estimates(likely: int, limit: int) -> None:
    know, found, _ = assumed("gn_estimate", likely, limit, 8)
    right = found == computed("estimate", likely, limit)
    assert admits(know, right) and not admits(know, z3.Not(right))


@pytest.mark.parametrize("name", PURE)
@given(WHOLE, WHOLE)
def test_arithmetic(name: str, a: int, b: int) -> None:
    if "div" in name or "mod" in name:
        b = abs(b) + 1
    know, found, _ = assumed(name, a, b)
    right = number(found) == computed(f"my_{name}", a, b)
    assert admits(know, right) and not admits(know, z3.Not(right))


@given(st.integers(-3, 100), st.integers(0, 2))
def test_zeros(count: int, before: int) -> None:
    """An array that was made has its length, else a status says so; what fails for lack of memory may always fail."""
    know, found, status = assumed("gn_zeros", count, 8, Address("status"), before=before)
    after = computed("zeros_status", count, before)
    assert admits(know, status == after, found.length == (count if after == 0 else 0))
    assert not admits(know, status == 0, found.length != count)
    assert admits(know, status == 0) == (count >= 0 and before == 0)


def test_constants() -> None:
    listed = re.search(r"enum \{ (GN_OK.*?) \};", HEADER)
    assert listed is not None
    found = {name: int(value) for name, value in re.findall(r"(\w+) = (\d+)", listed[1])}
    assert found == {name: value for name, value in CONSTANTS.items() if name in found} and len(found) == 5
