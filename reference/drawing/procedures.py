"""Procedures as text, as JSON holds them and as a picture: in their loops, the steps, and what each of them runs."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from ..procedure.statements import Path
from ..procedure.syntax import Node, Procedure, Repeat, Step, Stop, steps
from ..statement.statement import Program, show_program
from .diagram import Diagram
from .diagram import Node as Box
from .loops import loop_nest

Found = Mapping[Path, Sequence[Program]]


def explain_procedure(procedure: Procedure, found: Found) -> str:
    """A procedure with the statements that its steps run, and how their tensors are stored, below each of them."""
    return "\n".join([title(procedure), *block_lines(procedure.body, found, ())])


def title(procedure: Procedure) -> str:
    """The first line of a procedure."""
    return f"procedure {procedure.name}({', '.join(procedure.parameters)}) -> {', '.join(procedure.results)}"


def block_lines(body: tuple[Node, ...], found: Found, above: Path) -> list[str]:
    """The lines of some nodes."""
    lines = []
    pad = "  " * (len(above) + 1)
    for n, node in enumerate(body):
        path = (*above, n)
        match node:
            case Step():
                lines.append(f"{pad}{node}")
                lines += [
                    textwrap.indent(f"{stored}\n{statement}", f"{pad}    ")
                    for stored, statement in runs(node, found[path])
                ]
            case Repeat():
                lines += [f"{pad}repeat", *block_lines(node.body, found, path), f"{pad}until {node.until}"]
            case Stop():
                lines.append(f"{pad}stop if {node.condition}")
    return lines


def runs(step: Step, programs: Sequence[Program]) -> list[tuple[str, str]]:
    """How the tensors of a step are stored, and its statement; each once, whatever dtypes and fills are."""
    return list(dict.fromkeys((storage(step, program), show_program(program)) for program in programs))


def storage(step: Step, program: Program) -> str:
    """The formats of what a step reads, and of its result."""
    others = {*program.workspace, *step.statement.coordinates, program.result}
    read = [f"{name} {format}" for name, format in program.formats.items() if format.order and name not in others]
    result = program.packed or program.formats[program.result]
    return f"{', '.join(read) or 'numbers'} -> {program.result} {result if result.order else 'a number'}"


def procedure_as_json(procedure: Procedure, found: Found) -> dict[str, Any]:
    """A procedure as dictionaries and lists."""
    given, gives = list(procedure.parameters), list(procedure.results)
    return {
        "procedure": procedure.name, "parameters": given, "results": gives,
        "body": block_as_json(procedure.body, found, ())
    }  # fmt: skip


def block_as_json(body: tuple[Node, ...], found: Found, above: Path) -> list[dict[str, Any]]:
    """Some nodes as dictionaries and lists."""
    told = list[dict[str, Any]]()
    for n, node in enumerate(body):
        path = (*above, n)
        match node:
            case Step():
                own = [{"stored": stored, "statement": said} for stored, said in runs(node, found[path])]
                told.append({"step": str(node), "runs": own})
            case Repeat():
                told.append({"repeat": block_as_json(node.body, found, path), "until": str(node.until)})
            case Stop():
                told.append({"stop": str(node.condition)})
    return told


def procedure_picture(procedure: Procedure) -> Diagram:
    """The picture of a procedure: its steps one below the other, and where loops begin and end between them."""
    boxes = [Box(title(procedure), 0, rounded=True)]

    def add(body: tuple[Node, ...]) -> None:
        """The boxes of some nodes."""
        for node in body:
            match node:
                case Step():
                    boxes.append(Box(str(node), len(boxes)))
                case Repeat():
                    boxes.append(Box("repeat", len(boxes), rounded=True))
                    add(node.body)
                    boxes.append(Box(f"until {node.until}", len(boxes), rounded=True))
                case Stop():
                    boxes.append(Box(f"stop if {node.condition}", len(boxes), rounded=True))

    add(procedure.body)
    return Diagram(tuple(boxes), tuple(pairwise(range(len(boxes)))))


def procedure_pictures(procedure: Procedure, found: Found) -> list[tuple[str, str]]:
    """What each picture of a procedure shows, and the picture: its steps, then the loops of every step."""
    numbered = zip(steps(procedure.body), found.values(), strict=True)
    loops = [(f"loops of {step}", loop_nest(program)) for step, programs in numbered for program in programs[-1:]]
    return [("steps", procedure_picture(procedure).svg()), *loops]
