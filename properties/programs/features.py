"""Features: what the programs may use that a system is given, and the first thing in a program that it lacks.

The same value narrows what strategies draw and tells what a backend supports.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np
from msgspec import Struct

from ...reference.algebra.dtypes import NAMES
from ...reference.algebra.operators import OPERATORS
from ...reference.algebra.semirings import KNOWN
from ...reference.errors import FormatError
from ...reference.notation.syntax import (
    Access,
    Apply,
    Assignment,
    Expr,
    Fill,
    Literal,
    Reduce,
    accesses,
    is_coordinate,
    mask_reads,
    merges,
)
from ...reference.schedule.schedule import Schedule
from ...reference.statement.tags import CPU, GPU, Target
from ...reference.storage.coordinate_map import permutation_map
from ...reference.storage.format import Format, parse_level
from ...reference.storage.named_formats import format_of
from ...reference.storage.tensor import Tensor
from .problem import Problem

MASKS = ("", "!", "$", "!$")
REDUCTIONS = tuple(o.name for o in OPERATORS.values() if o.reduction is not None)
COMPARING = ("max_lt", "min_ge", "plus_eq", "any_ne", "or_le", "times_gt")
TWICE = ("min_min", "plus_plus", "times_times")
SEMIRINGS = (*(name for name, _ in KNOWN), *COMPARING, *TWICE)


class Storage(Struct, frozen=True):
    """Formats: the named ones, for every order that they have, and any nest of `levels`.

    Nests are in any order of modes if `permuted`, in that of the indices otherwise.
    """

    named: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    permuted: bool = True

    def formats(self, order: int) -> tuple[Format, ...]:
        """The named formats of an order."""
        return tuple(f for text in self.named if (f := format_of_name(text, order)) is not None)

    def holds(self, format: Format) -> bool:
        """Whether a format is among them.

        >>> Storage(levels=("dense", "compressed")).holds(format_of("CSC"))
        True
        """
        return format in self.formats(format.order) or self.composes(format)

    def composes(self, format: Format) -> bool:
        """Whether a format is a nest of the levels."""
        if not format.map.is_permutation or not set(format.levels) <= {parse_level(text) for text in self.levels}:
            return False
        return self.permuted or format.map == permutation_map(range(format.order))


@cache
def format_of_name(text: str, order: int) -> Format | None:
    """The format that a text names, if there is one of that order."""
    try:
        return format_of(text, order)
    except FormatError:
        return None


class Features(Struct, frozen=True):
    """What programs may use. The default is everything that gnomon knows.

    `orders`: of operands and results. `dtypes`: of operands, all alike unless `mixed`. `operands`, `results`: formats.
    `operators`, `reductions`: by name; `updates` are the operators of reduction assignments. `masks`: of the kinds "",
    "!", "$" and "!$"; with `merges`, they may say what becomes of the rest, with `selections` those by value may be
    expressions, with `contents` they may read previous contents of the result. `coordinates`: index variables as
    values. `semirings`: by name; with `plain`, programs outside them, too. `literals`: numbers in expressions.
    `diagonals`: one variable twice in an access. `shared`: a tensor read twice. `broadcasts`: terms of a sum, and
    operands of other operators than products, with different variables. `inner`: reductions inside an expression.
    `fills`: other than 0. `specials`: infinities, NaN, the ends of dtypes, 64-bit indices and names that C knows.
    `zeros`: stored ones, but in dense arrays. `duplicates`: components that are stored twice. `hollow`: operands of
    which nothing is stored. `empties`: extents of 0.
    `schedules`: other than none; `units`: what they run loops on, those of a CPU or of a GPU.
    `many`: more operands than a few.
    """

    orders: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6, 7)
    dtypes: tuple[str, ...] = NAMES
    mixed: bool = True
    operands: Storage | None = None
    results: Storage | None = None
    operators: tuple[str, ...] = tuple(OPERATORS)
    reductions: tuple[str, ...] = REDUCTIONS
    updates: tuple[str, ...] = REDUCTIONS
    masks: tuple[str, ...] = MASKS
    merges: bool = True
    selections: bool = True
    contents: bool = True
    coordinates: bool = True
    semirings: tuple[str, ...] = SEMIRINGS
    plain: bool = True
    literals: bool = True
    diagonals: bool = True
    shared: bool = True
    broadcasts: bool = True
    inner: bool = True
    fills: bool = True
    specials: bool = True
    zeros: bool = True
    duplicates: bool = True
    hollow: bool = True
    empties: bool = True
    schedules: bool = True
    units: tuple[str, ...] = CPU
    many: bool = True

    @property
    def target(self) -> Target:
        """What programs run on."""
        return "cuda" if self.units == GPU else "c"

    def lacks(self, problem: Problem) -> str | None:
        """The first feature of a problem that these features lack, in words; None if they lack none."""
        return next(self.complaints(problem), None)

    def complaints(self, problem: Problem) -> Iterator[str]:
        """The features of a problem that these features lack, in words."""
        yield from self.of_whole(problem)
        yield from self.of_expression(problem.terms)
        for tensor in problem.operands.values():
            yield from self.of_operand(tensor)
            if tensor.fill != 0 and not self.fills and problem.semiring is None:
                yield f"fill {tensor.fill}"
        if self.results is not None and not self.results.holds(problem.out):
            yield f"a result in {problem.out}"

    def of_whole(self, problem: Problem) -> Iterator[str]:
        """What concerns the problem as a whole."""
        order = problem.out.order
        if order not in self.orders:
            yield f"a result of order {order}"
        if problem.semiring is None and not self.plain:
            yield "no semiring"
        if problem.semiring is not None and problem.semiring not in self.semirings:
            yield f"the semiring {problem.semiring}"
        if problem.schedule and not self.schedules:
            yield "a schedule"
        for unit in units_of(problem.schedule):
            if unit not in self.units:
                yield f"a loop on {unit}"
        if len({t.dtype for t in problem.operands.values()}) > 1 and not self.mixed:
            yield "operands of different dtypes"
        if not self.empties and 0 in problem.extents.values():
            yield "an extent of 0"

    def of_expression(self, a: Assignment) -> Iterator[str]:
        """What an assignment uses."""
        if a.operator is not None and a.operator.name not in self.updates:
            yield f"{a.operator.symbol or a.operator.name}="
        if a.mask is not None and (kind := "!" * a.mask.complement + "$" * a.mask.structural) not in self.masks:
            yield f"a mask <{kind}M>"
        if a.mask is not None and a.merge != merges(a.operator) and not self.merges:
            yield "a mask that merges" if a.merge else "a mask that replaces"
        if a.mask is not None and not isinstance(a.mask.value, Access) and not self.selections:
            yield "a mask that is an expression"
        if a.asks_contents and not self.contents:
            yield "a mask that reads previous contents"
        if any(map(is_coordinate, (*accesses(a.value), *mask_reads(a.mask)))) and not self.coordinates:
            yield "an index variable as a value"
        yield from self.of_term(a.value, outermost=True)
        read = [access.tensor for access in accesses(a.value)]
        if not self.shared and len(set(read)) < len(read):
            yield "a tensor that is read twice"

    def of_term(self, e: Expr, outermost: bool) -> Iterator[str]:
        """What an expression uses; `outermost` if only reductions are around it."""
        match e:
            case Access(indices=indices):
                if not self.diagonals and len(set(indices)) < len(indices):
                    yield f"a diagonal {e.tensor}({','.join(indices)})"
            case Literal() | Fill():
                if not self.literals:
                    yield "a number"
            case Apply(operator=operator, args=args):
                if operator.name not in self.operators:
                    yield operator.symbol or operator.name
                if not self.broadcasts and operator.name != "mul" and differ(args):
                    yield "operands with different variables"
                for argument in args:
                    yield from self.of_term(argument, outermost=False)
            case Reduce(operator=operator, body=body):
                if operator.name not in self.reductions:
                    yield f"a reduction by {operator.name}"
                if not (self.inner or outermost):
                    yield "a reduction inside the expression"
                yield from self.of_term(body, outermost)

    def of_operand(self, tensor: Tensor) -> Iterator[str]:
        """What a tensor's storage and values are."""
        if tensor.order not in self.orders:
            yield f"an operand of order {tensor.order}"
        if tensor.dtype.name not in self.dtypes:
            yield f"dtype {tensor.dtype.name}"
        if self.operands is not None and not self.operands.holds(tensor.format):
            yield f"an operand in {tensor.format}"
        coords, values = tensor.components()
        if not self.specials and tensor.dtype.kind in "fc" and not np.isfinite(values).all():
            yield "infinities or NaN"
        if not self.zeros and not tensor.format.dense_leaves and not values.all():
            yield "stored zeros"
        if not (self.hollow or len(values)):
            yield "an operand without components"
        if not self.duplicates and len({tuple(i) for i in coords.T.tolist()}) < len(values):
            yield "duplicates"


def units_of(schedule: Schedule) -> Iterator[str]:
    """The units that a schedule runs loops on."""
    yield from (str(c.args[1]) for c in schedule.commands if c.name == "parallelize")


def differ(args: Iterable[Expr]) -> bool:
    """Whether expressions have different variables."""
    reading = [list(accesses(e)) for e in args]
    return len({frozenset(v for a in found for v in a.indices) for found in reading if found}) > 1


EVERYTHING = Features()
PLAIN = Features(dtypes=("float64",), mixed=False, semirings=(), schedules=False)
