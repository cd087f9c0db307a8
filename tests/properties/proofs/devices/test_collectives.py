"""Folds and scans: the generated ones give everything once, others do not."""

import pytest
from gnomon.generator.cuda.collective import FoldedFlag
from gnomon.generator.ir import ir
from gnomon.generator.ir.ir import Assign, Binary, Declare, For, Int, Name
from gnomon.generator.scope.team import Group
from gnomon.properties.proofs.devices.collectives import Threads, agree, contribution, fold_is_whole, scan_is_whole
from gnomon.properties.proofs.solver import Term, z3
from gnomon.properties.proofs.verdict import Proved, Refuted
from gnomon.reference.errors import InternalError

OWN, OTHER, STEP = Name("own"), Name("other"), Name("step")


def tree(distance: ir.Expr, steps: int, lanes: int = 32) -> ir.Stmt:
    body = (Declare("double", "other", ir.Shuffle("xor", OWN, distance, lanes)), Assign(OWN, OTHER, "+="))
    return For("step", ir.ZERO, Int(steps), body)


def folded(*code: ir.Stmt) -> Term:
    """What the first of 32 threads has in the end."""
    return Threads([contribution(t) for t in range(32)]).run(code)[0]


def test_what_is_generated_is_whole() -> None:
    for group, of_warps in (
        (Group("block", 32, 0), False),
        (Group("block", 96, 0), True),
        (Group("block", 160, 0), False),
        (Group("block", 64, 0, 8), True),
        (Group("block", 32, 0, 8), True),
        (Group("warp", 64, 0, 4), False),
    ):
        assert fold_is_whole(group, of_warps) == Proved()
    assert fold_is_whole(Group("warp", 64, 0, 8), False, FoldedFlag) == Proved()
    assert scan_is_whole() == Proved()


def test_warps_are_kept_apart() -> None:
    with pytest.raises(InternalError, match="thread 0 asks for the value of thread 16, which is not in its warp"):
        Threads([contribution(t) for t in range(32)]).run((tree(Binary(">>", Int(16), STEP), 5, lanes=8),))


def test_a_fold_with_a_step_less_or_a_wrong_distance_is_not() -> None:
    whole, halves = z3.Sum(*map(contribution, range(32))), Binary(">>", Int(16), STEP)
    assert agree([folded(tree(halves, 5))], [whole]) == Proved()
    assert isinstance(agree([folded(tree(halves, 4))], [whole]), Refuted)
    assert isinstance(agree([folded(tree(Binary(">>", Int(8), STEP), 4))], [whole]), Refuted)
    assert isinstance(agree([folded(tree(ir.ONE, 5))], [whole]), Refuted)
