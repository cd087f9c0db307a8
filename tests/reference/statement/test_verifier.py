"""Programs keep the rules before and after every pass, and broken ones are found out."""

from __future__ import annotations

import numpy as np
import pytest
from gnomon.properties.campaign.units import nth_program
from gnomon.properties.programs.features import EVERYTHING
from gnomon.reference.errors import InternalError
from gnomon.reference.schedule.commands import transform
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.provenance import Provenance
from gnomon.reference.statement.relation import Collapse, Same, Split
from gnomon.reference.statement.statement import Assign, Flags, Forall, Program, Sequence, Where
from gnomon.reference.statement.verifier import verify_program, violations
from gnomon.reference.storage.packing import tensor
from msgspec.structs import replace

A = tensor(np.array([[0, 1, 1], [1, 0, 2]]), np.ones(3), (2, 3), "CSR")
B = tensor(np.array([[0, 1, 2], [1, 0, 1]]), np.ones(3), (3, 2), "CSR")


def product() -> Program:
    """A product into rows that are appended to, through a workspace."""
    return prepare("C(i,j) = A(i,k) * B(k,j)", {"A": A, "B": B}, out="CSR").program


def parts(program: Program) -> tuple[Forall, Where]:
    """The outer loop of the product, and what it encloses."""
    loop = program.statement
    assert isinstance(loop, Forall) and isinstance(loop.body, Where)
    return loop, loop.body


@pytest.mark.parametrize("begin", range(0, 30, 10))
def test_random_programs_keep_the_rules_on_both_sides_of_every_command(begin: int) -> None:
    for number in range(begin, begin + 10):
        ready = nth_program(EVERYTHING, 17, number).ready
        program = verify_program(ready.lowered)
        for command in ready.schedule.commands:
            program = verify_program(transform(command, program))


def test_a_loop_inside_another_over_its_variable_is_found() -> None:
    program = product()
    broken = replace(program, statement=Forall("i", program.statement))
    assert "a loop over i stands inside another" in violations(broken)
    with pytest.raises(InternalError, match="stands inside another"):
        verify_program(broken)


def test_a_variable_that_no_loop_gives_is_found() -> None:
    loop, where = parts(product())
    assert violations(replace(product(), statement=where)) == [
        "A(i,k): no loop gives i",
        "C(i,j): no loop gives i",
    ]
    assert loop.index == "i"


def test_a_workspace_is_filled_and_read() -> None:
    program = product()
    loop, where = parts(program)
    name = where.workspace
    turned = replace(where, consumer=where.producer, producer=where.consumer)
    found = violations(replace(program, statement=replace(loop, body=turned)))
    assert {f"nothing fills {name}", f"nothing reads {name}", f"{name}(j) is read where {name} is not filled"} <= set(
        found
    )
    unknown = replace(where, workspace="other")
    assert "other is no workspace" in violations(replace(program, statement=replace(loop, body=unknown)))
    empty = replace(where, consumer=Sequence(()))
    assert "a sequence is empty" in violations(replace(program, statement=replace(loop, body=empty)))


def test_what_is_filled_is_what_is_assigned_to() -> None:
    program = prepare("y(i) = A(i,j) * x(j)", {"A": A, "x": np.ones(3)}).program
    assert violations(program) == []
    outer = program.statement
    assert isinstance(outer, Forall) and isinstance(outer.body, Forall) and isinstance(outer.body.body, Assign)
    leaf = outer.body.body
    other = replace(leaf, target=replace(leaf.target, tensor="z"))
    body = replace(outer, body=replace(outer.body, body=other))
    assert violations(replace(program, statement=body)) == ["z is assigned to, where y is filled"]


def test_declarations_agree() -> None:
    program = product()
    twice = replace(program, tensors=(*program.tensors, program.tensors[0]))
    assert violations(twice) == [f"the tensor {program.tensors[0][0]} is declared 2 times"]
    (workspace,) = program.workspaces
    other = replace(program, workspaces=(replace(workspace, dtype=np.dtype("int8")),))
    assert any("is declared as" in each for each in violations(other))
    together = replace(program, workspaces=(replace(workspace, flags=Flags.ONE),))
    assert any("has no flag for each component" in each for each in violations(together))
    unread = replace(program, tensors=tuple((n, d) for n, d in program.tensors if n != "B"))
    assert "B is not declared" in violations(unread)


def test_provenance_that_is_no_graph_is_found() -> None:
    """One variable has one relation, a format's or a schedule's, and the graph has no circle."""
    program, rows, copy = product(), Split("i", "a", "b", 4), Same("a", "k")
    assert violations(replace(program, provenance=Provenance((copy,), (rows,)))) == ["a is derived in 2 ways"]
    fused = Collapse("a", "k", "f")
    assert violations(replace(program, provenance=Provenance(of_schedule=(rows, fused)))) == []
    assert violations(replace(program, provenance=Provenance(of_schedule=(fused, rows)))) == [
        "a is derived from before it is derived"
    ]
