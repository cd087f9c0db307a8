"""TACO's command line: how problems are written for it, and where `taco` is there, that it agrees."""

import shutil
import signal
import subprocess

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.backends import BackendError, load
from gnomon.properties.backends.backend import Crashed, Refused
from gnomon.properties.backends.outcome import Kind, judge
from gnomon.properties.backends.taco import Taco, TacoError, command, failure, script
from gnomon.properties.backends.worker import answer
from gnomon.properties.programs.problem import Problem
from gnomon.reference.schedule.schedule import as_schedule
from gnomon.reference.storage.format import Format
from gnomon.reference.storage.named_formats import format_of

installed = pytest.mark.skipif(shutil.which("taco") is None, reason="taco is not on the PATH")


@pytest.fixture(autouse=True)
def on_the_path(monkeypatch):
    """The command has its usual name."""
    monkeypatch.delenv("TACO_BIN", raising=False)


A = gn.tensor([[0, 2, 2], [1, 0, 3]], [1.5, 2.25, -4.0], (3, 4), Format("ds"))
T = gn.tensor([[0, 2], [1, 3]], [1.0, 0.0], (3, 4), Format("ds:1,0"))
K = gn.tensor([[0, 2], [1, 3]], [1 / 3, 2.0], (3, 4), format_of("COO", 2))
C = gn.tensor([[0, 1, 1], [0, 1, 1], [1, 0, 1]], [1.0, 2.0, 3.0], (2, 2, 2), Format("sss"))
x = gn.tensor([[0, 1]], [0.5, 4.0], (4,), Format("s"))
z = gn.tensor([[1]], [7.0], (3,), Format("d"))
s = gn.tensor(np.zeros((0, 1), int), [-2.5], (), Format(()))


def problem(source, out="d", schedule="", **operands):
    return Problem(source, operands, Format(out) if out else Format(()), schedule=as_schedule(schedule))


SPMV = problem("y(i) = A(i,j) * x(j)", A=A, x=x)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (SPMV, ["taco", "y(i) = A(i,j) * x(j)", "-f=A:ds", "-f=x:s", "-f=y:d", "-i=A:A.ttx", "-i=x:x.ttx"]),
        (problem("y(i,j) += s * T(i,j)", "dd", s=s, T=T), ["taco", "y(i,j) += (-2.5) * T(i,j)", "-f=T:ds:1,0"]),
        (problem("y = -sum(i, z(i) * 1e-7)", "", z=z), ["taco", "y = -(z(i) * 0.0000001)", "-f=z:d", "-i=z:z.ttx"]),
        (problem("y(i,j) = K(i,j) / 2 + 2", "dd", K=K), ["taco", "y(i,j) = K(i,j) / 2.0 + 2", "-f=K:uq", "-f=y:dd"]),
        (problem("y(i) = sum(k, A(i,k)) + sum(k, K(i,k))", A=A, K=K), ["taco", "y(i) = A(i,k) + K(i,j)", "-f=A:ds"]),
    ],
    ids=lambda value: value.source if isinstance(value, Problem) else None,
)
def test_command_lines(given, expected):
    assert command(given)[: len(expected)] == expected
    assert f"-o={given.terms.target.tensor}:result.tns" in command(given)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("split(i,i0,i1,2),unroll(i1,2)", ["-s=split(i,i0,i1,2)", "-s=unroll(i1,2)"]),
        ("divide(i,i0,i1,2),reorder(i0,i1)", ["-s=divide(i,i0,i1,2)", "-s=reorder(i0,i1)"]),
        ("collapse(i,j,f),pos(f,p,A(i,j))", ["-s=fuse(i,j,f)", "-s=pos(f,p,A)"]),
        ("precompute(A(i,j) * x(j),{j},{jw},w)", ["-s=precompute(A(i,j)*x(j),{j},{jw},w)"]),
        ("bound(i,b,3,max_exact)", ["-s=bound(i,b,3,MaxExact)"]),
        ("parallelize(i,CPUThread,NoRaces)", ["-s=parallelize(i,CPUThread,NoRaces)"]),
    ],
)
def test_schedules(steps, expected):
    given = problem(SPMV.source, "d", steps, A=A, x=x)
    assert [argument for argument in command(given) if argument.startswith("-s=")] == expected


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (problem("y(i,j) = A(i,j) + T(i,j)", "dd", A=A, T=T), "storage orders that form a cycle"),
        (problem("y(i) += z(i)", z=z, y=z), "a result with previous contents"),
        (problem("y(i) = sum(j, A(i,j) * (x(j) + x(j)))", A=A, x=x), "a summation that is no sum of products"),
        (problem("y = sum(j, x(j) + s)", "", x=x, s=s), "sums that implicit ones do not express"),
        (problem("y(i) = x(i) * nan", x=x), "a number that is not real or not finite"),
        (problem(SPMV.source, "d", "bound(i,b,3,divisible)", A=A, x=x), "a schedule with such a bound"),
        (problem(SPMV.source, "d", "parallelize(i,GPUThread,NoRaces)", A=A, x=x), "a schedule for a GPU"),
        (
            problem(SPMV.source, "d", "parallelize(i,CPUThread,NoRaces),unroll(j,2)", A=A, x=x),
            "a schedule that goes on after parallelize",
        ),
        (
            problem(
                "y(i,j) = A(i,k) * B(k,j)", "ds", "unroll(k,2)", A=A, B=gn.tensor([[1], [0]], [2.0], (4, 3), "CSR")
            ),
            "a schedule where the result needs a workspace",
        ),
    ],
    ids=lambda value: value.source if isinstance(value, Problem) else None,
)
def test_documented_limitations_are_refused(given, reason):
    with pytest.raises(Refused, match=reason):
        command(given)


def test_a_script():
    assert script(problem("y(i) = 2 * z(i)", z=gn.tensor([[1]], [7.0], (3,), Format("s")))).startswith(
        "import os\n"
        "import subprocess\n"
        "import tempfile\n"
        "from pathlib import Path\n"
        "\n"
        "files = {\n"
        '    \'z.ttx\': """%%MatrixMarket tensor coordinate real general\n'
        "3 1\n"
        "2 7.0\n"
        '""",\n'
        "}\n"
        "command = [\n"
        "    'taco',\n"
        "    'y(i) = 2 * z(i)',\n"
        "    '-f=z:s',\n"
        "    '-f=y:d',\n"
        "    '-i=z:z.ttx',\n"
        "    '-o=y:result.tns',\n"
        "]\n"
    )


@pytest.mark.parametrize(
    ("status", "stdout", "stderr", "expected"),
    [
        (-6, "", "  what():  Error at /src/tensor.cpp:9 in pack:\n Bad order.", TacoError("pack: Bad order.")),
        (
            -6,
            "",
            "  what():  Error at /src/ir.cpp:9 in cast:\n Not supported yet",
            Refused("what is not supported yet"),
        ),
        (
            -6,
            "",
            "  what():  Error at /src/notation.cpp:9 in fuse:\n The pattern was not found",
            Refused("a scheduling command whose preconditions do not hold"),
        ),
        (
            -6,
            "",
            "  what():  Compiler bug at /src/transformations.cpp:9 in reorder\nPlease report it to developers\n"
            " Condition failed: a in b: not supported\n ",
            TacoError(
                "Compiler bug in reorder: Please report it to developers Condition failed: a in b: not supported"
            ),
        ),
        (
            -6,
            "",
            "  what():  Temporary assumption broken at /src/l.cpp:9\n Not supported yet, but planned for the future",
            Refused("what is not supported yet"),
        ),
        (-6, "", "  what():  std::bad_alloc\n", MemoryError("std::bad_alloc")),
        (-6, "", "cc1: out of memory allocating 65536 bytes", MemoryError("cc1: out of memory allocating 65536 bytes")),
        (-6, "", "a.c:1:2: error: 'q' undeclared", TacoError("the generated C does not compile: 'q' undeclared")),
        (6, "", "Error: Expected tensor name\n", TacoError("Error: Expected tensor name")),
    ],
)
def test_failures_are_told_apart(status, stdout, stderr, expected):
    found = failure(subprocess.CalledProcessError(status, ["taco"], stdout, stderr), 2)
    assert (type(found), str(found)) == (type(expected), str(expected))


@pytest.mark.parametrize(
    ("status", "stdout", "stderr", "detail"),
    [
        (-11, "A size: (3), 8 bytes\n", "", "SIGSEGV in reading operands"),
        (-11, "A size: (3), 8 bytes\nB size: (3), 8 bytes\n", "", "SIGSEGV in computing"),
        (-6, "", "free(): invalid pointer\n", "SIGABRT in reading operands\nfree(): invalid pointer"),
        (-6, "", "  what():  map::at\n", "SIGABRT in reading operands\nwhat():  map::at"),
    ],
)
def test_a_signal_is_a_crash(status, stdout, stderr, detail):
    found = failure(subprocess.CalledProcessError(status, ["taco"], stdout, stderr), 2)
    assert isinstance(found, Crashed)
    assert (found.signal, found.detail) == (signal.Signals(-status).name, detail)


def test_without_the_command_the_backend_says_what_is_missing(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BackendError, match="taco needs the command taco"):
        load("taco")


@installed
@pytest.mark.parametrize(
    "given",
    [
        SPMV,
        problem("y(i) = A(i,j) * x(j) + z(i)", "s", A=A, x=x, z=z),
        problem("y(i,j) = K(i,j) / 3 - s * K(i,j)", "ss", K=K, s=s),
        problem("y(k,i) = C(i,j,k)", "dd", C=C),
        problem("y = x(j) * x(j)", "", x=x),
        problem(SPMV.source, "d", "split(i,i0,i1,2),reorder(i0,i1)", A=A, x=x),
    ],
    ids=str,
)
def test_it_agrees(given):
    found = answer(Taco(), given)
    assert judge(given, found).kind is Kind.AGREES
