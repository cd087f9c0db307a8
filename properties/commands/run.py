"""The command `gnomon run`: the value of an expression, checked and timed if that is asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from ...generator.runtime.evaluation import call_on
from ...generator.runtime.kernel import Kernel
from ...generator.tuning.tuner import tune_for
from ...reference.execution.evaluate import execute
from ...reference.files.suffix import write
from ...reference.notation.text import Text, as_text
from ...reference.procedure.run import ROUNDS
from ...reference.storage.tensor import Tensor
from ..command_line.operands import load_operands
from ..command_line.options import (
    PROCEDURE,
    convert_option,
    followed_schedule,
    formats_option,
    json_option,
    schedule_option,
    semiring_option,
    tensors_option,
    tune_option,
)
from ..command_line.output import check_writable, echo_json, plain
from ..differential.check import EVERY, agree, check
from .printing import arrays, arrays_as_json, entries_as_json, print_tensor
from .procedures import run_file
from .timing import time_runs


@click.command()
@click.argument("expression")
@tensors_option
@formats_option
@semiring_option
@convert_option
@schedule_option
@click.option("--check", "checked", is_flag=True, help="Compare with the denotation.")
@click.option("--engine", type=click.Choice(["reference", "c", "both"]), default="reference", help="What computes.")
@tune_option
@click.option("--time", "-time", "runs", type=click.IntRange(1), metavar="N", help="Time so many steady runs.")
@click.option(
    "--rounds", type=click.IntRange(0), metavar="N", help="Give up loops of a procedure after so many rounds."
)
@click.option("--arrays", "stored", is_flag=True, help="Print the arrays that store the result: pos, crd, vals.")
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
    runs: int | None,
    rounds: int | None,
    stored: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """Evaluate EXPRESSION, for example "y(i) = A(i,j) * x(j)", or run the procedure in a file FILE.gn.

    Operands that no file gives may be written as `ones` or `random`, in the extents that the other operands give them,
    as `ones:30x40`, or as `random:1000x800:0.01:7`: shape, density and seed. With `--engine both`, says whether the two
    agree. Without a schedule, the reference runs the loops as they are and C follows `auto`; `-s ""` is none.
    """
    check_writable(output)
    if expression.endswith(PROCEDURE):
        if semiring or convert or schedule or tune or runs or stored or engine == "both":
            raise click.UsageError(
                "a procedure takes -t, -f, --engine reference or c, --rounds, --check, -o and --json alone"
            )
        most = ROUNDS if rounds is None else rounds
        run_file(Path(expression), files, formats, engine, most, checked, output, as_json)
        return
    if rounds is not None:
        raise click.UsageError("--rounds is for a procedure: an expression has no loops that repeat")
    text = as_text(expression)
    operands = load_operands(text, files, formats)
    out = formats.get(text.target.tensor)
    settings: dict[str, Any] = {"out": out, "semiring": semiring, "convert": convert, "schedule": schedule}
    if tune and (engine == "reference" or checked):
        raise click.UsageError("--tune chooses among C kernels: give --engine c or both, without --check")
    compute: dict[str, Callable[[], Callable[[], Any]]] = {
        "reference": lambda: partial(execute, text, operands, **settings),
        "c": lambda: by_kernel(text, operands, {**settings, "schedule": followed_schedule(schedule)}, tune),
    }
    engines = ["reference", "c"] if engine == "both" else [engine]
    actions = {name: compute[name]() for name in engines if runs is not None or not checked}
    done = verdict(text, operands, settings) if checked else evaluate_engines(actions)
    result: Tensor = done.pop("result")
    times = {name: time_runs(action, runs) for name, action in actions.items() if runs is not None}
    if output is not None:
        write(output, result)
    if as_json:
        facts = {"shape": result.shape, "dtype": result.dtype.name, "format": str(result.format)}
        more: dict[str, Any] = {"fill": plain(result.fill), "stored": result.nnz, "entries": entries_as_json(result)}
        more |= {"times": {name: t.as_json() for name, t in times.items()}} if times else {}
        more |= {"arrays": arrays_as_json(result)} if stored else {}
        echo_json({"expression": expression, **facts, **more, **done})
        return
    click.echo(print_tensor(result))
    if stored:
        click.echo(arrays(result))
    if engine != "reference" and not times:
        for name, seconds in done["seconds"].items():
            click.echo(f"{name:10} {seconds:.6f} s")
    for name, t in times.items():
        click.echo(f"{name:10} {t}")
    for key in ("agreement", "report"):
        if done.get(key):
            click.echo(done[key])


def verdict(text: Text, operands: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The result of a command, and what comparing it with the denotation says."""
    start = time.perf_counter()
    report = check(text, operands, engines=EVERY, **settings)
    seconds = {"check": time.perf_counter() - start}
    return {
        "seconds": seconds, "checked": report.checked, "report": str(report), "result": report.execution.result
    }  # fmt: skip


def evaluate_engines(actions: Mapping[str, Callable[[], Any]]) -> dict[str, Any]:
    """The result of a command, how long each engine took, and whether they agree."""
    seconds: dict[str, float] = {}
    results: dict[str, Any] = {}
    for name, action in actions.items():
        if name == "c":
            action()
        start = time.perf_counter()
        results[name] = action()
        seconds[name] = time.perf_counter() - start
    found: dict[str, Any] = {"seconds": seconds, "checked": None, "result": results.get("c")}
    if "reference" in results:
        execution = results["reference"]
        found |= {"result": execution.result, "iterations": dict(execution.trace.iterations)}
        found |= {"workspaces": execution.trace.workspaces, "origins": execution.trace.origins}
        if "c" in results:
            count = agree(execution, results["c"])
            found["agreement"] = f"reference and C agree on {count} stored components"
    return found


def by_kernel(text: Text, operands: Mapping[str, Any], settings: Mapping[str, Any], tune: bool) -> Callable[[], Tensor]:
    """The call of generated C on operands."""
    if tune:
        return partial(tune_kernel(text, operands, settings).run, operands)
    return call_on(text, operands, **settings)


def tune_kernel(text: Text, operands: Mapping[str, Any], settings: Mapping[str, Any]) -> Kernel:
    """The fastest kernel on some operands, announced."""
    found = tune_for(text, operands, **settings)
    click.echo(f"tuned: {found}", err=True)
    return Kernel(found.request)
