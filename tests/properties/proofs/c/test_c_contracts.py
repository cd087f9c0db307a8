"""Contracts: what the functions of the support header do is what proofs assume of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest
from gnomon.generator.runtime.compiler import INCLUDE
from gnomon.properties.machine.fault import Uninitialised
from gnomon.properties.machine.program import program
from gnomon.properties.machine.run import call
from gnomon.properties.machine.state import State as Run
from gnomon.properties.proofs.c.c_contracts import CONSTANTS, CONTRACTS
from gnomon.properties.proofs.c.c_facts import Knowledge, number
from gnomon.properties.proofs.c.c_memory import Address, Array, Constant, Contents, List, Opaque, State, Stored
from gnomon.properties.proofs.solver import z3
from hypothesis import example, given, settings
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
int64_t foreseen(int64_t capacity, int64_t held, int64_t more, int64_t coordinate, int64_t extent, int64_t limit)
{
    int status = GN_OK;
    return gn_foresee(capacity, held, more, coordinate, extent, 1, limit, &status);
}
int zeros_status(int64_t count, int before)
{
    int status = before;
    int64_t *made = gn_zeros(count, sizeof(int64_t), &status);
    free(made);
    return status;
}
int64_t placed(int64_t skip, int64_t stride, int64_t at, int64_t rows, int64_t mine, int64_t place)
{
    int64_t first[9] = {0}, before[8] = {0}, own[100] = {0}, whole[100] = {0};
    int64_t last = -1, end = 0;
    for (int64_t n = 0; n < rows; n++) {
        first[n + 1] = n % 3;
        if (mine >> n & 1) {
            for (int64_t q = skip + end * stride; q < skip + (end + n % 3) * stride; q++)
                own[q] = 100 * (n + 1) + q - skip - end * stride;
            before[n] = last;
            last = n;
            end += n % 3;
        }
    }
    for (int64_t n = 0; n < rows; n++)
        first[n + 1] += first[n];
    gn_place(whole, own, skip, stride, at, end, first, before, last);
    return whole[place];
}
int64_t part(int64_t likely)
{
    return gn_part(likely);
}
int64_t swapped(int64_t place)
{
    int64_t three = 3, ten = 10, *one = &three, *other = &ten;
    gn_swap(one, other);
    return place ? *other : *one;
}
int64_t unset(int64_t count)
{
    int status = GN_OK;
    int64_t *made = gn_room(count, sizeof(int64_t), &status);
    const int64_t found = made[count - 1];
    free(made);
    return found;
}
int resize_status(int64_t length, int64_t count, int before)
{
    int status = GN_OK;
    int64_t *made = gn_zeros(length, sizeof(int64_t), &status);
    status = before;
    made = gn_resize(made, count, sizeof(int64_t), &status);
    free(made);
    return status;
}
int64_t resized(int64_t length, int64_t count, int64_t at)
{
    int status = GN_OK;
    int64_t *made = gn_zeros(length, sizeof(int64_t), &status);
    for (int64_t k = 0; k < length; k++)
        made[k] = k * k + 1;
    made = gn_resize(made, count, sizeof(int64_t), &status);
    const int64_t found = made[at];
    free(made);
    return found;
}
static void fill(gn_list *list, int64_t count, int64_t step, int *status)
{
    for (int64_t k = 0; k < count; k++)
        gn_push(list, k * step % 97, k, status);
}
int push_status(int64_t count, int before)
{
    int status = before;
    gn_list list = GN_NO_LIST;
    fill(&list, count, 1, &status);
    free(list.item);
    return status;
}
int64_t pushed(int64_t count, int before)
{
    int status = before;
    gn_list list = GN_NO_LIST;
    fill(&list, count, 1, &status);
    free(list.item);
    return list.size;
}
int64_t listed(int64_t count, int64_t step, int64_t at, int64_t coordinates, int64_t sorts)
{
    int status = GN_OK;
    gn_list list = GN_NO_LIST;
    fill(&list, count, step, &status);
    if (sorts)
        gn_sort(&list);
    const int64_t found = coordinates ? list.item[at].coordinate : list.item[at].position;
    free(list.item);
    return found;
}
int64_t ordered(int64_t begin, int64_t end, int64_t step, int64_t at, int64_t field)
{
    int status = GN_OK;
    gn_list list = GN_NO_LIST;
    int64_t *made = gn_zeros(100, sizeof(int64_t), &status);
    for (int64_t k = 0; k < 100; k++)
        made[k] = k * step % 97;
    gn_order_int64(&list, made, begin, end, &status);
    const int64_t found = field == 0 ? list.size : field == 1 ? list.item[at].coordinate : list.item[at].position;
    free(made);
    free(list.item);
    free(list.place);
    free(list.mark);
    return found;
}
int64_t estimate(int64_t likely, int64_t limit) { return gn_estimate(likely, limit, 8); }
""" + "".join(f"int64_t my_{name}(int64_t a, int64_t b) {{ return {name}(a, b); }}\n" for name in PURE)
C = program(TEXT)
COUNTS = st.integers(0, 100) | st.integers(0, 2**40)
FEW = settings(max_examples=settings().max_examples // 20)
WHOLE = st.integers(-100, 100) | st.integers(-(2**40), 2**40)


def computed(name: str, *args: int) -> Any:
    """What a function of the header gives."""
    return call(C, name, args, Run())


def assumed(name: str, *args: Any, before: int = 0, **held: Any) -> tuple[Knowledge, Any, Any, Any]:
    """What is known after a contract, what it gives, the status, and the list that is held."""
    know = Knowledge()
    state = State(z3.BoolVal(True), {"status": z3.IntVal(before), **held})
    values = [z3.IntVal(arg) if isinstance(arg, int) else arg for arg in args]
    found = CONTRACTS[name](know, [z3.IntVal(0)] * len(values), values, state)
    return know, found, state.variables["status"], state.variables.get("list")


def stored(values: Iterable[int]) -> Contents:
    """Contents that are these numbers, and 0 from there on."""
    contents: Contents = Constant(0)
    for k, value in enumerate(values):
        contents = Stored(contents, z3.IntVal(k), z3.IntVal(value))
    return contents


def pair(know: Knowledge, held: List, at: int, coordinate: int, position: int) -> Any:
    """That a pair is at an index of a list."""
    index = z3.IntVal(at)
    return z3.And(
        know.read_element(held.coordinate, index) == coordinate, know.read_element(held.position, index) == position
    )


def pairs(count: int, step: int) -> List:
    """What `fill` puts into a list."""
    return List(z3.IntVal(count), stored(k * step % 97 for k in range(count)), stored(range(count)))


def admits(know: Knowledge, *facts: Any) -> bool:
    """Whether what is known leaves room for something."""
    return bool(know.check(*facts) == z3.sat)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
@example(4, 9, 1, 8)
def test_capacities(capacity: int, held: int, more: int, limit: int) -> None:
    args = (capacity, held, more, limit)
    know, found, status, _ = assumed("gn_capacity", *args, Address("status"))
    right = z3.And(found == computed("capacity", *args), status == computed("capacity_status", *args))
    assert admits(know, right) and not admits(know, z3.Not(right))


@given(COUNTS, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS)
@example(30, 30, 3, 1, 80, 100)
@example(30, 30, 3, 1, 80, 40)
def test_foreseen_capacities(capacity: int, held: int, more: int, coordinate: int, extent: int, limit: int) -> None:
    """What comes is as large as contents so far let expect, at least what is needed, and may be counted."""
    args = (capacity, held, more, coordinate, extent)
    know, found, _, _ = assumed("gn_foresee", *args, 1, limit, Address("status"))
    right, least = computed("foreseen", *args, limit), computed("capacity", capacity, held, more, limit)
    alike = int(min(1.125 * extent * (held + more) / (coordinate + 1), 128 * capacity))
    assert right == max(least, min(alike, limit, 2**27))
    assert admits(know, found == right)
    assert not admits(know, found < least)


@given(COUNTS, COUNTS)
def test_estimates(likely: int, limit: int) -> None:
    know, found, _, _ = assumed("gn_estimate", likely, limit, 8)
    right = found == computed("estimate", likely, limit)
    assert admits(know, right) and not admits(know, z3.Not(right))


@given(COUNTS)
def test_parts(likely: int) -> None:
    """Any part of what is likely, as a thread of any team may have it."""
    know, found, _, _ = assumed("gn_part", likely)
    assert admits(know, found == computed("part", likely)) and admits(know, found == likely // 3 + 1)
    assert not admits(know, found < 1) and not admits(know, found > likely + 1)


@pytest.mark.parametrize("name", PURE)
@given(WHOLE, WHOLE)
def test_arithmetic(name: str, a: int, b: int) -> None:
    if "div" in name or "mod" in name:
        b = abs(b) + 1
    know, found, _, _ = assumed(name, a, b)
    right = number(found) == computed(f"my_{name}", a, b)
    assert admits(know, right) and not admits(know, z3.Not(right))


@given(st.integers(-3, 100), st.integers(0, 2))
def test_zeros(count: int, before: int) -> None:
    """An array that was made has its length, else a status says so; what fails for lack of memory may always fail."""
    know, found, status, _ = assumed("gn_zeros", count, 8, Address("status"), before=before)
    after = computed("zeros_status", count, before)
    assert admits(know, status == after, found.length == (count if after == 0 else 0))
    assert not admits(know, status == 0, found.length != count)
    assert admits(know, status == 0) == (count >= 0 and before == 0)


def test_room() -> None:
    """What is not set may be anything, which code does not depend on, as machines tell that read it."""
    know, found, status, _ = assumed("gn_room", 3, 8, Address("status"))
    element = know.read_element(found.contents, z3.IntVal(2))
    assert admits(know, status == 0, found.length == 3, element == -1) and admits(know, status == 0, element == 7)
    with pytest.raises(Uninitialised):
        computed("unset", 3)


@given(st.integers(0, 20), st.integers(-3, 40), st.integers(0, 2), st.integers(0, 19))
@FEW
def test_resizing(length: int, count: int, before: int, at: int) -> None:
    """The array has the new length and what it held, or a status says that it has not."""
    array = Array(z3.IntVal(length), stored(k * k + 1 for k in range(length)), "int64_t")
    know, found, status, _ = assumed("gn_resize", array, count, 8, Address("status"), before=before)
    after = computed("resize_status", length, count, before)
    assert admits(know, status == after, found.length == (length if count < 0 else count))
    assert not admits(know, status == 0, found.length != count)
    if at < min(length, count):
        kept = know.read_element(found.contents, z3.IntVal(at)) == computed("resized", length, count, at)
        assert admits(know, kept, found.length == count) and not admits(know, z3.Not(kept), found.length == count)


@given(st.integers(0, 40), st.integers(0, 2), st.integers(0, 40))
@FEW
def test_pushing(count: int, before: int, at: int) -> None:
    """A list has one pair more, unless a status says that there is no memory or something failed before."""
    size, after = computed("pushed", count, before), computed("pushed", count + 1, before)
    know, _, status, held = assumed(
        "gn_push", Address("list"), count % 97, count, Address("status"), before=before, list=pairs(size, 1)
    )
    assert admits(know, held.size == after, status == computed("push_status", count + 1, before))
    assert not admits(know, status == 0, held.size != size + 1)
    if at < after:
        kept = pair(
            know, held, at, computed("listed", count + 1, 1, at, 1, 0), computed("listed", count + 1, 1, at, 0, 0)
        )
        assert admits(know, kept, held.size == after) and not admits(know, z3.Not(kept), held.size == after)


@given(st.integers(1, 80), st.integers(1, 96), st.integers(0, 79))
@FEW
def test_sorting(count: int, step: int, at: int) -> None:
    """The pairs of a list in some order, each of them at its place."""
    at %= count
    know, _, _, held = assumed("gn_sort", Address("list"), list=pairs(count, step))
    assert held.size.as_long() == count
    assert admits(
        know, pair(know, held, at, computed("listed", count, step, at, 1, 1), computed("listed", count, step, at, 0, 1))
    )
    assert not admits(know, z3.Not(z3.Or([pair(know, held, at, k * step % 97, k) for k in range(count)])))


@given(st.integers(0, 60), st.integers(0, 38), st.integers(1, 96), st.integers(0, 39))
@FEW
def test_ordering(begin: int, count: int, step: int, at: int) -> None:
    """The coordinates at a range of positions and these in some order, or a status."""
    end = begin + count
    array = Array(z3.IntVal(100), stored(k * step % 97 for k in range(100)), "int64_t")
    know, _, status, held = assumed("gn_order_int64", Address("list"), array, begin, end, Address("status"))
    size = computed("ordered", begin, end, step, 0, 0)
    assert admits(know, status == 0, held.size == size) and not admits(know, status == 0, held.size != size)
    if count > 0:
        at %= count
        there = (computed("ordered", begin, end, step, at, field) for field in (1, 2))
        assert admits(know, status == 0, pair(know, held, at, *there))
        every = z3.Or([pair(know, held, at, k * step % 97, k) for k in range(begin, end)])
        assert not admits(know, status == 0, z3.Not(every))


@given(*(st.integers(low, high) for low, high in ((0, 1), (1, 3), (0, 2), (0, 8), (0, 255))))
@FEW
def test_placing(skip: int, stride: int, at: int, rows: int, mine: int) -> None:
    """Each iteration of a thread has its part where those before it end, whoever ran them; nothing else is touched."""
    wanted = [0] * 100
    for n in range(rows):
        begin = skip + (at + sum(m % 3 for m in range(n))) * stride
        if mine >> n & 1:
            wanted[begin : begin + n % 3 * stride] = [100 * (n + 1) + k for k in range(n % 3 * stride)]
    assert [computed("placed", skip, stride, at, rows, mine, place) for place in range(0, 40)] == wanted[:40]
    own, array, first = (Array(z3.IntVal(100), stored(each), "int64_t") for each in (wanted, wanted, range(3)))
    state = State(z3.BoolVal(True), {"f:array": array})
    assert CONTRACTS["gn_place"](Knowledge(), [], (array, own, 0, 1, 0, 2, first), state) == Opaque()
    assert state.variables["f:array"].contents == Opaque()


def test_arrays_change_places() -> None:
    assert [computed("swapped", place) for place in range(2)] == [10, 3]
    one, other = Array(z3.IntVal(3), Opaque(), "int64_t"), Array(z3.IntVal(10), Opaque(), "int64_t")
    state = State(z3.BoolVal(True), {"f:one": one, "f:other": other})
    CONTRACTS["gn_swap"](Knowledge(), [], (one, other), state)
    assert state.variables["f:one"] is other and state.variables["f:other"] is one


def test_constants() -> None:
    listed = re.search(r"enum \{ (GN_OK.*?) \};", HEADER)
    assert listed is not None
    found = {name: int(value) for name, value in re.findall(r"(\w+) = (\d+)", listed[1])}
    assert found == {name: value for name, value in CONSTANTS.items() if name in found} and len(found) == 6
