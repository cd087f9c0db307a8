"""The command `gnomon show`: how a tensor is stored, how an expression is computed."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ...reference.algebra.semirings import semiring_or_none
from ...reference.drawing.hierarchies import explain, hierarchy, lattice, loops
from ...reference.drawing.index_trees import tree_as_json, tree_picture
from ...reference.drawing.loops import loop_nest
from ...reference.drawing.schedules import iteration_space, provenance_graph
from ...reference.drawing.sections import branched_graph, steps
from ...reference.errors import GnomonError
from ...reference.files.suffix import read
from ...reference.files.text import read_text
from ...reference.loops.domains import domains
from ...reference.notation.text import as_text
from ...reference.schedule.origin import origins
from ...reference.schedule.preparation import Prepared, prepare
from ...reference.schedule.visits import excess
from ...reference.statement.index_tree import IndexTree, index_tree, statement_of
from ...reference.statement.statement import Program, show_program
from ...reference.statement.statement import show as print_statement
from ...reference.statement.tree_parser import parse_tree
from ...reference.statement.tree_printer import print_tree
from ...reference.storage.tensor import Tensor
from ..command_line.operands import load_operands, make_up_operands
from ..command_line.options import (
    PROCEDURE,
    TREE,
    convert_option,
    formats_option,
    json_option,
    schedule_option,
    semiring_option,
    tensors_option,
)
from ..command_line.output import advise, check_writable, echo_json
from .printing import SMALL, arrays, arrays_as_json, write_svg
from .procedures import show_file


@click.command()
@click.argument("subject")
@tensors_option
@formats_option
@semiring_option
@convert_option
@schedule_option
@click.option("--arrays", "stored", is_flag=True, help="Print the arrays that store a file's tensor: pos, crd, vals.")
@click.option("--steps", "stepwise", is_flag=True, help="Draw the branched graph after each command of the schedule.")
@click.option("--tree", "as_tree", is_flag=True, help="Print the statement as an index tree, with its domains.")
@click.option("--svg", type=click.Path(path_type=Path), help="Write the pictures to FILE, FILE-1, ...")
@json_option
def show(
    subject: str,
    files: dict[str, str],
    formats: dict[str, str],
    semiring: str | None,
    convert: str | None,
    schedule: str | None,
    stored: bool,
    stepwise: bool,
    as_tree: bool,
    svg: Path | None,
    as_json: bool,
) -> None:
    """Show how SUBJECT is stored or computed.

    SUBJECT is a file, whose coordinate hierarchy is drawn in the format given with -f NAME=FORMAT, or an expression, or
    an index tree as --tree prints it, in a file FILE.tree: the statement that it says is printed, or a procedure in a
    file FILE.gn: the statements that its steps run are.
    Operands of an expression need only a format: without a file, small ones are made up. With a schedule, the pictures
    begin with the iteration graph before it and the provenance graph; the last shows the iteration space in its tiles.
    --steps draws a branched graph a line a section, each with its path, before the schedule and after every command.
    --tree prints the statement as an index tree: what each index node iterates, and what each compute node reads.
    """
    check_writable(svg)
    if subject.endswith(TREE):
        if files or formats or semiring or convert or schedule or stored or stepwise or as_tree:
            raise click.UsageError("an index tree takes --svg and --json alone")
        show_tree_file(Path(subject), svg, as_json)
        return
    if subject.endswith(PROCEDURE):
        if files or semiring or convert or schedule or stored or stepwise or as_tree or (svg and as_json):
            raise click.UsageError("a procedure takes -f, and --svg or --json, alone")
        show_file(Path(subject), formats, svg, as_json)
        return
    if not subject.strip():
        raise click.UsageError(
            "the subject is empty: name a file, or write an expression such as 'y(i) = A(i,j) * x(j)'"
        )
    if "=" not in subject:
        if files or semiring or convert or schedule or stepwise or as_tree or len(formats) > 1:
            raise click.UsageError("a file takes one -f, --arrays, --svg and --json alone")
        tensor = read(subject, next(iter(formats.values()), None))
        show_arrays(tensor, as_json) if stored else show_hierarchy(subject, tensor, svg, as_json)
        return
    if stored:
        raise click.UsageError("--arrays is about a file; gnomon run --arrays prints those of a result")
    text = as_text(subject)
    operands = load_operands(text, files, formats) if files else make_up_operands(text, formats)
    out = formats.get(text.target.tensor)
    ready = prepare(text, operands, out=out, semiring=semiring, convert=convert, schedule=schedule)
    advise(excess(ready.lowered, ready.program) if ready.schedule.own else None)
    drawn = steps(ready.lowered, ready.schedule) if stepwise else None
    built = program_tree(ready, semiring) if as_tree else None
    if as_json:
        echo_json(expression_as_json(ready, drawn, built))
        return
    for what, program in drawn or ():
        click.echo(f"{what}\n{textwrap.indent(branched_graph(program), '  ')}\n")
    if built is not None:
        click.echo(print_tree(built))
        write_svg(svg, [("index tree", tree_picture(built).svg())])
        return
    click.echo(explain(ready.program, ready.schedule))
    if svg is not None:
        stages = [(f"iteration graph, {what}", loop_nest(program)) for what, program in drawn or ()]
        write_svg(svg, [*stages, *pictures(ready, scheduled=schedule is not None)])


def show_arrays(tensor: Tensor, as_json: bool) -> None:
    """Print the arrays that store a tensor."""
    echo_json(arrays_as_json(tensor)) if as_json else click.echo(f"{tensor!r}\n{arrays(tensor)}")


def show_hierarchy(path: str, tensor: Tensor, svg: Path | None, as_json: bool) -> None:
    """Print how the tensor of a file is stored, and draw it. Raises GnomonError if it is too large for a picture."""
    if tensor.nnz > SMALL:
        raise GnomonError(f"{path} holds {tensor.nnz} components; a picture shows up to {SMALL}")
    if as_json:
        echo_json({"format": str(tensor.format), "stored": [[list(c), p] for c, p in tensor.leaves()]})
        return
    click.echo(tree(tensor))
    write_svg(svg, [("coordinate hierarchy", hierarchy(tensor).svg())])


def expression_as_json(
    ready: Prepared, drawn: Sequence[tuple[str, Program]] | None, built: IndexTree | None
) -> dict[str, Any]:
    """How an expression is computed: its statement, workspaces, loops and schedule, and what else is asked for: the
    branched graphs after each command, the index tree."""
    plans = [
        {"loop": p.loop, "over": p.strategy.index, "depth": p.depth, "strategy": p.strategy.name()}
        for p in loops(ready.program)
    ]
    told: dict[str, Any] = {"statement": show_program(ready.program)}
    told |= {"workspaces": [str(workspace) for workspace in ready.program.workspaces], "loops": plans}
    if drawn is not None:
        graphs = [{"command": what, "sections": branched_graph(program).splitlines()} for what, program in drawn]
        told |= {"steps": graphs}
    if built is not None:
        told |= {"tree": tree_as_json(built)}
    return told | {"origins": origins(ready.program, ready.schedule), "schedule": str(ready.schedule)}


def show_tree_file(path: Path, svg: Path | None, as_json: bool) -> None:
    """Print the statement that an index tree says, and draw the tree."""
    tree = parse_tree(read_text(path).data.decode(errors="replace"))
    statement = print_statement(statement_of(tree))
    echo_json({"statement": statement, "tree": tree_as_json(tree)}) if as_json else click.echo(statement)
    write_svg(svg, [("index tree", tree_picture(tree).svg())])


def program_tree(ready: Prepared, ring: str | None) -> IndexTree:
    """The index tree of a scheduled program."""
    return index_tree(ready.program, tuple(domains(ready.program)), semiring_or_none(ring))


def pictures(ready: Prepared, *, scheduled: bool) -> list[tuple[str, str]]:
    """What each picture of a statement shows, and the picture."""
    found = [("iteration graph", loop_nest(ready.program))]
    if scheduled:
        found.insert(0, ("iteration graph before the schedule", loop_nest(ready.lowered)))
        found.insert(1, ("provenance graph", provenance_graph(ready.program).svg()))
    found += [(f"lattice of the loop over {p.strategy.index}", lattice(p.strategy).svg()) for p in loops(ready.program)]
    space = iteration_space(ready.program, ready.arguments)
    return found if space is None else [*found, ("iteration space in its tiles", space)]


def tree(tensor: Tensor) -> str:
    """The coordinate hierarchy as indented text: one line a node."""
    lines = []
    previous: tuple[int, ...] = ()
    values = tensor.vals.tolist()
    for path, p in tensor.leaves():
        common = 0
        while common < len(path) - 1 and common < len(previous) and path[common] == previous[common]:
            common += 1
        for k in range(common, len(path)):
            value = f" = {values[p]}" if k == len(path) - 1 else ""
            lines.append(f"{'  ' * k}{path[k]}{value}")
        previous = path
    head = " > ".join(level.name for level in tensor.format.levels)
    return "\n".join([head, *lines])
