"""What `gnomon run` and `gnomon show` do with a procedure in a `.gn` file: run it on operands, or tell what it runs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from ...generator.runtime.steps import KernelSteps
from ...reference.drawing.procedures import explain_procedure, procedure_as_json, procedure_pictures
from ...reference.errors import ExpressionError, GnomonError
from ...reference.files.suffix import read, write
from ...reference.files.text import read_text
from ...reference.procedure.check import check_procedure
from ...reference.procedure.parser import parse_procedure
from ...reference.procedure.run import by_reference, run_procedure
from ...reference.procedure.statements import statements
from ...reference.procedure.syntax import Procedure
from ...reference.storage.tensor import Tensor
from ..command_line.operands import is_number, number
from ..command_line.output import echo_json, plain
from ..differential.procedures import check_steps
from ..programs.recipe import recipe
from .printing import entries_as_json, print_tensor, write_svg


def run_file(
    path: Path,
    files: dict[str, str],
    formats: dict[str, str],
    engine: str,
    rounds: int,
    checked: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """Run the procedure in a file, whose loops have so many rounds at most, and print what it gives, or write it if
    that is one tensor."""
    procedure = read_procedure(path)
    check_procedure(procedure)
    if output is not None and len(procedure.results) > 1:
        raise click.UsageError(f"{procedure.name} gives {len(procedure.results)} tensors: -o is for one")
    operands = load_parameters(procedure, files, formats)
    start = time.perf_counter()
    report = None
    if checked:
        found = check_steps(procedure, operands, rounds=rounds)
        results, report = dict(found.results), str(found)
    else:
        results = run_procedure(procedure, operands, KernelSteps() if engine == "c" else by_reference, rounds)
    seconds = time.perf_counter() - start
    if output is not None:
        write(output, next(iter(results.values())))
    if as_json:
        told = {name: tensor_as_json(tensor) for name, tensor in results.items()}
        echo_json({"procedure": procedure.name, "results": told, "seconds": seconds, "report": report})
        return
    for name, tensor in results.items():
        click.echo(f"{name}:\n{print_tensor(tensor)}" if len(results) > 1 else print_tensor(tensor))
    if report is not None:
        click.echo(report)


def show_file(path: Path, formats: dict[str, str], svg: Path | None, as_json: bool) -> None:
    """Print the steps of the procedure in a file, each with the statements that it runs, and draw them."""
    procedure = read_procedure(path)
    check_names(procedure, formats)
    found = statements(procedure, formats)
    if as_json:
        echo_json(procedure_as_json(procedure, found))
        return
    click.echo(explain_procedure(procedure, found))
    write_svg(svg, procedure_pictures(procedure, found))


def read_procedure(path: Path) -> Procedure:
    """The procedure in a file."""
    return parse_procedure(read_text(path).data.decode(errors="replace"))


def check_names(procedure: Procedure, *options: dict[str, str]) -> None:
    """Raise ExpressionError for a name that is no parameter of a procedure."""
    for name in (name for option in options for name in option):
        if name not in procedure.parameters:
            hint = f"it takes {', '.join(procedure.parameters) or 'none'}"
            said = f"{name} is not one of the parameters of {procedure.name}"
            raise ExpressionError(said, hint=hint, rule="procedure.operands")


def load_parameters(procedure: Procedure, files: dict[str, str], formats: dict[str, str]) -> dict[str, Any]:
    """The operands of a procedure: numbers, files in the formats asked for, or what a recipe with a shape makes."""
    check_names(procedure, files, formats)
    return {name: load_parameter(name, value, formats.get(name)) for name, value in files.items()}


def load_parameter(name: str, value: str, format: str | None) -> Any:
    """One operand."""
    made = recipe(value)
    if is_number(value):
        return number(value)
    if made is None:
        return read(value, format)
    if made.shape is None:
        raise GnomonError(f"the shape of {name} is not known", hint=f"write -t {name}={made.values}:100x100")
    return made.pack(made.shape, format)


def tensor_as_json(tensor: Tensor) -> dict[str, Any]:
    """A tensor as dictionaries and lists."""
    facts = {"shape": tensor.shape, "dtype": tensor.dtype.name, "format": str(tensor.format)}
    return {**facts, "fill": plain(tensor.fill), "stored": tensor.nnz, "entries": entries_as_json(tensor)}
