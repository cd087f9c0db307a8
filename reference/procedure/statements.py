"""The statements that the steps of a procedure run, as they follow from how its operands are stored.

Nothing runs: of what a name stands for, format, dtype and fill are known. A step in a loop runs several statements if
names are stored otherwise in later rounds.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct, field

from ..algebra.dtypes import COORDINATE
from ..errors import GnomonError
from ..notation.extent import StandIn
from ..statement.front_end import Stated
from ..statement.statement import Program
from ..storage.declaration import Declaration
from ..storage.named_formats import dense, format_of
from .check import check_procedure
from .run import CONVERT, at_step, in_ring, result_spec
from .syntax import Node, Procedure, Repeat, Step, Stop, steps

SMALL = StandIn(4)
Names = Mapping[str, Declaration]
Path = tuple[int, ...]
"""Where a step stands: its number in its block, after those of the loops around it."""


def statements(procedure: Procedure, formats: Mapping[str, str]) -> dict[Path, tuple[Program, ...]]:
    """What every step runs on parameters in some formats, others dense, all of float64.

    Raises what checking the procedure, and preparing a step, raises.
    """
    check_procedure(procedure)
    follower = Follower(procedure)
    follower.block(procedure.body, [declare_parameters(procedure, formats)], ())
    return {path: tuple(found) for path, found in follower.found.items()}


def declare_parameters(procedure: Procedure, formats: Mapping[str, str]) -> Names:
    """How parameters are stored: each has the order with which a step first reads it."""
    found = dict[str, Declaration]()
    for step in steps(procedure.body):
        orders = {a.tensor: len(a.indices) for a in (*step.statement.inputs, step.text.target)}
        for own, name in step.operands:
            if name in procedure.parameters and name not in found:
                format = format_of(formats[name], orders[own]) if name in formats else dense(orders[own])
                found[name] = Declaration(format, np.dtype("float64"), 0)
    return found


class Follower(Struct):
    """Goes through a procedure as a run would, with every way in which names may be stored by then.

    `left` are the ways in which the loop around has been left midway.
    """

    procedure: Procedure
    found: dict[Path, list[Program]] = field(default_factory=dict)
    left: list[Names] = field(default_factory=list)

    def block(self, body: tuple[Node, ...], ways: list[Names], above: Path) -> list[Names]:
        """How names are stored after some nodes."""
        for n, node in enumerate(body):
            match node:
                case Step():
                    ways = distinct([self.step(node, names, (*above, n)) for names in ways])
                case Repeat():
                    ways = self.repeat(node, ways, (*above, n))
                case Stop():
                    self.left += ways
        return ways

    def repeat(self, repeat: Repeat, ways: list[Names], path: Path) -> list[Names]:
        """How names are stored after any round of a loop."""
        ended: list[Names] = []
        outside, self.left = self.left, []
        while ways:
            ways = [names for names in self.block(repeat.body, ways, path) if names not in ended]
            ended += ways
        ended, self.left = distinct([*ended, *self.left]), outside
        return ended

    def step(self, step: Step, names: Names, path: Path) -> Names:
        """How names are stored after a step, whose program is kept."""
        before = names.get(step.target)
        try:
            own = {own: names[name] for own, name in step.operands if name in names}
            own |= dict.fromkeys(step.statement.coordinate_places, Declaration(dense(1), COORDINATE, 0))
            declared = {name: in_ring(each, step.semiring) for name, each in own.items()}
            out = result_spec(step, None if before is None else before.format)
            stated = Stated(step.statement, declared, out, step.semiring, CONVERT)
            resolved = stated.resolve({name: (SMALL,) * each.format.order for name, each in declared.items()})
            program = stated.lower(resolved)
        except GnomonError as error:
            raise at_step(error, step, self.procedure) from error
        kept = self.found.setdefault(path, [])
        if program not in kept:
            kept.append(program)
        return {**names, step.target: Declaration(stated.format, resolved.dtype, resolved.fill)}


def distinct(ways: list[Names]) -> list[Names]:
    """The ways without repetitions."""
    return [names for n, names in enumerate(ways) if names not in ways[:n]]
