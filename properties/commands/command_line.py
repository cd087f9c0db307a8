"""What commands have in common: options, operands from files, output as JSON."""

from __future__ import annotations

import importlib
import json
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeVar

import click
import numpy as np
from rich.console import Console

from ...reference.errors import GnomonError, StorageError
from ...reference.files.suffix import read
from ...reference.notation.parser import parse
from ...reference.notation.syntax import Access, Assignment, accesses
from ...reference.schedule.autoschedule.unasked import AUTO
from ...reference.schedule.visits import Excess
from ...reference.storage.packing import tensor
from ...reference.storage.tensor import Tensor
from ..programs.recipe import Recipe, recipe

T = TypeVar("T")


class ClosedPipe(Exception):
    """Nobody reads the output any more."""


@contextmanager
def outlet() -> Iterator[None]:
    """Where output is written. Raises ClosedPipe if nobody reads it, GnomonError if it cannot be written."""
    try:
        yield
    except BrokenPipeError:
        raise ClosedPipe from None
    except OSError as error:
        if error.filename is None:
            raise not_writable("the output", error) from None
        raise GnomonError(f"{error.filename}: {error.strerror}", hint="give another place") from None


class Mounted(click.Group):
    """A group some of whose commands are imported when they are first used: `{"name": "module:attribute"}`.

    Raises ClosedPipe or GnomonError where the output of a command cannot be written.
    """

    def __init__(self, *args: Any, mounted: dict[str, str], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.mounted = mounted

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        with outlet():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        with outlet():
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *self.mounted})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.mounted:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = self.mounted[cmd_name].partition(":")
        found: click.Command = getattr(importlib.import_module(module), attribute)
        return found


class Output(Console):
    """The console that tables are printed to. A pipe that nobody reads is an error, as for any other output."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def assignment(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> dict[str, str]:
    """`NAME=VALUE` options as a dictionary."""
    found: dict[str, str] = {}
    for value in values:
        name, equals, rest = value.partition("=")
        if not equals or not name.isidentifier():
            raise click.BadParameter(f"expected NAME=VALUE, but found {value!r}")
        if name in found:
            raise click.BadParameter(f"{name} is given twice, as {found[name]!r} and as {rest!r}")
        found[name] = rest
    return found


def numeric(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """A number, or nothing: ranges let NaN pass."""
    if value is not None and math.isnan(value):
        raise click.BadParameter(f"expected a number, but found {value}", context, parameter)
    return value


def check_writable(path: Path | None) -> None:
    """Raise GnomonError if a file cannot be written, before there is anything to write.

    Leaves no file behind; pipes and devices are not opened twice.
    """
    if path is None:
        return
    try:
        existed = path.exists()
        if existed and not (path.is_file() or path.is_dir()):
            return
        with path.open("ab"):
            pass
        if not existed:
            path.unlink()
    except OSError as error:
        raise not_writable(path, error) from None


def check_folder(path: Path | None) -> None:
    """Make a folder for files. Raises GnomonError if it cannot be, or takes no files."""
    if path is None:
        return
    try:
        path.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise not_writable(path, error) from None


def not_writable(path: Path | str, error: OSError) -> GnomonError:
    """That nothing can be written at a place."""
    return GnomonError(f"{path} cannot be written: {error.strerror}", hint="give another place")


def assignment_of_ids(values: Sequence[str]) -> dict[str, str]:
    """`ID=REASON` options as a dictionary. Raises BadParameter for an id without a reason."""
    found: dict[str, str] = {}
    for value in values:
        name, _, reason = value.partition("=")
        if not reason.strip():
            raise click.BadParameter(f"expected ID=REASON, but found {value!r}")
        if name in found:
            raise click.BadParameter(f"{name} is given twice, for {found[name]!r} and for {reason!r}")
        found[name] = reason
    return found


tensors_option = click.option(
    "-t",
    "--tensor",
    "files",
    multiple=True,
    callback=assignment,
    metavar="A=FILE",
    help="An operand: a file, a number, ones or random:1000x800:0.01.",
)
formats_option = click.option(
    "-f", "--format", "formats", multiple=True, callback=assignment, metavar="A=CSR", help="The format of a tensor."
)
semiring_option = click.option("--semiring", metavar="S", help="For example min_plus.")
convert_option = click.option("--convert", type=click.Choice(["auto"]), help="Allow copies between storage orders.")
schedule_option = click.option("-s", "--schedule", metavar="S", help="For example 'split(i,i0,i1,32)', or auto.")
tune_option = click.option("--tune", is_flag=True, help="Measure schedules, sizes and flags, and take the fastest C.")
dtypes_option = click.option(
    "-d", "--dtype", "dtypes", multiple=True, callback=assignment, metavar="A=int32", help="The dtype of a tensor."
)
overflow_option = click.option(
    "--overflow",
    type=click.Choice(["check", "ignore"]),
    default="check",
    help="Report integers that do not fit in their dtype (the default), or take plain operators.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def unless_told(schedule: str | None) -> str:
    """The schedule that C follows: its own, unless something else, or by an empty text nothing, is asked for."""
    return AUTO if schedule is None else schedule


def advise(found: Excess | None) -> None:
    """Say on the standard error what a schedule goes over too much of, if anything."""
    if found is not None:
        click.echo(f"warning: {found}", err=True)


def target(expression: str) -> str:
    """The name of the result."""
    return parse(expression).target.tensor


def tensors(assigned: Assignment) -> list[Access]:
    """Every access of an assignment: what it reads, its mask, its result."""
    mask = [] if assigned.mask is None else [assigned.mask.access]
    return [*accesses(assigned.value), *mask, assigned.target]


def check_names(expression: str, *options: Mapping[str, str]) -> None:
    """Raise GnomonError for a name that does not occur in an expression."""
    known = list(dict.fromkeys(access.tensor for access in tensors(parse(expression))))
    for name in (name for option in options for name in option):
        if name not in known:
            raise GnomonError(f"{name} does not occur in {expression}", hint=f"its tensors are {', '.join(known)}")


def loaded(expression: str, files: dict[str, str], formats: dict[str, str]) -> dict[str, Any]:
    """The operands that the options name; `ones` and `random` take their extents from the others if they have none."""
    check_names(expression, files, formats)
    made = {name: how for name, value in files.items() if (how := recipe(value)) is not None}
    found: dict[str, Any] = {
        name: number(value) if is_number(value) else read(value, formats.get(name))
        for name, value in files.items()
        if name not in made
    }
    extents: dict[str, int] = {}
    places = tensors(parse(expression))
    for access in places:
        given = found[access.tensor].shape if isinstance(found.get(access.tensor), Tensor) else ()
        extents |= dict(zip(access.indices, own_shape(made.get(access.tensor)) or given, strict=False))
    for access in places:
        if access.tensor in made and access.tensor not in found:
            how = made[access.tensor]
            absent = [v for v in access.indices if v not in extents]
            if absent and how.shape is None:
                raise GnomonError(
                    f"the extent of {absent[0]} is not known, so {access.tensor} cannot be made",
                    hint=f"write its shape: -t {access.tensor}={how.values}:{'x'.join(['100'] * len(access.indices))}",
                )
            shape = tuple(extents[v] for v in access.indices) if how.shape is None else how.shape
            found[access.tensor] = how.made(shape, formats.get(access.tensor))
    return found


def own_shape(how: Recipe | None) -> tuple[int, ...]:
    """The shape that a recipe gives, if it does."""
    return () if how is None or how.shape is None else how.shape


def is_number(text: str) -> bool:
    """Whether an option gives a number instead of a file."""
    try:
        complex(text)
    except ValueError:
        return False
    return True


def number(text: str) -> int | float | complex:
    """The number that an option gives."""
    for kind in (int, float, complex):
        try:
            return kind(text)
        except ValueError:
            continue
    raise GnomonError(f"{text!r} is not a number")


def plain(value: Any) -> Any:
    """A scalar as JSON can hold it."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, complex):
        return [plain(value.real), plain(value.imag)]
    return value if not isinstance(value, float) or np.isfinite(value) else repr(value)


def echo_json(value: Any) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(value, default=plain))


def made_up(expression: str, formats: dict[str, str]) -> dict[str, Tensor]:
    """Small operands in the given formats, dense where none is given."""
    check_names(expression, formats)
    assigned = parse(expression)
    mask: list[Access] = [] if assigned.mask is None else [assigned.mask.access]
    found: dict[str, Tensor] = {}
    for access in [*accesses(assigned.value), *mask]:
        order = len(access.indices)
        format = formats.get(access.tensor, "Dense" if order else "")
        found[access.tensor] = sprinkled(order, len(found), format)
    return found


def sprinkled(order: int, number: int, format: str) -> Tensor:
    """A small tensor in a format that stores two components of three, others for every `number`.

    None lie above the diagonal where the format has no place for them.
    """
    extents = (4 if order < 5 else 2,) * order
    coords = np.indices(extents).reshape(order, math.prod(extents))
    strides = np.arange(1, order + 1)[:, None]
    coords = coords[:, (number + (coords * strides).sum(axis=0)) % 3 != 2] if order else coords
    try:
        return tensor(coords, np.arange(1.0, coords.shape[1] + 1), extents, format)
    except StorageError:
        coords = coords[:, (np.diff(coords, axis=0) <= 0).all(axis=0)]
        return tensor(coords, np.arange(1.0, coords.shape[1] + 1), extents, format)


def progress(items: list[T], label: str) -> AbstractContextManager[Iterable[T]]:
    """The items, with a bar on a terminal that shows how many are done."""
    return click.progressbar(items, label=label, file=sys.stderr) if sys.stderr.isatty() else nullcontext(items)
