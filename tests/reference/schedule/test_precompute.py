"""Precompute: workspaces on request, and the reductions that go with them."""

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import check
from gnomon.reference.errors import ScheduleError
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import reads, show
from gnomon.reference.statement.verifier import violations

B = np.array([[1.0, 0, 2, 0], [0, 3, 0, 0], [4, 0, 0, 5], [0, 0, 6, 7]])


def sparse(a: np.ndarray, format: str) -> Any:
    coords = np.array(np.nonzero(a))
    return gn.tensor(coords, a[tuple(coords)], a.shape, format)


def test_a_row_workspace_takes_the_reduction_with_it(run: Any, matrix: Any) -> None:
    ran = run("C(i,j) = A(i,k) * B(k,j)", "precompute(A(i,k)*B(k,j),{j},{jw},t)", A=matrix("CSR"), B=sparse(B, "CSR"))
    expected = "∀i\n  ∀j\n    C(i,j) = t(j)\n  where t:\n    ∀k\n      ∀jw\n        t(jw) += A(i,k) * B(k,jw)"
    assert show(ran.program.statement) == expected
    np.testing.assert_array_equal(ran.result.to_numpy(), matrix("CSR").to_numpy() @ B)


def test_a_workspace_without_a_name_gets_a_new_one(run: Any, matrix: Any) -> None:
    gustavson = "precompute(A(i,k)*B(k,j),{j},{jw})"
    ran = run("C(i,j) = A(i,k) * B(k,j)", gustavson, A=matrix("CSR"), B=sparse(B, "CSR"))
    assert [w.name for w in ran.program.workspaces] == ["w"]
    taken = run("C(i,j) = w(i,k) * B(k,j)", gustavson.replace("A", "w"), w=matrix("CSR"), B=sparse(B, "CSR"))
    assert [w.name for w in taken.program.workspaces] == ["w_"]
    np.testing.assert_array_equal(taken.result.to_numpy(), ran.result.to_numpy())
    assert str(gn.Schedule().precompute("A(i,k)*B(k,j)", "j", "jw")) == gustavson.replace("*", " * ")
    with pytest.raises(ScheduleError, match="needs a name"):
        gn.Schedule().precompute("A(i,k)", "j", "jw", format="Dense")


@pytest.mark.parametrize("format", ["", ",Dense", ",HashVector", ",bitmap"])
def test_any_format_that_is_inserted_into(run: Any, matrix: Any, format: str) -> None:
    ran = run(
        "C(i,j) = A(i,k) * B(k,j)", f"precompute(A(i,k)*B(k,j),{{j}},{{jw}},t{format})",
        A=matrix("CSR"), B=sparse(B, "CSR"),
    )  # fmt: skip
    np.testing.assert_array_equal(ran.result.to_numpy(), matrix("CSR").to_numpy() @ B)


def test_a_part_without_a_reduction_of_its_own(spmv: Any) -> None:
    ran = spmv("precompute(A(i,j)*x(j),{j},{jw},t)")
    assert ran.loops == ["i", "jw", "j"]
    assert spmv("precompute(x(j),{j},{jw},t)").loops == ["i", "jw", "j"]


@pytest.mark.parametrize("format", ["CSR", "DCSR", "COO"])
def test_a_tile_of_nonzeros_at_a_time(spmv: Any, format: str) -> None:
    tiles = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,nz,3)"
    ran = spmv(f"{tiles},precompute(A(i,j)*x(j),{{nz}},{{pre}},t)", format)
    assert ran.loops == ["p0", "pre", "nz"]
    assert ran.counts == {"p0": 3, "pre": 7, "nz": 7}


def test_a_tile_of_coordinates_at_a_time(spmv: Any) -> None:
    assert spmv("split(j,j0,j1,3),precompute(A(i,j)*x(j),{j1},{pre},t)").loops == ["i", "j0", "pre", "j1"]
    assert spmv("divide(j,j0,j1,3),precompute(A(i,j)*x(j),{j1},{pre},t,Dense)").loops == ["i", "j0", "pre", "j1"]
    assert spmv("collapse(i,j,f),split(f,f0,f1,6),precompute(A(i,j)*x(j),{f1},{pre},t)").counts["f1"] == 7


def test_what_precompute_leaves_is_scheduled_on(spmv: Any) -> None:
    ran = spmv("precompute(A(i,j)*x(j),{j},{jw},t),split(jw,a,b,2),split(j,c,d,3)")
    assert ran.loops == ["i", "a", "b", "c", "d"]


def test_previous_contents_and_masks_stay(run: Any, matrix: Any) -> None:
    mask = sparse(np.eye(5, 4), "CSR")
    ran = run("C(i,j)<M(i,j)> = A(i,j) * 2", "precompute(A(i,j)*2,{j},{jw},t)", A=matrix("CSR"), M=mask)
    np.testing.assert_array_equal(ran.result.to_numpy(), matrix("CSR").to_numpy() * 2 * np.eye(5, 4))


@pytest.mark.parametrize("schedule", ["precompute(A(i),{i},{iw},t)", "loopfuse({},A(i),left,t)"])
@pytest.mark.parametrize("format", ["bitmap", "Dense"])
def test_an_update_goes_on_from_previous_contents(schedule: str, format: str) -> None:
    """Without a reduction too: the operator of the update stays with what reads the workspace."""
    a, x = (gn.tensor([[0, 1]], values, (3,), "SparseVector") for values in ([5, -7], [1, 1]))
    before = gn.tensor([[0, 1, 2]], [-1, -2, -3], (3,), format)
    report = check("y(i) += A(i) * x(i)", {"A": a, "x": x, "y": before}, out=format, schedule=schedule)
    assert report.execution.result.to_numpy().tolist() == [4, -9, -3]
    assert report.execution.program.continues


def test_reductions_outside_the_nest_go_on(run: Any) -> None:
    a = np.arange(12.0).reshape(3, 2, 2)
    ran = run("R(i,j) = sum(k, A(k,j,i) + sum(l, D(k,l,j)))", "precompute(A(k,j,i),{j,i},{jw,iw},t)", A=a, D=a)
    np.testing.assert_array_equal(ran.result.to_numpy(), (a.transpose(0, 2, 1) + a.sum(axis=1)[:, None, :]).sum(axis=0))


def test_a_tagged_reduction_stays_where_it_is(run: Any, matrix: Any) -> None:
    b = sparse(B, "CSR").to_numpy()
    ran = run("C(i,j) = A(i,k) * B(k,j)", "unroll(k,2),precompute(A(i,k)*B(k,j),{j},{jw},t)", A=matrix("CSR"), B=b)
    assert show(ran.program.statement).splitlines()[1] == "  ∀k  [unroll 2]"
    np.testing.assert_array_equal(ran.result.to_numpy(), matrix("CSR").to_numpy() @ B)


def test_variables_that_a_format_derives_are_refused(run: Any, matrix: Any) -> None:
    with pytest.raises(ScheduleError, match="the format of an operand derives it"):
        run("C(i,j) = A(i,j) * 2", "precompute(A(i,j),{ji},{jw},t)", A=matrix("BCSR(2,2)"))


@pytest.mark.parametrize("tiles", ["", "split(l,u,v,1),", "split(l,u,v,2),", "split(l,u,v,2),reorder(v,u),"])
def test_a_reduction_in_tiles_goes_whole(run: Any, tiles: str) -> None:
    b = gn.tensor(np.zeros((3, 0), int), [], (1, 2, 3), "dense,dense,compressed;(i,k,l)->(i,l,k)", fill=1.0)
    ran = run("R(i) = max(k, sum(l, B(i,k,l)))", f"{tiles}precompute(B(i,k,l),{{k}},{{kw}},t)", B=b)
    assert ran.result.to_numpy().tolist() == [3.0]


@pytest.mark.parametrize("names", ["{u,b,f},{u,b,f}", "{u,f},{uw,fw}"])
def test_parts_of_blocks_end_where_their_blocks_do_though_nothing_reads_these(names: str) -> None:
    """Blocks of 2 by 2 in a matrix of 3 by 4: inside of the last ones there is one row."""
    coords = np.array([[0, 1, 2, 0], [0, 1, 0, 3]])
    a = gn.tensor(coords, [1.0, 2.0, 3.0, 4.0], (3, 4), "dense,dense,dense,dense; (i,j)->(j//2,i//2,i%2,j%2)")
    tiles = "split(ii,a,b,1),collapse(ji,a,f),collapse(io,jo,u)"
    gn.check("R(i,j) = A(j,i)", A=a, schedule=f"{tiles},precompute(A(j,i),{names},w)")


def test_partial_sums_of_tiles_are_added_up_as_they_are_in_taco() -> None:
    v, tiles = np.arange(61.0), "bound(i,ib,61,max_exact),split(ib,i0,i1,8),precompute(B(i)*C(i),i0,i0,w)"
    both = f"{tiles},precompute(B(i),i1,i1,Bn),precompute(C(i),i1,i1,Cn)"
    report = gn.check("A = B(i) * C(i)", B=v, C=v, schedule=both)
    assert " ".join(show(report.execution.program.statement).split()) == (
        "∀i0 A += w(i0) where w: ∀i0 ∀i1 w(i0) += Bn(i1) * Cn(i1) "
        "where Cn: ∀i1 Cn(i1) = C(i) where Bn: ∀i1 Bn(i1) = B(i)"
    )


@pytest.mark.parametrize(("factor", "held"), [("", 13.0), (" * D(i,k)", 26.0)])
def test_a_workspace_of_contributions_that_are_all_missing_holds_nothing(factor: str, held: float) -> None:
    b = gn.tensor([[0], [0], [1]], [13.0], (1, 2, 3), "dense,dense,compressed;(i,k,l)->(i,l,k)")
    others = {"D": gn.tensor([[0, 0], [0, 1]], [2.0, np.inf], (1, 2), "CSR")} if factor else {}
    source, schedule = f"R(i,k) = max(l, B(i,k,l)){factor}", "precompute(B(i,k,l),{k},{kw},t)"
    report = gn.check(source, out="CSR", schedule=schedule, B=b, **others)
    assert dict(report.execution.result.entries()) == {(0, 0): held}


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        ("precompute(A(i,j)+x(j),{j},{jw},t)", "is not computed anywhere"),
        ("precompute(A(i,j)*A(i,j),{j},{jw},t)", "is not computed anywhere"),
        ("precompute(A(i,j)*x(j),{z},{zw},t)", r"needs loops over z around A\(i,j\) \* x\(j\), but"),
        ("precompute(A(i,j)*x(j),{j},{jw},A)", "the name A is already in use"),
        ("precompute(A(i,j)*x(j),{j},{i},t)", "the name i is already in use"),
        ("precompute(A(i,j)*x(j),{j},{t},t)", "the name t is already in use"),
        ("parallelize(j,CPUThread,Atomics),precompute(A(i,j)*x(j),{j},{jw},t)", "j is parallel"),
        ("unroll(j,2),precompute(A(i,j)*x(j),{j},{jw},t)", "j is unrolled"),
        ("precompute(A(i,j)*x(j),{i,j},{iw},t)", "2 variables and 1 new names"),
        ("precompute(x(j),{j,j},{j,jw},t)", "precompute names j twice among the variables of t"),
        ("pos(j,p,A(i,j)),precompute(A(i,j)*x(j),{p},{q},t)", "depends on what is stored"),
        ("pos(j,p,A(i,j)),split(p,a,b,2),precompute(A(i,j)*x(j),{b},{c},t)", "so where those are is not known"),
        ("pos(j,p,A(i,j)),coord(p,c),precompute(A(i,j)*x(j),{c},{d},t)", "only positions give"),
        ("precompute(A(i,j)*x(j),{j},{jw},t,SparseVector)", "inserted into"),
        ("split(j,a,b,2),precompute(A(i,j)*x(j),{b},{bw},t),split(b,c,d,1)", "the workspace t is indexed by it"),
    ],
)
def test_refusals(spmv: Any, schedule: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        spmv(schedule)


@pytest.mark.parametrize("format", ["Dense", "bitmap", "HashVector", "accumulator"])
def test_a_workspace_knows_what_is_present(matrix: Any, format: str) -> None:
    schedule = f"precompute(A(i,j)*2,{{j}},{{jw}},t,{format})"
    ran = gn.check("C(i,j) = A(i,j) * 2", A=matrix("CSR"), out="CSR", schedule=schedule).execution
    assert [c for c, _ in ran.result.entries()] == [c for c, _ in matrix("CSR").entries()]


def test_a_reduction_stays_where_what_is_computed_from_the_part_does_not_distribute() -> None:
    a = gn.tensor([[0, 1, 1], [1, 1, 2]], [1.0, -3.0, 2.0], (2, 3), "CSR")
    schedule = "precompute(A(k,j)*x(j),{j},{jw},t)"
    ran = gn.check("y(j) = sum(k, abs(A(k,j) * x(j)))", A=a, x=np.ones(3), schedule=schedule).execution
    assert ran.result.to_numpy().tolist() == [0.0, 4.0, 2.0]


def test_without_contributions_a_workspace_holds_what_folds_from_none() -> None:
    none = gn.tensor(np.zeros((2, 0), int), [], (0, 3), "CSR", dtype="float64")
    ran = gn.check("y(j) = sum(i, A(i,j) + 1)", A=none, schedule="precompute(A(i,j)+1,{j},{jw},t)").execution
    assert ran.result.to_numpy().tolist() == [0.0, 0.0, 0.0]


def test_a_workspace_in_blocks_is_refused(spmv: Any) -> None:
    blocks = gn.Format(["dense", "dense"], map="(i)->(i//2,i%2)")
    with pytest.raises(ScheduleError, match="its map is no order of the variables"):
        spmv(gn.Schedule().precompute("A(i,j) * x(j)", "j", "jw", "t", blocks))


@pytest.mark.parametrize("split", ["split(p,p0,p1,1),", ""])
def test_positions_of_an_operand_that_the_producer_reads_under_new_names(split: str) -> None:
    a = gn.tensor([[0, 0, 2], [1, 2, 0]], [3.0, 4.0, 5.0], (3, 3), "DCSR")
    schedule = f"pos(i,p,A(i,j)),precompute(A(i,j),{{j}},{{jw}},t),{split}split(jw,u,v,2)"
    assert gn.check("C(i,j) = A(i,j)", A=a, out="Dense", schedule=schedule)


def test_positions_are_those_of_an_access_that_is_still_read(matrix: Any) -> None:
    """The rows of A are counted where the producer reads it, and not searched for."""
    schedule = "pos(i,p,A(i,j)),split(p,p0,p1,2),precompute(A(i,j)*x(j),{j},{jw},w)"
    operands = {"A": matrix("DCSR"), "x": np.ones(4)}
    program = prepare("y(i) = A(i,j) * x(j)", operands, schedule=schedule).program
    (relation,) = program.provenance.positions()
    assert relation.access.levels == ("i", "jw") and relation.access in reads(program.statement)


@pytest.mark.every(2)
@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize(
    "schedule",
    [
        "split(i,u,v,{}),collapse(v,j,f),precompute(A(i,j),{{u,f}},{{uw,fw}},t)",
        "split(i,u,v,{}),split(u,a,b,2),precompute(A(i,j),{{v,j}},{{vw,jw}},t)",
        "split(i,v,u,{}),split(v,a,b,2),reorder(a,u,b),precompute(A(i,j),{{b,j}},{{bw,jw}},t)",
        "split(i,u,v,{}),collapse(u,v,f),divide(f,g,h,2),precompute(A(i,j),{{h,j}},{{hw,jw}},t),split(jw,p,q,2)",
    ],
)
def test_variables_between_those_of_the_workspace_and_the_original_ones(matrix: Any, schedule: str, size: int) -> None:
    assert gn.check("C(i,j) = A(i,j)", A=matrix("CSR"), out="Dense", schedule=schedule.format(size))


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        ("bound(i,b,4,max_exact),precompute(x(i),{b},{bw},w),precompute(w(b),{b},{bv},v)", 4),
        ("split(i,a,b,2),precompute(x(i),{b},{bw},w),precompute(w(b),{b},{bv},v)", 4),
        ("split(i,a,b,3),split(b,c,d,2),precompute(x(i),{a,c,d},{aw,cw,dw},w)", 4),
        ("split(i,a,b,2),split(b,c,d,2),precompute(x(i),{a,c,d},{aw,cw,dw},w,hashed,hashed,hashed)", 4),
    ],
)
def test_workspaces_by_derived_variables_and_of_workspaces(schedule: str, expected: int) -> None:
    assert gn.check("y(i) = x(i)", x=np.array([1.0, 2, 3, 4]), schedule=schedule).checked == expected
    assert gn.check("s = x(i)", x=np.array([1.0, 2, 3, 4]), schedule=schedule)


@pytest.mark.parametrize("inner", ["split(j,j0,j1,2),", "collapse(i,j,j1),"])
def test_a_workspace_through_a_workspace_of_a_tile(matrix: Any, inner: str) -> None:
    schedule = inner + "precompute(A(i,j)*x(j),{j1},{jw},w),precompute(w(j1),{j1},{jv},v)"
    assert gn.check("y(i) = A(i,j)*x(j)", A=matrix("CSR"), x=np.array([1.0, 10, 100, 1000]), schedule=schedule)


@pytest.mark.parametrize("format", ["DIA", "SparseDIA", "ELL", "BCSR(2,3)"])
@pytest.mark.parametrize("part", ["A(i,j)", "A(i,j)*B(j,k)"])
def test_loops_that_a_format_derives_stay_outside(format: str, part: str) -> None:
    a = gn.tensor([[0, 1, 2, 2], [0, 2, 1, 2]], [1.0, 2.0, 3.0, 4.0], (3, 3), format)
    schedule = f"precompute({part},{{k}},{{kw}},w,Dense)"
    assert gn.check("C(i,k) = A(i,j)*B(j,k)", A=a, B=np.arange(9.0).reshape(3, 3), schedule=schedule)


@pytest.mark.parametrize("schedule", ["collapse(ii,ki,f)", "split(ki,u,v,1)", "reorder(ki,ii),collapse(ki,ii,f)"])
@pytest.mark.parametrize("part", ["A(i,k)", "A(i,k)*B(k,j)"])
def test_loops_that_derive_from_those_of_a_format_stay_outside(schedule: str, part: str) -> None:
    a = gn.tensor([[0, 1, 2, 3], [0, 2, 1, 3]], [1.0, 2.0, 3.0, 4.0], (4, 4), "BCSR(2,2)")
    gn.check("C(i,j) = A(i,k)*B(k,j)", A=a, B=B, schedule=f"{schedule},precompute({part},{{j}},{{jw}},t)")
    if part == "A(i,k)":
        gn.check("y(i) = A(i,k)", A=a, schedule=schedule.replace("u,v", "u,f") + ",precompute(A(i,k),{f},{fw},t)")


@pytest.mark.parametrize(
    ("schedule", "reason"),
    [
        ("coord(b,c),split(c,u,v,3),precompute(x(i),{v},{w},t)", "are told by where x stands, but nothing"),
        ("coord(b,c),pos(c,q,z(i)),split(q,u,v,7),precompute(z(i),{v},{w},t)", "are told by where x stands"),
        ("coord(b,c),pos(c,q,z(i)),split(q,u,v,7),precompute(x(i),{v},{w},t)", "inside the loop over a, which keeps"),
    ],
)
def test_tiles_of_positions_that_a_workspace_has_replaced_are_not_compared(schedule: str, reason: str) -> None:
    x, z = sparse(np.array([1.0, 2.0, 0.0, 3.0]), "hashed(width=8)"), sparse(np.array([0.0, 4.0, 5.0, 6.0]), "s")
    with pytest.raises(ScheduleError, match=reason):
        gn.evaluate("y(i) = x(i) * z(i)", x=x, z=z, schedule=f"pos(i,p,x(i)),split(p,a,b,2),{schedule}")


def test_a_workspace_that_is_too_large_is_refused() -> None:
    x = np.ones(6)
    assert gn.check("y(i) = x(i)", x=x, schedule="split(i,a,b,2147483648),precompute(x(i),{b},{bw},w)")
    with pytest.raises(ScheduleError, match="needs 1000000000000 positions"):
        gn.evaluate(
            "C(i,j) = A(i,j)", A=gn.tensor([[0], [0]], [1.0], (10**6, 10**6), "COO"), out="COO",
            schedule="precompute(A(i,j),{i,j},{iw,jw},w,Dense)",
        )  # fmt: skip


def test_positions_that_a_workspace_has_replaced_are_not_asked_for_again(matrix: Any) -> None:
    schedule = "pos(j,p,A(i,j)),split(p,p0,p1,3),precompute(A(i,j),{i,p1},{iw,pw},t),split(i,u,v,2)"
    a = matrix("Dense").convert("ColumnMajor")
    assert gn.check("C(j,i) = A(i,j)", A=a, out="CSR", schedule=schedule)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("number", ["2", "-1.5", "0.1j", "(0.1j - 1.5)"])
def test_complex_numbers_are_found_as_they_are_printed(dtype: str, number: str) -> None:
    a = np.array([1.0 + 1.0j, 2.0], dtype)
    expression = f"y(i) = a(i) * {number}"
    printed = show(gn.trace(expression, a=a).program.statement).split(" = ")[1]
    y = gn.evaluate(expression, a=a, schedule=f"precompute({printed},{{i}},{{iw}},t)")
    assert y.to_numpy().tolist() == gn.evaluate(expression, a=a).to_numpy().tolist()


def test_a_part_that_reads_nothing_is_refused() -> None:
    x = gn.tensor([[0]], [1.0], (2,), "SparseVector")
    with pytest.raises(ScheduleError, match="reads no operand"):
        gn.evaluate("y(i) = min(x(i), 2 + 2)", x=x, schedule="precompute(2+2,{i},{iw},t)")


@pytest.mark.parametrize(
    ("source", "ring"),
    [
        ("y(i) = max(k, max(x(i), D(k,i)))", None),
        ("y(i) = min(k, x(i) + D(k,i))", None),
        ("y(i) = sum(k, x(i) + D(k,i))", "max_times"),
        ("y(i) = x(i) * D(k,i)", "min_plus"),
        ("y(i) = x(i) * D(k,i)", None),
    ],
)
@pytest.mark.parametrize("count", [0, 2])
def test_what_is_computed_from_a_reduction_of_nothing_is_nothing(source: str, ring: str | None, count: int) -> None:
    x = gn.tensor([[0, 1]], [4.0, 3.0], (2,), "SparseVector")
    d = gn.tensor(np.argwhere(np.ones((count, 2))).T, np.arange(2.0 * count), (count, 2), "DCSR")
    schedule = "precompute(D(k,i),{i},{iw},t)"
    check(source, {"x": x, "D": d}, engines=("reference",), schedule=schedule, semiring=ring)


@pytest.mark.parametrize(("part", "depends"), [("A(i,k)*B(k,j)", set()), ("A(i,k)+B(k,j)+1", {"k"})])
def test_a_program_depends_on_the_extents_that_its_workspaces_count(part: str, depends: set[str]) -> None:
    """So there is a kernel for each: without contributions, one for another extent would read its count of them."""
    expression, commands = f"C(i,j) = D(i,j) * sum(k, {part})", f"precompute({part},{{j}},{{jw}},t)"
    kernel = gn.compile(expression, A="dd", B="dd", D="CSR", out="CSR", schedule=commands)
    program = prepare(expression, operands_of(3), out="CSR", schedule=commands).program
    assert program.depends == depends
    for extent in (3, 0):
        held = operands_of(extent)
        assert kernel(**held).to_numpy().tolist() == gn.evaluate(expression, **held).to_numpy().tolist()


def operands_of(extent: int) -> dict[str, Any]:
    """Operands that meet in so many coordinates."""
    corner = gn.tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2), "CSR")
    return {"A": np.ones((2, extent)), "B": np.ones((extent, 2)), "D": corner}


def test_variables_between_tell_of_other_sections_too(run: Any, matrix: Any) -> None:
    """`v` is derived between `j` and the loops of the consumer, and is a loop of what fills `w`."""
    schedule = "split(j,u,v,2),split({1},v,a,b,2),precompute(w(j,i),{b,u,i},{bt,ut,it},t)"
    ran = run("C(j,i) = abs(A(i,j)) - 1", f"precompute(A(i,j),{{j,i}},{{j,i}},w),{schedule}", A=matrix("CSC"))
    np.testing.assert_array_equal(ran.result.to_numpy(), np.abs(matrix("CSC").to_numpy()).T - 1)
    assert not violations(ran.program)


@pytest.mark.parametrize("command", ["precompute(B(i,k),{{{}1}},{{{}1w}},t)", "loopfuse({{}},B(i,k),left,t)"])
@pytest.mark.parametrize("format", ["COO", "compressed_aos(nonunique),singleton_aos"])
def test_positions_of_duplicates_add_up_to_one_component(command: str, format: str) -> None:
    """Each position has a workspace's component of its own, so that several contribute to a component of the result."""
    B = gn.tensor([[0, 1, 1, 3, 3, 3], [2, 3, 4, 1, 3, 4]], [1.0, 2.0, 4.0, 8.0, 16.0, 32.0], (4, 5), format)
    source, commands = "y(i) = sum(k, B(i,k)) * d(i)", "pos(i,q,B(i,k)),split(q,q0,q1,4)," + command.format("q", "q")
    report = check(source, {"B": B, "d": np.array([1.0, 2.0, 3.0, 4.0])}, schedule=commands)
    assert report.execution.result.to_numpy().tolist() == [1.0, 12.0, 0.0, 224.0]


@pytest.mark.parametrize(("names", "format", "order"), [("i", "CSR", 1), ("i,j", "HashVector", 2), ("", "hashed", 0)])
def test_a_format_of_another_order_is_refused_with_what_to_write(names: str, format: str, order: int) -> None:
    """No refusal of a schedule leaves its reader without a hint."""
    new = ",".join(f"{name}w" for name in names.split(",") if name)
    schedule = f"precompute(A(i,j),{{{names}}},{{{new}}},w,{format})"
    with pytest.raises(ScheduleError, match=f"but this one has order {order}") as error:
        gn.evaluate("y(i) = A(i,j)", A=np.eye(2), schedule=schedule)
    assert error.value.hint == f"name a format of order {order}, or leave the format out"
    assert error.value.rule == "schedule.precompute.workspace"


def test_a_variable_of_a_workspace_is_kept_by_the_rule_of_provenance() -> None:
    tiles = "split(i,a,b,2),precompute(A(i,j),{b},{bw},w),split(b,c,d,2)"
    with pytest.raises(
        ScheduleError, match="b cannot be transformed any more: the workspace w is indexed by it"
    ) as error:
        gn.evaluate("y(i) = A(i,j)", A=np.eye(4), schedule=tiles)
    assert error.value.rule == "schedule.provenance"


@pytest.mark.parametrize(
    "schedule",
    [
        "split(i,a,b,2),precompute(x(i),{a,b},{c,b},w)",
        "split(i,a,b,2),precompute(x(i),{a,b},{a,c},w)",
        "divide(i,a,b,2),precompute(x(i),{a,b},{c,b},w)",
        "split(i,a,b,2),split(b,d,e,2),precompute(x(i),{a,d,e},{c,d,e},w)",
        "split(i,a,b,2),reorder(j,a,b),precompute(x(i)*A(i,j),{a},{c},w)",
    ],
)
def test_what_comes_of_one_command_gets_new_names_together(schedule: str) -> None:
    with pytest.raises(ScheduleError, match="which comes of the same command"):
        gn.evaluate("y(j) = x(i) * A(i,j)", x=np.arange(4.0), A=np.ones((4, 2)), schedule=schedule)
    for names in ("{a,b},{a,b}", "{a,b},{c,d}"):
        chosen = f"split(i,a,b,2),precompute(x(i),{names},w)"
        found = gn.evaluate("y(j) = x(i) * A(i,j)", x=np.arange(4.0), A=np.ones((4, 2)), schedule=chosen)
        assert found.to_numpy().tolist() == [6.0, 6.0]
