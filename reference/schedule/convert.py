"""Convert: an operand is stored in another order of its modes before the loops run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from ..errors import ScheduleError
from ..notation.elaboration import fresh_name
from ..notation.printer import pretty
from ..notation.syntax import Access
from ..statement.converting import format_in_order, has_room, name_converted
from ..statement.expansion import remaining_loops
from ..statement.iteration_graph import Edge, IterationGraph, derived_edges, operand_edges
from ..statement.statement import Assign, Program, Where, reads, rename_reads
from ..storage.declaration import Declaration
from ..storage.format import Format
from .path import Path
from .reorder import check_distributes as check_reductions
from .reorder import reorder
from .section import Section, in_loops, section_at, sections, with_section
from .widen import narrow, widen

Variables = tuple[str, ...]
Orders = Mapping[Access, Variables]
"""Operands, each with the order in which it is stored before the loops run."""


def convert(program: Program, path: Path, *given: Access | Variables) -> Program:
    """Read operands in other orders of their modes, in which they are stored before the loops run.

    Before, B by columns, so that each row of A meets each column of B: `∀i ∀j ∀k C(i,j) += A(i,k) * B(k,j)`. After
    `convert(B(k,j),{k,j})`:

        B, in CSC, is converted to CSR
        ;
        ∀i
          ∀k
            ∀j
              C(i,j) += A(i,k) * B(k,j)

    The loops over these variables come in their order too, in the places that they have; others move as far as storage
    demands it. A workspace that the assignment fills inside some of these loops gets their variables as modes first
    (`widen.py`). Operands that are merged with one another are converted together: `convert(B(j,k),{k,j},E(j,k),{k,j})`
    of `A(i,k) * (B(j,k) + E(j,k))`.

    Preconditions: one assignment reads all of the operands; the variables of each are its own, in an order in which it
    is not stored; its levels are its modes, each with a variable of its own, over which loops stand around the
    assignment, directly inside one another but for such a workspace, transformed by no command; what `reorder` needs,
    if loops move; every tensor is still reached in its storage order (`legality.py`).
    """
    section, orders = section_of(program, path, orders_of(given))
    for read, order in orders.items():
        refuse_unfit(program, section, read, order)
    program, section = with_loops(program, section, orders)
    made = read_converted(program, section, orders)
    moved = moved_loops(made, section, orders)
    made = reorder(made, section.path, *moved) if moved else made
    return narrow_outward(made, section)


def narrow_outward(program: Program, section: Section) -> Program:
    """The program whose workspaces are as narrow as the loops of a section now allow: the one that it fills, then those
    that are filled or read around that, from the inside outward."""
    around = section_around(program, section)
    while around is not None:
        program = narrow(program, around)
        around = section_at(program.statement, around.path[:-1]) if around.path else None
    return program


def orders_of(given: Sequence[Access | Variables]) -> Orders:
    """The operands of a command, each with its order. Raises ScheduleError for one that stands twice."""
    reads = [bare(each) for each in given if isinstance(each, Access)]
    for n, read in enumerate(reads):
        if read in reads[:n]:
            raise ScheduleError(f"convert has {pretty(read)} twice", hint="name each operand once")
    return dict(zip(reads, (each for each in given if isinstance(each, tuple)), strict=True))


def check_distributes(program: Program, path: Path, *given: Access | Variables) -> None:
    """Refuse loops that would move, between which a reduction ends."""
    section, orders = section_of(program, path, orders_of(given))
    program, section = with_loops(program, section, orders)
    moved = moved_loops(read_converted(program, section, orders), section, orders)
    if moved:
        check_reductions(program, section.path, *moved)


def with_loops(program: Program, section: Section, orders: Orders) -> tuple[Program, Section]:
    """A program in which the loops of a section are over all variables of some operands, and the section."""
    around, variables = section_around(program, section), variables_of(orders)
    if around is None or {*variables} <= {*section.variables}:
        return program, section
    made = widen(program, around, variables)
    return made, section_at(made.statement, section.path)


def variables_of(orders: Orders) -> Variables:
    """The variables of some operands."""
    return tuple(dict.fromkeys(v for order in orders.values() for v in order))


def moved_loops(program: Program, section: Section, orders: Orders) -> Variables:
    """The loops of a section that change places, in their new order, where the variables of some operands come in an
    order and all others stay as far as the assignment that it has in a program allows. Raises ScheduleError if storage
    allows no order."""
    before, own = section.variables, iter(common_order(section.variables, orders))
    wanted = tuple(next(own) if v in variables_of(orders) else v for v in before)
    edges = tuple(edge for edge in edges_of(program, section) if edge.source in before and edge.sink in before)
    graph = IterationGraph(wanted, edges)
    conflict = graph.conflict()
    if conflict:
        involved = dict.fromkeys(e.access for e in conflict if e.access is not None)
        said = " and ".join(f"{pretty(bare(a))} in {program.formats[a.tensor]}" for a in involved)
        raise ScheduleError(
            f"no order of the loops follows the storage of {said}",
            hint="convert those that contradict each other together, or store them alike",
        )
    return tuple(v for v, old in zip(graph.order(), before, strict=True) if v != old)


def common_order(loops: Variables, orders: Orders) -> Variables:
    """The variables of some operands in an order that follows that of each, and that of loops where they leave it
    open. Raises ScheduleError if they contradict each other."""
    edges = tuple(Edge(u, v, read, True) for read, order in orders.items() for u, v in pairwise(order))
    graph = IterationGraph(tuple(v for v in loops if v in variables_of(orders)), edges)
    conflict = graph.conflict()
    if conflict:
        said = " and ".join(f"{pretty(e.access)} has {e.source} before {e.sink}" for e in conflict if e.access)
        raise ScheduleError(f"the orders contradict each other: {said}", hint="give variables in one order for all")
    return graph.order()


def edges_of(program: Program, section: Section) -> Iterator[Edge]:
    """Which loops have to stand outside which for the assignment of a section: where storage or a format demands it."""
    graph, known = program.provenance, [loop.index for loop in (*section.around, *section.loops)]
    for access in reads(section_at(program.statement, section.path).end):
        loops = {v: remaining_loops(graph, v, known) for v in access.levels}
        yield from (e for e in operand_edges(access, program.formats[access.tensor], loops) if e.hard)
    yield from derived_edges(graph, known, known)


def section_of(program: Program, path: Path, orders: Orders) -> tuple[Section, Orders]:
    """The first section from a path on whose assignment reads some operands, and their accesses with levels, each with
    its order. Raises ScheduleError if none does."""
    there: dict[Access, Section] = {}
    for section in sections(program.statement):
        if section.path[: len(path)] == path and isinstance(section.end, Assign):
            read = {bare(a): a for a in reads(section.end)}
            if orders.keys() <= read.keys():
                return section, {read[a]: order for a, order in orders.items()}
            there |= dict.fromkeys(read, section)
    for access in orders:
        if access not in there:
            names = ", ".join(pretty(a) for a in there if a.tensor not in program.workspace)
            raise ScheduleError(
                f"no assignment reads {pretty(access)}", hint=f"take one of the operands that are read: {names}"
            )
    said = " and ".join(map(pretty, orders))
    raise ScheduleError(f"no assignment reads {said} together", hint="write convert for each")


def bare(access: Access) -> Access:
    """An access as it is written."""
    return Access(access.tensor, access.indices)


def refuse_unfit(program: Program, section: Section, read: Access, variables: Variables) -> None:
    """Refuse what is no operand that can be read in another order by the loops around."""
    name, graph = pretty(bare(read)), program.provenance
    if read.tensor in program.workspace:
        raise ScheduleError(
            f"{read.tensor} is a workspace, which lies as it is read", hint="reorder the loops that read it"
        )
    if len(read.indices) < 2:
        raise ScheduleError(f"{name} has no second variable, and one order alone", hint="leave convert out")
    if len({*read.indices}) < len(read.indices):
        raise ScheduleError(f"{name} repeats a variable, whose loops come in one order", hint="leave convert out")
    if sorted(read.levels) != sorted(read.indices):
        stored = program.formats[read.tensor]
        raise ScheduleError(
            f"{name} in {stored} has levels that are not its modes",
            hint="convert the tensor before to whole modes",
        )
    if sorted(variables) != sorted(read.indices) or variables == read.levels:
        raise ScheduleError(
            f"{name}, stored by {', '.join(read.levels)}, cannot be converted to {', '.join(variables) or 'nothing'}",
            hint="name all of its variables once, in another order",
        )
    used = [v for v in variables if graph.uses(v)]
    if used:
        raise ScheduleError(
            f"convert needs loops over {', '.join(variables)}, but a command has transformed {', '.join(used)} before",
            hint=f"write convert before what transforms {', '.join(used)}",
        )
    around = section_around(program, section)
    if not {*variables} <= {*section.variables, *(() if around is None else around.variables)}:
        raise ScheduleError(
            f"convert needs loops over {', '.join(variables)} directly around {name}, or around the workspace that is "
            f"filled there, but in its nest are those over {', '.join(section.variables) or 'nothing'}",
            hint="convert the tensor before, or store the result so that it needs no workspace",
        )


def section_around(program: Program, section: Section) -> Section | None:
    """The section at whose end stands the workspace that a section fills; None if it fills none."""
    if section.path[-1:] != (0,):
        return None
    around = section_at(program.statement, section.path[:-1])
    return around if isinstance(around.end, Where) else None


def read_converted(program: Program, section: Section, orders: Orders) -> Program:
    """The program whose assignment at the end of a section reads operands in other orders."""
    assert isinstance(section.end, Assign)
    leaf, declared = section.end, dict(program.tensors)
    renamed, made, used = dict[Access, Access](), dict[str, Declaration](), program.names
    for read, order in orders.items():
        name = fresh_name(read.tensor, {*used, *made})
        renamed[read] = replace(read, levels=order, tensor=name)
        made[name] = replace(declared[read.tensor], format=format_of(program, leaf, read, order))
    converted = replace(
        program,
        statement=with_section(program.statement, section.path, in_loops(section.loops, rename_reads(leaf, renamed))),
        tensors=(*program.tensors, *made.items()),
    )
    return name_converted(converted, {new.tensor: old.tensor for old, new in renamed.items()})


def format_of(program: Program, leaf: Assign, read: Access, variables: Variables) -> Format:
    """The format in which an assignment reads an operand in another order."""
    stored, modes = program.formats[read.tensor], [read.indices.index(v) for v in variables]
    others = (leaf.target, *(a for a in reads(leaf) if a != read))
    whole = has_room(variables[0], stored, others, program.formats, dict(program.extents))
    return format_in_order(stored, modes, whole=whole)
