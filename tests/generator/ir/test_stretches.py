"""Stretches: loops that scatter ask for memory by eight, and no others do; results are the same."""

from functools import cache

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.ir import ir
from gnomon.generator.ir.ir import Assign, Code, Comment, Declare, Element, For, Function, Int, Name
from gnomon.generator.ir.prefetching import ask
from gnomon.generator.ir.stretches import STRETCH, ask_by_stretches
from gnomon.generator.runtime.kernel import Kernel
from gnomon.generator.storage.layout import Layout
from gnomon.properties.machine.run import Conditions, Machine, machine
from texts import c_text

P = Name("p", True)
LEAD = Declare("const int64_t", "i", Element(Name("crd"), P))
ADD = Assign(Element(Name("y"), Name("i")), Element(Name("x"), P), "+=")
BEGIN = Element(Name("pos"), Int(0))


def changed(*code: ir.Stmt) -> Code:
    return ask_by_stretches(Function("void", "f", (("int64_t", "n"),), code)).body


def test_a_loop_that_scatters_goes_by_stretches() -> None:
    end, stretch = changed(For("p", BEGIN, Element(Name("pos"), Int(1)), (Comment("add"), LEAD, ADD)))
    assert isinstance(end, Declare)
    assert isinstance(stretch, For)
    assert (stretch.begin, stretch.end, stretch.step) == (BEGIN, Name(end.name), Int(STRETCH))
    *asked, last, inner = stretch.body
    assert tuple(asked) == ask((Name("crd"), Name("x")), Name(stretch.name))
    assert isinstance(last, Declare)
    assert isinstance(inner, For)
    assert (inner.begin, inner.end, inner.body) == (Name(stretch.name), Name(last.name), (Comment("add"), LEAD, ADD))


@pytest.mark.parametrize(
    "loop",
    [
        For("p", Int(0), Name("n"), (LEAD, ADD)),
        For("p", BEGIN, Name("n"), (LEAD, ADD), pragma="omp for"),
        For("p", BEGIN, Name("n"), (LEAD, ADD), step=Int(2)),
        For("p", BEGIN, Name("n"), (LEAD, ADD), unroll=4),
        For("p", BEGIN, Name("n"), (Assign(Element(Name("y"), P), Element(Name("x"), P)),)),
        For("p", BEGIN, Name("n"), (LEAD, ADD, Assign(Name("n"), Int(1), "+="))),
        For("p", BEGIN, Name("n"), (LEAD, Assign(ADD.target, ir.Call("next", (Element(Name("x"), P),))))),
        For("p", BEGIN, Name("n"), (LEAD,)),
        For("p", BEGIN, Name("n"), (LEAD, For("k", Int(0), Int(3), (ADD,)))),
        For("p", Element(Name("pos"), Element(Name("crd"), Name("k"))), Name("n"), (LEAD, ADD)),
    ],
    ids=("from 0", "threads", "steps", "unrolled", "in order", "counts", "calls", "reads", "nested", "jumps"),
)
def test_other_loops_stay(loop: For) -> None:
    assert changed(loop) == (loop,)


def test_two_loops_have_names_of_their_own() -> None:
    loop = For("p", BEGIN, Element(Name("pos"), Int(1)), (LEAD, ADD))
    first, second = (s.name for s in changed(loop, loop) if isinstance(s, Declare))
    assert first != second


@cache
def compiled(text: str, format: str) -> tuple[Kernel, Machine]:
    """A kernel whose lists are asked for by stretches, to be run and to be checked."""
    kernel = gn.compile(text, A=format, schedule=None)
    assert "gn_min_int64" in kernel.source
    return kernel, machine(kernel.source, Layout.of(gn.from_numpy(np.zeros(300), "Dense")))


@pytest.mark.parametrize(("text", "formats"), [("y(i) = A(i,j) * x(j)", "CSC"), ("y(i) = A(i,j) * x(j)", "COO")])
@pytest.mark.parametrize("width", [0, 1, 7, 8, 9, 300])
def test_what_is_asked_for_changes_nothing(text: str, formats: str, width: int) -> None:
    a = gn.tensor([np.arange(width), np.full(width, 1)], np.ones(width), (300, 3), formats)
    x = gn.from_numpy(np.array([1.0, 2.0, 3.0]), "Dense")
    kernel, checked = compiled(text, formats)
    wanted = [2.0] * width + [0.0] * (300 - width)
    assert kernel(A=a, x=x).to_numpy().tolist() == wanted
    assert checked.ran("evaluate", {"A": a, "x": x}, (300,), Conditions(1))[0].to_numpy().tolist() == wanted


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("y(i) = A(i,j) * x(j)", {"A": "CSC", "x": "SparseVector"}),
        ("C(i,j) = A(i,j) * x(j)", {"A": "CSR", "C": "CSR"}),
        ("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR", "B": "CSR", "C": "CSR"}),
    ],
)
def test_columns_that_are_sought_and_rows_that_are_appended_ask_for_nothing(text: str, formats: dict[str, str]) -> None:
    out = formats.pop("C", None)
    assert "gn_prefetch" not in c_text(text, out=out, schedule=None, **formats)
