"""Folds and scans: the generated ones give everything once, others do not."""

from gnomon.generator.ir import ir
from gnomon.generator.ir.ir import Assign, Binary, Declare, For, Int, Name
from gnomon.properties.proofs.devices.collectives import Threads, agree, contribution, fold_is_whole, scan_is_whole
from gnomon.properties.proofs.solver import Term, z3
from gnomon.properties.proofs.verdict import Proved, Refuted

OWN, OTHER, STEP = Name("own"), Name("other"), Name("step")


def tree(distance: ir.Expr, steps: int) -> ir.Stmt:
    body = (Declare("double", "other", ir.Shuffle("down", OWN, distance)), Assign(OWN, OTHER, "+="))
    return For("step", ir.ZERO, Int(steps), body)


def folded(*code: ir.Stmt) -> Term:
    """What the first of 32 threads has in the end."""
    return Threads([contribution(t) for t in range(32)]).run(code)[0]


def test_what_is_generated_is_whole() -> None:
    assert fold_is_whole(32, False) == fold_is_whole(96, True) == fold_is_whole(160, False) == Proved()
    assert scan_is_whole() == Proved()


def test_a_fold_with_a_step_less_or_a_wrong_distance_is_not() -> None:
    whole, halves = z3.Sum(*map(contribution, range(32))), Binary(">>", Int(16), STEP)
    assert agree([folded(tree(halves, 5))], [whole]) == Proved()
    assert isinstance(agree([folded(tree(halves, 4))], [whole]), Refuted)
    assert isinstance(agree([folded(tree(Binary(">>", Int(8), STEP), 4))], [whole]), Refuted)
    assert isinstance(agree([folded(tree(ir.ONE, 5))], [whole]), Refuted)
