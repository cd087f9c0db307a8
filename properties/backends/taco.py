"""TACO's command line, where `taco` is on the PATH or `$TACO_BIN` names it: every problem is a run of it on files.

A run reads operands in the `.ttx` form, which keeps a tensor's shape, and writes the result as `.tns`: coordinates that
begin with 1, and values to six digits. A number has no file form and stands in the expression.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from signal import Signals

import numpy as np
from msgspec.structs import replace

from ...reference.algebra.operators import DIV
from ...reference.notation.printer import pretty
from ...reference.notation.syntax import Access, Apply, Assignment, Expr, Fill, Literal, accesses
from ...reference.schedule.command import Command
from ...reference.schedule.schedule import Schedule
from ...reference.storage.format import SHORT, Format
from ...reference.storage.tensor import Tensor
from ..programs.features import Features, Storage
from ..programs.problem import Problem
from . import BackendError
from .backend import Crashed, Refused, Scripted
from .notation import is_cyclic, is_sum_of_products, narrowest, print_expression, termwise, without_sums
from .result import Result

NESTS = ("dense", "compressed")
COMMON = ("Dense", "SparseVector", "CSR", "CSC", "RowMajor", "ColumnMajor", "DCSR", "DCSC", "compressed,dense", "CSF")
REPEATED = ("compressed(nonunique)", "dense,compressed(nonunique)", "dense,compressed(nonunique),singleton")
OPERANDS = Storage((*COMMON, "COO", *REPEATED), NESTS)
RESULTS = Storage((*COMMON, "COO"), NESTS)
LETTERS = {level: letter for letter, level in SHORT.items()}
HEADER = "%%MatrixMarket tensor coordinate real general"
DIGITS = 6
STEPS = ("pos", "fuse", "split", "divide", "precompute", "reorder", "bound", "unroll", "parallelize")
REFUSING = (*STEPS, "lowerForallCloned")
BOUNDS = {
    "max_exact": "MaxExact",
    "max_constraint": "MaxConstraint",
    "min_exact": "MinExact",
    "min_constraint": "MinConstraint",
}
RUN = """\
with tempfile.TemporaryDirectory() as folder:
    for name, text in files.items():
        Path(folder, name).write_text(text)
    environment = {**os.environ, "TMPDIR": folder, "LC_ALL": "C", "TACO_CFLAGS": "-O0 -std=c99"}
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    rows = [line.split() for line in Path(folder, "result.tns").read_text().splitlines()]
coords = [[int(i) - 1 for i in row[:-1]] for row in rows]
values = [float(row[-1]) for row in rows]
"""
THROWN = re.compile(
    r"what\(\):\s+(Error|Compiler bug|Temporary assumption broken) at [^\n]*?:\d+(?: in (\S+?):?)?\n(.*)", re.DOTALL
)
UNCOMPILED = re.compile(r"error: (.*)")
NO_MEMORY = re.compile(
    r"std::bad_alloc|.*(?:out of memory|memory exhausted|cannot allocate memory|killed signal terminated).*",
    re.IGNORECASE,
)


class TacoError(Exception):
    """What TACO says when it fails."""


class Taco(Scripted):
    """The `taco` on the PATH, or what `$TACO_BIN` names.

    Its documentation excludes diagonals, storage orders that form a cycle, results on the right, and summation in what
    is no sum of products; tensors are loaded as doubles. It compiles with `-ffast-math` unless told otherwise, so it
    does not promise infinities and NaN, and it says nothing about what a sparse result stores.
    """

    name = "taco"
    features = Features(
        coordinates=False,
        selections=False,
        orders=(0, 1, 2, 3, 4),
        dtypes=("float64",),
        mixed=False,
        operands=OPERANDS,
        results=RESULTS,
        operators=("add", "sub", "mul", "div", "neg"),
        reductions=("add",),
        updates=("add",),
        masks=(),
        semirings=(),
        diagonals=False,
        fills=False,
        specials=False,
        duplicates=False,
        empties=False,
    )

    def __init__(self) -> None:
        if not is_there():
            raise absence()
        said = subprocess.run([tool(), "-version"], capture_output=True, text=True, check=True).stdout
        self.version = said.splitlines()[0].removeprefix("TACO version: ")

    def script(self, problem: Problem) -> str:
        """Operands as files, one run of the tool, the result's file read back."""
        return script(problem)

    def run(self, problem: Problem) -> Result:
        """What the tool writes.

        Raises Refused where it says that something is not supported, MemoryError if memory runs out, Crashed if it ends
        with a signal and no message of its own, TacoError otherwise.
        """
        try:
            coords, values, shape = super().run(problem)
        except subprocess.CalledProcessError as error:
            raise failure(error, sum(t.order > 0 for t in problem.operands.values())) from None
        places = np.array(coords, np.int64).reshape(len(coords), len(shape))
        return Result(shape, np.dtype("float64"), places, np.array(values, float), digits=DIGITS)


def tool() -> str:
    """The command."""
    return os.environ.get("TACO_BIN", "taco")


def is_there() -> bool:
    """Whether there is such a command."""
    return shutil.which(tool()) is not None


def absence() -> BackendError:
    """The error where there is none."""
    hint = "build TACO, and put its bin on the PATH or name its command in TACO_BIN"
    return BackendError(f"backend taco needs the command {tool()}", hint=hint)


def script(problem: Problem) -> str:
    """A program that runs `taco` on a problem and assigns coordinates, values and shape to `result`."""
    files = {f"{name}.ttx": file_of(t) for name, t in problem.operands.items() if t.order}
    texts = "".join(f'    {name!r}: """{text}""",\n' for name, text in files.items())
    arguments = "".join(f"    {argument!r},\n" for argument in command(problem))
    return (
        "import os\nimport subprocess\nimport tempfile\nfrom pathlib import Path\n\n"
        f"files = {{\n{texts}}}\ncommand = [\n{arguments}]\n{RUN}result = coords, values, {problem.shape}\n"
    )


def command(problem: Problem) -> list[str]:
    """The command line of a problem. Raises Refused for what the tool's documentation excludes."""
    a = assignment(problem)
    stored = {name: t.format for name, t in problem.operands.items()} | {a.target.tensor: problem.out}
    if is_cyclic(a, stored):
        raise Refused("storage orders that form a cycle")
    text = f"{pretty(a.target)} {'=' if a.operator is None else '+='} {print_expression(a.value, leaf)}"
    loaded = [name for name, t in problem.operands.items() if t.order]
    inputs = [f"-i={name}:{name}.ttx" for name in loaded]
    check_schedule(problem)
    steps = [f"-s={step(c)}" for c in problem.schedule.commands]
    return [tool(), text, *formats(stored), *inputs, f"-o={a.target.tensor}:result.tns", *steps]


def assignment(problem: Problem) -> Assignment:
    """The assignment as TACO is to read it, without sums; operands of order 0 are numbers."""
    terms = problem.terms
    if terms.operator is not None and terms.target.tensor in problem.operands:
        raise Refused("a result with previous contents")
    a = without_sums(terms, [narrowest, termwise])
    sums = any(v not in a.target.indices for access in accesses(a.value) for v in access.indices)
    if sums and not is_sum_of_products(a.value):
        raise Refused("a summation that is no sum of products")
    known = {v for access in accesses(terms.value) for v in access.indices}
    if problem.schedule.commands and any(v not in known for access in accesses(a.value) for v in access.indices):
        raise Refused("a schedule of two sums over one variable")
    return replace(a, value=with_numbers(a.value, problem))


def with_numbers(e: Expr, problem: Problem) -> Expr:
    """An expression with the values of scalars in their place, and no division of integers."""
    match e:
        case Access(tensor=tensor, indices=()):
            return Literal(float(problem.operands[tensor].components()[1].sum()))
        case Apply(operator=operator, args=args):
            found = [with_numbers(argument, problem) for argument in args]
            if operator is DIV:
                found = [
                    Literal(float(n)) if isinstance(f, Literal) and isinstance(n := f.value, int) else f for f in found
                ]
            return Apply(operator, tuple(found))
        case _:
            return e


def check_schedule(problem: Problem) -> None:
    """Refuse a schedule with settings, one that goes on after `parallelize`, or one that leaves out a workspace which
    the result needs.

    TACO makes the workspaces of results itself only where nothing is scheduled.
    """
    if problem.schedule.settings:
        raise Refused("a schedule with settings")
    commands = [c.name for c in problem.schedule.commands]
    if "parallelize" in commands and set(commands[commands.index("parallelize") :]) != {"parallelize"}:
        raise Refused("a schedule that goes on after parallelize")
    if commands and any(w.shape for w in problem.with_schedule(Schedule()).ready.program.workspaces):
        raise Refused("a schedule where the result needs a workspace")


def formats(stored: Mapping[str, Format]) -> list[str]:
    """What says how tensors are stored."""
    return [f"-f={name}:{modes(format)}" for name, format in stored.items() if format.order]


def modes(format: Format) -> str:
    """A format as TACO writes it: `ds`, or `ds:1,0` where the modes are in another order."""
    letters = "".join(LETTERS[level] for level in format.levels)
    order = format.stored_modes
    return letters if order == sorted(order) else f"{letters}:{','.join(map(str, order))}"


def leaf(e: Access | Literal | Fill) -> str:
    """An access or a number; TACO's numbers have no exponents."""
    match e:
        case Access():
            return pretty(e)
        case Literal(value=int() | float() as value) if not isinstance(value, bool) and math.isfinite(value):
            text = str(value) if isinstance(value, int) else np.format_float_positional(value, trim="0")
            return f"({text})" if text.startswith("-") else text
        case Literal() | Fill():
            raise Refused("a number that is not real or not finite")


def step(c: Command) -> str:
    """A scheduling command as TACO writes it."""
    match c:
        case Command("collapse", args):
            return str(Command("fuse", args))
        case Command("pos", (variable, position, Access(tensor=tensor))):
            return f"pos({variable},{position},{tensor})"
        case Command("precompute", (_, _, _, _)):
            return str(c).replace(" ", "")
        case Command("bound", (variable, bounded, size, str() as kind)) if kind in BOUNDS:
            return f"bound({variable},{bounded},{size},{BOUNDS[kind]})"
        case Command("parallelize", (_, str() as unit, _)) if unit.startswith("GPU"):
            raise Refused("a schedule for a GPU")
        case Command("split" | "divide" | "reorder" | "unroll" | "parallelize"):
            return str(c)
        case _:
            raise Refused(f"a schedule with such a {c.name}")


def file_of(tensor: Tensor) -> str:
    """A tensor's shape and components as text."""
    coords, values = tensor.components()
    sizes = " ".join(map(str, (*tensor.shape, len(values))))
    lines = [
        f"{' '.join(str(n + 1) for n in i)} {v!r}" for i, v in zip(coords.T.tolist(), values.tolist(), strict=True)
    ]
    return "\n".join([HEADER, sizes, *lines, ""])


def failure(error: subprocess.CalledProcessError, operands: int) -> Exception:
    """The exception for a failed run: out of memory, a refusal, an error with its first line, or a signal.

    A message of TACO's own ends in SIGABRT, too, since nothing catches it: it is what the tool says, not a crash.
    """
    exhausted, uncompiled, thrown = (p.search(error.stderr) for p in (NO_MEMORY, UNCOMPILED, THROWN))
    if exhausted is not None:
        return MemoryError(exhausted[0].strip())
    if uncompiled is not None:
        return TacoError(f"the generated C does not compile: {uncompiled[1]}")
    if thrown is not None:
        return of_message(thrown[1], thrown[2] or "", " ".join(thrown[3].split()))
    if error.returncode < 0:
        place = "reading operands" if error.stdout.count(" size: (") < operands else "computing"
        name = Signals(-error.returncode).name
        return Crashed(name, f"{name} in {place}\n{error.stderr.strip()}".strip())
    return TacoError(error.stderr.strip() or f"exit status {error.returncode}")


def of_message(kind: str, place: str, text: str) -> Exception:
    """What TACO's own message says; one of a bug in the compiler is never a refusal."""
    if kind == "Compiler bug":
        return TacoError(f"{kind} in {place}: {text}")
    if place in REFUSING or "not defined in statement" in text:
        return Refused("a scheduling command whose preconditions do not hold")
    return Refused("what is not supported yet") if "not supported" in text.lower() else TacoError(f"{place}: {text}")
