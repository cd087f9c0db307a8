"""Expansion: what the loops that a loop stands for are like."""

from gnomon.reference.notation.syntax import Access, Literal
from gnomon.reference.statement.expansion import steps
from gnomon.reference.statement.provenance import Provenance
from gnomon.reference.statement.relation import Collapse, Split
from gnomon.reference.statement.statement import Assign, Forall
from gnomon.reference.statement.tags import Unroll


def test_only_the_loop_itself_is_what_a_schedule_says_of_it() -> None:
    graph = Provenance(of_schedule=(Collapse("i", "j", "f"), Split("f", "u", "v", 4)))
    loop = Forall("v", Assign(Access("s", (), ()), Literal(1.0)), (Unroll(4),))
    found = [(step.index, step.tags) for step, _ in steps(loop, ("u",), graph)]
    assert found == [("i", ()), ("j", ()), ("v", (Unroll(4),))]
