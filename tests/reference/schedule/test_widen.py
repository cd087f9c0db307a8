"""Widen and narrow: workspaces get the variables of loops as modes, and lose them, where that means the same."""

from __future__ import annotations

import gnomon as gn
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.reference.errors import ScheduleError
from gnomon.reference.notation.syntax import Access
from gnomon.reference.schedule.command import Command
from gnomon.reference.schedule.commands import transform
from gnomon.reference.schedule.section import section_at
from gnomon.reference.schedule.widen import narrow, widen
from gnomon.reference.statement.statement import Assign, Program, change_leaves, rename_reads, show
from msgspec.structs import replace

ROWS = """∀i
  ∀j
    C(i,j) = sqrt(w(j))
  where w:
    ∀k
      ∀j
        w(j) += A(k,i) * B(k,j)"""

BLOCKS = """∀j
  ∀io
    ∀ii
      C(i,j) = w(i)
  where w:
    ∀i
      w(i) = A(i,j) + B(i,j)"""


@pytest.fixture
def whole() -> Program:
    """A program of which a workspace holds all of a product, filled row by row."""
    request = make_request("C(i,j) = sqrt(sum(k, A(k,i) * B(k,j)))", {"A": "CSC", "B": "CSR"})
    lowered = request.lower(request.resolve({"A": (5, 6), "B": (5, 3)}))
    return widen(lowered, section_at(lowered.statement, ()), ("i",))


def test_loops_with_which_both_sides_begin_are_shared(whole: Program) -> None:
    assert whole.workspaces[0].shape == (6, 3)
    found = narrow(whole, section_at(whole.statement, ()))
    assert show(found.statement) == ROWS
    assert (found.workspaces[0].shape, found.formats["w"]) == ((3,), found.workspaces[0].format)


def test_a_wider_workspace_has_the_variables_of_loops_first(whole: Program) -> None:
    narrowed = narrow(whole, section_at(whole.statement, ()))
    wide = widen(narrowed, section_at(narrowed.statement, ()), ("i",))
    assert (wide.statement, wide.workspaces[0].shape) == (whole.statement, (6, 3))


def test_loops_over_different_variables_stay(whole: Program) -> None:
    for order in (("k", "i"), ("j", "i")):
        moved = transform(Command("reorder", order, path=(0,)), whole)
        assert narrow(moved, section_at(moved.statement, ())) == moved


def test_loops_that_run_in_parallel_stay(whole: Program) -> None:
    rows = narrow(whole, section_at(whole.statement, ()))
    tagged = transform(Command("parallelize", ("i", "CPUThread", "NoRaces")), rows)
    with pytest.raises(ScheduleError, match="i is parallel"):
        widen(tagged, section_at(tagged.statement, ()), ("i",))


def test_modes_that_are_read_as_others_stay(whole: Program) -> None:
    def transposed(leaf: Assign) -> Assign:
        return rename_reads(leaf, {Access("w", ("i", "j"), ("i", "j")): Access("w", ("j", "i"), ("j", "i"))})

    read = replace(whole, statement=change_leaves(whole.statement, transposed))
    assert read != whole and narrow(read, section_at(read.statement, ())) == read


def test_a_format_that_was_asked_for_stays(whole: Program) -> None:
    asked = replace(whole, workspaces=tuple(replace(w, asked=True) for w in whole.workspaces))
    assert narrow(asked, section_at(asked.statement, ())) == asked


def test_a_workspace_that_is_read_in_blocks_keeps_them() -> None:
    blocks = gn.Format(["compressed"] * 3, map="(i,j)->(j,i//2,i%2)")
    request = make_request("C(i,j) = A(i,j) + B(i,j)", {"A": "CSC", "B": "CSR"}, out=blocks, convert="auto")
    whole = request.lower(request.resolve({"A": (5, 6), "B": (5, 6)}))
    columns = Command("convert", (Access("A", ("i", "j")), ("j", "i"), Access("B", ("i", "j")), ("j", "i")))
    found = transform(columns, whole)
    assert show(found.statement) == BLOCKS
    assert str(found.workspaces[0].format.map) == "(i)->(i//2,i%2)" and found.workspaces[0].shape == (5,)
    A = gn.tensor([[2, 0, 4], [0, 2, 5]], [1.0, 3.0, 4.0], (5, 6), "CSC")
    gn.check("C(i,j) = A(i,j) + B(i,j)", A=A, B=A.convert("CSR"), out=blocks, convert="auto", schedule=str(columns))
