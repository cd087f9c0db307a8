"""How fast kernels are in each format, beside CSR: `python -m gnomon.properties.benchmark.formats`.

The same matrix, of five diagonals, is stored in every format. A number is how many times as long as with CSR a kernel
takes that has its first operand, both operands, or its result in another format. Above ten, something is out of order:
a level that is gone through again and again, or a result that is assembled in no order. (Formats that store much more
than CSR does take as much longer.) Operands are converted where storage orders contradict each other, as often as
a call would.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache, partial
from itertools import product
from math import ceil

import click
import numpy as np
from msgspec import Struct

from ...generator.runtime.kernel import Kernel
from ...generator.runtime.request import make_request
from ...reference.errors import GnomonError
from ...reference.files.scipy_arrays import from_scipy
from ...reference.schedule.settings import AUTO
from ...reference.storage.tensor import Tensor
from .case import duration
from .inputs import stencil

SIDE, COLUMNS = 70, 16
REPEATS, SAMPLE = 3, 1e-2
FAR = 10.0
PLAIN = "CSR"
FORMATS = (
    *("CSC", "DCSR", "DCSC", "COO", "COO_AoS", "DIA", "SparseDIA", "ELL", "Banded", "BCSR(2,2)", "CSB(64,64)"),
    *("HashRows", "HashMap"),
)
KERNELS: Mapping[str, tuple[str, str | None]] = {
    "SpMV": ("y(i) = A(i,j) * x(j)", None),
    "SpMV turned": ("y(j) = A(i,j) * x(i)", None),
    "SpMM": ("C(i,j) = A(i,k) * X(k,j)", None),
    "sum": ("s = A(i,j)", None),
    "maxima of rows": ("y(i) = max(j, A(i,j))", None),
    "SDDMM": ("C(i,j) = A(i,j) * X(i,k) * X(j,k)", PLAIN),
    "copy": ("C(i,j) = A(i,j)", PLAIN),
    "transpose": ("C(i,j) = A(j,i)", PLAIN),
    "A + B": ("C(i,j) = A(i,j) + B(i,j)", PLAIN),
    "A * B by elements": ("C(i,j) = A(i,j) * B(i,j)", PLAIN),
    "A B": ("C(i,j) = A(i,k) * B(k,j)", PLAIN),
    "B A": ("C(i,j) = B(i,k) * A(k,j)", PLAIN),
    "A B'": ("C(i,j) = A(i,k) * B(j,k)", PLAIN),
    "A B x": ("y(i) = A(i,j) * B(j,k) * x(k)", None),
    "A B under A": ("C(i,j)<A(i,j)> = A(i,k) * B(k,j)", PLAIN),
    "trace of A B": ("s = A(i,j) * B(j,i)", None),
    "triangles": ("s = A(i,j) * A(j,k) * A(i,k)", None),
}


class Asked(Struct, frozen=True):
    """A kernel with the formats of A, of B, and of its result."""

    kernel: str
    a: str = PLAIN
    b: str = PLAIN
    out: str | None = None

    @property
    def expression(self) -> str:
        """What is computed."""
        return KERNELS[self.kernel][0]

    @property
    def formats(self) -> dict[str, str]:
        """The formats of the sparse operands, by name."""
        return {name: f for name, f in (("A", self.a), ("B", self.b)) if f"{name}(" in self.expression}

    def __str__(self) -> str:
        read = [f"{name} in {format}" for name, format in self.formats.items()]
        return f"{self.kernel}, {', '.join(read)}" + (f", into {self.out}" if self.out else "")

    def seconds(self) -> float:
        """The least time of a call. Raises GnomonError for what is refused."""
        request = make_request(self.expression, self.formats, out=self.out, convert="auto", schedule=AUTO)
        operands = {name: in_format(format) for name, format in self.formats.items()}
        action = partial(Kernel(request).run, operands | dense_operands(self.expression))
        action()
        calls = ceil(SAMPLE / duration(action, 1))
        return min(duration(action, calls) for _ in range(REPEATS))

    def as_json(self, ratio: float | str) -> str:
        """One line of JSON, with how many times as long it takes as with CSR, or why it is refused."""
        formats = {"A": self.a, "B": self.b, "result": self.out}
        return json.dumps({"kernel": self.kernel, **formats, "ratio": ratio})


@cache
def in_format(format: str) -> Tensor:
    """The matrix in a format."""
    return from_scipy(stencil(SIDE, 2, 1)).convert(format)


def dense_operands(expression: str) -> dict[str, np.ndarray]:
    """The dense operands of an expression."""
    n, rng = SIDE**2, np.random.default_rng(0)
    known = {"x": rng.random(n), "X": rng.random((n, COLUMNS))}
    return {name: held for name, held in known.items() if re.search(rf"\b{name}\(", expression)}


def operands_of(kernel: str) -> Iterator[Asked]:
    """A kernel with its first operand in each format."""
    return (Asked(kernel, a=format, out=KERNELS[kernel][1]) for format in FORMATS)


def results_of(kernel: str) -> Iterator[Asked]:
    """A kernel with a sparse result, in each format."""
    return (Asked(kernel, out=format) for format in FORMATS if KERNELS[kernel][1] is not None)


def pairs_of(kernel: str) -> Iterator[Asked]:
    """A kernel of two sparse operands, each in each format."""
    if "B(" in KERNELS[kernel][0]:
        yield from (Asked(kernel, a, b, KERNELS[kernel][1]) for a, b in product(FORMATS, repeat=2))


SWEEPS = {"operand": operands_of, "result": results_of, "pair": pairs_of}


@cache
def plain_seconds(kernel: str) -> float:
    """The time of a kernel with everything in CSR."""
    return Asked(kernel, out=KERNELS[kernel][1]).seconds()


def ratio(asked: Asked) -> float | str:
    """How many times as long as with CSR a kernel takes, or why it is refused."""
    try:
        return asked.seconds() / plain_seconds(asked.kernel)
    except GnomonError as error:
        return error.message


def cell(found: float | str) -> str:
    """A cell of the table."""
    return f"{'-':>11}" if isinstance(found, str) else f"{found:>11.1f}"


@click.command()
@click.option(
    "--sweep", "sweeps", multiple=True, type=click.Choice(list(SWEEPS)), help="Both of operand and result, unless said."
)
@click.option("--only", multiple=True, default=("",), help="Only kernels whose name starts so; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each kernel and formats.")
def main(sweeps: tuple[str, ...], only: tuple[str, ...], as_json: bool) -> None:
    """Measure kernels in all formats, and print how many times as long as with CSR they take."""
    kernels = [name for name in KERNELS if name.startswith(only)]
    if not kernels:
        raise GnomonError(
            f"no kernel's name starts with {' or '.join(only)}", hint=f"choose one of {', '.join(KERNELS)}"
        )
    slow: list[tuple[float, Asked]] = []
    for sweep in sweeps or ("operand", "result"):
        if not as_json:
            click.echo(f"\n{sweep:20}{'CSR, ms':>9}" + "".join(f"{f:>11}" for f in FORMATS * (sweep != "pair")))
        for kernel in kernels:
            found = [(ratio(asked), asked) for asked in SWEEPS[sweep](kernel)]
            slow += [(each, asked) for each, asked in found if isinstance(each, float) and each > FAR]
            if as_json:
                click.echo("\n".join(asked.as_json(each) for each, asked in found))
            elif found:
                cells = "" if sweep == "pair" else "".join(cell(each) for each, _ in found)
                click.echo(f"{kernel:20}{plain_seconds(kernel) * 1e3:>9.2f}{cells}")
    if not as_json:
        for each, asked in sorted(slow, key=lambda one: -one[0]):
            click.echo(f"{each:.0f} times as long: {asked}")


if __name__ == "__main__":
    main()
