"""What a kernel for a GPU cannot do, told before anything is generated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...reference.errors import Unsupported
from ...reference.notation.printer import pretty
from ...reference.schedule.parallelize import tagged_units
from ...reference.statement.statement import Assign, Forall, Program, Sequence, Statement, Where
from ...reference.storage.coordinate_map import Remainder
from ..cuda.sizes import BLOCKS, UNITS, unit_of
from ..storage.layout import Layout, array_names

SPLIT = "split(i,block,thread,256),parallelize(block,GPUBlock,NoRaces),parallelize(thread,GPUThread,NoRaces)"


def refuse_for_device(program: Program, layouts: Mapping[str, Layout]) -> None:
    """Refuse what no kernel for a GPU computes, with results stored so."""
    refuse_unfit(program, layouts)
    refuse_host_units(program)


def refuse_host_units(program: Program) -> None:
    """Refuse loops on units of a CPU, and what no block of a grid runs."""
    for unit in tagged_units(program.statement):
        if unit not in UNITS:
            raise Unsupported(f"{unit} is no unit of a GPU", hint=f"parallelize over {', '.join(UNITS)}")
    for leaf in outside_blocks(program.statement):
        raise Unsupported(
            f"no loop around {pretty(leaf.target)} runs on {BLOCKS}, so that a CPU would compute it",
            hint=f"parallelize a loop around it over {BLOCKS}, for example {SPLIT}",
        )


def outside_blocks(s: Statement) -> Iterator[Assign]:
    """The assignments that no loop over blocks surrounds."""
    match s:
        case Assign():
            yield s
        case Forall(body=body):
            if unit_of(s) != BLOCKS:
                yield from outside_blocks(body)
        case Where(consumer=consumer, producer=producer):
            yield from outside_blocks(producer)
            yield from outside_blocks(consumer)
        case Sequence(statements=statements):
            for each in statements:
                yield from outside_blocks(each)


def refuse_unfit(program: Program, layouts: Mapping[str, Layout]) -> None:
    """Refuse results that are assembled, but for those of which each iteration of the outermost loop makes a part."""
    result, s = layouts[program.result], program.statement
    if array_names(result.format) and not (isinstance(s, Forall) and unit_of(s) == BLOCKS):
        raise Unsupported(
            f"a result in {result.format} is assembled, which kernels for GPUs do only by the outermost loop",
            hint=f"parallelize the outermost loop over {BLOCKS}, or leave out= out, for a dense result",
        )
    if array_names(result.format) and any(isinstance(term, Remainder) for term in result.format.map.terms):
        raise Unsupported(
            f"a result in {result.format} is assembled in blocks, for which kernels for GPUs do not make room",
            hint="leave out= out, for a dense result, or ask for CSR",
        )
