"""A level format that only this file knows, in the interpreter and in generated C."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.ir import extremes, ir, logic
from gnomon.generator.ir.verifier import expressions
from gnomon.generator.ir.writer import Writer
from gnomon.generator.storage.level_functions import Bound
from gnomon.reference.levels import LEVELS
from gnomon.reference.levels.level import Coordinates, Indices, Ints, Level, Violation, array, extent
from gnomon.reference.storage.format import Format
from msgspec.structs import replace


@dataclass(frozen=True)
class Strided(Level):
    """Every `step`-th coordinate from `first[p]` on, as many as `count[p]`; found by division, walked by position."""

    name: ClassVar[str] = "strided"
    step: int = 2

    first: Ints = array()
    start: Ints = array()
    N: int = extent()

    def pos_bounds(self, p: int) -> tuple[int, int]:
        """pos_bounds(p_{k-1}) -> <pbegin_k, pend_k>"""
        return self.start[p], self.start[p + 1]

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """pos_access(p_k, i_1, ..., i_{k-1}) -> <i_k, found>: the parent's position is its coordinate"""
        return self.first[i[-1]] + self.step * (p - self.start[i[-1]]), True

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """locate(p_{k-1}, i_1, ..., i_k) -> <p_k, found>, by a search that a straight line could replace"""
        q = self.start[p]
        while q < self.start[p + 1] and self.first[p] + self.step * (q - self.start[p]) < i[-1]:
            q = q + 1
        if q == self.start[p + 1]:
            return q, False
        return q, self.first[p] + self.step * (q - self.start[p]) == i[-1]

    def size(self, parents: int) -> int:
        """The positions of all runs."""
        return self.start[parents]

    def lengths(self, parents: int, size: int) -> dict[str, int]:
        return {"first": parents, "start": parents + 1}

    def stored_size(self, parents: int) -> int:
        return self.start[parents] if parents < len(self.start) else 0

    def analyse(self, parents: Indices, i: Sequence[Indices], count: int) -> dict[str, int | Indices]:
        first = np.full(count, self.N, np.int64)
        last = np.full(count, -1, np.int64)
        np.minimum.at(first, parents, i[-1])
        np.maximum.at(last, parents, i[-1])
        length = np.where(last >= 0, (last - first) // self.step + 1, 0)
        return {"first": np.where(last >= 0, first, 0), "start": np.concatenate(([0], np.cumsum(length)))}

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        yield from ()


@dataclass(frozen=True)
class Divided(Strided):
    """The same, located in a straight line."""

    name: ClassVar[str] = "divided"

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """locate(p_{k-1}, i_1, ..., i_k) -> <p_k, found>, by division"""
        q = self.start[p] + max(0, (i[-1] - self.first[p]) // self.step)
        inside = self.start[p] <= q < self.start[p + 1]
        return q, inside and self.first[p] + self.step * (q - self.start[p]) == i[-1]


@dataclass(frozen=True)
class Counted(Strided):
    """The same, located by counting."""

    name: ClassVar[str] = "counted"

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """locate(p_{k-1}, i_1, ..., i_k) -> <p_k, found>, by comparing every coordinate"""
        q = self.start[p]
        found = False
        for n in range(self.start[p + 1] - self.start[p]):
            if self.first[p] + self.step * n == i[-1]:
                q = q + n
                found = True
        return q, found


@dataclass(frozen=True)
class PassedOn(Divided):
    """The same, where one function passes on what another returns."""

    name: ClassVar[str] = "passed_on"

    def pos_bounds(self, p: int) -> tuple[int, int]:
        """pos_bounds(p_{k-1}) -> <pbegin_k, pend_k>"""
        return self.ends(p)

    def ends(self, p: int) -> tuple[int, int]:
        """Where the coordinates of a parent begin and end."""
        return self.start[p], self.start[p + 1]


@dataclass(frozen=True)
class Sought(Strided):
    """The same, located by a function that another one calls."""

    name: ClassVar[str] = "sought"

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """locate(p_{k-1}, i_1, ..., i_k) -> <p_k, found>, from where the coordinates reach it"""
        q = self.reach(p, i)
        if q == self.start[p + 1]:
            return q, False
        return q, self.first[p] + self.step * (q - self.start[p]) == i[-1]

    def reach(self, p: int, i: Coordinates) -> int:
        """The first position whose coordinate is not below one."""
        q = self.start[p]
        while q < self.start[p + 1] and self.first[p] + self.step * (q - self.start[p]) < i[-1]:
            q = q + 1
        return q


def rows(level: Level) -> Format:
    """Rows of a level."""
    return Format([next(each for each in LEVELS if each.name == "dense")(), level])


COORDS = [[0, 0, 0, 2, 2, 3], [1, 3, 5, 0, 4, 2]]
VALUES = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


def bound(level: Level, kind: str = "int32_t") -> Bound:
    names = {name: ir.Name(f"A2_{name}", True) for name in level.roles()}
    return Bound(level, names, dict.fromkeys(level.arrays(), kind))


def kind(name: str) -> Level:
    return next(level for level in LEVELS if level.name == name)()


def test_straight_lines_become_expressions() -> None:
    out = Writer()
    begin, end = bound(kind("compressed")).call("pos_bounds", (ir.Name("pA1", True),), out)
    assert begin == ir.Element(ir.Name("A2_pos"), ir.Name("pA1"))
    assert end == ir.Element(ir.Name("A2_pos"), ir.add(ir.Name("pA1"), ir.ONE))
    assert not out.body


def test_all_results_of_another_function_are_passed_on() -> None:
    p = ir.Name("p", True)
    found = bound(PassedOn()).call("pos_bounds", (p,), Writer())
    assert found == bound(Divided()).call("pos_bounds", (p,), Writer())


def test_divisions_round_down_and_chains_of_comparisons_hold_together() -> None:
    out, p, i = Writer(), ir.Name("p", True), ir.Name("i", True)
    q, _ = bound(Divided()).call("locate", (p, (ir.Name("p1", True), i)), out)
    start, end = (ir.Element(ir.Name("A2_start"), each) for each in (p, ir.add(p, ir.ONE)))
    steps = ir.floordiv(ir.sub(i, ir.Element(ir.Name("A2_first"), p)), ir.Int(2))
    inside = logic.both(logic.compare("<=", start, q), logic.compare("<", q, end))
    assert [each.value for each in out.body] == [ir.add(start, extremes.larger(ir.ZERO, steps)), inside]


def test_loops_become_functions_with_out_parameters() -> None:
    out = Writer()
    q, found = bound(kind("hashed")).call("locate", (ir.Name("pA1", True), (ir.Name("j", True),)), out, ("pA2", "is"))
    assert (q, found) == (ir.Name("pA2"), ir.Name("is"))
    assert [f.parameters[-1] for f in out.functions.values()] == [("bool *", "out1")]


def calls(f: ir.Function) -> set[str]:
    return {e.function for s in f.body for e in expressions(s) if isinstance(e, ir.Call)}


def test_functions_are_there_once_for_each_type() -> None:
    out, p, i = Writer(), ir.Name("p", True), (ir.Name("p1", True), ir.Name("i", True))
    narrow, wide = bound(Sought()), bound(Sought(), "int64_t")
    for each in (narrow, wide, narrow, wide):
        each.call("locate", (p, i), out)
    called = [s.value.function for s in out.body if isinstance(s, ir.Declare) and isinstance(s.value, ir.Call)]
    assert called == ["sought_locate", "sought_locate2"] * 2
    assert list(out.functions) == ["sought_reach", "sought_locate", "sought_reach2", "sought_locate2"]
    assert [calls(out.functions[name]) for name in called[:2]] == [{"sought_reach"}, {"sought_reach2"}]
    assert gn.check("y(i) = A(i,j) * B(i,j)", **of_widths(Sought())).engines[:2] == ("reference", "c")


def of_widths(level: Level) -> dict[str, gn.Tensor]:
    """Two matrices, which have indices of 32 and 64 bits."""
    widths = {"A": "int32", "B": "int64"}
    return {name: gn.tensor(COORDS, VALUES, (4, 6), rows(level), index=width) for name, width in widths.items()}


@pytest.mark.parametrize(("width", "parameters"), [(ir.Name("A2_W", True), ["W", "crd"]), (ir.Int(8), ["crd"])])
def test_what_is_known_of_storage_is_no_parameter(width: ir.Expr, parameters: list[str]) -> None:
    out, hashed = Writer(), bound(kind("hashed"))
    replace(hashed, fields={**hashed.fields, "W": width}).call("locate", (ir.Name("p", True), (ir.ONE,)), out)
    (function,) = out.functions.values()
    assert [name for _, name in function.parameters if name in ("crd", "W")] == parameters


def test_functions_without_results_become_statements() -> None:
    out = Writer()
    bound(kind("compressed")).call("append_init", (ir.ZERO, ir.Name("n", True)), out)
    assert isinstance(out.body[0], ir.For)


def test_configuration_is_folded() -> None:
    out = Writer()
    crowded = bound(kind("hashed")).one("is_crowded", (ir.Name("n", True),), out)
    assert crowded == ir.Binary(
        ">", ir.Binary("*", ir.Int(4), ir.Name("n")), ir.Binary("*", ir.Int(3), ir.Name("A2_W"))
    )


@pytest.mark.every(5)
@pytest.mark.parametrize("level", [Strided(), Divided(), Counted(), Sought()], ids=lambda level: level.name)
@pytest.mark.parametrize(
    ("expression", "other", "out"),
    [
        ("y(i) = A(i,j) * x(j)", "Dense", "Dense"),
        ("y(j) = A(i,j) * x(i)", "SparseVector", "SparseVector"),
        ("C(i,j) = A(i,j) + B(i,j)", "CSR", "CSR"),
        ("C(i,j) = A(i,j) * B(i,j)", "COO", "DCSR"),
        ("C(i,k) = A(i,j) * B(j,k)", "CSR", "CSR"),
        ("C(i,j)<!$A(i,j)> = B(i,j)", "CSR", "COO"),
    ],
)
def test_a_format_of_ones_own_works_in_both_engines(expression: str, other: str, out: str, level: Level) -> None:
    a = gn.tensor(COORDS, VALUES, (4, 6), rows(level))
    assert dict(a.entries())[2, 4] == 5.0
    operands = {"A": a}
    if "x(" in expression:
        length = 6 if "x(j)" in expression else 4
        operands["x"] = gn.tensor([np.arange(length)], np.arange(length) + 1.0, (length,), other)
    else:
        height, width = (6, 4) if "B(j,k)" in expression else (4, 6)
        operands["B"] = gn.tensor([[0, 1, 3], [0, 2, 2]], [1.0, 10.0, 100.0], (height, width), other)
    assert gn.check(expression, out=out, **operands).engines[:2] == ("reference", "c")
