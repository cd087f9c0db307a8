"""Sections: the pieces of a branched statement, the paths to them, and commands that are given to one."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ScheduleError
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.schedule.schedule import Schedule, as_schedule
from gnomon.reference.schedule.section import assignment_of, section_at, sections, with_section
from gnomon.reference.statement.statement import Assign, show

SOURCE = "C(i,l) = A(i,j) * D(j,k) * E(k,l)"
CHAIN = "precompute(A(i,j)*D(j,k),{k},{k},w)"
OPERANDS = {
    "A": gn.tensor([[0, 0, 2], [1, 3, 0]], [1.0, 2.0, 3.0], (3, 4), "CSR"),
    "D": np.arange(1.0, 13).reshape(4, 3),
    "E": np.arange(2.0, 8).reshape(3, 2),
}


def scheduled(schedule: str) -> str:
    """What a schedule makes of a chain of products, on one line; the result is compared with the denotation."""
    gn.check(SOURCE, schedule=schedule, **OPERANDS)
    return " ".join(show(prepare(SOURCE, OPERANDS, schedule=schedule).program.statement).split())


def test_a_section_is_what_no_branch_interrupts() -> None:
    s = prepare(SOURCE, OPERANDS, schedule=f"{CHAIN},precompute(w(k),{{}},{{}},v)").program.statement
    found = {each.path: (each.variables, [loop.index for loop in each.around]) for each in sections(s)}
    assert found == {
        (): (("i",), []), (0,): (("j", "k"), ["i"]), (1,): (("k", "l"), ["i"]),
    } | {(1, 0): ((), ["i", "k", "l"]), (1, 1): ((), ["i", "k", "l"])}  # fmt: skip


def test_statements_in_order_are_numbered() -> None:
    source, a = "y(i)<M(i),merge> = A(j,i)", gn.tensor([[0, 1], [1, 0]], [1.0, 2.0], (3, 2), "CSR")
    given = {"A": a, "M": np.array([1.0, 0.0]), "y": np.ones(2, np.int64)}
    found = sections(prepare(source, given).program.statement)
    assert [each.path for each in found if isinstance(each.end, Assign)] == [(0, 0), (0, 1), (1,)]
    gn.check(source, schedule="split({0,1},i,a,b,2),unroll({0,0},i,2)", **given)


def test_a_section_gives_way_to_another_statement() -> None:
    s = prepare(SOURCE, OPERANDS, schedule=CHAIN).program.statement
    one, other = (assignment_of(section_at(s, path)) for path in ((0,), (1,)))
    changed = with_section(with_section(s, (0,), other), (1,), one)
    assert [section_at(changed, path).end for path in ((0,), (1,))] == [other, one]
    assert section_at(changed, ()).variables == ("i",)


@pytest.mark.parametrize(
    ("command", "statement"),
    [
        ("reorder({1},l,k)", "∀i ∀l ∀k C(i,l) += w(k) * E(k,l) where w: ∀j ∀k w(k) += A(i,j) * D(j,k)"),
        ("split({0},k,a,b,2)", "∀i ∀k ∀l C(i,l) += w(k) * E(k,l) where w: ∀j ∀a ∀b w(k) += A(i,j) * D(j,k)"),
        ("split(k,a,b,2)", "∀i ∀a ∀b ∀l C(i,l) += w(k) * E(k,l) where w: ∀j ∀a ∀b w(k) += A(i,j) * D(j,k)"),
        ("divide({1},k,a,b,2)", "∀i ∀a ∀b ∀l C(i,l) += w(k) * E(k,l) where w: ∀j ∀k w(k) += A(i,j) * D(j,k)"),
        (
            "unroll({1},k,2),split({0},k,a,b,2)",
            "∀i ∀k [unroll 2] ∀l C(i,l) += w(k) * E(k,l) where w: ∀j ∀a ∀b w(k) += A(i,j) * D(j,k)",
        ),
        ("collapse({1},k,l,f)", "∀i ∀f C(i,l) += w(k) * E(k,l) where w: ∀j ∀k w(k) += A(i,j) * D(j,k)"),
        ("bound({0},k,b,3,max_exact)", "∀i ∀k ∀l C(i,l) += w(k) * E(k,l) where w: ∀j ∀b w(k) += A(i,j) * D(j,k)"),
        ("unroll({1},k,2)", "∀i ∀k [unroll 2] ∀l C(i,l) += w(k) * E(k,l) where w: ∀j ∀k w(k) += A(i,j) * D(j,k)"),
        ("pos({0},j,p,A(i,j))", "∀i ∀k ∀l C(i,l) += w(k) * E(k,l) where w: ∀p ∀k w(k) += A(i,j) * D(j,k)"),
        (
            "pos({0},j,p,A(i,j)),split({0},p,a,b,1),coord({0},b,c)",
            "∀i ∀k ∀l C(i,l) += w(k) * E(k,l) where w: ∀a ∀c ∀k w(k) += A(i,j) * D(j,k)",
        ),
        (
            "parallelize({0},k,CPUThread,NoRaces)",
            "∀i ∀k ∀l C(i,l) += w(k) * E(k,l) where w: ∀j ∀k [CPUThread NoRaces] w(k) += A(i,j) * D(j,k)",
        ),
        (
            "precompute({1},w(k),{},{},v)",
            "∀i ∀k ∀l C(i,l) += v * E(k,l) where v: v = w(k) where w: ∀j ∀k w(k) += A(i,j) * D(j,k)",
        ),
    ],
)
def test_a_path_names_the_section_that_a_command_is_given_to(command: str, statement: str) -> None:
    assert scheduled(f"{CHAIN},{command}") == statement


def test_the_root_has_a_path_too() -> None:
    assert scheduled(f"{CHAIN},unroll({{}},i,2)").startswith("∀i [unroll 2]")
    with pytest.raises(ScheduleError, match=r"the section \{\} has no loop over k: it has i") as caught:
        prepare(SOURCE, OPERANDS, schedule=f"{CHAIN},unroll({{}},k,2)")
    assert caught.value.hint == "it stands in {0} and {1}"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("split({2},k,a,b,2)", r"the path \{2\} leads nowhere: at \{\} the ways on are 0 and 1"),
        ("split({0,1},k,a,b,2)", r"the path \{0,1\} leads nowhere: the section \{0\} ends in an assignment"),
        ("reorder({1},k,l,j)", r"the section \{1\} has no loop over j: it has k, l"),
        ("reorder({0},z,k)", r"the section \{0\} has no loop over z"),
        ("precompute({},E(k,l),{},{},v)", r"the section \{\} computes nothing itself: it branches"),
        ("precompute({1},A(i,j),{},{},v)", "is not computed anywhere"),
        ("loopfuse({},1,left)", r"the section \{\} computes nothing itself: it branches"),
        ("loopfuse({1,0},1,left)", "leads nowhere"),
    ],
)
def test_paths_that_lead_nowhere(command: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        prepare(SOURCE, OPERANDS, schedule=f"{CHAIN},{command}")


def test_paths_are_written_in_text_and_in_methods() -> None:
    made = Schedule().reorder("l", "k", path=(1,)).split("i", "a", "b", 2, path=()).unroll("j", 2)
    assert str(made) == "reorder({1},l,k),split({},i,a,b,2),unroll(j,2)"
    assert [c.path for c in as_schedule(str(made)).commands] == [(1,), (), None]
    with pytest.raises(ScheduleError, match="is not a path"):
        Schedule().unroll("j", 2, path="01")  # type: ignore[arg-type]


def test_commands_see_no_branch_that_nobody_asked_for() -> None:
    """The workspace through which a result is assembled counts as none, though the statement shows it."""
    csr = {
        name: OPERANDS["A"] if name == "A" else gn.tensor([[0, 1], [1, 0]], [1.0, 2.0], (4, 3), "CSR") for name in "AB"
    }
    source = "C(i,k) = A(i,j) * B(j,k)"
    for schedule in ("reorder(i,j,k),unroll({},k,2)", "reorder(i,j,k),split({},j,a,b,2)"):
        gn.check(source, out="CSR", schedule=schedule, **csr)
