"""Transpositions: operands whose stored levels come in another order, at the price of a conversion (SparseAuto, section
6.5, names their absence as a limitation).

Before: `∀i ∀j y(j) += B(i,j) * x(i)`, i outside j as B is stored. After `convert(B(i,j),{j,i})`, with loops in any
order that the new storage allows:

    B, in CSR, is converted to CSC
    ;
    ∀j
      ∀i
        y(j) += B(i,j) * x(i)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from msgspec import Struct
from msgspec.structs import replace

from ...errors import ScheduleError
from ...notation.syntax import Access
from ...statement.statement import Program
from ..application import legal
from ..command import Command
from .contraction import Contraction, contraction_of, operand_values


class Variant(Struct, frozen=True):
    """A contraction, the program that computes it, and the command that converts one of its operands, if any."""

    contraction: Contraction
    program: Program
    commands: tuple[Command, ...] = ()

    @property
    def origins(self) -> tuple[str, ...]:
        """The tensor that is converted, if one is."""
        return tuple(dict.fromkeys(each.made_of for each in self.contraction.operands if each.made_of is not None))


def transpositions(variant: Variant) -> Iterator[Variant]:
    """The variants in which one operand that stores coordinates is converted, for each other order of its levels that
    does not contradict the other operands. There are none where the program computes an operand before."""
    if variant.contraction.path:
        return
    values = operand_values(variant.program)
    stored = dict(zip(values, variant.contraction.operands, strict=True))
    for value, operand in stored.items():
        if isinstance(value, Access) and operand.stored and set(operand.levels) == set(value.indices):
            yield from conversions(variant, value, [each == value for each in values])


def conversions(variant: Variant, access: Access, reads: Sequence[bool]) -> Iterator[Variant]:
    """The variants in which an operand is converted; `reads` says which factors of the product are this operand."""
    for order in (each for each in permutations(access.levels) if each != access.levels):
        command = Command("convert", (Access(access.tensor, access.indices), order))
        try:
            program = legal(command, variant.program)
            contraction = contraction_of(program)
        except ScheduleError:
            continue
        operands = tuple(
            replace(each, made_of=access.tensor) if read else each
            for each, read in zip(contraction.operands, reads, strict=True)
        )
        yield Variant(replace(contraction, operands=operands), program, (command,))
