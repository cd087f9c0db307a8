"""Extents of variables that a schedule derives, and of the levels of results."""

from __future__ import annotations

from ...reference.errors import InternalError
from ...reference.loops.tiles import room
from ...reference.notation.syntax import Access
from ...reference.statement.relation import Bound
from ...reference.storage.coordinate_map import Mode, Quotient, Rank, Remainder
from ..ir import ir, logic
from ..ir.ir import Expr, Int
from ..ir.writer import Writer
from .env import Env
from .frame import Frame
from .site import Site
from .terms import print_term


def dimension(frame: Frame, variable: str) -> Expr:
    """The extent of a variable, derived or not, outside its loop."""
    if frame.facts.exact(variable) is None and not frame.facts.provenance.is_original(variable):
        return print_term(room(frame.facts.planner.space, variable), frame, Env(Site(frame.facts.outside)))
    return frame.dimension(variable)


def level_extents(frame: Frame, target: Access) -> list[Expr]:
    """The extents of the level coordinates of a tensor that is written."""
    found: list[Expr] = []
    for term in frame.facts.formats[target.tensor].map.terms:
        match term:
            case Mode(mode=mode):
                found.append(dimension(frame, target.indices[mode]))
            case Quotient(mode=mode, factor=factor):
                whole = ir.add(dimension(frame, target.indices[mode]), Int(factor - 1))
                found.append(frame.routine.root.hold(f"{target.tensor}_blocks", ir.floordiv(whole, Int(factor))))
            case Remainder(factor=factor):
                found.append(Int(factor))
            case Rank():
                raise InternalError("results have no ranks")
    return found


def check(frame: Frame, env: Env, relation: Bound, out: Writer) -> None:
    """Leave the function where what a schedule says of a range does not hold."""
    is_original = frame.facts.provenance.is_original(relation.parent)
    extent = env.site.space.extent(relation.parent)
    end = frame.measure(relation.parent) if is_original else print_term(extent, frame, env)
    size = Int(relation.size)
    match relation.kind:
        case "max_exact":
            wrong = logic.compare("!=", end, size)
        case "max_constraint":
            wrong = logic.compare(">", end, size)
        case "min_exact":
            wrong = logic.compare("!=", ir.ZERO, size)
        case "min_constraint":
            wrong = logic.compare("<", ir.ZERO, size)
        case "divisible":
            wrong = logic.compare("!=", ir.mod(end, size), ir.ZERO)
    if wrong != ir.FALSE:
        frame.routine.fail(out, wrong, "GN_BOUND")
