"""A schedule is applied to the statement that was written; a workspace for the result comes back where it is needed."""

from __future__ import annotations

from itertools import product

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.campaign.units import nth_program
from gnomon.properties.programs.features import EVERYTHING
from gnomon.reference.execution.evaluate import execute_prepared
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.schedule.preparation import Prepared, prepare
from gnomon.reference.statement.staging import dissolve, stage
from gnomon.reference.statement.statement import Program, show
from gnomon.reference.statement.verifier import verify_program
from gnomon.reference.storage.tensor import Tensor

GUSTAVSON = "reorder(i,j,k),precompute(A(i,j)*B(j,k),{k},{kw},w)"
WORKSPACES = ("", ",Dense", ",HashVector")
ROWS = ("CSR", "DCSR", "COO")
COLUMNS = ("CSC", "DCSC")


def sparse(format: str | gn.Format, seed: int = 0, shape: tuple[int, ...] = (5, 6)) -> Tensor:
    """A matrix with a few entries, rows and columns without any among them."""
    made = np.random.default_rng(seed)
    dense = made.integers(1, 9, shape) * (made.random(shape) < 0.35)
    coords = np.nonzero(dense)
    return gn.tensor(np.array(coords), dense[coords].astype(float), shape, format)


def ready(
    source: str, schedule: str | None = None, out: str | gn.Spec = "CSR", **operands: Tensor | np.ndarray
) -> Prepared:
    """A source with its operands."""
    return prepare(source, operands, schedule=schedule, out=out)


def spgemm(schedule: str | None = None, out: str = "CSR", left: str = "CSR", right: str = "CSR") -> Prepared:
    """A product of two matrices."""
    a, b = sparse(left, 1), sparse(right, 2, (6, 4))
    return ready("C(i,k) = A(i,j) * B(j,k)", schedule, out, A=a, B=b)


def right(found: Prepared) -> bool:
    """Whether a product has its values, and the structure that it has without a schedule."""
    result, _ = interpret(found.program, found.operands)
    plain, _ = interpret(found.lowered, found.operands)
    a, b = (found.operands[name].to_numpy() for name in "AB")
    same = all(map(np.array_equal, result.components()[0], plain.components()[0]))
    return same and np.array_equal(result.to_numpy(), a @ b)


def test_dissolving_leaves_what_was_written() -> None:
    program = spgemm().lowered
    assert program.staging is not None and program.staging.name == "w"
    bare = dissolve(program)
    assert show(bare.statement) == "∀i\n  ∀j\n    ∀k\n      C(i,k) += A(i,j) * B(j,k)"
    assert not bare.workspaces and "w" not in bare.formats
    assert stage(bare) == program
    assert dissolve(bare) == bare


def test_what_is_assembled_in_order_is_not_staged() -> None:
    program = ready("C(i,j) = A(i,j) * 2", A=sparse("CSR")).lowered
    assert program.staging is None and dissolve(program) == program == stage(program)


def is_staged(program: Program) -> bool:
    """Whether the result is assembled through a workspace."""
    return program.staging is not None


@pytest.mark.parametrize("begin", range(0, 30, 10))
def test_random_results_are_the_same_through_another_workspace(begin: int) -> None:
    for number in range(begin, begin + 10):
        found = nth_program(EVERYTHING, 23, number).ready
        again = verify_program(stage(verify_program(dissolve(found.lowered))))
        assert is_staged(again) == is_staged(found.lowered)
        if again != found.lowered:
            one, _ = interpret(again, found.operands, index=found.index)
            other, _ = interpret(found.lowered, found.operands, index=found.index)
            np.testing.assert_array_equal(one.vals, other.vals)


@pytest.mark.parametrize(("left", "other", "out"), list(product(ROWS, ROWS, ROWS)))
def test_reorder_alone_is_gustavson(left: str, other: str, out: str) -> None:
    assert right(spgemm("reorder(i,j,k)", out, left, other))


@pytest.mark.parametrize("workspace", WORKSPACES)
@pytest.mark.parametrize("out", ROWS)
def test_gustavson_as_it_is_written_elsewhere(out: str, workspace: str) -> None:
    for name, renamed in (("w", "kw"), ("t", "kw"), ("w", "k")):
        schedule = f"reorder(i,j,k),precompute(A(i,j)*B(j,k),{{k}},{{{renamed}}},{name}{workspace})"
        found = spgemm(schedule, out)
        assert right(found) and found.program.staging is None
        assert [w.name for w in found.program.workspaces] == [name]


@pytest.mark.parametrize("out", COLUMNS)
@pytest.mark.parametrize("stored", COLUMNS)
def test_columns_are_the_mirror_of_rows(stored: str, out: str) -> None:
    for schedule in ("reorder(k,j,i)", "reorder(k,j,i),precompute(A(i,j)*B(j,k),{i},{iw},w)"):
        assert right(spgemm(schedule, out, stored, stored))


def test_an_outer_product_needs_a_workspace_of_two_modes() -> None:
    found = spgemm("reorder(j,i,k)", left="CSC")
    assert found.program.staging is not None and len(found.program.staging.shape) == 2
    assert right(found)


@pytest.mark.parametrize(
    "schedule",
    ["split(j,j0,j1,2)", "divide(j,j0,j1,2)", "split(i,i0,i1,2)", "split(k,k0,k1,3),reorder(k1,k0)", "unroll(k,2)"],
)
def test_loops_are_transformed_as_they_were_written(schedule: str) -> None:
    assert right(spgemm(schedule))


def sddmm(schedule: str, out: str) -> Prepared:
    """A sampled product of dense matrices."""
    b, d = (np.random.default_rng(n).integers(1, 5, shape).astype(float) for n, shape in ((3, (5, 4)), (4, (4, 6))))
    return ready("C(i,j) = A(i,j) * B(i,k) * D(k,j)", schedule, out, A=sparse("CSR"), B=b, D=d)


@pytest.mark.parametrize("out", ROWS)
@pytest.mark.parametrize(
    "schedule",
    [
        "reorder(i,k,j)",
        "split(k,k0,k1,2)",
        "divide(k,k0,k1,2)",
        "split(k,k0,k1,2),reorder(i,k0,j,k1)",
        "divide(k,k0,k1,2),reorder(i,k0,j,k1)",
    ],
)
def test_sampled_products_into_rows(schedule: str, out: str) -> None:
    found = sddmm(schedule, out)
    result, _ = interpret(found.program, found.operands)
    a, b, d = (found.operands[name].to_numpy() for name in "ABD")
    np.testing.assert_array_equal(result.to_numpy(), a * (b @ d))
    assert len(result.vals) == len(found.operands["A"].vals)


def test_loops_that_are_collapsed_the_other_way_round_do_not_append() -> None:
    a = np.arange(1.0, 13.0).reshape(3, 4)
    for schedule in ("reorder(j,i),collapse(j,i,f)", "split(i,u,v,2),reorder(v,u),collapse(v,u,f),split(f,g,h,3)"):
        found = ready("C(i,j) = A(i,j) * 2", schedule, A=a)
        assert is_staged(found.program)
        result, _ = interpret(found.program, found.operands)
        np.testing.assert_array_equal(result.to_numpy(), a * 2)
    assert not is_staged(ready("C(i,j) = A(i,j) * 2", "collapse(i,j,f)", A=a).program)


@pytest.mark.parametrize("schedule", ["collapse(i,j,f)", "collapse(i,j,f),split(f,g,h,3)"])
def test_a_collapse_that_counts_through_a_reduction_does_not_append(schedule: str) -> None:
    found = spgemm(schedule)
    assert is_staged(found.program) and show(found.program.statement).startswith("∀i\n  ∀k\n    C(i,k) = w(i,k)")
    a, b = (found.operands[name].to_numpy() for name in "AB")
    np.testing.assert_array_equal(interpret(found.program, found.operands)[0].to_numpy(), a @ b)


def test_a_result_that_begins_with_something_else_is_staged_by_loops_in_order_too() -> None:
    a = gn.tensor([[0, 1], [1, 0], [0, 2]], [5.0, 7.0], (3, 2, 3), "bitmap,hashed,dense; (i,j,k)->(i,k,j)", fill=1.0)
    found = ready("C(j,i) = A(j,i,j)", "reorder(j,i,j2)", gn.spec("CSR", fill=0.0), A=a)
    assert is_staged(found.program)
    result, _ = interpret(found.program, found.operands)
    np.testing.assert_array_equal(result.to_numpy(), np.einsum("jij->ji", a.to_numpy()))


@pytest.mark.parametrize("map", ["(i,k,j)->(i//2,k,j,i%2)", "(i,k,j)->(i//2,i%2,k,j)"])
def test_a_workspace_is_not_read_inside_parts_of_blocks(map: str) -> None:
    a = sparse(gn.format_of(f"dense,dense,compressed,dense; {map}"), 1, (6, 2, 4))
    found = ready("C(i,j) = A(i,k,j)", "unroll(j,2)", A=a)
    assert show(found.program.statement).startswith("∀i\n  ∀j\n    C(i,j) = w(i,j)")
    result, _ = interpret(found.program, found.operands)
    np.testing.assert_array_equal(result.to_numpy(), a.to_numpy().sum(1))


@pytest.mark.parametrize("tiles", ["split(io,a,b,2)", "split(io,u,v,1),split(v,a,b,2)", "bound(io,b,9,max_constraint)"])
def test_a_workspace_is_not_read_inside_what_derives_from_parts_of_blocks(tiles: str) -> None:
    a = sparse("BCSR(2,2)", 1)
    outermost = show(ready("y(i) = A(i,j)", out="SparseVector", A=a).program.statement).split("∀")[2].strip()
    found = ready("y(i) = A(i,j)", tiles.replace("io", outermost), out="SparseVector", A=a)
    assert show(found.program.statement).startswith("∀i\n  y(i) = w(i)")
    result, _ = interpret(found.program, found.operands)
    np.testing.assert_array_equal(result.to_numpy(), a.to_numpy().sum(1))


def test_outer_loops_in_order_are_shared() -> None:
    found = spgemm("split(i,i0,i1,2)")
    assert show(found.program.statement).startswith("∀i0\n  ∀i1\n    ∀k\n      C(i,k) = w(k)")


def test_two_engines_agree_on_schedules_of_what_was_written() -> None:
    a, b = sparse("CSR", 1), sparse("CSR", 2, (6, 4))
    for schedule in ("reorder(i,j,k),parallelize(i,CPUThread,NoRaces)", GUSTAVSON):
        gn.check("C(i,k) = A(i,j) * B(j,k)", A=a, B=b, out="CSR", schedule=schedule)


def test_parts_that_are_collapsed_across_variables_do_not_append() -> None:
    a = np.arange(1.0, 25.0).reshape(4, 6)
    schedule = "split(i,a,b,2),split(j,c,d,3),reorder(a,d,b,c),collapse(a,d,f)"
    found = ready("C(i,j) = A(i,j) * 2", schedule, A=a)
    assert show(found.program.statement).startswith("∀i\n  ∀j\n    C(i,j) = w(i,j)")
    result, _ = interpret(found.program, found.operands)
    np.testing.assert_array_equal(result.to_numpy(), a * 2)


@pytest.mark.parametrize(
    ("schedule", "out", "staged"),
    [
        ("split(j,c,d,2),reorder(a,d,b,c),collapse(a,d,f)", "compressed,dense", True),
        ("split(j,c,d,2),reorder(a,d,b,c),collapse(a,d,f)", "CSR", True),
        ("reorder(a,j,b),collapse(a,j,f)", "CSR", True),
        ("split(j,c,d,2),collapse(b,c,f),reorder(a,f,d)", "CSR", False),
        ("split(j,c,d,2),reorder(a,b,d,c),collapse(b,d,f)", "CSR", True),
        ("split(j,c,d,2),reorder(a,b,d,c),collapse(b,d,f)", "compressed,dense", False),
        ("collapse(b,j,f)", "CSR", False),
    ],
)
def test_a_collapsed_loop_that_is_split_counts_a_run_of_what_is_appended(schedule: str, out: str, staged: bool) -> None:
    a, commands = np.arange(1.0, 13).reshape(4, 3), f"split(i,a,b,2),{schedule},split(f,u,v,2)"
    gn.check("C(i,j) = A(i,j)", A=a, out=out, schedule=commands)
    assert is_staged(prepare("C(i,j) = A(i,j)", {"A": a}, out=out, schedule=commands).program) == staged


def test_parts_that_are_collapsed_with_those_of_a_reduction_are_read_once() -> None:
    found = spgemm("divide(i,a0,b0,2),split(j,a1,b1,2),reorder(a0,a1,b0,b1,k),collapse(b0,b1,f)")
    assert show(found.program.statement).startswith("∀i\n  ∀k\n    C(i,k) = w(i,k)")
    a, b = (found.operands[name].to_numpy() for name in "AB")
    np.testing.assert_array_equal(execute_prepared(found).result.to_numpy(), a @ b)


def test_visits_are_told_by_all_loops_around() -> None:
    b, x = sparse("CSR", 1, (4, 4)), np.ones(4)
    result = gn.evaluate("C(i,j) = B(i,j) + x(j)", B=b, x=x, out="CSR", schedule="split(j,u,v,2),reorder(v,u)")
    np.testing.assert_array_equal(result.to_numpy(), b.to_numpy() + x)


def test_blocks_of_rows_in_tiles_append_in_order() -> None:
    rows = gn.Format(["dense", "dense", "compressed"], map="(i,j)->(i//2,i%2,j)")
    found = ready("y(i) = A(i,j) * x(j)", "split(io,a,b,2)", out="SparseVector", A=sparse(rows), x=np.ones(6))
    assert not is_staged(found.program)


def test_a_collapsed_loop_is_shared_with_what_follows_it() -> None:
    a, b = np.arange(1.0, 25.0).reshape(2, 3, 4), np.arange(1.0, 21.0).reshape(4, 5)
    schedule = "collapse(i,j,f),split(k,u,v,2),reorder(f,u,l,v)"
    found = ready("C(i,j,k) = A(i,j,l) * B(l,k)", schedule, out="CSF", A=a, B=b)
    assert show(found.program.statement).startswith("∀f\n  ∀u\n    ∀v\n      C(i,j,k) = w(k)")
    result, _ = interpret(found.program, found.operands)
    np.testing.assert_array_equal(result.to_numpy(), np.einsum("ijl,lk->ijk", a, b))


@pytest.mark.parametrize("out", ["CSR", "DCSR"])
@pytest.mark.parametrize(
    "ending", ["", ",parallelize(i0,CPUThread,NoRaces),parallelize(kpos1,CPUVector,ParallelReduction)"]
)
def test_a_workspace_is_read_outside_parts_of_positions_of_which_others_are_left(out: str, ending: str) -> None:
    schedule = (
        "reorder(i,k,j),split(i,i0,i1,2),pos(k,kpos,B),split(kpos,kpos0,kpos1,2),reorder(i0,i1,kpos0,j,kpos1)" + ending
    )
    b, c = sparse("CSR", 1, (5, 6)), np.arange(1.0, 16.0).reshape(5, 3)
    for engine in ("reference", "c"):
        found = gn.evaluate("D(i,k) = B(i,k) * C(i,j)", B=b, C=c, out=out, schedule=schedule, engine=engine)
        np.testing.assert_array_equal(found.to_numpy(), b.to_numpy() * c.sum(1)[:, None])
        assert found.nnz == b.nnz
    kept = ready("D(i,k) = B(i,k) * C(i,j)", schedule, out=out, B=b, C=c)
    assert "\n  ∀i1\n    ∀k\n      D(i,k) = w(k)\n    where w:\n" in show(kept.program.statement)


def test_a_workspace_of_two_modes_is_stored_as_it_is_read() -> None:
    assert right(spgemm("reorder(j,i,k)", out="CSC", left="CSC"))


def test_a_workspace_for_a_result_has_a_name_of_its_own() -> None:
    found = spgemm("reorder(j,i,k),precompute(B(j,k),{k},{kw},w)", left="CSC")
    assert [w.name for w in found.program.workspaces] == ["w", "w1"]
    assert right(found)
