"""The command line of gnomon."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from . import api
from .properties.command_line import (
    Mounted,
    check_names,
    check_writable,
    convert_option,
    dtypes_option,
    echo_json,
    formats_option,
    json_option,
    loaded,
    made_up,
    overflow_option,
    plain,
    progress,
    schedule_option,
    semiring_option,
    target,
    tensors,
    tensors_option,
    tune_option,
)
from .reference.drawing import explain, hierarchy, lattice, loops
from .reference.errors import DisagreementError, GnomonError
from .reference.evaluate import execute
from .reference.files.suffix import read
from .reference.levels import LEVELS
from .reference.levels.level import Append, CoordinatePositionIteration, CoordinateValueIteration, Insert, Locate
from .reference.named_formats import DESCRIPTIONS, dense, format_of
from .reference.nest_drawing import loop_nest
from .reference.parser import parse
from .reference.preparation import Prepared, prepare
from .reference.samples import karate, poisson_2d
from .reference.schedule_drawing import iteration_space, provenance_graph
from .reference.semirings import KNOWN, semiring
from .reference.spec import spec
from .reference.statement import show as shown
from .reference.tensor import Tensor

if TYPE_CHECKING:
    from .generator.kernel import Kernel

SMALL = 200
MOUNTED = {
    "fuzz": "gnomon.properties.campaign.fuzz:fuzz",
    "conform": "gnomon.properties.conformance.command:conform",
    "prove": "gnomon.properties.proofs.command:prove",
}


@click.group(cls=Mounted, mounted=MOUNTED, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="gnomon")
def commands() -> None:
    """An executable reference for sparse tensor algebra."""


@commands.command()
@click.argument("expression")
@tensors_option
@formats_option
@semiring_option
@convert_option
@schedule_option
@click.option("--check", "checked", is_flag=True, help="Compare with the denotation.")
@click.option("--engine", type=click.Choice(["reference", "c", "both"]), default="reference", help="What computes.")
@tune_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the result to a file.")
@json_option
def run(
    expression: str,
    files: dict[str, str],
    formats: dict[str, str],
    semiring: str | None,
    convert: str | None,
    schedule: str | None,
    checked: bool,
    engine: str,
    tune: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """Evaluate EXPRESSION, for example "y(i) = A(i,j) * x(j)".

    Vectors and matrices that an operand needs and that no file gives may be written as `ones` or `random`, in the
    extent that the other operands give them. With `--engine both`, says whether the two agree.
    """
    check_writable(output)
    operands = loaded(expression, files, formats)
    out = formats.get(target(expression))
    settings: dict[str, Any] = {"out": out, "semiring_name": semiring, "convert": convert, "schedule": schedule}
    if tune and (engine == "reference" or checked):
        raise click.UsageError("--tune chooses among C kernels: give --engine c or both, without --check")
    compute = tuned(expression, operands, settings).run if tune else partial(by_kernel, expression, settings)
    done = evaluated(expression, operands, settings, engine, checked, compute)
    result: Tensor = done.pop("result")
    if output is not None:
        api.write(output, result)
    if as_json:
        entries = [[list(i), plain(v)] for i, v in islice(result.entries(), SMALL)]
        facts = {"shape": result.shape, "dtype": result.dtype.name, "format": str(result.format)}
        more = {"fill": plain(result.fill), "stored": result.nnz, "entries": entries}
        echo_json({"expression": expression, **facts, **more, **done})
        return
    click.echo(repr(result))
    if len(result.vals) <= SMALL and result.order <= 2:
        click.echo(str(result.to_numpy()))
    for name, seconds in done["seconds"].items():
        if engine != "reference":
            click.echo(f"{name:10} {seconds:.6f} s")
    for key in ("agreement", "report"):
        if done.get(key):
            click.echo(done[key])


def evaluated(
    expression: str,
    operands: dict[str, Any],
    settings: dict[str, Any],
    engine: str,
    checked: bool,
    compute: Callable[[Mapping[str, Any]], Tensor],
) -> dict[str, Any]:
    """The result of a command, how long each engine took, and what was compared; `compute` is the C engine."""
    seconds: dict[str, float] = {}
    found: dict[str, Any] = {"seconds": seconds, "checked": None}
    start = time.perf_counter()
    if checked:
        from .properties.check import check

        report = check(expression, operands, **settings)
        found |= {"checked": report.checked, "report": str(report), "result": report.execution.result}
        seconds["check"] = time.perf_counter() - start
        return found
    if engine != "c":
        execution = execute(expression, operands, **settings)
        seconds["reference"] = time.perf_counter() - start
        found |= {"result": execution.result, "iterations": dict(execution.trace.iterations)}
    if engine != "reference":
        compute(operands)
        start = time.perf_counter()
        result = compute(operands)
        seconds["c"] = time.perf_counter() - start
        found.setdefault("result", result)
    if engine == "both":
        from .properties.check import agree

        count = agree(execution, result)
        found["agreement"] = f"reference and C agree on {count} stored components"
    return found


def by_kernel(expression: str, settings: Mapping[str, Any], operands: Mapping[str, Any]) -> Tensor:
    """The result by generated C."""
    from .generator.kernel import kernel_on

    return kernel_on(expression, operands, **settings)


def tuned(expression: str, operands: dict[str, Any], settings: dict[str, Any]) -> Kernel:
    """The fastest kernel on some operands, announced."""
    from .generator.tuner import tuned_kernel

    kernel = tuned_kernel(expression, operands, **settings)
    tuning = kernel.request.tuning
    how = [str(kernel.request.schedule) or "no schedule", *tuning.flags, f"schedule({tuning.sharing})"]
    click.echo(f"tuned: {' '.join(how)}", err=True)
    return kernel


@commands.command("schedule")
@click.argument("expression")
@tensors_option
@formats_option
@semiring_option
@convert_option
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many to list, and to time.")
@json_option
def schedules(
    expression: str,
    files: dict[str, str],
    formats: dict[str, str],
    semiring: str | None,
    convert: str | None,
    top: int,
    as_json: bool,
) -> None:
    """List promising schedules of EXPRESSION, the most promising first.

    Sizes of splits are open: `*`. When all operands are given with -t, each schedule is timed in C with the sizes to
    begin with, beside no schedule at all, and the fastest come first.
    """
    from .generator.request import requested
    from .generator.tuner import measured
    from .reference.autoschedule.ranking import ranked
    from .reference.autoschedule.space import size
    from .reference.autoschedule.template import Template

    operands = loaded(expression, files, formats)
    out = formats.pop(target(expression), None)
    request = requested(expression, {**formats, **operands}, out=out, semiring_name=semiring, convert=convert)
    without = [name for name in request.layouts if operands and name not in operands]
    if without:
        raise GnomonError(f"{without[0]} has no data to time with", hint="give every operand with -t, or none")
    program = request.lowered(request.unsized())
    found = ranked(program)
    listed = found[:top]
    times: dict[str, float] = {}
    if operands:
        listed = listed if Template(()) in listed else [Template(()), *listed]
        with progress(listed, "timing") as each:
            times = {str(t): measured(replace(request, schedule=t.schedule()), operands).seconds for t in each}
        listed.sort(key=lambda template: times[str(template)])
    if as_json:
        rows = [{"template": str(t), "schedule": str(t.schedule()), "seconds": times.get(str(t))} for t in listed]
        echo_json({"expression": expression, "templates": len(found), "space": size(program), "schedules": rows})
        return
    click.echo(f"{len(found)} templates, of {size(program)} without heuristics")
    for template in listed:
        time_ = f"{1e3 * times[str(template)]:10.3f} ms  " if times else ""
        click.echo(f"{time_}{template if template.commands else '(no schedule)'}")


@commands.command()
@click.argument("expression")
@formats_option
@semiring_option
@convert_option
@schedule_option
@tune_option
@dtypes_option
@overflow_option
@click.option("--kernel-only", is_flag=True, help="Include the support header by name instead of in full.")
@json_option
def code(
    expression: str,
    formats: dict[str, str],
    semiring: str | None,
    convert: str | None,
    schedule: str | None,
    tune: bool,
    dtypes: dict[str, str],
    overflow: str,
    kernel_only: bool,
    as_json: bool,
) -> None:
    """Print the C of EXPRESSION for operands in the formats given with -f NAME=FORMAT; others are dense, of float64."""
    from .generator.compiler import INCLUDE
    from .generator.kernel import compiled

    check_names(expression, formats, dtypes)
    orders = {a.tensor: len(a.indices) for a in tensors(parse(expression))}
    specs: dict[str, Any] = {
        name: spec(formats.get(name, dense(orders[name])), dtype=dtypes.get(name)) for name in {**formats, **dtypes}
    }
    out = specs.pop(target(expression), None)
    settings: dict[str, Any] = {"out": out, "semiring_name": semiring, "convert": convert, "schedule": schedule}
    settings["overflow"] = overflow
    kernel = tuned(expression, specs, settings) if tune else compiled(expression, specs, **settings)
    text = kernel.source
    if not kernel_only:
        text = text.replace('#include "gnomon.h"\n', (INCLUDE / "gnomon.h").read_text())
    if as_json:
        echo_json({"expression": expression, "source": text})
    else:
        click.echo(text, nl=False)


@commands.command()
@click.argument("subject")
@tensors_option
@formats_option
@semiring_option
@convert_option
@schedule_option
@click.option("--svg", type=click.Path(path_type=Path), help="Write the pictures to FILE, FILE-1, ...")
@json_option
def show(
    subject: str,
    files: dict[str, str],
    formats: dict[str, str],
    semiring: str | None,
    convert: str | None,
    schedule: str | None,
    svg: Path | None,
    as_json: bool,
) -> None:
    """Show how SUBJECT is stored or computed.

    SUBJECT is a file, whose coordinate hierarchy is drawn in the format given with -f NAME=FORMAT, or an expression.
    Operands of an expression need only a format: without a file, small ones are made up. With a schedule, the pictures
    begin with the iteration graph before it and the provenance graph; the last shows the iteration space in its tiles.
    """
    check_writable(svg)
    if "=" not in subject:
        tensor = read(subject, next(iter(formats.values()), None))
        if tensor.nnz > SMALL:
            raise GnomonError(f"{subject} holds {tensor.nnz} components; a picture shows up to {SMALL}")
        if as_json:
            echo_json({"format": str(tensor.format), "stored": [[list(c), p] for c, p in tensor.stored()]})
            return
        click.echo(tree(tensor))
        write_svg(svg, [("coordinate hierarchy", hierarchy(tensor).svg())])
        return
    operands = loaded(subject, files, formats) if files else made_up(subject, formats)
    out = formats.get(target(subject))
    ready = prepare(subject, operands, out=out, semiring_name=semiring, convert=convert, schedule=schedule)
    if as_json:
        plans = [
            {"loop": p.loop, "over": p.strategy.index, "depth": p.depth, "strategy": p.strategy.name()}
            for p in loops(ready.program)
        ]
        echo_json({"statement": shown(ready.program.statement), "loops": plans})
        return
    click.echo(explain(ready.program))
    if svg is not None:
        write_svg(svg, pictures(ready, scheduled=schedule is not None))


def pictures(ready: Prepared, *, scheduled: bool) -> list[tuple[str, str]]:
    """What each picture of a statement shows, and the picture."""
    found = [("iteration graph", loop_nest(ready.program))]
    if scheduled:
        found.insert(0, ("iteration graph before the schedule", loop_nest(ready.lowered)))
        found.insert(1, ("provenance graph", provenance_graph(ready.program).svg()))
    found += [(f"lattice of the loop over {p.strategy.index}", lattice(p.strategy).svg()) for p in loops(ready.program)]
    space = iteration_space(ready.program, ready.operands)
    return found if space is None else [*found, ("iteration space in its tiles", space)]


def tree(tensor: Tensor) -> str:
    """The coordinate hierarchy as indented text: one line a node."""
    lines = []
    previous: tuple[int, ...] = ()
    values = tensor.vals.tolist()
    for path, p in tensor.stored():
        common = 0
        while common < len(path) - 1 and common < len(previous) and path[common] == previous[common]:
            common += 1
        for k in range(common, len(path)):
            value = f" = {values[p]}" if k == len(path) - 1 else ""
            lines.append(f"{'  ' * k}{path[k]}{value}")
        previous = path
    head = " > ".join(level.name for level in tensor.format.levels)
    return "\n".join([head, *lines])


def write_svg(path: Path | None, pictures: list[tuple[str, str]]) -> None:
    """Write pictures to a file each."""
    if path is None:
        return
    for n, (what, picture) in enumerate(pictures):
        name = path if n == 0 else path.with_stem(f"{path.stem}-{n}")
        name.write_text(picture)
        click.echo(f"wrote {name}: {what}")


@commands.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("destination", type=click.Path(path_type=Path))
@click.option("--format", "format", help="Pack into this format on the way, and report its storage.")
@json_option
def convert(source: Path, destination: Path, format: str | None, as_json: bool) -> None:
    """Read SOURCE and write DESTINATION, .mtx or .tns."""
    tensor = read(source, format)
    api.write(destination, tensor)
    if as_json:
        echo_json({"shape": tensor.shape, "format": str(tensor.format), "stored": tensor.nnz})
    else:
        click.echo(f"{tensor!r} written to {destination}")


def listing(rows: Sequence[tuple[str, ...]], as_json: bool, keys: tuple[str, ...]) -> None:
    """Rows of text as a table or as JSON."""
    if as_json:
        echo_json([dict(zip(keys, row, strict=True)) for row in rows])
        return
    widths = [max(len(row[n]) for row in [keys, *rows]) for n in range(len(keys))]
    for row in [keys, *rows]:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


@commands.command()
@json_option
def formats(as_json: bool) -> None:
    """The named formats and their levels."""
    rows = []
    for name, what in DESCRIPTIONS.items():
        format = format_of(name)
        levels = ",".join(level.name for level in format.levels)
        rows.append((name, levels, str(format.map), what))
    listing(rows, as_json, ("name", "levels", "map", "what"))


@commands.command()
@json_option
def levels(as_json: bool) -> None:
    """The level formats, their capabilities and properties (Chou 2018, Table 1)."""
    rows = []
    for kind in LEVELS:
        level = kind()
        offered = (CoordinateValueIteration, CoordinatePositionIteration, Locate, Insert, Append)
        capabilities = " ".join(mark for mark, c in zip("VPLIA", offered, strict=True) if isinstance(level, c))
        names = ("full", "ordered", "unique", "branchless", "compact")
        properties = " ".join(n for n in names if getattr(level, n))
        rows.append((level.name, level.letter, capabilities, properties, ", ".join(level.configurable)))
    listing(rows, as_json, ("name", "letter", "capabilities", "properties", "configurable"))


@commands.command()
@json_option
def semirings(as_json: bool) -> None:
    """The well-known semirings; any <add>_<multiply> is one."""
    rows = []
    for name, what in KNOWN:
        found = semiring(name)
        assert found.add.left_identity is not None
        absent = found.add.left_identity(np.dtype("float64"))
        rows.append((name, found.add.name, found.multiply.name, str(plain(absent)), what))
    listing(rows, as_json, ("name", "add", "multiply", "absent", "what"))


@commands.command()
def demo() -> None:
    """Evaluate a few expressions on the bundled samples in several formats, checked against the denotation."""
    graph, grid = karate(), poisson_2d(6)
    click.echo(f"Zachary's karate club: {graph!r}")
    click.echo(f"A Poisson matrix:       {grid!r}\n")
    ones = np.ones(grid.shape[1])
    for format in ("CSR", "CSC", "COO", "DCSR", "DIA", "ELL", "BCSR(2,3)", "CSB(4,4)", "HashRows", "Banded"):
        report = api.check("y(i) = A(i,j) * x(j)", A=grid.convert(format), x=ones)
        visits = sum(report.execution.trace.iterations.values())
        click.echo(f"y(i) = A(i,j) * x(j)    A in {format:10} {visits:6} loop iterations   {report}")
    lower = np.tril_indices(34, -1)
    dense = graph.to_numpy()
    kept = dense[lower] != 0
    triangle = api.tensor(np.array(lower)[:, kept], dense[lower][kept], (34, 34), "CSR")
    count = "C(i,j)<$L(i,j)> = L(i,k) * M(k,j)"
    report = api.check(count, L=triangle, M=triangle, out="CSR", semiring="plus_pair")
    triangles = int(report.execution.result.to_numpy().sum())
    click.echo(f"\n{count}    (plus_pair)  {triangles} triangles   {report}")
    report = api.check("D(i,j) = A(i,j) + B(i,j)", A=grid, B=grid.convert("COO"), out="CSR")
    click.echo(f"D(i,j) = A(i,j) + B(i,j)    CSR + COO into CSR   {report}\n")
    click.echo(explain(report.execution.program))


def guarded(command: Callable[[], None]) -> int:
    """Run a command; errors of the user's become a message and an exit status."""
    try:
        command()
    except DisagreementError as error:
        click.echo(f"disagreement: {error}", err=True)
        return 1
    except GnomonError as error:
        click.echo(f"error: {error}", err=True)
        return 2
    return 0


def main() -> None:
    """The entry point: exit status 0, 1 for a disagreement, 2 for bad use."""
    try:
        sys.exit(guarded(lambda: commands(standalone_mode=False)))
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)


if __name__ == "__main__":
    main()
