"""Walks: every kind of level, with duplicates and in blocks, iterated, merged and located, whole and in tiles."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from depth import ALL, DEEP
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.properties.differential.batch import build_library, cases, check_case
from gnomon.properties.programs.problem import Problem
from gnomon.reference.schedule.schedule import as_schedule
from gnomon.reference.storage.tensor import Tensor
from gnomon.reference.storage.vectorised import holds_duplicates
from texts import c_text

SHAPE = (5, 5)
FORMATS = (
    "COO", "compressed(nonunique),singleton(nonunique)", "compressed(nonunique),singleton(unordered)",
    "compressed(nonunique,unordered),singleton(unordered,nonunique)", "CSR", "dense,compressed(unordered)", "DCSR",
    "BCSR(2,2)", "dense,compressed,dense; (i,j)->(i//2,j,i%2)", "compressed,compressed,dense; (i,j)->(i//3,j,i%3)",
    "HashRows", "hashed,hashed", "ELL", "dense,bitmap", "DIA", "CSB(2,2)",
    "dense,banded", "accumulator,accumulator",
)  # fmt: skip
EXPRESSIONS = {
    "y(i) = A(i,j) * x(j)": "dense",
    "y(i) = sum(j, sqrt(A(i,j)))": "dense",
    "y(i) = sum(j, A(i,j) * B(i,j))": "dense,dense; (i)->(i//2,i%2)",
    "C(i,j) = A(i,j) + B(i,j)": "BCSR(2,2)",
    "C(i,j) = A(i,j) * B(i,j)": "CSR",
    "C(i,j) = A(i,j) * 2 + 1": "dense,dense",
    "C(i,j) = A(i,j) * D(i,j) + B(i,j)": "DCSR",
}
SCHEDULES = (
    "split(j,u,v,3),reorder(u,i)",
    "split(i,u,v,2),reorder(v,u)",
    "collapse(i,j,f),pos(f,p,A(i,j)),split(p,u,v,2)",
    "pos(j,p,A(i,j)),split(p,u,v,2),reorder(v,u)",
)


def matrix(format: str) -> Tensor:
    """A matrix with rows of several components, an empty one, and duplicates where the format takes them."""
    coords = np.array([[4, 0, 0, 1, 1, 3, 4, 4], [0, 2, 0, 1, 4, 3, 2, 4]])
    values = np.array([1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 49.0, 64.0])
    if holds_duplicates(gn.format_of(format, 2)):
        coords, values = np.hstack([coords, coords[:, [1, 4]]]), np.append(values, [5.0, 11.0])
    return gn.tensor(coords, values, SHAPE, format)


def problems(format: str) -> Iterator[Problem]:
    """Every expression on a matrix in a format: by turns without a schedule and by one, else both ways, in deep runs by
    each schedule. Those that are not legal are left out later."""
    operands = {"A": matrix(format), "B": gn.tensor([[0, 1, 3, 4], [0, 1, 3, 4]], [2.0, 3.0, 5.0, 7.0], SHAPE, "CSR")}
    operands["D"] = gn.tensor([[0, 0, 1, 3, 3, 4], [0, 2, 0, 1, 3, 2]], np.arange(1.0, 7.0), SHAPE, "DCSR")
    operands["x"] = gn.tensor([range(5)], np.arange(1.0, 6.0), (5,), "dense")
    for n, (expression, out) in enumerate(EXPRESSIONS.items(), FORMATS.index(format)):
        ways = ["", *(SCHEDULES if DEEP else [SCHEDULES[n % len(SCHEDULES)]])]
        for schedule in ways if ALL else ways[n % 2 :][:1]:
            read = {name: tensor for name, tensor in operands.items() if f"{name}(" in expression}
            stored = gn.spec(out).format_for(2 if "C(" in expression else 1)
            yield Problem(expression, read, stored, schedule=as_schedule(schedule))


@pytest.mark.every(5)
@pytest.mark.parametrize("format", FORMATS)
def test_kernels_give_what_expressions_mean(format: str, tmp_path: Path) -> None:
    every = list(cases(problems(format), []))
    assert len(every) >= (len(EXPRESSIONS) if ALL else 4)
    library = build_library(every, tmp_path, chosen_compiler())
    for case in every:
        check_case(case, library)


def test_lists_below_duplicates_are_visited_one_by_one() -> None:
    once = gn.tensor([[0, 0, 1, 2], [3, 1, 0, 1]], [1.0, 4.0, 9.0, 16.0], (3, 4), "compressed(nonunique),accumulator")
    rows, lists = once.levels
    twice = replace(
        once, levels=({**rows, "crd": np.array([0, 0, 2], np.int32)}, lists), vals=np.where(once.vals, once.vals, 99.0)
    )
    report = gn.check("y(i) = sum(j, sqrt(A(i,j)))", A=twice)
    assert report.engines[:2] == ("reference", "c") and report.execution.result.to_numpy().tolist() == [6.0, 0.0, 4.0]


def agreed(problems: Sequence[Problem], folder: Path) -> list[Tensor]:
    """The results of problems, which C computes by kernels of one library."""
    every = list(cases(problems, []))
    library = build_library(every, folder, chosen_compiler())
    for case in every:
        check_case(case, library)
    assert len(every) == len(problems)
    return [case.problem.execution.result for case in every]


@pytest.mark.parametrize("operator", ["or", "xor", "and"])
def test_the_first_contribution_to_a_truth_value_is_one(operator: str, tmp_path: Path) -> None:
    fill, source = float(operator == "and"), f"y(i) = {operator}(j, A(i,j))"
    held = gn.tensor([[0, 1], [1, 0]], [2.0, 0.5], (2, 2), "CSR", fill=fill)
    stored = ((held, "SparseVector"), (held, "dense"), (held.convert("CSC"), "HashVector"))
    problems = [Problem(source, {"A": a}, gn.spec(out, fill=fill)) for a, out in stored]
    assert [found.to_numpy().tolist() for found in agreed(problems, tmp_path)] == [[1.0, 1.0]] * 3


@pytest.mark.parametrize(
    ("factor", "held"),
    [
        ("", {(0, 0): 13.0, (0, 1): 4.0, (0, 2): 0.0, (1, 1): 9.0, (1, 2): 8.0}),
        (" * D(i,k)", {(0, 0): 26.0, (0, 1): 12.0, (0, 2): 0.0}),
    ],
)
def test_missing_contributions_make_nothing_in_a_workspace_absent(
    factor: str, held: dict[tuple[int, int], float], tmp_path: Path
) -> None:
    workspaces = ("Dense", "bitmap", "accumulator", "HashVector", "hashed(width=4)")
    where, values = [[0, 0, 0, 1, 1], [0, 1, 2, 1, 2], [1, 0, 0, 1, 0]], [13.0, 4.0, -2.0, 9.0, 8.0]
    b = gn.tensor(where, values, (3, 4, 2), "dense,dense,compressed; (i,k,l)->(i,l,k)")
    d = gn.tensor([[0, 0, 0, 1, 2], [0, 1, 2, 0, 2]], [2.0, 3.0, 5.0, np.inf, np.inf], (3, 4), "CSR")
    operands = {"B": b, "D": d} if factor else {"B": b}
    schedules = [as_schedule(f"precompute(B(i,k,l),{{k}},{{kw}},t,{workspace})") for workspace in workspaces]
    problems = [Problem(f"R(i,k) = max(l, B(i,k,l)){factor}", operands, "CSR", schedule=each) for each in schedules]
    assert [dict(found.entries()) for found in agreed(problems, tmp_path)] == [held] * 5


ROWS = {
    "y(i) = sqrt(sum(j, A(i,j))) + 1": [3.0, 1.0, 4.0],
    "y(i) = sum(j, A(i,j)) - abs(prod(j, B(i,j)))": [4.0, -6.0, 9.0],
    "y(i)<M(i)> = sum(j, A(i,j))": [4.0, 0.0, 0.0],
    "y(i)<!M(i)> = sum(j, A(i,j)) + 1": [0.0, 1.0, 10.0],
}


@pytest.mark.parametrize("out", ["dense", "SparseVector"])
def test_rows_without_components_and_rows_that_a_mask_leaves_out(out: str, tmp_path: Path) -> None:
    a = gn.tensor([[0, 0, 2], [0, 1, 1]], [1.0, 3.0, 9.0], (3, 2), "DCSR")
    m, b = gn.from_numpy(np.array([1.0, 0.0, 0.0]), "dense"), gn.tensor([[1, 1], [0, 1]], [2.0, 3.0], (3, 2), "DCSR")
    operands = {"A": a, "M": m, "B": b}
    read = [{name: each for name, each in operands.items() if f"{name}(" in text} for text in ROWS]
    problems = [Problem(text, held, out) for text, held in zip(ROWS, read, strict=True)]
    assert [found.to_numpy().tolist() for found in agreed(problems, tmp_path)] == list(ROWS.values())


def test_children_that_come_in_order_are_not_sorted() -> None:
    """The stored coordinates of a bitmap come in order, those of a hash table do not."""
    sources = {level: c_text("z(j) = x(j) + y(j)", x=level, y="compressed") for level in ("bitmap", "hashed")}
    assert {level: "gn_sort" in source for level, source in sources.items()} == {"bitmap": False, "hashed": True}


@pytest.mark.parametrize("count", [2, 40])
def test_coordinates_of_any_size_are_put_in_order(count: int) -> None:
    """Together they may have all bits of the largest integer, though none of them is near it."""
    size = 2**62 + 1
    coords = [2**62, 2**62 - 1, *range(count)][::-1]
    x = gn.tensor([coords], np.arange(1.0, len(coords) + 1), (size,), "compressed(unordered)")
    found = gn.evaluate("y(i) = x(i)", x=x, out="SparseVector", engine="c")
    assert gn.to_dict(found) == gn.to_dict(gn.evaluate("y(i) = x(i)", x=x, out="SparseVector"))


def test_what_is_put_in_order_keeps_to_the_window_of_its_loop() -> None:
    x = gn.tensor([[5, 1, 9, 3]], [1.0, 2.0, 3.0, 4.0], (12,), "compressed(unordered)")
    y = gn.tensor([[0, 3, 9]], [10.0, 20.0, 30.0], (12,), "compressed")
    gn.check("z(j) = x(j) + y(j)", x=x, y=y)
    gn.check("z(j) = x(j) + y(j)", x=x, y=y, schedule="split(j,j0,j1,4)")


SORTED = """
#include "gnomon.h"
/* How many pairs stand wrong after sorting so many, of random coordinates below 2 to some power. */
int64_t wrong(int64_t n, int64_t bits)
{
    int status = GN_OK;
    gn_list list = GN_NO_LIST;
    int64_t *given = gn_room(n, sizeof(int64_t), &status), found = 0;
    uint64_t drawn = 1;
    for (int64_t k = 0; k < n; k++) {
        drawn = drawn * 6364136223846793005u + 1442695040888963407u;
        given[k] = bits > 0 ? (int64_t)(drawn >> (64 - bits)) : 0;
        gn_push(&list, given[k], k, &status);
    }
    gn_sort(&list);
    for (int64_t k = 0; k < n; k++) {
        const gn_pair here = list.item[k], before = list.item[k > 0 ? k - 1 : 0];
        const bool after = here.coordinate == before.coordinate ? k == 0 || here.position > before.position
                                                                : here.coordinate > before.coordinate;
        found += !after || given[here.position] != here.coordinate;
    }
    free(given);
    free(list.item);
    return found;
}
/* The same of those that an array holds in its middle, put in order in a list that is used again and again. */
int64_t misplaced(int64_t n, int64_t bits)
{
    int status = GN_OK;
    gn_list list = GN_NO_LIST;
    int32_t *given = gn_zeros(n + 7, sizeof(int32_t), &status);
    int64_t found = 0, times[] = {n / 3, n, n / 2};
    uint64_t drawn = 1;
    for (int time = 0; time < 3; time++) {
        const int64_t begin = 3, end = begin + times[time];
        for (int64_t k = begin; k < end; k++) {
            drawn = drawn * 6364136223846793005u + 1442695040888963407u;
            given[k] = bits > 0 ? (int32_t)(drawn >> (64 - bits)) : 0;
            given[k] = time == 0 ? (int32_t)(end - k) : given[k]; /* each once */
        }
        gn_order_int32(&list, given, begin, end, &status);
        found += list.size != end - begin;
        for (int64_t k = 0; k < list.size; k++) {
            const gn_pair here = list.item[k], before = list.item[k > 0 ? k - 1 : 0];
            const bool after = here.coordinate == before.coordinate ? k == 0 || here.position > before.position
                                                                    : here.coordinate > before.coordinate;
            found += !after || here.position < begin || here.position >= end;
            found += here.position >= begin && here.position < end && given[here.position] != here.coordinate;
        }
    }
    free(given);
    free(list.item);
    free(list.place);
    free(list.mark);
    return found + (status != GN_OK);
}
"""


def test_lists_are_sorted_and_equal_coordinates_keep_their_order(tmp_path: Path) -> None:
    (tmp_path / "sorted.c").write_text(SORTED)
    chosen_compiler().build(tmp_path / "sorted.c", tmp_path / "sorted.so")
    library = ctypes.CDLL(str(tmp_path / "sorted.so"))
    for function, most in ((library.wrong, 64), (library.misplaced, 32)):
        function.argtypes, function.restype = [ctypes.c_int64] * 2, ctypes.c_int64
        for n in (0, 1, 2, 24, 25, 47, 48, 49, 50, 200, 1023, 1024, 3000):
            assert [function(n, bits) for bits in range(most)] == [0] * most, n
