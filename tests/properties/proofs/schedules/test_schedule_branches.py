"""Branches: every contribution is computed once through a workspace, and what is wrong is found."""

from __future__ import annotations

import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.proofs.schedules.schedule_branches import computes_once, fills_alike
from gnomon.properties.proofs.verdict import Proved, Refuted, Verdict
from gnomon.reference.schedule.command import Command
from gnomon.reference.schedule.commands import transform, whole
from gnomon.reference.schedule.schedule import as_schedule
from gnomon.reference.statement.staging import dissolve
from gnomon.reference.statement.statement import (
    Assign,
    Forall,
    Program,
    Statement,
    Where,
    change_leaves,
    reads,
    rename_reads,
    wrap_in_loops,
)
from msgspec.structs import replace

SPMM = ("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR"})
TTMC = ("A(l,m,n) = B(i,j,k) * C(i,l) * D(j,m) * E(k,n)", {"B": "CSF"})
ROW = "precompute(A(i,k)*B(k,j),{j},{jw},w)"


def stepped(kernel: tuple[str, dict[str, str]], schedule: str) -> tuple[Program, Program, str]:
    """The program before and after the last command of a schedule, and the workspace that it makes."""
    request = make_request(*kernel)
    before = after = request.program
    command: Command | None = None
    for command in as_schedule(schedule).commands:
        before = dissolve(after)
        after = transform(command, before)
    assert command is not None
    args = whole(command, before).args
    return before, after, str(args[3] if command.name == "precompute" else args[2])


def verdict(kernel: tuple[str, dict[str, str]], schedule: str) -> Verdict:
    return computes_once(*stepped(kernel, schedule))


@pytest.mark.parametrize(
    ("kernel", "schedule"),
    [
        (SPMM, ROW),
        (SPMM, "precompute(A(i,k)*B(k,j),{j},{j},w)"),
        (SPMM, "precompute(A(i,k)*B(k,j),{},{},w)"),
        (SPMM, f"split(j,j0,j1,32),reorder(i,j0,k,j1),{ROW.replace('{j}', '{j1}')}"),
        (SPMM, f"split(j,j0,j1,32),reorder(i,k,j0,j1),{ROW.replace('{j},{jw}', '{j0,j1},{p,q}')}"),
        (SPMM, f"divide(j,j0,j1,3),split(j1,a,b,2),reorder(i,j0,a,k,b),{ROW.replace('{j}', '{b}')}"),
        (SPMM, "collapse(i,k,f),pos(f,p,A(i,k)),split(p,p0,p1,8),precompute(A(i,k),{p1},{q},w)"),
        (TTMC, "reorder(i,n,j,k,m,l),loopfuse({},2,left,T)"),
        (TTMC, "reorder(l,i,j,k,m,n),loopfuse({},2,left,T),reorder({1},m,k,n,j),loopfuse({1},2,left,t)"),
        (("y(i) = A(i,j) * x(j)", {"A": "COO"}), "precompute(A(i,j)*x(j),{},{},w)"),
        (("y(i,j) = prod(k, A(j,i,k))", {"A": "COO"}), "pos(k,p,A),split(p,p0,p1,5),precompute(A(j,i,k),{p1},{q},t)"),
    ],
)
def test_every_contribution_once(kernel: tuple[str, dict[str, str]], schedule: str) -> None:
    assert verdict(kernel, schedule) == Proved()


def in_consumer(s: Statement, variables: tuple[str, ...]) -> Statement:
    """A statement with more loops around what reads its workspace."""
    match s:
        case Forall(body=body):
            return replace(s, body=in_consumer(body, variables))
        case Where(consumer=consumer):
            return replace(s, consumer=wrap_in_loops(variables, consumer))
        case _:
            raise AssertionError


def test_a_reduction_on_both_sides_doubles() -> None:
    before, after, name = stepped(SPMM, ROW)
    doubled = replace(after, statement=in_consumer(after.statement, ("k",)))
    assert isinstance(computes_once(before, doubled, name), Refuted)


def test_a_loop_on_no_side_loses() -> None:
    before, after, name = stepped(SPMM, ROW)
    assert isinstance(after.statement, Forall)
    bare = replace(after, statement=after.statement.body)
    found = computes_once(before, bare, name)
    assert isinstance(found, Refuted) and dict(found.counterexample) == {
        "loops before": "i, j, k",
        "loops after": "j, k",
    }


def test_indices_that_stand_for_others_lose_and_mix() -> None:
    """The workspace is filled at the coordinates of one variable and read at those of another."""
    before, after, name = stepped(TTMC, "reorder(l,i,j,k,m,n),loopfuse({},2,left,T)")
    mixed = replace(after, statement=turned(after.statement))
    assert computes_once(before, mixed, name) == Refuted((("k fills", "j"), ("j fills", "k")))


def test_parts_of_one_variable_on_both_sides_meet_where_they_should_not() -> None:
    """The loop over the outer part of a tile is taken out of the loops around both."""
    tiles = f"split(j,j0,j1,32),reorder(i,j0,k,j1),{ROW.replace('{j}', '{j1}')}"
    before, after, name = stepped(SPMM, tiles)
    assert isinstance(after.statement, Forall) and isinstance(after.statement.body, Forall)
    outer, branch = after.statement.body, after.statement.body.body
    assert isinstance(branch, Where)
    apart = replace(
        branch, producer=Forall(outer.index, branch.producer), consumer=Forall(outer.index, branch.consumer)
    )
    torn = replace(after, statement=replace(after.statement, body=apart))
    found = computes_once(before, torn, name)
    assert isinstance(found, Refuted) and {"j0", "j0'"} <= set(dict(found.counterexample))


COUNTED = "split(i,a,b,1),split(j,c,d,2),reorder(a,b,d,c),collapse(b,d,f)"
"""Schedules after which `f` counts parts of two variables."""


def test_parts_that_meet_where_they_complete_other_values_double() -> None:
    """What fills the workspace has no loop over `a`, so `f` does not tell it which part of `j` is meant."""
    kernel = ("y(i) = A(i,j) * x(j)", {"A": "RowMajor"})
    found = verdict(kernel, f"{COUNTED},loopfuse({{}},1,right,T)")
    assert isinstance(found, Refuted)
    values = dict(found.counterexample)
    assert (values["f"], values["c"]) == (values["f'"], values["c'"]) and values["j"] != values["j'"]


def test_a_loop_that_follows_on_neither_side_doubles() -> None:
    """Each side has all parts of one variable, and `f` counts by a part of both."""
    kernel = ("y(i) = z(i) * x(j)", dict[str, str]())
    found = verdict(kernel, f"{COUNTED},loopfuse({{}},1,right,T)")
    assert isinstance(found, Refuted)
    values = {name: int(text) for name, text in found.counterexample}
    assert values["f"] == values["f'"] and (values["f"], values["d"]) != (values["j'"] % 2,) * 2
    assert verdict(kernel, f"{COUNTED},loopfuse({{}},1,left,T)") == Proved()


def test_a_loop_that_follows_from_both_sides_together_is_one() -> None:
    """Parts of one value are all of them, so `f` is 0, and whatever meets belongs together."""
    kernel = ("y(i) = z(i) * x(j)", dict[str, str]())
    tiles = "split(i,a,b,1),split(j,c,d,1),reorder(a,b,d,c),collapse(b,d,f)"
    assert verdict(kernel, f"{tiles},loopfuse({{}},1,right,T)") == Proved()


def test_a_component_of_a_wider_workspace_is_what_the_workspace_was_in_an_iteration() -> None:
    request = make_request("C(i,j) = sqrt(sum(k, A(i,k) * B(j,k)))", {"A": "CSR", "B": "CSR"})
    before = dissolve(request.program)
    after = transform(as_schedule("convert(B(j,k),{k,j})").commands[0], before)
    assert fills_alike(before, after, "w") == Proved()
    again = replace(after, statement=in_consumer(after.statement, ("k",)))
    assert fills_alike(before, again, "w") == Refuted((("loops before", "i, j"), ("loops after", "i, j, k")))
    narrow = {
        access: replace(access, indices=(), levels=()) for access in reads(after.statement) if access.tensor == "w"
    }

    def without_mode(leaf: Assign) -> Assign:
        target = replace(leaf.target, indices=()) if leaf.target.tensor == "w" else leaf.target
        return replace(rename_reads(leaf, narrow), target=target)

    mixed = fills_alike(before, replace(after, statement=change_leaves(after.statement, without_mode)), "w")
    assert isinstance(mixed, Refuted) and {"j", "j'"} <= set(dict(mixed.counterexample))


def test_a_component_of_a_narrower_workspace_is_filled_and_read_in_one_iteration() -> None:
    request = make_request("C(i,j) = sqrt(sum(k, A(k,i) * B(k,j)))", {"A": "CSR", "B": "CSR"})
    before = dissolve(request.program)
    after = transform(as_schedule("convert(A(k,i),{i,k})").commands[0], before)
    assert [w.shape[1:] for w in (before.workspace["w"], after.workspace["w"])] == [(4,), ()]
    assert fills_alike(before, after, "w") == Proved()


def turned(s: Statement) -> Statement:
    """A statement whose workspace is filled with its indices in the other order."""
    match s:
        case Forall(body=body):
            return replace(s, body=turned(body))
        case Where(producer=producer):
            return replace(s, producer=turned(producer))
        case _:
            return replace(s, target=replace(s.target, indices=s.target.indices[::-1]))
